import { type Selectable, sql } from 'kysely'
import { auditIn } from '../../../server/audit.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { announce } from '../../../server/live.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

export type Order = Selectable<Schema['payment_order']>
export type Attempt = Selectable<Schema['payment_attempt']>

export type OrderEvent =
  | 'created'
  | 'captured'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'voided'
  | 'refunded'
  | 'chargeback_lost'
  | 'returned'
  | 'new_attempt'
  | 'corrected'
  | 'refund_failed'

export const findOrder = (tx: Tx, company: CompanyId, id: number): Promise<Order> =>
  tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** An order, locked until the transaction ends, so that two who know something new take turns. */
export const lockOrder = (tx: Tx, company: CompanyId, id: number): Promise<Order> =>
  tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

export const findAttempt = (tx: Tx, company: CompanyId, id: number): Promise<Attempt> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** The newest attempt of an order. */
export const latestAttempt = (tx: Tx, company: CompanyId, orderId: number): Promise<Attempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Takes an order one step further and writes its history. The database refuses a step that its table of edges
 * does not list. Screens that are open hear of it when the transaction commits.
 */
export async function moveOrder(
  tx: Tx,
  company: CompanyId,
  clock: Clock,
  order: Pick<Order, 'id' | 'status'>,
  to: number,
  event: OrderEvent,
  facts: Partial<Pick<Order, 'means' | 'return_code' | 'paid_at' | 'payer_email' | 'refunded_cents'>> = {},
): Promise<void> {
  await tx
    .updateTable('payment_order')
    .set({ status: to, ...facts })
    .where('company_id', '=', company)
    .where('id', '=', order.id)
    .execute()
  await writeStep(tx, company, clock, order.id, order.status, to, event)
  order.status = to
}

/**
 * Writes one step of an order's history; -1 stands for "not yet there". Whoever paid while signed in finds it in their
 * activity log.
 */
export async function writeStep(
  tx: Tx,
  company: CompanyId,
  clock: Clock,
  orderId: number,
  from: number,
  to: number,
  event: OrderEvent,
) {
  const { rows } = await sql<{ person_id: number | null }>`
    INSERT INTO order_status_history (company_id, order_id, seq, from_status, to_status, event, at)
    SELECT ${company}, ${orderId}, coalesce(max(seq), 0) + 1, ${from}, ${to}, ${event}, ${clock.now()}
    FROM order_status_history WHERE company_id = ${company} AND order_id = ${orderId}
    RETURNING (SELECT person_id FROM payment_order WHERE company_id = ${company} AND id = ${orderId})`.execute(tx)
  const person = rows[0]?.person_id
  const doer = { session: null, requestId: '' }
  await auditIn(tx, clock, company, doer, {
    ...{ action: `payment.${event}`, subject: { kind: 'payment', id: orderId } },
    ...(person && { person }),
  })
  await announce(tx, company, { topic: 'payments', id: orderId })
}

/** Tells staff of something about a payment that a person should look at. */
export async function alertStaff(
  tx: Tx,
  company: CompanyId,
  clock: Clock,
  orderId: number,
  code: string,
  message: string,
): Promise<void> {
  await tx
    .insertInto('payment_alert')
    .values({ company_id: company, order_id: orderId, code, message, at: clock.now() })
    .execute()
}
