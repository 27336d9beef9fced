/** What each published test number stands for. No other number works here, so that nobody enters a real one. */
export type Scenario = keyof typeof outcomes

export interface Outcome {
  status: 'succeeded' | 'failed' | 'processing' | 'requires_action'
  error?: { code: string; message: string; retryable: boolean }
  /** What happens later by itself. */
  then?: { step: DueStep; afterMs: number }
}

/** Steps that come due with time. */
export type DueStep = 'succeed' | 'fail_R01' | 'succeed_then_R10' | 'return_R10' | 'dispute'

const SECOND = 1000
const DAY = 86_400_000
/** Business days of the ACH network are taken as two plain days. */
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
  challenge: { status: 'requires_action' },
  disputed: { status: 'succeeded', then: { step: 'dispute', afterMs: DAY } },
  slow: { status: 'processing', then: { step: 'succeed', afterMs: 8 * SECOND } },
  echeck_ok: { status: 'processing', then: { step: 'succeed', afterMs: ECHECK_MS } },
  echeck_r01: { status: 'processing', then: { step: 'fail_R01', afterMs: DAY } },
  echeck_r10: { status: 'processing', then: { step: 'succeed_then_R10', afterMs: ECHECK_MS } },
} as const satisfies Record<string, Outcome>

/** How long after its success an eCheck comes back as unauthorized. */
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
  '4000002760003184': 'challenge',
  '4000000000000259': 'disputed',
  '4000000000000077': 'slow',
}

export const TEST_ROUTING = '110000000'
export const testBankAccounts: Record<string, Scenario> = {
  '000123456789': 'echeck_ok',
  '000111111116': 'echeck_r01',
  '000222222227': 'echeck_r10',
}
