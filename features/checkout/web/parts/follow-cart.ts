import { call } from '../../../../web/call.ts'
import { forgetTabCart, OWN_CART, rememberTabCart, setOwnCart, tabCart } from '../../../../web/cart.ts'
import { currentSession } from '../../../../web/session.ts'
import { guestCheckout, saveCart, myCart } from '../../contract.ts'

/**
 * Adds the items that a person found in this tab before sign-in to the person's cart. Then loads the number of items in
 * the cart. If the cart cannot be loaded, no count appears, and the payment page shows the error.
 */
export async function followCart(): Promise<void> {
  const session = currentSession()
  if (session === null || session.impersonating) return setOwnCart(0)
  const cart = tabCart()
  try {
    const { count } = cart ? await call(saveCart, { token: cart.into }) : await call(myCart, {})
    if (cart) forgetTabCart(cart.into)
    setOwnCart(count)
  } catch {
    setOwnCart(0)
  }
}

/**
 * Adds an item to the open cart or starts a cart with it. The screen stays, and the cart badge updates.
 * @param put adds the item to the given cart and returns the token of its payment page
 */
export async function addToOpenCart(put: (into: { cart?: string }) => Promise<{ token: string }>): Promise<void> {
  const session = currentSession()
  const into = session === null ? tabCart()?.into : OWN_CART
  const { token } = await put(into === undefined ? {} : { cart: into })
  if (session !== null) return followCart()
  const { payables } = await call(guestCheckout, { token })
  rememberTabCart({ into: token, count: payables.filter(({ payableCents }) => payableCents > 0).length })
}
