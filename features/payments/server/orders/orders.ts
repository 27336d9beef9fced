import { type RawBuilder, type Selectable, sql } from 'kysely'
import { changeRow } from '../../../../server/db/rows.ts'
import type { Clock } from '../../../../server/clock.ts'
import type { Schema } from '../../../../server/db/schema.ts'
import {
  defineStateStore,
  transition,
  type Scope,
  type Transition,
  type TransitionActor,
} from '../../../../server/states.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { EventOf } from '../../../../shared/machine.ts'
import { say } from '../../../../shared/messages.ts'
import { factLabels, type Part, receiptNumber, attemptStatus } from '../../rules.ts'
import { orderStates, type OrderStatus } from '../../states.ts'

export type Order = Selectable<Schema['payment_order']>
export type Attempt = Selectable<Schema['payment_attempt']>

export type OrderEvent = EventOf<typeof orderStates>

export type OrderLine = Selectable<Schema['payment_order_line']>

/** Status and amount of a separate fee. */
export type SeparateFee = Pick<Selectable<Schema['payment_fee']>, 'status' | 'amount_cents'>

/**
 * Order with its lines and its separate fee. `fee` is null if the bill's charge includes the fee, or if the bill is not
 * paid yet.
 */
export type PaidOrder = Order & { lines: OrderLine[]; fee: SeparateFee | null }

export const paidOrders = (tx: Tx, company: Scope) =>
  tx
    .selectFrom('payment_order as o')
    .selectAll('o')
    .select(
      sql<OrderLine[]>`(SELECT jsonb_agg(to_jsonb(l) ORDER BY l.line_no) FROM payment_order_line l
        WHERE l.company_id = o.company_id AND l.order_id = o.id)`.as('lines'),
    )
    .select(
      sql<SeparateFee | null>`(SELECT jsonb_build_object('status', f.status, 'amount_cents', f.amount_cents) FROM payment_fee f
        WHERE f.company_id = o.company_id AND f.id = o.id)`.as('fee'),
    )
    .where('o.company_id', '=', company)

export const findOrder = (tx: Tx, company: CompanyId, id: number): Promise<PaidOrder> =>
  paidOrders(tx, company).where('o.id', '=', id).executeTakeFirstOrThrow()

/** Returns a description of the paid items, for example "account 100001". */
export const describeLines = ({ lines }: Pick<PaidOrder, 'lines'>): string =>
  lines
    .flatMap(({ details: [fact] }) =>
      fact ? `${(factLabels[fact.name] ?? fact.name).toLowerCase()} ${fact.value}` : [],
    )
    .join(', ')

/**
 * Locks an order until the transaction ends, so that updates run one at a time. The order's lines may have been read
 * before the lock, so `settled_cents` can be out of date. The other columns of a line never change.
 */
export const lockOrder = (tx: Tx, company: Scope, id: number): Promise<PaidOrder> =>
  paidOrders(tx, company).where('o.id', '=', id).forUpdate('o').executeTakeFirstOrThrow()

/** Sum of the ledger transfers of an order, by provider object and movement type. */
export interface OrderMovement {
  movementType: string
  ref: string
  cents: number
  /** Line that the refund names. Null if it names none. */
  line: number | null
  part: Part
}

/** Returns the SQL for the ledger movements of an order, by provider object and movement type. */
export const movedOf = (company: CompanyId, orderId: number | RawBuilder<unknown>): RawBuilder<OrderMovement[]> => sql<
  OrderMovement[]
>`
  (SELECT coalesce(jsonb_agg(m), '[]') FROM (
    SELECT split_part(kind, '.', 1) AS "movementType", source_ref AS ref, named_line_no AS line,
      CASE WHEN is_fee_part THEN 'fee' ELSE 'bill' END AS part, sum(amount_cents)::bigint AS cents
    FROM ledger_transfer
    WHERE company_id = ${company} AND order_id = ${orderId} AND kind NOT LIKE '%.absorbed' GROUP BY 1, 2, 3, 4) m)`

/** Payment attempt with its order, which is locked, and the order's ledger movements. */
export interface LockedPayment {
  order: PaidOrder
  attempt: Attempt
  moved: OrderMovement[]
}

/**
 * Locks the order of an attempt. Reads all other data under the lock, because another process may have applied a newer
 * update.
 */
export async function lockPayment(tx: Tx, company: CompanyId, attemptId: number): Promise<LockedPayment> {
  const order = await paidOrders(tx, company)
    .where('o.id', '=', (db) =>
      db.selectFrom('payment_attempt').select('order_id').where('company_id', '=', company).where('id', '=', attemptId),
    )
    .forUpdate('o')
    .executeTakeFirstOrThrow()
  const { moved, ...attempt } = await tx
    .selectFrom('payment_attempt')
    .selectAll()
    .select(movedOf(company, order.id).as('moved'))
    .where('company_id', '=', company)
    .where('id', '=', attemptId)
    .executeTakeFirstOrThrow()
  return { order, attempt, moved }
}

export const findAttempt = (tx: Tx, company: CompanyId, id: number): Promise<Attempt> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Finds the newest attempt to charge the bill of an order. */
export const latestAttempt = (tx: Tx, company: CompanyId, orderId: number): Promise<Attempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .where('part', '=', 'bill')
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Finds the attempt that paid the bill of an order, and the unfinished attempt to charge its fee. */
export async function attemptsOfFee(tx: Tx, company: CompanyId, orderId: number) {
  const rows = await tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .orderBy('attempt_no', 'desc')
    .execute()
  return {
    bill: rows.find(({ part, status }) => part === 'bill' && status === attemptStatus.succeeded),
    fee: rows.find(({ part, status }) => part === 'fee' && status === attemptStatus.pending),
  }
}

/** Columns that a transition also updates. */
type OrderPatch = Partial<Omit<Order, 'id' | 'status' | 'fee_quote'>>

const lockedOrder = (order: Order) => ({
  id: order.id,
  state: order.status as OrderStatus,
  name: say`Payment ${receiptNumber(order.id)}`,
  // The transition appears in the payer's activity log, regardless of the actor.
  ...(order.person_id !== null && { person: order.person_id }),
})

/** State store of orders. Each transition refreshes open staff screens that show payments. */
export const orderStateStore = defineStateStore({
  machine: orderStates,
  subject: 'payment',
  live: { topic: 'payments' },
  lock: async (tx, scope, id) => lockedOrder(await lockOrder(tx, scope, id)),
  write: (
    tx,
    { scope, locked, to, patch }: Transition<OrderStatus, OrderEvent, ReturnType<typeof lockedOrder>, OrderPatch>,
  ) => changeRow(tx, 'payment_order', scope, locked.id, { ...patch, status: to }),
})

/** Returns the actor for updates from the provider, even if a person requested the update. */
export const providerActor = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '' },
  clock,
})

/** Moves a locked order to its next state and updates `order`. */
export async function moveOrder(
  tx: Tx,
  company: CompanyId,
  order: Order,
  to: OrderStatus,
  event: OrderEvent,
  patch: OrderPatch,
  actor: TransitionActor,
): Promise<void> {
  const locked = lockedOrder({ ...order, ...patch })
  await transition(tx, orderStateStore, {
    scope: company,
    id: order.id,
    locked,
    event,
    to,
    actor,
    patch,
  })
  Object.assign(order, patch, { status: to })
}

/** Notifies staff of a payment that needs a review. */
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
