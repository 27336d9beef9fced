import type { PaymentState } from '../../payments/contract.ts'

/**
 * Idempotency-Key of a sent payment with an unknown outcome. The tab stores the key. After a reload, the page checks
 * the outcome before the payer can pay again.
 */
interface StoredAttempt {
  key: string
  /** Payment state before sending. If the state then changes to declined, this payment was declined. */
  before: PaymentState
}

const storedAs = (token: string) => `payment-sent:${token}`

export function rememberSent(token: string, key: string, before: PaymentState): void {
  try {
    sessionStorage.setItem(storedAs(token), JSON.stringify({ key, before } satisfies StoredAttempt))
  } catch {
    // The browser refused to store the key. The server still prevents a double payment.
  }
}

export function forgetSent(token: string): void {
  try {
    sessionStorage.removeItem(storedAs(token))
  } catch {}
}

/** Finds the payment that this tab sent but got no response for, regardless of its age. */
export function findSent(token: string): StoredAttempt | null {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs(token)) ?? 'null') as StoredAttempt | null
  } catch {
    return null
  }
}
