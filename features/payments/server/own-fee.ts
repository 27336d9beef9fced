import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import {
  recordCreation,
  defineStateStore,
  transition,
  type Scope,
  type Transition,
  type TransitionActor,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { apartOf, feeBack, netOf, orderStatus, receiptNumber } from '../rules.ts'
import { type FeeStatus, feeStates } from '../states.ts'
import { keptIn, type ChargeContext, movedIn } from './charges.ts'
import { newAttempt } from './insert-payment.ts'
import { mailFee } from './emails.ts'
import { alertStaff, type Attempt, type PaidOrder, providerSays } from './orders.ts'
import { heldRefund, keptRefunds, refundsOf } from './refund-rows.ts'

/**
 * A fee that is charged by itself. Its charge begins when that of its bill is captured; failing, it leaves the bill paid and
 * the fee owed. What goes back of the bill takes its share of the fee along.
 */

type FeeEvent = EventOf<typeof feeStates>

export const heldFee = (order: Pick<PaidOrder, 'id' | 'fee'>) => ({
  id: order.id,
  state: order.fee?.status as FeeStatus,
  name: say`The fee of ${receiptNumber(order.id)}`,
  number: receiptNumber(order.id),
  told: { amountCents: order.fee?.amount_cents ?? 0 },
})

/** Where a fee of its own stands; who changes it holds its payment. */
export const keptFees = defineStateStore({
  machine: feeStates,
  subject: 'payment',
  live: { topic: 'payments' },
  lock: async (tx, place, id) => {
    const fee = await tx
      .selectFrom('payment_fee')
      .select(['status', 'amount_cents'])
      .where('company_id', '=', place)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    return heldFee({ id, fee })
  },
  write: (tx, { place, held, to, at }: Transition<FeeStatus, FeeEvent, ReturnType<typeof heldFee>, undefined>) =>
    changeRow(tx, 'payment_fee', place, held.id, { status: to, since: at }),
})

/** Takes the fee of a payment that is locked one step further. */
export async function moveFee(
  tx: Tx,
  company: Scope,
  order: PaidOrder,
  event: FeeEvent,
  who: TransitionActor,
  reason = '',
): Promise<string> {
  const { to, message } = await transition(tx, keptFees, {
    place: company,
    id: order.id,
    held: heldFee(order),
    event,
    who,
    reason,
  })
  if (order.fee) order.fee.status = to
  return message
}

/** The bill is paid: the charge of its fee is written down in the same transaction, where there is one and none was begun yet. */
export async function beginFee({ context, tx, company, order, attempt }: ChargeContext): Promise<void> {
  const amount_cents = apartOf(order.lines)
  if (amount_cents === 0 || order.fee !== null) return
  const who = providerSays(context.clock)
  order.fee = { status: 'waiting', amount_cents }
  const { id, number, told } = heldFee(order)
  const since = context.clock.now()
  await recordCreation(tx, keptFees, {
    ...{ place: company, id, number, event: 'begin', who, detail: told },
    beside: { fee: tx.insertInto('payment_fee').values({ company_id: company, id, since, ...order.fee }) },
  })
  await insertFeeAttempt({ context, tx, company, order }, attempt, `fee-of-${attempt.id}`)
}

/** The next attempt to charge a fee, by what paid its bill in `bill`. */
export async function insertFeeAttempt(
  { context, tx, company, order }: Pick<ChargeContext, 'context' | 'tx' | 'company' | 'order'>,
  bill: Attempt,
  key: string,
): Promise<Attempt> {
  const { attemptId, attemptNo } = await tx
    .selectFrom('payment_attempt')
    .select([
      sql<number>`nextval('payment_attempt_id_seq')`.as('attemptId'),
      sql<number>`max(attempt_no) + 1`.as('attemptNo'),
    ])
    .where('company_id', '=', company)
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const through = { provider: bill.provider, account: bill.provider_account }
  const attempt = newAttempt(context, order, { attemptId, attemptNo, key, part: 'fee' }, through)
  await tx.insertInto('payment_attempt').values(attempt).execute()
  return attempt
}

/** Its charge was captured: whatever was said of it before. */
export async function feeCharged({ context, tx, company, order, attempt }: ChargeContext): Promise<void> {
  const before = order.fee?.status
  if (before === undefined || before === 'charged') return
  await moveFee(tx, company, order, 'charge', providerSays(context.clock))
  if (before !== 'waiting')
    await alertStaff(
      tx,
      company,
      context.clock,
      order.id,
      'corrected',
      say`The fee of this payment was given up, and turned out to be charged.`,
    )
  if (await wasOwed(tx, company, order.id)) await mailFee({ tx, context, company, order, attempt }, 'charged')
}

/** Its charge came to nothing: the bill stays paid, the fee is owed, and staff and payer hear of it. */
export async function feeFailed({ context, tx, company, order, attempt }: ChargeContext): Promise<void> {
  if (order.fee?.status !== 'waiting') return
  const who = providerSays(context.clock)
  if (order.status !== orderStatus.success) return void (await moveFee(tx, company, order, 'drop', who))
  await moveFee(tx, company, order, 'fail', who)
  const amount = formatCents(order.fee.amount_cents)
  await alertStaff(
    tx,
    company,
    context.clock,
    order.id,
    'fee_owed',
    say`The bill is paid, and its fee of ${amount} could not be charged. Charge it again, or waive it.`,
  )
  await mailFee({ tx, context, company, order, attempt }, 'owed')
}

const wasOwed = async (tx: Tx, company: CompanyId, id: number): Promise<boolean> =>
  (await tx
    .selectFrom('status_history')
    .select('seq')
    .where('company_id', '=', company)
    .where('machine', '=', 'fee')
    .where('subject_id', '=', id)
    .where('event', '=', 'fail')
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Asks for what goes back of the fee, after something moved: of each line in proportion to what went back of its bill, so that
 * a bill that went back whole leaves nothing of its fee. Counted by what was ever asked for, so that a refund that fails is
 * not asked for again and again.
 */
export async function giveFeeBack({ context, tx, company, order, attempt, moved }: ChargeContext): Promise<void> {
  if (order.fee === null) return
  const who = providerSays(context.clock)
  // What is owed for a bill that nobody pays any more is not owed either.
  if (order.fee.status === 'owed' && order.status !== orderStatus.success)
    await moveFee(tx, company, order, 'drop', who)
  const fee = movedIn('fee', moved)
  if (fee.captured === 0) return
  const rows = (await refundsOf(tx, company, order.id)).filter(({ of_fee }) => of_fee)
  const sum = (some: typeof rows) => some.reduce((all, { amount_cents }) => all + amount_cents, 0)
  let left = netOf(fee) - sum(rows.filter(({ status }) => status === 'sending'))
  const bills = keptIn('bill', { order, moved }).lines
  const charged = attempt.part === 'fee' ? attempt.id : await chargedBy(tx, company, order.id)
  for (const [n, line] of order.lines.entries()) {
    const bill = line.amount_cents
    const due = feeBack(apartOf([line]), bill, bill - (bills[n]?.billCents ?? 0))
    const asked = sum(rows.filter(({ line_no }) => line_no === line.line_no))
    const amount_cents = Math.min(due - asked, left)
    if (amount_cents <= 0) continue
    left -= amount_cents
    const row = await tx
      .insertInto('payment_refund')
      .values({
        ...{ company_id: company, order_id: order.id, attempt_id: charged, kind: 'refund', of_fee: true },
        ...{ amount_cents, line_no: line.line_no, status: 'sending', reason: say`The fee goes back with the bill.` },
        ...{ asked_by: 0, asked_by_name: 'Mainstreet', asked_at: context.clock.now() },
        idempotency_key: `fee-of-${order.id}-${line.line_no}-${rows.length}`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    rows.push(row)
    const { id, number, told } = heldRefund(row)
    await recordCreation(tx, keptRefunds, { place: company, ...{ id, number }, event: 'follow', who, detail: told })
  }
}

const chargedBy = async (tx: Tx, company: CompanyId, orderId: number): Promise<number> => {
  const { id } = await tx
    .selectFrom('payment_attempt')
    .select('id')
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .where('part', '=', 'fee')
    .where('status', '=', 1)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}
