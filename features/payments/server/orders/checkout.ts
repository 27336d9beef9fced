import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { CartItem, PayableRef } from '../../../../server/db/column-types.ts'
import type { Schema } from '../../../../server/db/schema.ts'
import { notFound } from '../../../../server/errors.ts'
import { originOf } from '../../../../server/config.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { definePreviewRows } from '../../../../server/resident-preview.ts'
import { hashSecret, newSecret } from '../../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { type Order, type PaidOrder, paidOrders } from './orders.ts'
import { payableOf } from './payable.ts'
import { orderStatus } from '../../rules.ts'

export type Checkout = Selectable<Schema['guest_checkout']>

/** Number of days for which a checkout and its receipt can be opened, counted from the creation of each token. */
export const CHECKOUT_DAYS = 30

/** Opens a checkout for these items, in this order, and returns its token. */
export async function openCheckout(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  payables: readonly PayableRef[],
): Promise<string> {
  const { token, tokenColumns } = newToken(context)
  const numbered = await numberedFrom(tx, company, 0, payables)
  await tx
    .insertInto('guest_checkout')
    .values({ company_id: company, ...inCart(numbered), ...tokenColumns })
    .execute()
  return token
}

/**
 * Converts items to cart items. Each cart item gets a number that is never reused in the cart. Its current payable
 * amount is saved, so that the payer can be shown a later change.
 */
export const numberedFrom = (
  tx: Tx,
  company: CompanyId,
  last: number,
  payables: readonly PayableRef[],
): Promise<CartItem[]> =>
  Promise.all(
    payables.map(async ({ kind, id }, n) => {
      const { owedCents, pendingCents } = await payableOf(kind).owed(tx, company, id)
      return { no: last + n + 1, kind, id, cents: owedCents - pendingCents }
    }),
  )

/** Returns the columns of a cart with these items. */
export const inCart = (items: readonly CartItem[]) => ({ payables: JSON.stringify(items), last_no: items.length })

/** Creates a token, its hash to store, and its expiry time. */
export function newToken(context: AppContext) {
  const token = newSecret()
  const now = context.clock.now()
  const expires_at = new Date(now.getTime() + CHECKOUT_DAYS * 86_400_000)
  return { token, tokenColumns: { token_hash: hashSecret(token), created_at: now, expires_at } }
}

/** Returns the SQL for the checkout id of a valid token: the checkout's own token or the token of a later link. */
export function openedBy(context: AppContext, company: CompanyId, token: string): RawBuilder<number> {
  const [hash, now] = [hashSecret(token), context.clock.now()]
  return sql<number>`coalesce(
    (SELECT own.id FROM guest_checkout own WHERE own.company_id = ${company} AND own.token_hash = ${hash} AND own.expires_at > ${now}),
    (SELECT l.checkout_id FROM checkout_link l WHERE l.company_id = ${company} AND l.token_hash = ${hash} AND l.expires_at > ${now}))`
}

export const unknownCheckout = () =>
  notFound('This payment link is not valid or has expired. Find your bill again to pay it.')

/** Returns the checkout of a valid token. */
export async function findCheckout(tx: Tx, context: AppContext, company: CompanyId, token: string): Promise<Checkout> {
  const checkout = await checkoutOf(tx, company, openedBy(context, company, token)).executeTakeFirst()
  if (!checkout) throw unknownCheckout()
  return checkout
}

/**
 * Locks the checkout of a valid token until the transaction ends. Changes of its items, and new or retried payments,
 * then run one at a time. Provider updates of its orders do not wait, because their foreign key check needs only a lock
 * on the checkout's key.
 */
export async function lockCheckout(tx: Tx, context: AppContext, company: CompanyId, token: string): Promise<Checkout> {
  const checkout = await checkoutOf(tx, company, openedBy(context, company, token))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!checkout) throw unknownCheckout()
  return checkout
}

const checkoutOf = (tx: Tx, company: CompanyId, id: RawBuilder<number>) =>
  tx.selectFrom('guest_checkout').selectAll().where('company_id', '=', company).where('id', '=', id)

/** Returns the order to show in a checkout: the current order, or else the newest failed one. */
export const orderOfCheckout = (tx: Tx, company: CompanyId, checkoutId: number): Promise<PaidOrder | undefined> =>
  paidOrders(tx, company)
    .where('o.checkout_id', '=', checkoutId)
    .orderBy((eb) =>
      eb
        .case()
        .when('o.status', 'in', [orderStatus.pending, orderStatus.success, orderStatus.refund])
        .then(0)
        .else(1)
        .end(),
    )
    .orderBy('o.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Creates another checkout token. Only the recipient knows the token. The database stores only its hash. */
export async function linkTo(tx: Tx, context: AppContext, company: CompanyId, checkoutId: number): Promise<string> {
  const { token, tokenColumns } = newToken(context)
  await tx
    .insertInto('checkout_link')
    .values({ company_id: company, checkout_id: checkoutId, ...tokenColumns })
    .execute()
  return token
}

/** Returns a checkout link for an email. Null for an order without a checkout. */
export async function createCheckoutLink(
  tx: Tx,
  context: AppContext,
  company: Pick<Company, 'id' | 'subdomain'>,
  order: Pick<Order, 'checkout_id'>,
): Promise<string | null> {
  if (order.checkout_id === null) return null
  const token = await linkTo(tx, context, company.id, order.checkout_id)
  return `${originOf(context.config, company.subdomain)}/guest/payment/${token}`
}

definePreviewRows({ tables: ['guest_checkout'] })
