import { type Call, implement } from '../../../server/call.ts'
import type { PayableRef } from '../../../server/db/column-types.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { ALREADY_PAID, removeFromCart } from '../contract.ts'
import { MOST_IN_CART, orderStatus } from '../rules.ts'
import { type Checkout, inCart, linkTo, lockCheckout, newToken, openCheckout } from './checkout.ts'

/**
 * Puts things into the cart of whoever is signed in, and answers a token of its page. Everybody has one open cart; what is
 * in it already is not put in twice. For a guest it opens a checkout of its own.
 */
export const addToCart = (call: Call, refs: readonly PayableRef[]): Promise<string> =>
  call.inCompany(async (tx) => {
    const { house, company, session } = call
    const person = townPersonOf(session)
    if (person === null) return openCheckout(tx, house, company.id, refs)
    const cart = await lockCartOf(tx, house, company.id, person)
    await add(tx, company.id, cart, refs)
    return linkTo(tx, house, company.id, cart.id)
  })

/** Adds to the cart that a token opens, or where that was paid opens another one. Answers the token to go on with. */
export async function addToCheckout(
  tx: Tx,
  house: House,
  company: CompanyId,
  token: string,
  refs: readonly PayableRef[],
): Promise<string> {
  const cart = await lockCheckout(tx, house, company, token)
  const standing = await standingOf(tx, company, cart.id)
  if (standing === 'paid') return openCheckout(tx, house, company, refs)
  if (standing === 'paying') throw underWay()
  await add(tx, company, cart, refs)
  return token
}

export const removeFromCartCall = implement(removeFromCart, async (call) => {
  const { house, company, body } = call
  await call.inCompany(async (tx) => {
    const cart = await lockCheckout(tx, house, company.id, body.token)
    const standing = await standingOf(tx, company.id, cart.id)
    if (standing === 'paid') throw conflict('already_paid', ALREADY_PAID)
    if (standing === 'paying') throw underWay()
    const payables = cart.payables.filter(({ no }) => no !== body.no)
    if (payables.length === cart.payables.length) throw notFound('This is not in the cart any more.')
    await write(tx, company.id, cart.id, { payables: JSON.stringify(payables) })
  })
  return { success: true as const }
})

const underWay = () =>
  conflict(
    'payment_in_progress',
    'A payment of this cart is under way, so nothing can be added or removed. Wait until it has ended, or give it up.',
  )

/** Whether a cart may still be changed. The caller holds its checkout, so that no payment of it begins meanwhile. */
async function standingOf(tx: Tx, company: CompanyId, checkoutId: number): Promise<'open' | 'paying' | 'paid'> {
  const { pending, success, refund } = orderStatus
  const orders = await tx
    .selectFrom('payment_order')
    .select('status')
    .where('company_id', '=', company)
    .where('checkout_id', '=', checkoutId)
    .where('status', 'in', [pending, success, refund])
    .execute()
  if (orders.length === 0) return 'open'
  return orders.some(({ status }) => status === pending) ? 'paying' : 'paid'
}

async function add(tx: Tx, company: CompanyId, cart: Checkout, refs: readonly PayableRef[]): Promise<void> {
  const fresh = refs.filter((ref) => !cart.payables.some(({ kind, id }) => kind === ref.kind && id === ref.id))
  if (fresh.length === 0) return
  if (cart.payables.length + fresh.length > MOST_IN_CART)
    throw rejected(say`A cart holds at most ${MOST_IN_CART} things. Pay those that are in it first, or remove some.`)
  const numbered = fresh.map(({ kind, id }, n) => ({ no: cart.last_no + n + 1, kind, id }))
  await write(tx, company, cart.id, {
    payables: JSON.stringify([...cart.payables, ...numbered]),
    last_no: cart.last_no + fresh.length,
  })
}

const write = (tx: Tx, company: CompanyId, id: number, facts: { payables: string; last_no?: number }) =>
  tx.updateTable('guest_checkout').set(facts).where('company_id', '=', company).where('id', '=', id).execute()

/** The open cart of a person, locked. One that is paid or being paid is theirs no more, and they begin another. */
async function lockCartOf(tx: Tx, house: House, company: CompanyId, person: number): Promise<Checkout> {
  const { kept } = newToken(house)
  const open = () =>
    tx
      .insertInto('guest_checkout')
      .values({ company_id: company, cart_of: person, ...inCart([]), ...kept })
      // Whoever comes second waits here for the first, and has the same cart. It lives as long as it is used.
      .onConflict((conflict) =>
        conflict
          .columns(['company_id', 'cart_of'])
          .where('cart_of', 'is not', null)
          .doUpdateSet({ expires_at: kept.expires_at }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
  const cart = await open()
  if ((await standingOf(tx, company, cart.id)) === 'open') return cart
  await tx
    .updateTable('guest_checkout')
    .set({ cart_of: null })
    .where('company_id', '=', company)
    .where('id', '=', cart.id)
    .execute()
  return open()
}
