import { call } from '../../../web/call.ts'
import { forgetTabCart, MINE, rememberTabCart, setOwnCart, tabCart } from '../../../web/cart.ts'
import { currentSession } from '../../../web/session.ts'
import { guestCheckout, keepCart, myCart } from '../contract.ts'

/**
 * Asks how much is in the own cart of whoever is signed in. What they had found in this tab before they signed in goes into
 * it. A cart that can't be looked at now is simply not told of: the payment page says what is wrong.
 */
export async function followCart(): Promise<void> {
  const session = currentSession()
  if (session === null || session.impersonating) return setOwnCart(0)
  const found = tabCart()
  try {
    const { count } = found ? await call(keepCart, { token: found.into }) : await call(myCart, {})
    if (found) forgetTabCart(found.into)
    setOwnCart(count)
  } catch {
    setOwnCart(0)
  }
}

/**
 * Adds something to the open cart, or begins one with it. The screen stays; the badge of the cart follows.
 * @param put calls what finds the thing, with the cart that it goes into, and answers the token of its payment page
 */
export async function addToOpenCart(put: (into: { cart?: string }) => Promise<{ token: string }>): Promise<void> {
  const session = currentSession()
  const into = session === null ? tabCart()?.into : MINE
  const { token } = await put(into === undefined ? {} : { cart: into })
  if (session !== null) return followCart()
  const { payables } = await call(guestCheckout, { token })
  rememberTabCart({ into: token, count: payables.filter(({ payableCents }) => payableCents > 0).length })
}
