import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Order } from './orders.ts'

export type Checkout = Selectable<Schema['guest_checkout']>

/** The checkout behind a token, while it lives. */
export async function findCheckout(tx: Tx, house: House, company: CompanyId, token: string): Promise<Checkout> {
  const checkout = await tx
    .selectFrom('guest_checkout')
    .selectAll()
    .where('company_id', '=', company)
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', house.clock.now())
    .executeTakeFirst()
  if (!checkout) throw notFound('This payment link is not known or too old. Find your bill again to pay it.')
  return checkout
}

/** The order that a checkout's page is about: the one that counts, else the newest that failed. */
export const orderOfCheckout = (tx: Tx, company: CompanyId, checkoutId: number): Promise<Order | undefined> =>
  tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company)
    .where('checkout_id', '=', checkoutId)
    .orderBy((eb) => eb.case().when('status', 'in', [0, 1, 3]).then(0).else(1).end())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
