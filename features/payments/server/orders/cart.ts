import { changeRow } from '../../../../server/db/rows.ts'
import type { Call } from '../../../../server/call.ts'
import type { PayableRef } from '../../../../server/db/column-types.ts'
import { conflict, notFound, rejected } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { companyPersonOf } from '../../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { say } from '../../../../shared/messages.ts'
import { ALREADY_PAID, OWN_CART } from '../../contract.ts'
import { MAX_IN_CART, orderStatus } from '../../rules.ts'
import { loadOwed } from './order-lines.ts'
import { type Checkout, inCart, linkTo, lockCheckout, newToken, numberedFrom, openCheckout } from './checkout.ts'

/**
 * Opens a separate checkout for items, or adds them to the given cart: a token, or 'mine' for a signed-in resident. A
 * bill that is only opened is not added to a cart. Returns a checkout token.
 */
export async function putIntoCart(
  tx: Tx,
  { context, company, session }: Pick<Call, 'context' | 'company' | 'session'>,
  refs: readonly PayableRef[],
  cart?: string,
): Promise<string> {
  const person = companyPersonOf(session)
  if (cart === undefined || (cart === OWN_CART && person === null)) return openCheckout(tx, context, company.id, refs)
  if (cart !== OWN_CART) {
    const token = await addToCheckout(tx, context, company.id, cart, refs)
    if (person !== null) await keepAsCart(tx, context, company.id, person, token)
    return token
  }
  const own = await lockCartOf(tx, context, company.id, person as number)
  await add(tx, company.id, own, refs)
  return linkTo(tx, context, company.id, own.id)
}

/** Returns a person's open cart. Null if the person has no cart, or if the cart is paid or being paid. */
export async function cartOf(tx: Tx, company: CompanyId, person: number): Promise<Checkout | null> {
  const cart = await tx
    .selectFrom('guest_checkout')
    .selectAll()
    .where('company_id', '=', company)
    .where('cart_of', '=', person)
    .executeTakeFirst()
  return cart && (await cartStatusOf(tx, company, cart.id)) === 'open' ? cart : null
}

/** Returns the items in a cart that can still be paid. All other items were paid or closed elsewhere. */
export async function payableIn(tx: Tx, company: CompanyId, { payables }: Checkout): Promise<PayableRef[]> {
  const dueLines = await loadOwed(tx, company, payables)
  return dueLines.filter(({ owedCents }) => owedCents > 0).map(({ kind, id }) => ({ kind, id }))
}

/**
 * Makes a checkout the person's cart. Does nothing if the checkout is already someone's cart, or if the person's own
 * cart has payable items.
 */
async function keepAsCart(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  person: number,
  token: string,
): Promise<void> {
  const checkout = await lockCheckout(tx, context, company, token)
  if (checkout.cart_of !== null) return
  // The cart is locked, so that the second of two browser tabs sees the items of the first.
  const own = await lockCartOf(tx, context, company, person)
  if ((await payableIn(tx, company, own)).length > 0) return
  await changeRow(tx, 'guest_checkout', company, own.id, { cart_of: null })
  await changeRow(tx, 'guest_checkout', company, checkout.id, { cart_of: person })
}

const isIn = (refs: readonly PayableRef[], { kind, id }: PayableRef): boolean =>
  refs.some((ref) => ref.kind === kind && ref.id === id)

/**
 * Removes an item from a cart.
 * @throws 409 if the cart is paid or a payment is pending, 404 if the item is not in the cart
 */
export async function removeFrom(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  token: string,
  no: number,
): Promise<void> {
  const cart = await lockCheckout(tx, context, company, token)
  const cartStatus = await cartStatusOf(tx, company, cart.id)
  if (cartStatus === 'paid') throw conflict('already_paid', ALREADY_PAID)
  if (cartStatus === 'paying') throw pendingPayments()
  const payables = cart.payables.filter((one) => one.no !== no)
  if (payables.length === cart.payables.length) throw notFound('This item is no longer in the cart.')
  await write(tx, company, cart.id, { payables: JSON.stringify(payables) })
}

/** Adds items to the cart with this token. If that cart is paid, opens a new one. Returns the token to use next. */
export async function addToCheckout(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  token: string,
  refs: readonly PayableRef[],
): Promise<string> {
  const cart = await lockCheckout(tx, context, company, token)
  const cartStatus = await cartStatusOf(tx, company, cart.id)
  if (cartStatus === 'paid') return openCheckout(tx, context, company, refs)
  if (cartStatus === 'paying') throw pendingPayments()
  await add(tx, company, cart, refs)
  return token
}

const pendingPayments = () =>
  conflict(
    'payment_in_progress',
    'A payment for this cart is pending, so you cannot add or remove items. Wait until the payment is completed, or cancel it.',
  )

/**
 * Returns whether a cart is open, being paid or paid. The caller must have locked its checkout, so that no payment
 * starts.
 */
async function cartStatusOf(tx: Tx, company: CompanyId, checkoutId: number): Promise<'open' | 'paying' | 'paid'> {
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
    throw rejected(say`A cart holds up to ${MAX_IN_CART} items. Pay for those in the cart first, or remove some.`)
  const numbered = await numberedFrom(tx, company, cart.last_no, fresh)
  await write(tx, company, cart.id, {
    payables: JSON.stringify([...cart.payables, ...numbered]),
    last_no: cart.last_no + fresh.length,
  })
}

const write = (tx: Tx, company: CompanyId, id: number, patch: { payables: string; last_no?: number }) =>
  changeRow(tx, 'guest_checkout', company, id, patch)

/** Locks a person's open cart. If the cart is paid or being paid, creates a new one. */
async function lockCartOf(tx: Tx, context: AppContext, company: CompanyId, person: number): Promise<Checkout> {
  const { tokenColumns } = newToken(context)
  const open = () =>
    tx
      .insertInto('guest_checkout')
      .values({ company_id: company, cart_of: person, ...inCart([]), ...tokenColumns })
      // A concurrent caller waits here and gets the same cart. Each use of a cart extends its expiry.
      .onConflict((conflict) =>
        conflict
          .columns(['company_id', 'cart_of'])
          .where('cart_of', 'is not', null)
          .doUpdateSet({ expires_at: tokenColumns.expires_at }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
  const cart = await open()
  if ((await cartStatusOf(tx, company, cart.id)) === 'open') return cart
  await changeRow(tx, 'guest_checkout', company, cart.id, { cart_of: null })
  return open()
}
