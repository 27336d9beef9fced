import type { PaymentState } from '../../contract.ts'

/**
 * The Idempotency-Key of a payment that was sent and whose outcome is not known yet. It lives in this tab's storage, so
 * that a reload in the middle knows that there is something to find out before anything may be paid again.
 */
interface SentAttempt {
  key: string
  /** What the page knew when it was sent: a decline that was not known then is the answer. */
  before: PaymentState
}

const storedAs = (token: string) => `payment-sent:${token}`

export function rememberSent(token: string, key: string, before: PaymentState): void {
  try {
    sessionStorage.setItem(storedAs(token), JSON.stringify({ key, before } satisfies SentAttempt))
  } catch {
    // refused storage: the server alone keeps the payment from happening twice
  }
}

export function forgetSent(token: string): void {
  try {
    sessionStorage.removeItem(storedAs(token))
  } catch {
    // as above
  }
}

/** The payment that was sent from this tab and has no answer yet, however long ago that was. */
export function findSent(token: string): SentAttempt | null {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs(token)) ?? 'null') as SentAttempt | null
  } catch {
    return null
  }
}
