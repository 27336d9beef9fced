import { type Selectable, sql } from 'kysely'
import { auditIn, type Doer } from '../../../server/audit.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { announce } from '../../../server/live.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import type { orderStates } from '../states.ts'
import { factLabels } from '../rules.ts'

export type Order = Selectable<Schema['payment_order']>
export type Attempt = Selectable<Schema['payment_attempt']>

export type OrderEvent = EventOf<typeof orderStates>

export type OrderLine = Selectable<Schema['payment_order_line']>

/** An order with its lines. */
export type PaidOrder = Order & { lines: OrderLine[] }

export const paidOrders = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('payment_order as o')
    .selectAll('o')
    .select(
      sql<OrderLine[]>`(SELECT jsonb_agg(to_jsonb(l) ORDER BY l.line_no) FROM payment_order_line l
        WHERE l.company_id = o.company_id AND l.order_id = o.id)`.as('lines'),
    )
    .where('o.company_id', '=', company)

export const findOrder = (tx: Tx, company: CompanyId, id: number): Promise<PaidOrder> =>
  paidOrders(tx, company).where('o.id', '=', id).executeTakeFirstOrThrow()

/** What an order pays, in a few words: "account 100001". */
export const describeLines = ({ lines }: Pick<PaidOrder, 'lines'>): string =>
  lines
    .flatMap(({ facts: [fact] }) => (fact ? `${(factLabels[fact.name] ?? fact.name).toLowerCase()} ${fact.value}` : []))
    .join(', ')

/**
 * An order, locked until the transaction ends, so that two who know something new take turns. Its lines are as they were
 * before somebody else let go of it, which matters for what is settled of them alone: everything else of a line stays.
 */
export const lockOrder = (tx: Tx, company: CompanyId, id: number): Promise<PaidOrder> =>
  paidOrders(tx, company).where('o.id', '=', id).forUpdate('o').executeTakeFirstOrThrow()

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
  order: Pick<Order, 'id' | 'status' | 'person_id'>,
  to: number,
  event: OrderEvent,
  facts: Partial<Omit<Order, 'fee_quote'>> = {},
  doer: Doer = NOBODY,
): Promise<void> {
  await tx
    .updateTable('payment_order')
    .set({ status: to, ...facts })
    .where('company_id', '=', company)
    .where('id', '=', order.id)
    .execute()
  await writeStep(tx, company, clock, { ...order, ...facts }, to, event, doer)
  order.status = to
}

/** Somebody whom the payment's page does not know, or the provider. */
const NOBODY: Doer = { session: null, requestId: '' }

/**
 * Writes one step of an order's history; -1 stands for "not yet there". Whose payment it is reads of it in their own
 * activity, whoever took the step.
 */
export async function writeStep(
  tx: Tx,
  company: CompanyId,
  clock: Clock,
  { id, status, person_id }: Pick<Order, 'id' | 'status' | 'person_id'>,
  to: number,
  event: OrderEvent,
  doer: Doer,
) {
  await sql`
    INSERT INTO order_status_history (company_id, order_id, seq, from_status, to_status, event, at)
    SELECT ${company}, ${id}, coalesce(max(seq), 0) + 1, ${status}, ${to}, ${event}, ${clock.now()}
    FROM order_status_history WHERE company_id = ${company} AND order_id = ${id}`.execute(tx)
  const whose = person_id === null ? {} : { person: person_id }
  await auditIn(tx, clock, company, doer, { action: `payment.${event}`, subject: { kind: 'payment', id }, ...whose })
  await announce(tx, company, { topic: 'payments', id })
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
