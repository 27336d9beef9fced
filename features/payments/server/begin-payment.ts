import type { PayableRef } from '../../../server/db/column-types.ts'
import { refuseStale } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import {
  confirmMore,
  type Limits,
  type Location,
  type Method,
  type OfficeMethod,
  owedInAll,
  refuseAmount,
} from '../rules.ts'
import { brandOfMeans } from '../rules-fees.ts'
import type { Payment } from './drive-attempt.ts'
import { insertPayment, newIds, type Payer } from './insert-payment.ts'
import { type Bill, billFor, lockPayables, lookAt, type Wanted } from './order-lines.ts'
import { type Attempt, findOrder } from './orders.ts'
import type { Through } from './settings.ts'

export interface Beginning {
  /** What is paid, and how much of each; `seenCents`: the amount due that a clerk saw. The lines of the order will have this order. */
  pays: readonly (PayableRef & {
    amountCents: number
    seenCents?: number | undefined
    confirmedCents?: number | undefined
  })[]
  method: Method | OfficeMethod
  location: Location
  payer: Payer
  /** The same key gets its own attempt back, whatever else is asked for. */
  key: string
  /** What is known of a kept card, "Visa ending 4242": fees may depend on its brand. */
  means?: string
  /** More than is owed may be paid of what takes a credit. */
  asCredit?: boolean
  /** Refuses an amount above the amount due, unless the clerk confirmed it as `confirmedCents`. */
  confirmsCredit?: boolean
  /** The page that the payment belongs to, where it was begun on one. */
  checkoutId?: number | null
}

/**
 * Step 1 of a payment that has no page: one at the counter, by phone, or by autopay. The order (with its lines and its fee
 * quote frozen) and the attempt are committed before anybody outside hears of them; `driveAttempt` goes on from there.
 * @throws 404 where there is no such thing, 409 `amount_changed` where less is owed, 422 for an amount that is not taken
 */
export const beginPayment = async (...asked: Parameters<typeof openPayment>): Promise<Attempt> =>
  (await openPayment(...asked)).attempt

/** The same, for whoever goes on with the order as well. */
export async function openPayment(
  tx: Tx,
  house: House,
  company: Company,
  beginning: Beginning,
  through: Through,
): Promise<Payment> {
  const { pays, method, location, key } = beginning
  const before = await attemptOf(tx, company, key)
  if (before) return { attempt: before, order: await findOrder(tx, company.id, before.order_id) }
  const refs = pays.map(({ kind, id }) => ({ kind, id }))
  await lockPayables(tx, company.id, refs, house.clock.now())
  const wanted = await lookAt(tx, company.id, refs)
  const amounts = pays.map(({ amountCents }) => amountCents)
  const { fees, limits } = through.settings
  const on = dateIn(company.timeZone, house.clock.now())
  const brand = beginning.means === undefined ? null : brandOfMeans(beginning.means)
  const bill = billFor(wanted, amounts, { on, method, location, brand }, fees)
  refuse(bill, wanted, limits, beginning)
  const ids = await tx.selectNoFrom(newIds).executeTakeFirstOrThrow()
  return insertPayment(tx, house, company, { checkoutId: null, ...beginning, ...ids }, through, { wanted, bill })
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
function refuse({ quote, payType }: Bill, wanted: readonly Wanted[], limits: Limits, beginning: Beginning) {
  const { pays, asCredit, confirmsCredit } = beginning
  if (!pays.every(({ amountCents }) => Number.isSafeInteger(amountCents) && amountCents > 0))
    throw new Error('what is paid has an amount in cents')
  for (const [n, { owedCents, description }] of wanted.entries()) {
    const seen = pays[n]?.seenCents
    refuseStale(
      seen === undefined ? undefined : { owedCents: seen },
      { owedCents },
      () =>
        say`The amount due for ${description.reference} is ${formatCents(owedCents)} now. Nothing was taken. Check the amount, then take it.`,
    )
  }
  for (const [n, { owedCents, takesCredit, description }] of wanted.entries())
    if ((pays[n]?.amountCents ?? 0) > owedCents && !(asCredit && takesCredit))
      throw conflict(
        'amount_changed',
        say`At most ${formatCents(Math.max(0, owedCents))} can be paid for ${description.reference}. Nothing was charged.`,
      )
  for (const [n, { owedCents, description }] of wanted.entries()) {
    const { amountCents = 0, confirmedCents } = pays[n] ?? {}
    if (confirmsCredit && amountCents > Math.max(0, owedCents) && confirmedCents !== amountCents)
      throw rejected(confirmMore(description.reference))
  }
  const against = refuseAmount(payType, quote.billCents, owedInAll(wanted), limits)
  if (against) throw rejected(against, { billCents: against })
}
