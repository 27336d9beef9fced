import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { CartItem, PayableRef } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type Order, type PaidOrder, paidOrders } from './orders.ts'
import { payableOf } from './payables.ts'

export type Checkout = Selectable<Schema['guest_checkout']>

/** A checkout can be opened again for this long, by its own token or by one that was made later: its receipt too. */
export const CHECKOUT_DAYS = 30

/** Opens a checkout for these things; the lines of its order will have their order. Answers its token. */
export async function openCheckout(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  payables: readonly PayableRef[],
): Promise<string> {
  const { token, kept } = newToken(context)
  const numbered = await numberedFrom(tx, company, 0, payables)
  await tx
    .insertInto('guest_checkout')
    .values({ company_id: company, ...inCart(numbered), ...kept })
    .execute()
  return token
}

/**
 * Things as a cart keeps them: each has a number of its own in it, which no other will ever have, and what could be paid of
 * it when it was put in, so that its payer hears of it when that is another amount by the time they pay.
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

/** The columns of a cart that is made of these. */
export const inCart = (things: readonly CartItem[]) => ({ payables: JSON.stringify(things), last_no: things.length })

/** A new token, what is kept of it, and until when. */
export function newToken(context: AppContext) {
  const token = newSecret()
  const now = context.clock.now()
  const expires_at = new Date(now.getTime() + CHECKOUT_DAYS * 86_400_000)
  return { token, kept: { token_hash: hashSecret(token), created_at: now, expires_at } }
}

/** The id of the checkout that a token opens, while the token lives: its own, or one of a later link. */
export function openedBy(context: AppContext, company: CompanyId, token: string): RawBuilder<number> {
  const [hash, now] = [hashSecret(token), context.clock.now()]
  return sql<number>`coalesce(
    (SELECT own.id FROM guest_checkout own WHERE own.company_id = ${company} AND own.token_hash = ${hash} AND own.expires_at > ${now}),
    (SELECT l.checkout_id FROM checkout_link l WHERE l.company_id = ${company} AND l.token_hash = ${hash} AND l.expires_at > ${now}))`
}

export const unknownCheckout = () =>
  notFound('This payment link is not known or too old. Find your bill again to pay it.')

/** The checkout behind a token, while it lives. */
export async function findCheckout(tx: Tx, context: AppContext, company: CompanyId, token: string): Promise<Checkout> {
  const checkout = await checkoutOf(tx, company, openedBy(context, company, token)).executeTakeFirst()
  if (!checkout) throw unknownCheckout()
  return checkout
}

/**
 * The same, locked until the transaction ends: its things are changed, and its orders begun and tried again, one at a time.
 * Those who apply news of an order go on meanwhile, since its foreign key needs no more than the checkout's own key.
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

/** The order that a checkout's page is about: the one that counts, else the newest that failed. */
export const orderOfCheckout = (tx: Tx, company: CompanyId, checkoutId: number): Promise<PaidOrder | undefined> =>
  paidOrders(tx, company)
    .where('o.checkout_id', '=', checkoutId)
    .orderBy((eb) => eb.case().when('o.status', 'in', [0, 1, 3]).then(0).else(1).end())
    .orderBy('o.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Another token for a checkout: only whom it is given ever holds it. */
export async function linkTo(tx: Tx, context: AppContext, company: CompanyId, checkoutId: number): Promise<string> {
  const { token, kept } = newToken(context)
  await tx
    .insertInto('checkout_link')
    .values({ company_id: company, checkout_id: checkoutId, ...kept })
    .execute()
  return token
}

/** A way back to the page for a mail. Null for an order that has no page. */
export async function linkToCheckout(
  tx: Tx,
  context: AppContext,
  town: Pick<Company, 'id' | 'subdomain'>,
  order: Pick<Order, 'checkout_id'>,
): Promise<string | null> {
  if (order.checkout_id === null) return null
  const token = await linkTo(tx, context, town.id, order.checkout_id)
  return `${originOf(context.config, town.subdomain)}/guest/payment/${token}`
}
