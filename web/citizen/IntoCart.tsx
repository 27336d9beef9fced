import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useCartInAddress, useOpenCart } from '../cart.ts'
import { Checkbox } from '../ui/Choice.tsx'

/**
 * For a form that finds something to pay: the cart that it goes into, and where one is open the choice between that and
 * paying it by itself.
 */
export function useIntoCart() {
  const named = useCartInAddress()
  const open = useOpenCart()
  const [isAdded, setAdded] = useState(false)
  const into = named ?? (isAdded && open ? open.into : null)
  return {
    /** To be spread into the body of the call. */
    cart: into === null ? {} : { cart: into },
    choice: named === null && open !== null && (
      <Checkbox
        label={<Trans>Add it to my cart, and pay everything together</Trans>}
        checked={isAdded}
        onChange={({ target }) => setAdded(target.checked)}
      />
    ),
  }
}
