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
  type PayType,
  payTypes,
  type Quote,
  quoteOf,
  receiptNumber,
  refuseAmount,
} from '../rules.ts'
import { insertLines, linesOf, lockPayables, lookAt, type NewLine, type Wanted } from './order-lines.ts'
import { type Attempt, keptOrders, type Order } from './orders.ts'
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
  const payType = refuseAmounts(wanted, amounts, through.settings.limits, beginning.asCredit ?? false)
  const billCents = amounts.reduce((sum, cents) => sum + cents, 0)
  const quote = quoteOf(through.settings.fees, method, billCents)
  const lines = linesOf(wanted, amounts, payType, through.settings.fees)
  const order = await insertOrder(tx, house, company, { ...beginning, payType, checkoutId: null }, through, {
    wanted,
    quote,
    lines,
  })
  return insertAttempt(tx, house, company, { order, attemptNo: 1, key }, through)
}

/** The attempt that was begun by this key. */
export const attemptOf = (tx: Tx, company: Company, key: string): Promise<Attempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** Whether it is the whole, a part or more that is paid; throws where it may not be. */
function refuseAmounts(
  wanted: readonly Wanted[],
  amounts: readonly number[],
  limits: Limits,
  asCredit: boolean,
): PayType {
  if (amounts.length === 0 || !amounts.every((cents) => Number.isSafeInteger(cents) && cents > 0))
    throw new Error('each thing that is paid has an amount in cents')
  for (const [n, { owedCents, takesCredit, description }] of wanted.entries())
    if ((amounts[n] ?? 0) > owedCents && !(asCredit && takesCredit))
      throw conflict(
        'amount_changed',
        say`What is owed for ${description.reference} has changed to ${formatCents(owedCents)}. Nothing was charged.`,
      )
  const [billCents, owedCents] = [amounts.reduce((sum, cents) => sum + cents, 0), owedInAll(wanted)]
  const payType = billCents === owedCents ? payTypes.full : billCents < owedCents ? payTypes.partial : payTypes.other
  const against = refuseAmount(payType, billCents, owedCents, limits)
  if (against) throw rejected(against, { billCents: against })
  return payType
}

type Asked = Pick<Beginning, 'method' | 'location' | 'payer'> & {
  payType: PayType
  /** The page on which it is paid. */
  checkoutId: number | null
}

/** What is written of whoever pays. */
export const payerFacts = ({ location, payer }: Pick<Asked, 'location' | 'payer'>) => ({
  person_id: payer.person,
  location,
  payer_email: payer.email,
})

/** Writes an order with its lines and the beginning of its history. */
export async function insertOrder(
  tx: Tx,
  house: House,
  company: Company,
  asked: Asked,
  { settings }: Through,
  { wanted, quote, lines }: { wanted: readonly Wanted[]; quote: Quote; lines: readonly NewLine[] },
): Promise<Order> {
  const { payer, method, payType, checkoutId } = asked
  const paid = wanted.filter(({ kind, id }) => lines.some((line) => line.kind === kind && line.payable_id === id))
  const reference = paid.map(({ description }) => description.reference).join(', ')
  const payer_name = paid[0]?.description.payerName ?? ''
  // Known beforehand, since people search for it: an order that is written twice would cost each index twice.
  const { rows } = await sql<{ id: number }>`SELECT nextval('payment_order_id_seq') AS id`.execute(tx)
  const id = rows[0]?.id ?? 0
  const order = await tx
    .insertInto('payment_order')
    .values({
      company_id: company.id,
      id,
      status: orderStatus.pending,
      checkout_id: checkoutId,
      ...payerFacts(asked),
      reference,
      type: [...new Set(paid.map(({ kind }) => payableOf(kind).label))].join(', '),
      payer_name,
      method,
      pay_type: payType,
      bill_cents: quote.billCents,
      fee_cents: quote.feeCents,
      absorbed_fee_cents: quote.absorbedFeeCents,
      total_cents: quote.totalCents,
      fee_quote: JSON.stringify({ ...settings.fees, ...quote }),
      return_code: null,
      created_at: house.clock.now(),
      paid_at: null,
      search_text: [receiptNumber(id), reference, payer_name, payer.email].join(' ').toLowerCase(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertLines(tx, company.id, order.id, lines)
  await begin(tx, keptOrders, {
    place: company.id,
    id,
    event: 'created',
    who: payer.who,
    ...(payer.person !== null && { person: payer.person }),
  })
  return order
}

/** Writes the next attempt of an order, of which nobody outside has heard yet. */
export const insertAttempt = (
  tx: Tx,
  house: House,
  company: Company,
  { order, attemptNo, key }: { order: Order; attemptNo: number; key: string },
  { provider, account }: Through,
): Promise<Attempt> =>
  tx
    .insertInto('payment_attempt')
    .values({
      company_id: company.id,
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
      created_at: house.clock.now(),
      submitted_at: null,
      checked_at: house.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
