import { useEffect, useState } from 'react'
import { CallError } from '../../../web/call.ts'
import { useReturn } from '../../../web/use-return.ts'
import { ALREADY_PAID, type PaymentState } from '../../payments/contract.ts'
import { type Checkout, isOpen } from './checkout.ts'
import type { PagePaysBy } from './payment-request.ts'
import { scrollToTop } from './scroll-to-top.ts'
import { useCheckout } from './use-checkout.ts'
import { usePolling } from './use-polling.ts'
import { type Doubt, type Order, useSentPayment } from './use-sent-payment.ts'

/** View of the page: the form, the payment status, or the uncertain state of a sent payment (`Doubt`). */
export type View = 'form' | Doubt | Exclude<PaymentState, 'none'>

interface Notice {
  text: string
  at: PaymentState
}

/** Error codes after which the page must reload the bill. */
const STALE_CODES = new Set([
  'payment_in_progress',
  'already_paid',
  'amount_changed',
  'method_gone',
  'payments_work',
  'deferred',
])

export type PagePayment = ReturnType<typeof usePayment>

/**
 * Loads the checkout and pays it exactly once. If the response to a payment is lost, the page first checks the outcome
 * of that payment, and only then lets the guest pay again. This also works after a reload.
 */
export function usePayment(token: string) {
  const attempt = useSentPayment(token)
  const page = useCheckout(token, attempt.endDoubt)
  const { checkout, reload } = page
  const [notice, setNotice] = useState<Notice | null>(null)
  const [round, setRound] = useState(0)
  const [again, setAgain] = useState(false)
  const [reportedCard, setReportedCard] = useState<Omit<PagePaysBy, 'method'> | null>(null)
  const state = checkout?.payment.state
  const view: View | null =
    attempt.doubt ?? (!state ? null : state === 'none' || (again && isOpen(state)) ? 'form' : state)

  /** Checks the outcome of the payment once. */
  const poll = async () => attempt.resolve((await reload()).payment)
  const retry = () => void poll().catch(page.setError)
  useEffect(() => {
    if (!checkout || attempt.doubt) retry()
    // Runs once for each payment.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [token])
  usePolling(intervalOf(view, checkout), poll)
  useReturn(view === 'form' || view === 'declined', reload)
  useNotices(reload)

  /** Sends a payment and shows its result. Throws errors that the form can show. */
  async function send(request: () => ReturnType<typeof attempt.resend>): Promise<void> {
    setNotice(null)
    const payment = await request().catch(showRefusal)
    if (!payment) return
    await scrollToTop()
    page.setPayment(payment)
    setAgain(false)
    setRound((n) => n + 1)
    attempt.forget()
  }

  /**
   * Reloads the checkout after a refusal, so that the page does not offer the refused payment again. Rethrows all other
   * errors.
   */
  async function showRefusal(failure: unknown): Promise<null> {
    if (!(failure instanceof CallError) || failure.status >= 500) throw failure
    const isStaleCheckout = STALE_CODES.has(failure.code)
    if (isStaleCheckout) await scrollToTop()
    if ('card' in failure.details) setReportedCard(failure.details['card'] as typeof reportedCard)
    const current = await reload().catch(() => null)
    if (!current || !isStaleCheckout) throw failure
    const { state: at } = current.payment
    setNotice({ text: at === 'paid' ? ALREADY_PAID : failure.message, at })
    if (failure.code !== 'amount_changed') setAgain(false)
    setRound((n) => n + 1)
    return null
  }

  const stateBefore = state ?? 'none'
  const payAgain = () =>
    void send(() => attempt.resend(stateBefore)).catch((failure: unknown) =>
      setNotice({ text: failure instanceof Error ? failure.message : '', at: stateBefore }),
    )

  return {
    checkout,
    error: page.error,
    /** Card type from the payment provider, if its fee differs from the shown fee. */
    reportedCard,
    view,
    /** Latest message from the server about a change that the payer had not seen. Shown above the view. */
    notice: notice?.at === state ? notice?.text : undefined,
    /** Number of responses to sent payments. The page remounts after each response. */
    round,
    /** True if the payer returned to the form. The focus then moves to the card or bank account fields. */
    again,
    /** Reloads the checkout after a loading error. */
    retry,
    /** Reloads the checkout after an item was added or a card was saved. */
    reload,
    /** Sends a payment. Throws errors that the form can show. Every other result is shown as another view. */
    pay: (order: Order) => send(() => attempt.send(order, stateBefore)),
    /**
     * Sends the payment with its original key, so it cannot be charged twice. Null if the page no longer has the
     * entered data.
     */
    payAgain: attempt.canResend ? payAgain : null,
    deferPayment: page.deferPayment,
    removeItem: page.removeItem,
    dropPayment: async () => {
      await page.dropPayment()
      setAgain(true)
    },
    /** Returns to the form. */
    startOver: () => {
      attempt.forget()
      setAgain(true)
    },
  }
}

/** Reloads the checkout when the banner changes, because an outage may have started or ended. */
function useNotices(reload: () => Promise<unknown>): void {
  useEffect(() => {
    const reloadQuietly = () => void reload().catch(() => {})
    addEventListener('notices', reloadQuietly)
    return () => removeEventListener('notices', reloadQuietly)
  }, [reload])
}

/** First and longest polling interval of each view, in milliseconds. */
const intervals: Partial<Record<View, readonly [number, number]>> = {
  checking: [1000, 5000],
  working: [1000, 5000],
  challenge: [3000, 5000],
  // An eCheck takes days, so an open page polls rarely.
  processing: [30_000, 120_000],
}

/** Returns the polling interval of the page. Undefined if the page does not need to poll. */
function intervalOf(view: View | null, checkout: Checkout | null) {
  if (view === null) return undefined
  const { actionUrl, receipt } = checkout?.payment ?? {}
  // A payer who confirms microdeposits returns to this page, so the page polls often and updates automatically.
  if (view === 'processing' && actionUrl) return intervals.challenge
  // A page with a pending fee charge also polls until the charge ends.
  if (view === 'paid' && receipt?.separateFee?.status === 'waiting') return intervals.working
  return intervals[view]
}
