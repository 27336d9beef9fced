/** Reasons of declined charges, in plain words. */
export const declineReasons = {
  declined: 'Declined by the bank',
  funds: 'Insufficient funds',
  expired: 'Card expired',
  details: 'Wrong card number or security code',
  unconfirmed: 'Not confirmed by the payer',
  stolen: 'Lost, stolen or suspicious card',
  unreachable: 'The bank could not be reached',
  other: 'Other reason',
} as const
export type DeclineReason = keyof typeof declineReasons

/** Provider codes for each reason. All other codes mean `other`. */
export const declineCodes: Readonly<Record<Exclude<DeclineReason, 'other'>, readonly string[]>> = {
  declined: ['card_declined', 'generic_decline', 'do_not_honor', 'call_issuer', 'transaction_not_allowed'],
  funds: ['insufficient_funds', 'withdrawal_count_limit_exceeded', 'card_velocity_exceeded'],
  expired: ['expired_card'],
  details: ['incorrect_cvc', 'invalid_cvc', 'incorrect_number', 'incorrect_zip', 'invalid_token'],
  unconfirmed: ['authentication_failed', 'authentication_required'],
  stolen: ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent'],
  unreachable: ['processing_error', 'issuer_not_available', 'try_again_later'],
}

/** Error code of a debit that the bank refused. It counts as a returned eCheck, not as declined. */
export const REFUSED_BY_BANK = 'bank_account_unusable'

/** Groups of return codes with NACHA limits. `other` counts only toward the overall rate. */
export type ReturnGroup = 'unauthorized' | 'administrative' | 'other'

/** NACHA codes of returned eChecks. */
export const returnCodes = {
  R01: { label: 'Insufficient funds', group: 'other' },
  R02: { label: 'Account closed', group: 'administrative' },
  R03: { label: 'Account not found', group: 'administrative' },
  R04: { label: 'Account number not valid', group: 'administrative' },
  R05: { label: 'Not authorized (consumer account)', group: 'unauthorized' },
  R07: { label: 'Authorization revoked', group: 'unauthorized' },
  R08: { label: 'Payment stopped', group: 'other' },
  R09: { label: 'Funds not available yet', group: 'other' },
  R10: { label: 'Not authorized', group: 'unauthorized' },
  R11: { label: 'Does not match the authorization', group: 'unauthorized' },
  R16: { label: 'Account frozen', group: 'other' },
  R20: { label: 'Account does not allow debits', group: 'other' },
  R29: { label: 'Not authorized (business account)', group: 'unauthorized' },
} as const satisfies Record<string, { label: string; group: ReturnGroup }>
export type ReturnCode = keyof typeof returnCodes

/** Labels of dispute states. */
export const disputeLabels = { open: 'Open', won: 'Won', lost: 'Lost' } as const
export type DisputeState = keyof typeof disputeLabels
