/** Pure payment rules, shared by the preview on the screen and the charge on the server. */
import { formatCents } from '../../shared/money.ts'
import { say, translated } from '../../shared/messages.ts'

export const methods = { card: 1, echeck: 2 } as const
export type Method = (typeof methods)[keyof typeof methods]

/** Payment methods without the payment provider, at the counter or through the company's bank. They have no fees. */
export const officeMethods = { cash: 3, check: 4, moneyOrder: 5, bank: 6 } as const
export type OfficeMethod = (typeof officeMethods)[keyof typeof officeMethods]

/** Labels of all payment methods in reports. */
export const methodLabels = {
  [methods.card]: 'Card',
  [methods.echeck]: 'eCheck',
  [officeMethods.cash]: 'Cash',
  [officeMethods.check]: 'Check',
  [officeMethods.moneyOrder]: 'Money order',
  [officeMethods.bank]: 'Lockbox payment',
} as const satisfies Record<Method | OfficeMethod, string>
export const methodLabel = (method: number): string => translated(methodLabels[method as Method | OfficeMethod] ?? '')

export const payTypes = { full: 1, partial: 2, other: 3 } as const
export type PayType = (typeof payTypes)[keyof typeof payTypes]

/** Payment locations (spec 9.5). */
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

/** Numbers of the order states (spec 4.6). They are not in `states.ts`, because a checkout needs only the numbers. */
export const orderStatus = { pending: 0, success: 1, declined: 2, refund: 3, void: 5 } as const

/** Numbers of the attempt states. The `step` of a pending attempt shows its progress at the provider. */
export const attemptStatus = { pending: 0, succeeded: 1, failed: 2 } as const

/** Returns whether a receipt may be printed. Only a payment that is 'Successful' has a receipt (spec 2.19, 4.6). */
export const mayPrintReceipt = (status: number): boolean => status === orderStatus.success

export interface Quote {
  billCents: number
  /** Fee that the payer pays in addition, in cents. */
  feeCents: number
  /** Fee that the company absorbs instead of charging the payer, in cents. */
  absorbedFeeCents: number
  totalCents: number
}

/** Adds the quotes of several lines. Each line has its own fee with its own minimum and maximum. */
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
 * Returns the refunded part of a fee after refunds of `refundCents` out of `totalCents`. The part is proportional to
 * the sum of all refunds, so the order of the refunds does not matter. After a full refund, the whole fee is refunded.
 */
export const feeRefund = (feeCents: number, totalCents: number, refundCents: number): number =>
  totalCents === 0 ? 0 : Math.floor((feeCents * refundCents) / totalCents)

/** Charges of a payment: its bill, and its fee if charged separately. */
export type Part = 'bill' | 'fee'

/** Columns of an order line that determine its charges. */
interface ChargedLine {
  amount_cents: number
  fee_cents: number
  absorbed_fee_cents: number
  fee_mode: string
}

/** Returns the total of the separately charged fees of these lines, in cents. */
export const separateFeeCentsOf = (lines: readonly Pick<ChargedLine, 'fee_cents' | 'fee_mode'>[]): number =>
  lines.reduce((sum, line) => sum + (line.fee_mode === 'two_transactions' ? line.fee_cents : 0), 0)

/** Returns the amounts of a line in one charge of its payment. */
export function quoteIn(part: Part, line: ChargedLine): Quote {
  const separateCents = separateFeeCentsOf([line])
  if (part === 'fee') return { billCents: 0, feeCents: separateCents, absorbedFeeCents: 0, totalCents: separateCents }
  const feeCents = line.fee_cents - separateCents
  return {
    ...{ billCents: line.amount_cents, feeCents, absorbedFeeCents: line.absorbed_fee_cents },
    totalCents: line.amount_cents + feeCents,
  }
}

/** Returns the names of both charges on the payer's card statement, in the format that card networks require. */
export const statementNames = (companyName: string): Record<Part, string> => ({
  bill: nameOnStatement(companyName),
  fee: 'SERVICE FEE',
})

const nameOnStatement = (companyName: string): string =>
  companyName
    .toUpperCase()
    .replaceAll(/[^A-Z0-9 ]/g, '')
    .replace(/^(CITY|TOWN|TOWNSHIP|BOROUGH|VILLAGE) OF /, '')
    .slice(0, 12)
    .trim()

/** Sources of captures without a payment provider. Merchant reports do not count them as cards or eChecks. */
export const ownSources = ['office', 'lockbox'] as const

/** Movements of one payment at the provider so far, by type. In cents, never negative. */
export interface MovementSums {
  captured: number
  refunded: number
  /** Amount of refunds that the payer's bank refused. The money came back to the company. */
  refundFailed: number
  /** Amount of eChecks that the bank returned after they were paid. */
  returned: number
  /** Amount of disputes that the payer won. The money of open disputes is only reserved, so it is not included. */
  lost: number
  /** Amount voided before settlement, which is always the whole payment. */
  voided: number
}

/** Returns the net amount of a payment in cents. Negative if more was returned than was paid. */
export const netOf = (moved: MovementSums): number =>
  moved.captured - moved.refunded + moved.refundFailed - moved.returned - moved.lost - moved.voided

/**
 * Splits the net amount of a payment across its lines. Lines are filled in order, each with a proportional share of its
 * fee, so reversals reduce the last line first. A net amount above the total means that the payer was charged twice.
 * The excess belongs to the payer, and `payerCents` is positive. A net amount below 0 means that the payer got the
 * money back twice (a refund, then the bank's return). The payer owes it, and `payerCents` is negative. `refundCents`
 * contains the refunds that named a line. Such a refund reduces its own line, as long as the other lines have room for
 * the rest of the net amount. The result depends only on these sums, so the order of refunds, returns and disputes does
 * not matter. If the net amount is one cent less, exactly one line is one cent less.
 */
export function sharesOf(
  lines: readonly Quote[],
  netCents: number,
  refundCents: readonly number[] = [],
): { lines: Share[]; payerCents: number } {
  const { totalCents } = addQuotes(lines)
  const retainedCents = Math.min(Math.max(netCents, 0), totalCents)
  const caps = lines.map((line, n) => Math.max(0, line.totalCents - (refundCents[n] ?? 0)))
  const filled = fill(retainedCents, caps)
  const more = fill(
    retainedCents - sumOf(filled),
    lines.map((line, n) => line.totalCents - (caps[n] ?? 0)),
  )
  return {
    lines: lines.map((line, n) => shareOf(line, (filled[n] ?? 0) + (more[n] ?? 0))),
    payerCents: netCents - retainedCents,
  }
}

const sumOf = (cents: readonly number[]): number => cents.reduce((all, more) => all + more, 0)

/** Distributes an amount over slots in order, up to the limit of each slot. */
function fill(cents: number, room: readonly number[]): number[] {
  let left = cents
  return room.map((max) => {
    const share = Math.min(left, max)
    left -= share
    return share
  })
}

/** Net amount of a line, split into bill and fees. */
export type Share = Pick<Quote, 'billCents' | 'feeCents' | 'absorbedFeeCents'>

/** Splits a line's net amount into its bill and fees. If the net amount is 0, each part is 0. */
function shareOf({ feeCents, absorbedFeeCents, totalCents }: Quote, retainedCents: number): Share {
  const refundCents = totalCents - retainedCents
  const fee = feeCents - feeRefund(feeCents, totalCents, refundCents)
  return {
    billCents: retainedCents - fee,
    feeCents: fee,
    absorbedFeeCents: absorbedFeeCents - feeRefund(absorbedFeeCents, totalCents, refundCents),
  }
}

/**
 * Returns the state of a captured payment. A payment with a positive net amount is Successful. Otherwise it is Void if
 * it was voided, Declined if the bank returned it (even after refunds), or else Refunded.
 */
export function statusAfter(moved: MovementSums) {
  if (netOf(moved) > 0) return orderStatus.success
  if (moved.voided > 0) return orderStatus.void
  return moved.returned > 0 ? orderStatus.declined : orderStatus.refund
}

/** Returns the refunded amount: completed refunds, except refunds of an accidental second charge. */
export const refundedOf = ({ captured, refunded, refundFailed }: MovementSums, totalCents: number): number =>
  Math.max(0, refunded - refundFailed - Math.max(0, captured - totalCents))

export interface Limits {
  minCents: number
  maxCents: number
}

/** Returns the error message for an amount, or null. A full payment may be below the minimum. */
export function amountRefusal(
  payType: PayType,
  billCents: number | null,
  owedCents: number,
  limits: Limits,
): string | null {
  if (payType === payTypes.full) {
    if (owedCents <= 0) return say`This account has no amount due. To pay ahead, choose another amount.`
    if (owedCents > limits.maxCents)
      return say`Online payments are limited to ${formatCents(limits.maxCents)}. Choose a partial amount, or pay at the office.`
    return billCents === owedCents ? null : say`The amount due is ${formatCents(owedCents)}.`
  }
  if (billCents === null || billCents <= 0) return say`Enter an amount, such as 25.00.`
  if (billCents < limits.minCents) return say`The minimum amount is ${formatCents(limits.minCents)}.`
  if (payType === payTypes.partial && billCents >= owedCents)
    return say`A partial amount must be less than the ${formatCents(owedCents)} due. To pay it all, choose the full amount.`
  if (billCents > limits.maxCents) return say`The maximum amount is ${formatCents(limits.maxCents)}.`
  return null
}

/** Maximum number of items in a cart. Payers rarely need more, and a payment with this many items is still fast. */
export const MAX_IN_CART = 20

/** Returns the pay type of an amount: full, partial or other. */
export const payTypeOf = (billCents: number, owedCents: number): PayType =>
  billCents === owedCents ? payTypes.full : billCents < owedCents ? payTypes.partial : payTypes.other

/** Cart item with the entered amount. */
export interface CartLine extends AmountDue {
  payType: PayType
  /** Entered amount in cents. Null if the text is not an amount. */
  billCents: number | null
}

/**
 * Returns the error message for the amount of one cart item, or null. If the item does not accept a credit, the amount
 * due is the maximum.
 */
export function lineRefusal(line: CartLine, limits: Limits): string | null {
  const { payType, billCents, owedCents, takesCredit, inFull = false } = line
  const upperCents = takesCredit ? limits.maxCents : Math.min(limits.maxCents, owedCents)
  if (!takesCredit && billCents !== null && billCents > owedCents)
    return say`You can pay up to ${formatCents(owedCents)}, the amount due.`
  const minCents = inFull ? Math.max(owedCents, 0) : limits.minCents
  return amountRefusal(payType, billCents, owedCents, { minCents, maxCents: Math.max(upperCents, 0) })
}

/** Returns the error message for an amount above the amount due that staff did not confirm. */
export const confirmMore = (reference: string): string =>
  say`Confirm that the payer wants to pay more than the amount due for ${reference}.`

/** Returns true if the payer can pay only the exact amount due. The form then needs no amount field. */
export const hasOneAmount = ({ owedCents, takesCredit, inFull = false }: AmountDue, limits: Limits): boolean =>
  !takesCredit && (inFull || owedCents <= limits.minCents)

/** Returns the error message for the amounts of a cart, or null. Checks each line and the total. Ignores lines of 0. */
export function cartRefusal(lines: readonly CartLine[], limits: Limits): string | null {
  const paid = lines.filter(({ billCents }) => billCents !== 0)
  if (paid.length === 0) return say`No item in the cart can be paid right now.`
  for (const line of paid) {
    const against = lineRefusal(line, limits)
    if (against) return against
  }
  const total = paid.reduce((sum, { billCents }) => sum + (billCents ?? 0), 0)
  return total > limits.maxCents
    ? say`One payment is limited to ${formatCents(limits.maxCents)}, and the total is ${formatCents(total)}. Remove an item, or pay part of it.`
    : null
}

/** Labels of line details in receipts and emails. */
export const factLabels: Record<string, string> = {
  account: 'Account',
  customer: 'Customer',
  street: 'Street',
  address: 'Service address',
  bill: 'Bill',
  reference: 'Reference',
  citation: 'Citation number',
  plate: 'Plate',
  violation: 'Violation',
}

/** Amount that can be paid for one item, and whether an overpayment is allowed as a credit. */
export interface AmountDue {
  owedCents: number
  takesCredit: boolean
  /** True if partial payment is not allowed. */
  inFull?: boolean
}

/**
 * Returns the total amount due in cents. A credit on one item does not reduce the amount due for others. If no item has
 * an amount due, returns the sum of the credits, which is not positive.
 */
export function owedInAll(amountsDue: readonly Pick<AmountDue, 'owedCents'>[]): number {
  const sum = (cents: readonly number[]) => cents.reduce((all, more) => all + more, 0)
  const owed = amountsDue.map(({ owedCents }) => owedCents)
  return owed.some((cents) => cents > 0) ? sum(owed.filter((cents) => cents > 0)) : sum(owed)
}

/** Returns the limits for a payment of these items. For several items, `lineRefusal` checks each item. */
export function limitsFor({ minCents, maxCents }: Limits, amountsDue: readonly AmountDue[]): Limits {
  const owed = owedInAll(amountsDue)
  const isWhole = amountsDue.length === 1 && amountsDue[0]?.inFull === true
  const lowerCents = isWhole ? Math.max(0, owed) : minCents
  const takesCredit = amountsDue.some((one) => one.takesCredit)
  return { minCents: lowerCents, maxCents: takesCredit ? maxCents : Math.min(maxCents, Math.max(lowerCents, owed)) }
}

/**
 * Distributes an amount over the items in order, up to each item's amount due. An overpayment goes to the first item
 * that accepts a credit.
 */
export function spread(amountCents: number, amountsDue: readonly AmountDue[]): number[] {
  let left = amountCents
  const shares = amountsDue.map(({ owedCents }) => {
    const share = Math.min(left, Math.max(owedCents, 0))
    left -= share
    return share
  })
  const first = amountsDue.findIndex(({ takesCredit }) => takesCredit)
  return shares.map((share, n) => (n === first ? share + left : share))
}

/**
 * Returns the amount still due after a payment, as its receipt shows it. Negative for a credit. Null if it was not
 * recorded.
 */
export const dueAfterPayment = (
  lines: readonly { owed_before_cents: number | null; amount_cents: number }[],
): number | null =>
  lines.reduce<number | null>(
    (left, line) =>
      left === null || line.owed_before_cents === null ? null : left + line.owed_before_cents - line.amount_cents,
    0,
  )

/** Returns the number of a receipt. The number of a receipt for one line ends with the line's number. */
export const receiptNumber = (orderId: number, lineNo?: number): string =>
  lineNo === undefined ? `P${orderId}` : `P${orderId}-${lineNo}`
