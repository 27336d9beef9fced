import type { CartItem } from '../../../../server/db/column-types.ts'
import { conflict, rejected } from '../../../../server/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import type { PaymentBody } from '../../contract.ts'
import { limitsFor, owedInAll, payTypes, amountRefusal, cartRefusal, spread } from '../../rules.ts'
import { type Bill, billFor, type Paying, type OrderLineInput } from './order-lines.ts'
import type { PaymentSettings } from '../settings.ts'

/** Returns the bill to freeze. Requires allowed amounts and the total that the payer saw. */
export function agreedBill(
  request: PaymentBody,
  items: readonly (CartItem & OrderLineInput)[],
  settings: PaymentSettings,
  paying: Paying,
): Bill {
  const dueLines = items.map((one) => ({ ...one, inFull: one.inFull === true || settings.payInFull }))
  // If the cart has only one item, the error message can state the changed amount.
  const isOnly = request.lines?.length === 1 && dueLines.length === 1 && request.lines[0]?.no === dueLines[0]?.no
  const amounts =
    request.lines && !isOnly
      ? amountsOfLines(request.lines, dueLines, settings)
      : amountsOfAll(request, dueLines, settings)
  const bill = billFor(dueLines, amounts, paying, settings.fees)
  const { billCents, totalCents } = bill.quote
  if (billCents !== request.billCents || totalCents !== request.expectedTotalCents)
    throw conflict(
      'amount_changed',
      say`The total has changed to ${formatCents(totalCents)}. Nothing was charged. Review the amount and confirm again.`,
      // The checkout may have computed the total without knowing the card. With this data, it can compute the total
      // again.
      { card: { brand: paying.brand ?? null, funding: paying.funding ?? null } },
    )
  return bill
}

/** Distributes one amount over all lines in order. */
function amountsOfAll(request: PaymentBody, wanted: readonly OrderLineInput[], { limits }: PaymentSettings): number[] {
  const owedCents = owedInAll(wanted)
  if (request.payType === payTypes.full && owedCents !== request.billCents && owedCents > 0)
    throw conflict(
      'amount_changed',
      say`The amount due has changed to ${formatCents(owedCents)}. Nothing was charged. Review the amount and confirm again.`,
    )
  const against = amountRefusal(request.payType, request.billCents, owedCents, limitsFor(limits, wanted))
  if (against) throw rejected(against, { billCents: against })
  return spread(request.billCents, wanted)
}

/**
 * Returns the amount of each line in the cart. Refuses the payment if the payer did not see a line, or saw it with
 * another amount.
 */
function amountsOfLines(
  lines: NonNullable<PaymentBody['lines']>,
  dueLines: readonly (CartItem & OrderLineInput)[],
  { limits }: PaymentSettings,
): number[] {
  const of = new Map(lines.map((line) => [line.no, line]))
  const changed =
    of.size !== lines.length ||
    lines.some(({ no }) => !dueLines.some((one) => one.no === no)) ||
    dueLines.some(({ no, owedCents }) => owedCents > 0 && !of.has(no)) ||
    dueLines.some(({ no, owedCents }) => of.get(no)?.payType === payTypes.full && of.get(no)?.billCents !== owedCents)
  if (changed)
    throw conflict(
      'amount_changed',
      'The items in the cart or their amounts due have changed. Nothing was charged. Review the cart and confirm again.',
    )
  const amounts = dueLines.map(({ no }) => of.get(no)?.billCents ?? 0)
  const against = cartRefusal(
    dueLines.map((one, n) => ({
      ...one,
      payType: of.get(one.no)?.payType ?? payTypes.full,
      billCents: amounts[n] ?? 0,
    })),
    limits,
  )
  if (against) throw rejected(against, { billCents: against })
  return amounts
}
