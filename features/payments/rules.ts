/** Pure rules of payments, used by the screen's preview and the server's charge alike. */
import { formatCents } from '../../shared/money.ts'
import { say, translated } from '../../shared/words.ts'

export const methods = { card: 1, echeck: 2 } as const
export type Method = (typeof methods)[keyof typeof methods]

/** How somebody pays without the payment provider, at the office or through the town's bank: nothing of that has a fee. */
export const officeMethods = { cash: 3, check: 4, moneyOrder: 5, bank: 6 } as const
export type OfficeMethod = (typeof officeMethods)[keyof typeof officeMethods]

/** Every way to pay, as reports call it. */
export const methodLabels = {
  [methods.card]: 'Card',
  [methods.echeck]: 'eCheck',
  [officeMethods.cash]: 'Cash',
  [officeMethods.check]: 'Check',
  [officeMethods.moneyOrder]: 'Money order',
  [officeMethods.bank]: 'Bank payment',
} as const satisfies Record<Method | OfficeMethod, string>
export const methodLabel = (method: number): string => translated(methodLabels[method as Method | OfficeMethod] ?? '')

export const payTypes = { full: 1, partial: 2, other: 3 } as const
export type PayType = (typeof payTypes)[keyof typeof payTypes]

/** Payment locations (specification 9.5). */
export const locations = {
  1: 'Online',
  3: 'PayByPhone',
  4: 'Guest quick-pay',
  5: 'Office',
  6: 'Autopay',
  7: 'Pay channel',
} as const
export type Location = keyof typeof locations
export const ONLINE = 1 as const
export const GUEST_QUICK_PAY = 4 as const
export const OFFICE = 5 as const
export const PAY_CHANNEL = 7 as const

/** Order states (specification 4.6), as `states.ts` has them; here since a payer's page needs no more than their numbers. */
export const orderStatus = { pending: 0, success: 1, declined: 2, refund: 3, void: 5 } as const

/** A receipt is printed only for a payment that is 'Successful' (specification 2.19, 4.6). */
export const mayPrintReceipt = (status: number): boolean => status === orderStatus.success

export interface Quote {
  billCents: number
  /** What the payer pays on top. */
  feeCents: number
  /** What the town pays instead of the payer, where it absorbs the fee. */
  absorbedFeeCents: number
  totalCents: number
}

/** What several lines cost together: each has its own fee, with its own least and most. */
export const addQuotes = (quotes: readonly Quote[]): Quote =>
  quotes.reduce(
    (sum, quote) => ({
      billCents: sum.billCents + quote.billCents,
      feeCents: sum.feeCents + quote.feeCents,
      absorbedFeeCents: sum.absorbedFeeCents + quote.absorbedFeeCents,
      totalCents: sum.totalCents + quote.totalCents,
    }),
    { billCents: 0, feeCents: 0, absorbedFeeCents: 0, totalCents: 0 },
  )

/**
 * The fee that goes back when `backCents` of `totalCents` went back in all: pro rata, so that a full refund leaves none
 * of it. By the sum and never by one refund, so that the order in which they are learned makes no difference.
 */
export const feeBack = (feeCents: number, totalCents: number, backCents: number): number =>
  totalCents === 0 ? 0 : Math.floor((feeCents * backCents) / totalCents)

/** The charges of a payment: that of its bill, and one of its fee where that is charged by itself. */
export type Part = 'bill' | 'fee'

/** A line as far as its charges go. */
interface ChargedLine {
  amount_cents: number
  fee_cents: number
  absorbed_fee_cents: number
  fee_mode: string
}

/** What the payer's fee of a line is in a charge of its own. */
export const apartOf = (lines: readonly Pick<ChargedLine, 'fee_cents' | 'fee_mode'>[]): number =>
  lines.reduce((sum, line) => sum + (line.fee_mode === 'two_transactions' ? line.fee_cents : 0), 0)

/** What a line has of each charge of its payment. */
export function quoteIn(part: Part, line: ChargedLine): Quote {
  const apart = apartOf([line])
  if (part === 'fee') return { billCents: 0, feeCents: apart, absorbedFeeCents: 0, totalCents: apart }
  const feeCents = line.fee_cents - apart
  return {
    ...{ billCents: line.amount_cents, feeCents, absorbedFeeCents: line.absorbed_fee_cents },
    totalCents: line.amount_cents + feeCents,
  }
}

/** The names under which both charges stand on the payer's statement, as card networks take them. */
export const statementNames = (town: string): Record<Part, string> => ({
  bill: nameOnStatement(town),
  fee: 'SERVICE FEE',
})

const nameOnStatement = (town: string): string =>
  town
    .toUpperCase()
    .replaceAll(/[^A-Z0-9 ]/g, '')
    .replace(/^(CITY|TOWN|TOWNSHIP|BOROUGH|VILLAGE) OF /, '')
    .slice(0, 12)
    .trim()

/** Sources of captures that no payment provider took. Merchant reports leave them out of cards and eChecks. */
export const ownSources = ['office', 'lockbox'] as const

/** What the provider moved for one payment until now, each way by itself. Integer cents, none of them negative. */
export interface Moved {
  captured: number
  refunded: number
  /** Refunds that came back, since the payer's bank refused them. */
  refundFailed: number
  /** eChecks that the bank took back after they were paid. */
  returned: number
  /** Disputes that the payer won. One that is open is set aside, and is none of these. */
  lost: number
  /** What was voided before it was settled, which is always the whole. */
  voided: number
}

/** What is left with us of a payment. Negative where more went back than was ever paid. */
export const netOf = (moved: Moved): number =>
  moved.captured - moved.refunded + moved.refundFailed - moved.returned - moved.lost - moved.voided

/**
 * How what is left of a payment is shared out: its lines are filled in their order, each with its amount and its fee pro
 * rata, so that what goes back is taken from the last line first. What is more than all lines was charged twice and belongs
 * to the payer; what is less than nothing went back twice (a refund, and then the bank's return) and the payer owes it:
 * `payerCents`, positive where it is theirs. `backCents` is what refunds that name a line gave back of each: such a line is
 * filled that much less, as long as the others can hold what is left. Depends on these sums alone, so that refunds, returns
 * and disputes come to the same whatever the order in which they are learned. A cent less takes a cent of one line and
 * changes no other.
 */
export function sharesOf(
  lines: readonly Quote[],
  netCents: number,
  backCents: readonly number[] = [],
): { lines: Share[]; payerCents: number } {
  const { totalCents } = addQuotes(lines)
  const heldCents = Math.min(Math.max(netCents, 0), totalCents)
  const caps = lines.map((line, n) => Math.max(0, line.totalCents - (backCents[n] ?? 0)))
  const filled = fill(heldCents, caps)
  const more = fill(
    heldCents - sumOf(filled),
    lines.map((line, n) => line.totalCents - (caps[n] ?? 0)),
  )
  return {
    lines: lines.map((line, n) => shareOf(line, (filled[n] ?? 0) + (more[n] ?? 0))),
    payerCents: netCents - heldCents,
  }
}

const sumOf = (cents: readonly number[]): number => cents.reduce((all, more) => all + more, 0)

/** Fills one after the other, each up to what it can hold. */
function fill(cents: number, room: readonly number[]): number[] {
  let left = cents
  return room.map((most) => {
    const held = Math.min(left, most)
    left -= held
    return held
  })
}

/** What is kept of a line, by what it was paid for. */
export type Share = Pick<Quote, 'billCents' | 'feeCents' | 'absorbedFeeCents'>

/** The share of one line of which so much is left. All of it gone leaves nothing of any part. */
function shareOf({ feeCents, absorbedFeeCents, totalCents }: Quote, heldCents: number): Share {
  const back = totalCents - heldCents
  const fee = feeCents - feeBack(feeCents, totalCents, back)
  return {
    billCents: heldCents - fee,
    feeCents: fee,
    absorbedFeeCents: absorbedFeeCents - feeBack(absorbedFeeCents, totalCents, back),
  }
}

/**
 * The state of a payment that was captured. Something left of it: Successful. Nothing left: Void where it was voided; Declined with its return code
 * where the bank returned it, as the provider says of it too, whether or not it was refunded besides; else Refunded.
 */
export function statusAfter(moved: Moved) {
  if (netOf(moved) > 0) return orderStatus.success
  if (moved.voided > 0) return orderStatus.void
  return moved.returned > 0 ? orderStatus.declined : orderStatus.refund
}

/** What counts as refunded of a payment: refunds that arrived, less those that gave back a second charge. */
export const refundedOf = ({ captured, refunded, refundFailed }: Moved, totalCents: number): number =>
  Math.max(0, refunded - refundFailed - Math.max(0, captured - totalCents))

export interface Limits {
  minCents: number
  maxCents: number
}

/**
 * The sentence against an amount, or null where it may be paid. Full pays what is owed, also below the minimum;
 * Partial less than that, at least the minimum; Other anything from the minimum to the maximum.
 */
export function refuseAmount(
  payType: PayType,
  billCents: number | null,
  owedCents: number,
  limits: Limits,
): string | null {
  if (payType === payTypes.full) {
    if (owedCents <= 0) return say`Nothing is owed on this account. To pay ahead, choose another amount.`
    if (owedCents > limits.maxCents)
      return say`Online payments are limited to ${formatCents(limits.maxCents)}. Choose a partial amount, or pay at the office.`
    return billCents === owedCents ? null : say`The amount owed is ${formatCents(owedCents)}.`
  }
  if (billCents === null || billCents <= 0) return say`Enter an amount, such as 25.00.`
  if (billCents < limits.minCents) return say`The smallest amount is ${formatCents(limits.minCents)}.`
  if (payType === payTypes.partial && billCents >= owedCents)
    return say`A partial amount is less than the ${formatCents(owedCents)} owed. To pay it all, choose the full amount.`
  if (billCents > limits.maxCents) return say`The largest amount is ${formatCents(limits.maxCents)}.`
  return null
}

/** More than anybody pays at once, and few enough that a payment stays quick. */
export const MOST_IN_CART = 20

/** Whether so much is all that is owed, a part of it, or more. */
export const payTypeOf = (billCents: number, owedCents: number): PayType =>
  billCents === owedCents ? payTypes.full : billCents < owedCents ? payTypes.partial : payTypes.other

/** What somebody wants to pay of one thing in a cart. */
export interface CartLine extends Owing {
  payType: PayType
  /** Null while the text is no amount. */
  billCents: number | null
}

/** The sentence against an amount for one thing in a cart, or null. Of what takes no credit what is owed is the most. */
export function refuseLine(line: CartLine, limits: Limits): string | null {
  const { payType, billCents, owedCents, takesCredit, inFull = false } = line
  const most = takesCredit ? limits.maxCents : Math.min(limits.maxCents, owedCents)
  if (!takesCredit && billCents !== null && billCents > owedCents)
    return say`No more than the ${formatCents(owedCents)} owed can be paid of this.`
  const minCents = inFull ? Math.max(owedCents, 0) : limits.minCents
  return refuseAmount(payType, billCents, owedCents, { minCents, maxCents: Math.max(most, 0) })
}

/** The sentence against an amount above the amount due that the clerk did not confirm. */
export const confirmMore = (reference: string): string => say`${reference}: confirm that more is paid than is due.`

/** True if each amount but the one due is refused, so that nobody needs to change it. */
export const hasOneAmount = ({ owedCents, takesCredit, inFull = false }: Owing, limits: Limits): boolean =>
  !takesCredit && (inFull || owedCents <= limits.minCents)

/** The sentence against what is to be paid of a cart, or null: of a line, or of all together. Lines of 0 are left out. */
export function refuseCart(lines: readonly CartLine[], limits: Limits): string | null {
  const paid = lines.filter(({ billCents }) => billCents !== 0)
  if (paid.length === 0) return say`Nothing in the cart can be paid at the moment.`
  for (const line of paid) {
    const against = refuseLine(line, limits)
    if (against) return against
  }
  const total = paid.reduce((sum, { billCents }) => sum + (billCents ?? 0), 0)
  return total > limits.maxCents
    ? say`One payment is limited to ${formatCents(limits.maxCents)}, and this is ${formatCents(total)}. Remove something, or pay a part of it.`
    : null
}

/** The facts that a line can have, as receipts and mails call them. */
export const factLabels: Record<string, string> = {
  account: 'Account',
  customer: 'Customer',
  street: 'Street',
  address: 'Service address',
  bill: 'Bill',
  reference: 'Reference',
  citation: 'Citation',
  plate: 'Plate',
  violation: 'Violation',
}

/** What can be paid of one thing: what is owed, and whether more than that may be paid, as a credit. */
export interface Owing {
  owedCents: number
  takesCredit: boolean
  /** It is paid whole or not at all. */
  inFull?: boolean
}

/** What is owed in all. A credit on one thing pays nothing of another, and is told where nothing else is owed. */
export function owedInAll(owing: readonly Pick<Owing, 'owedCents'>[]): number {
  const sum = (cents: readonly number[]) => cents.reduce((all, more) => all + more, 0)
  const owed = owing.map(({ owedCents }) => owedCents)
  return owed.some((cents) => cents > 0) ? sum(owed.filter((cents) => cents > 0)) : sum(owed)
}

/**
 * The town's limits, for things of which some may not be paid ahead: there what is owed is the most. Of one thing that is
 * paid whole or not at all it is the least as well; of several `refuseLine` judges each.
 */
export function limitsFor({ minCents, maxCents }: Limits, owing: readonly Owing[]): Limits {
  const owed = owedInAll(owing)
  const isWhole = owing.length === 1 && owing[0]?.inFull === true
  const least = isWhole ? Math.max(0, owed) : minCents
  const takesCredit = owing.some((one) => one.takesCredit)
  return { minCents: least, maxCents: takesCredit ? maxCents : Math.min(maxCents, Math.max(least, owed)) }
}

/**
 * What of an amount goes to which line: each gets what is owed on it, in their order, until nothing is left. What is more
 * than all that is owed goes to the first that takes a credit.
 */
export function spread(amountCents: number, owing: readonly Owing[]): number[] {
  let left = amountCents
  const shares = owing.map(({ owedCents }) => {
    const share = Math.min(left, Math.max(owedCents, 0))
    left -= share
    return share
  })
  const first = owing.findIndex(({ takesCredit }) => takesCredit)
  return shares.map((share, n) => (n === first ? share + left : share))
}

/** What was left to pay after a payment, as its receipt says it; negative is a credit, null where nobody wrote it down. */
export const leftAfter = (
  lines: readonly { owed_before_cents: number | null; amount_cents: number }[],
): number | null =>
  lines.reduce<number | null>(
    (left, line) =>
      left === null || line.owed_before_cents === null ? null : left + line.owed_before_cents - line.amount_cents,
    0,
  )

/** What a receipt is quoted by; of one line alone with the line's number. */
export const receiptNumber = (orderId: number, lineNo?: number): string =>
  lineNo === undefined ? `P${orderId}` : `P${orderId}-${lineNo}`
