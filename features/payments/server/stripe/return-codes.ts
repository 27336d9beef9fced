/**
 * Why a bank took a debit back, as the codes of the ACH network. Stripe tells it in words of its own: as the failure of a
 * charge before it was paid, and after that as the reason of a dispute that is lost at once.
 * Source: https://docs.stripe.com/payments/ach-direct-debit#ach-disputes and NACHA's operating rules
 */
const RETURN_CODES: Readonly<Record<string, string>> = {
  insufficient_funds: 'R01',
  account_closed: 'R02',
  no_account: 'R03',
  incorrect_account_details: 'R03',
  account_number_invalid: 'R04',
  authorization_revoked: 'R07',
  payment_stopped: 'R08',
  debit_not_authorized: 'R10',
  bank_account_restricted: 'R16',
}

export const returnCodeOf = (reason: string | null | undefined): string | null => RETURN_CODES[reason ?? ''] ?? null

/** The reasons that only the debit of a bank account is disputed for: what they end is a return, not a dispute. */
const RETURNS: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'incorrect_account_details',
  'bank_cannot_process',
  'debit_not_authorized',
])

export const isReturn = (reason: string): boolean => RETURNS.has(reason)
