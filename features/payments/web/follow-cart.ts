import { call } from '../../../web/call.ts'
import { forgetTabCart, setOwnCart, tabCart } from '../../../web/cart.ts'
import { currentSession } from '../../../web/session.ts'
import { keepCart, myCart } from '../contract.ts'

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
