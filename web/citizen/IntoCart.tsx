import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useCartInAddress, useOpenCart } from '../cart.ts'
import { Checkbox } from '../ui/Choice.tsx'

/**
 * Returns the target cart for a form with an item to pay. If a cart is open, the person chooses between the cart and
 * separate payment.
 */
export function useIntoCart() {
  const named = useCartInAddress()
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
