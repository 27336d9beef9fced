import { sql } from 'kysely'
import type { PayableRef } from '../../../server/db/column-types.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { begin, type Who } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import {
  type Limits,
  type Location,
  type Method,
  orderStatus,
  owedInAll,
  receiptNumber,
  refuseAmount,
} from '../rules.ts'
import { type Bill, billFor, insertLines, lockPayables, lookAt, type Wanted } from './order-lines.ts'
import { type Attempt, keptOrders, type PaidOrder } from './orders.ts'
import { payableOf } from './payables.ts'
import type { Through } from './settings.ts'

export interface Payer {
  /** Who does it, as the histories tell it: the payer, a clerk, or a job of the portal's own. */
  who: Who
  /** Whose payment it is, of those who have an account here. */
  person: number | null
  /** Where the receipt goes. */
  email: string
}

export interface Beginning {
  /** What is paid, and how much of each; the lines of the order will have this order. */
  pays: readonly (PayableRef & { amountCents: number })[]
  method: Method
  location: Location
  payer: Payer
  /** The same key gets its own attempt back, whatever else is asked for. */
  key: string
  /** More than is owed may be paid of what takes a credit. */
  asCredit?: boolean
}

/**
 * Step 1 of a payment that has no page: one at the counter, by phone, or by autopay. The order (with its lines and its fee
 * quote frozen) and the attempt are committed before anybody outside hears of them; `driveAttempt` goes on from there.
 * @throws 404 where there is no such thing, 409 `amount_changed` where less is owed, 422 for an amount that is not taken
 */
export async function beginPayment(
  tx: Tx,
  house: House,
  company: Company,
  beginning: Beginning,
  through: Through,
): Promise<Attempt> {
  const { pays, method, key } = beginning
  const before = await attemptOf(tx, company, key)
  if (before) return before
  const refs = pays.map(({ kind, id }) => ({ kind, id }))
  await lockPayables(tx, company.id, refs)
  const wanted = await lookAt(tx, company.id, refs)
  const amounts = pays.map(({ amountCents }) => amountCents)
  const { fees, limits } = through.settings
  const bill = billFor(wanted, amounts, method, fees)
  refuse(bill, wanted, limits, beginning)
  const ids = await tx.selectNoFrom(newIds).executeTakeFirstOrThrow()
  const { attempt } = await insertPayment(tx, house, company, { ...beginning, ...ids, checkoutId: null }, through, {
    wanted,
    bill,
  })
  return attempt
}

/** The attempt that was begun by this key. */
export const attemptOf = (tx: Tx, company: Company, key: string): Promise<Attempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** @throws where so much of these may not be paid */
function refuse({ quote, payType }: Bill, wanted: readonly Wanted[], limits: Limits, { pays, asCredit }: Beginning) {
  if (!pays.every(({ amountCents }) => Number.isSafeInteger(amountCents) && amountCents > 0))
    throw new Error('what is paid has an amount in cents')
  for (const [n, { owedCents, takesCredit, description }] of wanted.entries())
    if ((pays[n]?.amountCents ?? 0) > owedCents && !(asCredit && takesCredit))
      throw conflict(
        'amount_changed',
        say`What is owed for ${description.reference} has changed to ${formatCents(owedCents)}. Nothing was charged.`,
      )
  const against = refuseAmount(payType, quote.billCents, owedInAll(wanted), limits)
  if (against) throw rejected(against, { billCents: against })
}

/** The numbers of an order and its attempt, known beforehand: people search for the one, and both are written at once. */
interface NewIds {
  orderId: number
  attemptId: number
}
export const newIds = [
  sql<number>`nextval('payment_order_id_seq')`.as('orderId'),
  sql<number>`nextval('payment_attempt_id_seq')`.as('attemptId'),
] as const

type Asked = Pick<Beginning, 'method' | 'location' | 'payer' | 'key'> &
  NewIds & {
    /** The page on which it is paid. */
    checkoutId: number | null
  }

/** What is written of whoever pays. */
export const payerFacts = ({ location, payer }: Pick<Asked, 'location' | 'payer'>) => ({
  person_id: payer.person,
  location,
  payer_email: payer.email,
})

/** Writes an order, its lines, the beginning of its history and its first attempt, in one statement. */
export async function insertPayment(
  tx: Tx,
  house: House,
  company: Company,
  asked: Asked,
  through: Through,
  { wanted, bill: { lines, quote, payType } }: { wanted: readonly Wanted[]; bill: Bill },
): Promise<{ order: PaidOrder; attempt: Attempt }> {
  const { payer, orderId: id } = asked
  const paid = wanted.filter((one) => lines.some((line) => line.kind === one.kind && line.payable_id === one.id))
  const reference = paid.map(({ description }) => description.reference).join(', ')
  const payer_name = paid[0]?.description.payerName ?? ''
  const nothingYet = { refunded_cents: 0, kept_bill_cents: 0, kept_fee_cents: 0 }
  const order: PaidOrder = {
    ...nothingYet,
    ...{ refunded_bill_cents: 0, refunded_fee_cents: 0, returned_bill_cents: 0, returned_fee_cents: 0 },
    ...payerFacts(asked),
    company_id: company.id,
    id,
    status: orderStatus.pending,
    checkout_id: asked.checkoutId,
    reference,
    type: [...new Set(paid.map(({ kind }) => payableOf(kind).label))].join(', '),
    payer_name,
    method: asked.method,
    pay_type: payType,
    bill_cents: quote.billCents,
    fee_cents: quote.feeCents,
    absorbed_fee_cents: quote.absorbedFeeCents,
    total_cents: quote.totalCents,
    fee_quote: { ...through.settings.fees, ...quote },
    means: '',
    return_code: null,
    dispute_open: false,
    created_at: house.clock.now(),
    paid_at: null,
    search_text: [receiptNumber(id), reference, payer_name, payer.email].join(' ').toLowerCase(),
    lines: lines.map((line) => ({ ...line, company_id: company.id, order_id: id, settled_cents: 0 })),
  }
  const { lines: itsLines, ...row } = order
  const attempt = newAttempt(house, order, { ...asked, attemptNo: 1 }, through)
  await begin(tx, keptOrders, {
    place: company.id,
    id,
    event: 'created',
    who: payer.who,
    ...(payer.person !== null && { person: payer.person }),
    beside: {
      payment: tx.insertInto('payment_order').values({ ...row, fee_quote: JSON.stringify(row.fee_quote) }),
      lines: insertLines(tx, itsLines),
      attempt: tx.insertInto('payment_attempt').values(attempt),
    },
  })
  return { order, attempt }
}

/** The next attempt of an order, of which nobody outside has heard yet. */
export function newAttempt(
  { clock }: House,
  order: Pick<PaidOrder, 'company_id' | 'id'>,
  { attemptId, attemptNo, key }: { attemptId: number; attemptNo: number; key: string },
  { provider, account }: Through,
): Attempt {
  const now = clock.now()
  return {
    company_id: order.company_id,
    id: attemptId,
    order_id: order.id,
    attempt_no: attemptNo,
    idempotency_key: key,
    status: 0,
    step: 'new',
    provider,
    provider_account: account,
    intent_id: null,
    action_url: null,
    error_code: null,
    error_message: null,
    created_at: now,
    submitted_at: null,
    checked_at: now,
  }
}
