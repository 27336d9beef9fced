import type { Selectable } from 'kysely'
import type { PayableRef } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type Order, type PaidOrder, paidOrders } from './orders.ts'

export type Checkout = Selectable<Schema['guest_checkout']>

/** A checkout can be opened again for this long, by its own token or by one that was mailed: its receipt too. */
const CHECKOUT_DAYS = 30

/** Opens a checkout for these things; the lines of its order will have their order. Answers its token. */
export async function openCheckout(
  tx: Tx,
  house: House,
  company: CompanyId,
  payables: readonly PayableRef[],
): Promise<string> {
  const { token, kept } = newToken(house)
  await tx
    .insertInto('guest_checkout')
    .values({ company_id: company, payables: JSON.stringify(payables), ...kept })
    .execute()
  return token
}

/** A new token, what is kept of it, and until when. */
function newToken(house: House) {
  const token = newSecret()
  const now = house.clock.now()
  const expires_at = new Date(now.getTime() + CHECKOUT_DAYS * 86_400_000)
  return { token, kept: { token_hash: hashSecret(token), created_at: now, expires_at } }
}

/** The checkout behind a token, while it lives. */
export async function findCheckout(tx: Tx, house: House, company: CompanyId, token: string): Promise<Checkout> {
  const [hash, now] = [hashSecret(token), house.clock.now()]
  const checkouts = tx.selectFrom('guest_checkout as c').selectAll('c').where('c.company_id', '=', company)
  const checkout =
    (await checkouts.where('token_hash', '=', hash).where('expires_at', '>', now).executeTakeFirst()) ??
    (await checkouts
      .innerJoin('checkout_link as l', (on) =>
        on.onRef('l.company_id', '=', 'c.company_id').onRef('l.checkout_id', '=', 'c.id'),
      )
      .where('l.token_hash', '=', hash)
      .where('l.expires_at', '>', now)
      .executeTakeFirst())
  if (!checkout) throw notFound('This payment link is not known or too old. Find your bill again to pay it.')
  return checkout
}

/**
 * Locks a checkout until the transaction ends: its orders are begun and tried again one at a time. Those who apply news of
 * an order go on meanwhile, since its foreign key needs no more than the checkout's own key.
 */
export const lockCheckout = (tx: Tx, company: CompanyId, id: number): Promise<unknown> =>
  tx
    .selectFrom('guest_checkout')
    .select('id')
    .where('company_id', '=', company)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** The order that a checkout's page is about: the one that counts, else the newest that failed. */
export const orderOfCheckout = (tx: Tx, company: CompanyId, checkoutId: number): Promise<PaidOrder | undefined> =>
  paidOrders(tx, company)
    .where('o.checkout_id', '=', checkoutId)
    .orderBy((eb) => eb.case().when('o.status', 'in', [0, 1, 3]).then(0).else(1).end())
    .orderBy('o.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A way back to the page for a mail. Only the mail ever holds its secret. Null for an order that has no page. */
export async function linkToCheckout(
  tx: Tx,
  house: House,
  town: Pick<Company, 'id' | 'subdomain'>,
  order: Pick<Order, 'checkout_id'>,
): Promise<string | null> {
  if (order.checkout_id === null) return null
  const { token, kept } = newToken(house)
  await tx
    .insertInto('checkout_link')
    .values({ company_id: town.id, checkout_id: order.checkout_id, ...kept })
    .execute()
  return `${originOf(house.config, town.subdomain)}/guest/payment/${token}`
}
