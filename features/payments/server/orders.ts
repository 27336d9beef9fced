import { type RawBuilder, type Selectable, sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import {
  defineStateStore,
  transition,
  type Scope,
  type Transition,
  type TransitionActor,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import { factLabels, type Part, receiptNumber } from '../rules.ts'
import { orderStates, type OrderStatus } from '../states.ts'

export type Order = Selectable<Schema['payment_order']>
export type Attempt = Selectable<Schema['payment_attempt']>

export type OrderEvent = EventOf<typeof orderStates>

export type OrderLine = Selectable<Schema['payment_order_line']>

/** Where a fee stands that is charged by itself. */
export type OwnFee = Pick<Selectable<Schema['payment_fee']>, 'status' | 'amount_cents'>

/** An order with its lines, and where its fee stands: null where that is part of its charge, or its bill is not paid yet. */
export type PaidOrder = Order & { lines: OrderLine[]; fee: OwnFee | null }

export const paidOrders = (tx: Tx, company: Scope) =>
  tx
    .selectFrom('payment_order as o')
    .selectAll('o')
    .select(
      sql<OrderLine[]>`(SELECT jsonb_agg(to_jsonb(l) ORDER BY l.line_no) FROM payment_order_line l
        WHERE l.company_id = o.company_id AND l.order_id = o.id)`.as('lines'),
    )
    .select(
      sql<OwnFee | null>`(SELECT jsonb_build_object('status', f.status, 'amount_cents', f.amount_cents) FROM payment_fee f
        WHERE f.company_id = o.company_id AND f.id = o.id)`.as('fee'),
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
export const lockOrder = (tx: Tx, company: Scope, id: number): Promise<PaidOrder> =>
  paidOrders(tx, company).where('o.id', '=', id).forUpdate('o').executeTakeFirstOrThrow()

/** What the ledger says that the provider moved for an order, in all, of one of its objects in one way. */
export interface OrderMovement {
  way: string
  ref: string
  cents: number
  /** The line that a refund names. */
  line: number | null
  part: Part
}

/** What moved for an order by the ledger: each object of the provider with what it moved in a way. */
export const movedOf = (company: CompanyId, orderId: number | RawBuilder<unknown>): RawBuilder<OrderMovement[]> => sql<
  OrderMovement[]
>`
  (SELECT coalesce(jsonb_agg(m), '[]') FROM (
    SELECT split_part(kind, '.', 1) AS way, source_ref AS ref, named_line_no AS line,
      CASE WHEN of_fee THEN 'fee' ELSE 'bill' END AS part, sum(amount_cents)::bigint AS cents
    FROM ledger_transfer
    WHERE company_id = ${company} AND order_id = ${orderId} AND kind NOT LIKE '%.absorbed' GROUP BY 1, 2, 3, 4) m)`

/** A payment whose order is locked, with the attempt that news are about and what the ledger says of it. */
export interface LockedPayment {
  order: PaidOrder
  attempt: Attempt
  moved: OrderMovement[]
}

/** Locks the order of an attempt, and reads the rest under the lock: somebody may have applied newer news meanwhile. */
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

/** The newest attempt of an order to charge its bill. */
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

/** The attempt that paid the bill of an order, and the one to charge its fee that is not over. */
export async function attemptsOfFee(tx: Tx, company: CompanyId, orderId: number) {
  const rows = await tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .orderBy('attempt_no', 'desc')
    .execute()
  return {
    bill: rows.find(({ part, status }) => part === 'bill' && status === 1),
    fee: rows.find(({ part, status }) => part === 'fee' && status === 0),
  }
}

/** Facts that come with a step. */
type OrderPatch = Partial<Omit<Order, 'id' | 'status' | 'fee_quote'>>

const heldOf = (order: Order) => ({
  id: order.id,
  state: order.status as OrderStatus,
  name: say`The payment ${receiptNumber(order.id)}`,
  // Whose payment it is reads of it in their own activity, whoever took the step.
  ...(order.person_id !== null && { person: order.person_id }),
})

/** Where orders stand, and who hears of a step: the screens of the town that show payments. */
export const keptOrders = defineStateStore({
  machine: orderStates,
  subject: 'payment',
  live: { topic: 'payments' },
  lock: async (tx, place, id) => heldOf(await lockOrder(tx, place, id)),
  write: (tx, { place, held, to, facts }: Transition<OrderStatus, OrderEvent, ReturnType<typeof heldOf>, OrderPatch>) =>
    changeRow(tx, 'payment_order', place, held.id, { ...facts, status: to }),
})

/** What the provider says, whoever asked it. */
export const providerSays = (clock: Clock): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId: '' },
  clock,
})

/** Takes an order that is locked already one step further; `order` says so afterwards. */
export async function moveOrder(
  tx: Tx,
  company: CompanyId,
  order: Order,
  to: OrderStatus,
  event: OrderEvent,
  facts: OrderPatch,
  who: TransitionActor,
): Promise<void> {
  const held = heldOf({ ...order, ...facts })
  await transition(tx, keptOrders, { place: company, id: order.id, held, event, to, who, facts })
  Object.assign(order, facts, { status: to })
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
