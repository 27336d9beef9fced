import type { CartItem } from '../../../server/db/column-types.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import type { payGuestBill } from '../contract.ts'
import { limitsFor, owedInAll, payTypes, refuseAmount, refuseCart, spread } from '../rules.ts'
import { type Bill, billFor, type Paying, type OrderLineInput } from './order-lines.ts'
import type { PaymentSettings } from './settings.ts'

type PayGuestBillRequest = RequestOf<typeof payGuestBill>

/** The bill to freeze, if its amounts may be paid and cost what the screen showed. */
export function agreedBill(
  wish: PayGuestBillRequest,
  things: readonly (CartItem & OrderLineInput)[],
  settings: PaymentSettings,
  paying: Paying,
): Bill {
  const wanted = things.map((one) => ({ ...one, inFull: one.inFull === true || settings.payInFull }))
  // Of the only thing that there is, what changed can be said in figures.
  const isOnly = wish.lines?.length === 1 && wanted.length === 1 && wish.lines[0]?.no === wanted[0]?.no
  const amounts =
    wish.lines && !isOnly ? amountsOfLines(wish.lines, wanted, settings) : amountsOfAll(wish, wanted, settings)
  const bill = billFor(wanted, amounts, paying, settings.fees)
  const { billCents, totalCents } = bill.quote
  if (billCents !== wish.billCents || totalCents !== wish.expectedTotalCents)
    throw conflict(
      'amount_changed',
      say`The total has changed to ${formatCents(totalCents)}. Nothing was charged. Look at the amount and confirm again.`,
      // By which the page counts it anew, where the card was not known to it.
      { card: { brand: paying.brand ?? null, funding: paying.funding ?? null } },
    )
  return bill
}

/** One amount for all of them, which fills them in their order. */
function amountsOfAll(
  wish: PayGuestBillRequest,
  wanted: readonly OrderLineInput[],
  { limits }: PaymentSettings,
): number[] {
  const owedCents = owedInAll(wanted)
  if (wish.payType === payTypes.full && owedCents !== wish.billCents && owedCents > 0)
    throw conflict(
      'amount_changed',
      say`What is owed has changed to ${formatCents(owedCents)}. Nothing was charged. Look at the amount and confirm again.`,
    )
  const against = refuseAmount(wish.payType, wish.billCents, owedCents, limitsFor(limits, wanted))
  if (against) throw rejected(against, { billCents: against })
  return spread(wish.billCents, wanted)
}

/** An amount for each line of the cart: what the payer did not see, or saw with another amount, is not charged. */
function amountsOfLines(
  lines: NonNullable<PayGuestBillRequest['lines']>,
  wanted: readonly (CartItem & OrderLineInput)[],
  { limits }: PaymentSettings,
): number[] {
  const of = new Map(lines.map((line) => [line.no, line]))
  const changed =
    of.size !== lines.length ||
    lines.some(({ no }) => !wanted.some((one) => one.no === no)) ||
    wanted.some(({ no, owedCents }) => owedCents > 0 && !of.has(no)) ||
    wanted.some(({ no, owedCents }) => of.get(no)?.payType === payTypes.full && of.get(no)?.billCents !== owedCents)
  if (changed)
    throw conflict(
      'amount_changed',
      'What is in the cart, or what is owed for it, has changed. Nothing was charged. Look at it and confirm again.',
    )
  const amounts = wanted.map(({ no }) => of.get(no)?.billCents ?? 0)
  const against = refuseCart(
    wanted.map((one, n) => ({ ...one, payType: of.get(one.no)?.payType ?? payTypes.full, billCents: amounts[n] ?? 0 })),
    limits,
  )
  if (against) throw rejected(against, { billCents: against })
  return amounts
}
