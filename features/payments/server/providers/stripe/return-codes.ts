/**
 * ACH return codes by Stripe's reason. Before the debit is paid, Stripe reports the reason as a failed charge. After
 * that, Stripe reports a dispute that is lost immediately. Source:
 * https://docs.stripe.com/payments/ach-direct-debit#ach-disputes and the NACHA operating rules
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

/** Dispute reasons that only bank debits have. They mean a return, not a dispute. */
const RETURNS: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'incorrect_account_details',
  'bank_cannot_process',
  'debit_not_authorized',
])

export const isReturn = (reason: string): boolean => RETURNS.has(reason)
