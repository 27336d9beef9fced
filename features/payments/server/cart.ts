import { changeRow } from '../../../server/db/rows.ts'
import type { Call } from '../../../server/call.ts'
import type { PayableRef } from '../../../server/db/column-types.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { ALREADY_PAID, MINE } from '../contract.ts'
import { MAX_IN_CART, orderStatus } from '../rules.ts'
import { lookAt } from './order-lines.ts'
import { type Checkout, inCart, linkTo, lockCheckout, newToken, numberedFrom, openCheckout } from './checkout.ts'

/**
 * Opens a checkout of its own for what somebody wants to pay, or adds it to the cart that they name: a token, or 'mine' for
 * the own one of a resident who is signed in. Only adding fills a cart; looking at a bill does not. Answers a token of the page.
 */
export async function putIntoCart(
  tx: Tx,
  { context, company, session }: Pick<Call, 'context' | 'company' | 'session'>,
  refs: readonly PayableRef[],
  cart?: string,
): Promise<string> {
  const person = townPersonOf(session)
  if (cart === undefined || (cart === MINE && person === null)) return openCheckout(tx, context, company.id, refs)
  if (cart !== MINE) {
    const token = await addToCheckout(tx, context, company.id, cart, refs)
    if (person !== null) await keepAsCart(tx, context, company.id, person, token)
    return token
  }
  const own = await lockCartOf(tx, context, company.id, person as number)
  await add(tx, company.id, own, refs)
  return linkTo(tx, context, company.id, own.id)
}

/** A person's open cart: null where there is none, or where it is paid or being paid. */
export async function cartOf(tx: Tx, company: CompanyId, person: number): Promise<Checkout | null> {
  const cart = await tx
    .selectFrom('guest_checkout')
    .selectAll()
    .where('company_id', '=', company)
    .where('cart_of', '=', person)
    .executeTakeFirst()
  return cart && (await standingOf(tx, company, cart.id)) === 'open' ? cart : null
}

/** The things in a cart of which something can be paid still: others were paid or closed elsewhere. */
export async function payableIn(tx: Tx, company: CompanyId, { payables }: Checkout): Promise<PayableRef[]> {
  const wanted = await lookAt(tx, company, payables)
  return wanted.filter(({ owedCents }) => owedCents > 0).map(({ kind, id }) => ({ kind, id }))
}

/** Makes a checkout that somebody adds to their cart, unless it is somebody's already or they have another one with bills in it. */
async function keepAsCart(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  person: number,
  token: string,
): Promise<void> {
  const checkout = await lockCheckout(tx, context, company, token)
  if (checkout.cart_of !== null) return
  // Locked, so that of two tabs the second sees what the first has put in.
  const own = await lockCartOf(tx, context, company, person)
  if ((await payableIn(tx, company, own)).length > 0) return
  await changeRow(tx, 'guest_checkout', company, own.id, { cart_of: null })
  await changeRow(tx, 'guest_checkout', company, checkout.id, { cart_of: person })
}

const isIn = (refs: readonly PayableRef[], { kind, id }: PayableRef): boolean =>
  refs.some((ref) => ref.kind === kind && ref.id === id)

/** Takes one thing out of a cart. @throws 409 while a payment of it is under way or when it is paid, 404 where it is not in there */
export async function removeFrom(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  token: string,
  no: number,
): Promise<void> {
  const cart = await lockCheckout(tx, context, company, token)
  const standing = await standingOf(tx, company, cart.id)
  if (standing === 'paid') throw conflict('already_paid', ALREADY_PAID)
  if (standing === 'paying') throw underWay()
  const payables = cart.payables.filter((one) => one.no !== no)
  if (payables.length === cart.payables.length) throw notFound('This is not in the cart any more.')
  await write(tx, company, cart.id, { payables: JSON.stringify(payables) })
}

/** Adds to the cart that a token opens, or where that was paid opens another one. Answers the token to go on with. */
export async function addToCheckout(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  token: string,
  refs: readonly PayableRef[],
): Promise<string> {
  const cart = await lockCheckout(tx, context, company, token)
  const standing = await standingOf(tx, company, cart.id)
  if (standing === 'paid') return openCheckout(tx, context, company, refs)
  if (standing === 'paying') throw underWay()
  await add(tx, company, cart, refs)
  return token
}

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
  const fresh = refs.filter((ref) => !isIn(cart.payables, ref))
  if (fresh.length === 0) return
  if (cart.payables.length + fresh.length > MAX_IN_CART)
    throw rejected(say`A cart holds at most ${MAX_IN_CART} things. Pay those that are in it first, or remove some.`)
  const numbered = await numberedFrom(tx, company, cart.last_no, fresh)
  await write(tx, company, cart.id, {
    payables: JSON.stringify([...cart.payables, ...numbered]),
    last_no: cart.last_no + fresh.length,
  })
}

const write = (tx: Tx, company: CompanyId, id: number, facts: { payables: string; last_no?: number }) =>
  changeRow(tx, 'guest_checkout', company, id, facts)

/** The open cart of a person, locked. One that is paid or being paid is theirs no more, and they begin another. */
async function lockCartOf(tx: Tx, context: AppContext, company: CompanyId, person: number): Promise<Checkout> {
  const { kept } = newToken(context)
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
  await changeRow(tx, 'guest_checkout', company, cart.id, { cart_of: null })
  return open()
}
