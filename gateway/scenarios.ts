/** Behavior of each published test number. The gateway refuses all other numbers, so that no one enters a real card. */
export type Scenario = keyof typeof outcomes

export interface Outcome {
  status: 'succeeded' | 'failed' | 'processing' | 'requires_action'
  error?: { code: string; message: string; retryable: boolean }
  /** Later transition that happens automatically. */
  then?: { step: DueStep; afterMs: number }
}

/** Reasons for refused debits, by NACHA return code. */
export const bankRefusals = {
  R01: 'The bank refused the debit: insufficient funds.',
  R02: 'The bank refused the debit: the account is closed.',
  R03: 'The bank refused the debit: there is no such account.',
  R07: 'The bank refused the debit: its owner took the authorization back.',
} as const
export type BankRefusal = keyof typeof bankRefusals

/** Transitions that happen after a delay. */
export type DueStep = 'succeed' | `fail_${BankRefusal}` | 'succeed_then_R10' | 'return_R10' | 'dispute'

const SECOND = 1000
const DAY = 86_400_000
/** Two ACH business days, simplified to calendar days. In milliseconds. */
const ECHECK_MS = 2 * DAY

const fails = (code: string, message: string, retryable = true): Outcome => ({
  status: 'failed',
  error: { code, message, retryable },
})

export const outcomes = {
  ok: { status: 'succeeded' },
  declined: fails('card_declined', 'The card was declined.'),
  insufficient_funds: fails('insufficient_funds', 'The card has insufficient funds.'),
  expired: fails('expired_card', 'The card has expired.', false),
  incorrect_cvc: fails('incorrect_cvc', 'The security code is incorrect.'),
  processing_error: fails('processing_error', 'An error occurred while processing the card.'),
  // These two cards can be stored. Their problem appears only when they are charged.
  declined_later: fails('card_declined', 'The card was declined.'),
  lost: fails('lost_card', 'The card was declined: it was reported lost.', false),
  challenge: { status: 'requires_action' },
  disputed: { status: 'succeeded', then: { step: 'dispute', afterMs: DAY } },
  slow: { status: 'processing', then: { step: 'succeed', afterMs: 8 * SECOND } },
  echeck_ok: { status: 'processing', then: { step: 'succeed', afterMs: ECHECK_MS } },
  echeck_r01: { status: 'processing', then: { step: 'fail_R01', afterMs: DAY } },
  echeck_r02: { status: 'processing', then: { step: 'fail_R02', afterMs: DAY } },
  echeck_r03: { status: 'processing', then: { step: 'fail_R03', afterMs: DAY } },
  echeck_r07: { status: 'processing', then: { step: 'fail_R07', afterMs: DAY } },
  echeck_r10: { status: 'processing', then: { step: 'succeed_then_R10', afterMs: ECHECK_MS } },
} as const satisfies Record<string, Outcome>

/**
 * Problems that prevent storing a card. Insufficient funds are not among them, because storing a card charges nothing.
 */
const storingFailures: readonly Scenario[] = ['declined', 'expired', 'incorrect_cvc', 'processing_error']

/** Returns the error if a method cannot be stored. Null if the method can be stored. */
export function refuseStoring(scenario: Scenario): Outcome['error'] | null {
  const outcome: Outcome = outcomes[scenario]
  return storingFailures.includes(scenario) ? (outcome.error ?? null) : null
}

/** Returns the result of an off-session charge. A challenge counts as a refusal, because no one can answer it. */
export function withoutPayer(scenario: Scenario): Outcome {
  if (outcomes[scenario].status !== 'requires_action') return outcomes[scenario]
  return fails('authentication_required', 'The bank wants to see the payer with each payment by this card.', false)
}

export const EXPIRED: Outcome = outcomes.expired

/** Time from success to return of an unauthorized eCheck, in milliseconds. */
export const RETURN_AFTER_MS = 3 * DAY

export const testCards: Record<string, Scenario> = {
  '4242424242424242': 'ok',
  '5555555555554444': 'ok',
  '378282246310005': 'ok',
  '6011111111111117': 'ok',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
  '4000000000000341': 'declined_later',
  '4000000000009987': 'lost',
  '4000002760003184': 'challenge',
  '4000000000000259': 'disputed',
  '4000000000000077': 'slow',
}

export const TEST_ROUTING = '110000000'
export const TEST_BANK = 'TEST BANK'
export const testBankAccounts: Record<string, Scenario> = {
  '000123456789': 'echeck_ok',
  '000111111116': 'echeck_r01',
  '000111111113': 'echeck_r02',
  '000444444440': 'echeck_r03',
  '000333333335': 'echeck_r07',
  '000222222227': 'echeck_r10',
}

/**
 * Published stored methods that all developers can use, as with other payment providers. The caller can add a colon and
 * any text to make an id unique.
 */
export const testMethods: Record<string, { number: string; type: 'card' | 'echeck' }> = {
  pm_card_visa: { number: '4242424242424242', type: 'card' },
  pm_card_mastercard: { number: '5555555555554444', type: 'card' },
  pm_card_chargeCustomerFail: { number: '4000000000000341', type: 'card' },
  pm_usBankAccount: { number: '000123456789', type: 'echeck' },
}
