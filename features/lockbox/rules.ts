import { DIRECTION_OVERRIDES } from '../../shared/visible.ts'
import { say } from '../../shared/messages.ts'
import { formatCents, MAX_CENTS, readAmount } from '../../shared/money.ts'
import { formatDate, readDay } from '../../shared/dates.ts'

/** Payment from one line of the bank's file. */
export interface BankLine {
  trace: string
  account: string
  payer: string
  cents: number
  paidOn: string
  currency: string
}

/**
 * Returns the payment of a line, or a message about its mistake. @param today the company's day, because no bank
 * reports a later payment
 */
export function readLine(
  text: (name: string) => string,
  { onlyDollars, today }: { onlyDollars: boolean; today: string },
): BankLine | string {
  const [account, payer, amount, trace] = [text('account'), text('payer'), text('amount'), text('trace')]
  for (const one of [account, payer, trace]) {
    if (/[\uFFFD\p{Cc}]/u.test(one) || !one.isWellFormed() || DIRECTION_OVERRIDES.test(one))
      return say`A value contains a character that is not allowed. Remove the character, or save the file as UTF-8 text.`
    if (one.length > 100) return say`A value is longer than ${100} characters.`
  }
  if (!/^[\w.:/-]{4,60}$/.test(trace))
    return say`The trace number “${trace}” must have 4 to 60 characters. Only letters, digits, dashes, underscores, periods, colons and slashes are allowed.`
  const { cents, problem } = readAmount(amount)
  if (problem === 'limit') return say`The amount “${amount}” is over the limit of ${formatCents(MAX_CENTS)}.`
  if (cents !== undefined && cents <= 0) return say`The amount “${amount}” must be greater than zero.`
  if (cents === undefined) return say`The amount “${amount}” must be a number such as 123.45.`
  const paidOn = readDay(text('date'))
  if (paidOn === null) return say`“${text('date')}” is not a date. Use a date such as 2027-03-31.`
  if (paidOn > today) return say`The date ${formatDate(paidOn)} is in the future.`
  const currency = text('currency').toUpperCase() || 'USD'
  if (!/^[A-Z]{3}$/.test(currency)) return say`“${currency}” is not a currency code. Use a code such as USD.`
  if (onlyDollars && currency !== 'USD')
    return say`The payment is in ${currency}. The municipality’s settings allow only US dollars.`
  return { trace, account, payer, cents, paidOn, currency }
}

const nameParts = (name: string) => name.toLowerCase().match(/[\p{L}]{2,}/gu) ?? []

/**
 * True if the names of payer and customer share a word, such as a family name. A mistyped account number usually
 * belongs to a stranger, who has no name in common.
 */
export const mayBeOneHousehold = (payer: string, customer: string): boolean => {
  const customerParts = new Set(nameParts(customer))
  return nameParts(payer).length === 0 || nameParts(payer).some((word) => customerParts.has(word))
}
