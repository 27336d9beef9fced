import type { PaymentState } from '../../contract.ts'

/**
 * The Idempotency-Key of a payment that was sent and whose outcome is not known yet. It lives in this tab's storage, so
 * that a reload in the middle knows that there is something to find out before anything may be paid again.
 */
interface Sent {
  key: string
  /** Milliseconds since 1970. */
  sentAt: number
  /** What the page knew when it was sent: a decline that was not known then is the answer. */
  before: PaymentState
}

/** After this long a payment of which the server knows nothing never arrived. */
const DOUBTFUL_MS = 60_000

const storedAs = (token: string) => `payment-sent:${token}`

export function rememberSent(token: string, key: string, before: PaymentState): void {
  try {
    sessionStorage.setItem(storedAs(token), JSON.stringify({ key, sentAt: Date.now(), before } satisfies Sent))
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

/** The payment that was sent from this tab a moment ago, without an answer. */
export function findSent(token: string): Sent | null {
  try {
    const sent = JSON.parse(sessionStorage.getItem(storedAs(token)) ?? 'null') as Sent | null
    return sent && Date.now() - sent.sentAt < DOUBTFUL_MS ? sent : null
  } catch {
    return null
  }
}
