import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import { newKey } from '../../../web/send-once.ts'
import { useSession } from '../../../web/session.ts'
import { useReturn } from '../../../web/use-return.ts'
import { ALREADY_PAID, type PaymentState } from '../../payments/contract.ts'
import { dropGuestPayment, guestCheckout, payGuestBill, removeFromCart } from '../contract.ts'
import { findSent, forgetSent, rememberSent } from './attempt-key.ts'
import { type Checkout, isOpen } from './checkout.ts'
import { loadParts } from './parts.ts'
import { usePolling } from './use-polling.ts'
import type { PagePaysBy } from './payment-request.ts'

export type Order = RequestOf<typeof payGuestBill>

/**
 * View of the page. `checking`: a payment was sent without a response. `unsent`: it never arrived. Otherwise the
 * payment status or the form.
 */
export type View = 'form' | 'checking' | 'unsent' | Exclude<PaymentState, 'none'>

interface Notice {
  text: string
  at: PaymentState
}

/** Time in which the page keeps asking. After it, a payment unknown to the server counts as never arrived. */
const GRACE_MS = 10_000

/** True if the outcome of the call is unknown. */
const isUnknown = (error: unknown): boolean =>
  !(error instanceof CallError) ||
  error.status === 0 ||
  error.code === 'in_flight' ||
  (error.status >= 500 && error.code !== 'provider_unreachable')

/** Error codes after which the page must reload the bill. */
const OVERTAKEN = new Set([
  'payment_in_progress',
  'already_paid',
  'amount_changed',
  'method_gone',
  'payments_work',
  'promised',
])

/**
 * Guest payment: loads the checkout and pays it once. If the response to a payment is lost, the page looks for that
 * payment before another one, even after a reload.
 */
export function usePayment(token: string) {
  const [checkout, setCheckout] = useState<Checkout | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [round, setRound] = useState(0)
  const [again, setAgain] = useState(false)
  const [doubt, setDoubt] = useState<'checking' | 'unsent' | null>(() => (findSent(token) ? 'checking' : null))
  const sent = useRef<{ order: Order; key: string } | null>(null)
  const [reportedCard, setReportedCard] = useState<Omit<PagePaysBy, 'method'> | null>(null)
  const pendingSince = useRef<number | null>(null)

  const isSignedIn = useSession() !== null
  const load = useCallback(async () => {
    try {
      const now = await call(guestCheckout, { token })
      await loadParts(now, isSignedIn)
      setCheckout(now)
      setError(null)
      return now
    } catch (failure) {
      // An unknown link has no payment with an unknown outcome.
      if (failure instanceof CallError && (failure.status === 404 || failure.status === 400)) setDoubt(null)
      throw failure
    }
  }, [token, isSignedIn])

  const finish = () => {
    forgetSent(token)
    sent.current = null
    setDoubt(null)
  }
  /** Shows the message above the view until the payment state changes. */
  const say = (text: string, at: PaymentState) => setNotice({ text, at })

  /**
   * Checks the outcome of the payment once. If the state stays unknown for the grace period, the payment counts as
   * unsent.
   */
  const poll = async () => {
    const { payment } = await load()
    if (doubt !== 'checking') return
    pendingSince.current ??= Date.now()
    if (!isOpen(payment.state) || (payment.state === 'declined' && findSent(token)?.before === 'none')) finish()
    else if (Date.now() - pendingSince.current > GRACE_MS) {
      forgetSent(token)
      setDoubt('unsent')
    }
  }

  const reload = () => void poll().catch(setError)
  // Runs once for each payment.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(reload, [token])

  async function send(): Promise<void> {
    if (!sent.current) return
    const { order, key } = sent.current
    rememberSent(token, key, checkout?.payment.state ?? 'none')
    setNotice(null)
    try {
      const payment = await call(payGuestBill, order, { idempotencyKey: key })
      await toTop()
      setCheckout((before) => before && { ...before, payment })
      setAgain(false)
      setRound((n) => n + 1)
      finish()
    } catch (failure) {
      if (isUnknown(failure)) {
        pendingSince.current = null
        await toTop()
        setDoubt('checking')
        return
      }
      finish()
      if (!(failure instanceof CallError) || failure.status >= 500) throw failure
      if (OVERTAKEN.has(failure.code)) await toTop()
      if ('card' in failure.details) setReportedCard(failure.details['card'] as typeof reportedCard)
      // Reloads the checkout, so that the page does not offer the refused payment again.
      const now = await load().catch(() => null)
      if (!now || !OVERTAKEN.has(failure.code)) throw failure
      const { state } = now.payment
      say(state === 'paid' ? ALREADY_PAID : failure.message, state)
      if (failure.code !== 'amount_changed') setAgain(false)
      setRound((n) => n + 1)
    }
  }

  const state = checkout?.payment.state
  const view: View | null = doubt ?? (!state ? null : state === 'none' || (again && isOpen(state)) ? 'form' : state)
  const { actionUrl, receipt } = checkout?.payment ?? {}
  // After microdeposits the payer returns to a page that updates automatically. A page with a pending fee charge
  // updates as well.
  const isWaited = view === 'paid' && receipt?.ownFee?.status === 'waiting'
  const pace = view === 'processing' && actionUrl ? 'challenge' : isWaited ? 'working' : view
  usePolling(pace && intervals[pace], poll)
  useReturn(view === 'form' || view === 'declined', load)
  useNotices(load)

  return {
    checkout,
    error,
    /** Card type from the payment service, if its fee differs from the shown fee. */
    toldCard: reportedCard,
    view,
    /** Last message of the server about a change that the payer did not know. Shown above the view. */
    notice: notice?.at === state ? notice?.text : undefined,
    /** Number of responses to sent payments. The page remounts after each. */
    round,
    /** True if the payer returned to the form. The focus moves to the card or bank account fields. */
    again,
    reload,
    /** Reloads the checkout after an item was added or a card was saved. */
    look: load,
    /** Sends a payment. Throws errors that the form can show. Every other result becomes another view. */
    pay: (order: Order) => {
      sent.current = { order, key: newKey() }
      return send()
    },
    /** Sends the payment with its original key, so it cannot be charged twice. Null if the entered data is gone. */
    payAgain:
      sent.current &&
      (() =>
        void send().catch((failure: unknown) => say(failure instanceof Error ? failure.message : '', state ?? 'none'))),
    /** Saves a deferred payment. Throws errors that the form can show. */
    promise: async (order: Order, way: 'note' | 'charge' | 'remind') => {
      try {
        return (await (await import('../../outages/web/parts/defer-payment.ts')).promise({ ...order, way })).message
      } finally {
        await load()
      }
    },
    /** Abandons the payment that waits for the payer's bank. Throws if the call fails. */
    drop: async () => {
      await call(dropGuestPayment, { token })
      await toTop()
      await load()
      setAgain(true)
    },
    /** Removes an item from the cart and reloads the cart in any case. Throws if the removal fails. */
    remove: async (no: number) => {
      try {
        await call(removeFromCart, { token, no })
      } finally {
        await load()
      }
    },
    /** Returns to the form. */
    startOver: () => {
      sent.current = null
      setDoubt(null)
      setAgain(true)
    },
  }
}

/** Reloads the checkout when the banner changes, because an outage started or ended. */
function useNotices(load: () => Promise<unknown>): void {
  useEffect(() => {
    const reloadQuietly = () => void load().catch(() => {})
    addEventListener('notices', reloadQuietly)
    return () => removeEventListener('notices', reloadQuietly)
  }, [load])
}

const MAX_FRAME_MS = 100

/** Scrolls to the top before the view changes, so that the layout shift is not visible. */
async function toTop(): Promise<void> {
  if (document.hidden || globalThis.scrollY === 0) return
  globalThis.scrollTo({ top: 0 })
  await Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    new Promise((resolve) => setTimeout(resolve, MAX_FRAME_MS)),
  ])
}

/** Polling intervals of each view in milliseconds, from the first to the longest. */
const intervals: Partial<Record<View, readonly [number, number]>> = {
  checking: [1000, 5000],
  working: [1000, 5000],
  challenge: [3000, 5000],
  // An eCheck takes days, so an open page asks rarely.
  processing: [30_000, 120_000],
}
