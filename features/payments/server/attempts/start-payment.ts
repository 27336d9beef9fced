import type { PayableRef } from '../../../../server/db/column-types.ts'
import { refuseStale } from '../../../../server/edits.ts'
import { conflict, rejected } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { dateIn } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import {
  confirmMore,
  type Limits,
  type Location,
  type Method,
  type OfficeMethod,
  owedInAll,
  amountRefusal,
} from '../../rules.ts'
import { brandOfLabel } from '../../rules-fees.ts'
import type { Payment } from './drive-attempt.ts'
import { insertPayment, newIds, type Payer } from '../orders/insert-payment.ts'
import { type Bill, billFor, lockPayables, loadOwed, type OrderLineInput } from '../orders/order-lines.ts'
import { type Attempt, findOrder } from '../orders/orders.ts'
import type { ProviderRoute } from '../settings.ts'

export interface PaymentInput {
  /** Items and amounts to pay, in order-line sequence. `seenCents` is the amount due that staff saw. */
  pays: readonly (PayableRef & {
    amountCents: number
    seenCents?: number | undefined
    confirmedCents?: number | undefined
  })[]
  method: Method | OfficeMethod
  location: Location
  payer: Payer
  /** Idempotency key. A repeated key returns its first attempt, even with other arguments. */
  key: string
  /** Label of a saved card, such as "Visa ending 4242". Fees may depend on its brand. */
  methodLabel?: string
  /** True if the payer may overpay items that accept a credit. */
  asCredit?: boolean
  /** True if staff must confirm an amount above the amount due with `confirmedCents`. */
  confirmsCredit?: boolean
  /** Checkout of the payment. Null for a payment without a checkout. */
  checkoutId?: number | null
}

/**
 * Creates an order and attempt without a checkout. `driveAttempt` continues after the commit.
 * @throws 404 if an item does not exist, 409 `amount_changed` if less is due, 422 for a refused amount
 */
export const startPayment = async (...args: Parameters<typeof openPayment>): Promise<Attempt> =>
  (await openPayment(...args)).attempt

/** Variant of `startPayment` that also returns the order. */
export async function openPayment(
  tx: Tx,
  context: AppContext,
  company: Company,
  beginning: PaymentInput,
  through: ProviderRoute,
): Promise<Payment> {
  const { pays, method, location, key } = beginning
  const before = await findAttemptByKey(tx, company, key)
  if (before) return { attempt: before, order: await findOrder(tx, company.id, before.order_id) }
  const refs = pays.map(({ kind, id }) => ({ kind, id }))
  await lockPayables(tx, company.id, refs, context.clock.now())
  const dueLines = await loadOwed(tx, company.id, refs)
  const amounts = pays.map(({ amountCents }) => amountCents)
  const { fees, limits } = through.settings
  const on = dateIn(company.timeZone, context.clock.now())
  const brand = beginning.methodLabel === undefined ? null : brandOfLabel(beginning.methodLabel)
  const bill = billFor(dueLines, amounts, { on, method, location, brand }, fees)
  refuse(bill, dueLines, limits, beginning)
  const ids = await tx.selectNoFrom(newIds).executeTakeFirstOrThrow()
  return insertPayment(tx, context, company, { checkoutId: null, ...beginning, ...ids }, through, {
    wanted: dueLines,
    bill,
  })
}

/** Returns the attempt with this idempotency key. */
export const findAttemptByKey = (tx: Tx, company: Company, key: string): Promise<Attempt | undefined> =>
  tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** @throws if an amount is not allowed */
function refuse({ quote, payType }: Bill, wanted: readonly OrderLineInput[], limits: Limits, beginning: PaymentInput) {
  const { pays, asCredit, confirmsCredit } = beginning
  if (!pays.every(({ amountCents }) => Number.isSafeInteger(amountCents) && amountCents > 0))
    throw new Error('what is paid has an amount in cents')
  for (const [n, { owedCents, description }] of wanted.entries()) {
    const seen = pays[n]?.seenCents
    refuseStale(
      seen === undefined ? undefined : { owedCents: seen },
      { owedCents },
      () =>
        say`The amount due for ${description.reference} is now ${formatCents(owedCents)}. Nothing was charged. Check the amount, then take the payment.`,
    )
  }
  for (const [n, { owedCents, takesCredit, description }] of wanted.entries())
    if ((pays[n]?.amountCents ?? 0) > owedCents && !(asCredit && takesCredit))
      throw conflict(
        'amount_changed',
        say`You can pay up to ${formatCents(Math.max(0, owedCents))} for ${description.reference}. Nothing was charged.`,
      )
  for (const [n, { owedCents, description }] of wanted.entries()) {
    const { amountCents = 0, confirmedCents } = pays[n] ?? {}
    if (confirmsCredit && amountCents > Math.max(0, owedCents) && confirmedCents !== amountCents)
      throw rejected(confirmMore(description.reference))
  }
  const against = amountRefusal(payType, quote.billCents, owedInAll(wanted), limits)
  if (against) throw rejected(against, { billCents: against })
}
