import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useCartFromUrl, useOpenCart } from '../cart.ts'
import { Checkbox } from '../ui/Choice.tsx'

/**
 * Returns the request fields that add an item to a cart, and a checkbox. If a cart is open, the person chooses between
 * adding the item to the cart and paying it separately.
 */
export function useIntoCart() {
  const named = useCartFromUrl()
  const open = useOpenCart()
  const [isAdded, setAdded] = useState(false)
  const into = named ?? (isAdded && open ? open.into : null)
  return {
    /** Fields for the body of the call. */
    cart: into === null ? {} : { cart: into },
    choice: named === null && open !== null && (
      <Checkbox
        label={<Trans>Add this to my cart and pay for everything together</Trans>}
        checked={isAdded}
        onChange={({ target }) => setAdded(target.checked)}
      />
    ),
  }
}
