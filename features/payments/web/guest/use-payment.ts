import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestOf } from '../../../../shared/endpoint.ts'
import { call, CallError } from '../../../../web/call.ts'
import { newKey } from '../../../../web/send-once.ts'
import { useSession } from '../../../../web/session.ts'
import {
  ALREADY_PAID,
  dropGuestPayment,
  guestCheckout,
  payGuestBill,
  type PaymentState,
  removeFromCart,
} from '../../contract.ts'
import { findSent, forgetSent, rememberSent } from './attempt-key.ts'
import { type Checkout, isOpen } from './checkout.ts'
import { loadParts } from './parts.ts'
import { usePolling } from './use-polling.ts'
import type { PagePaysBy } from './payment-request.ts'

export type Order = RequestOf<typeof payGuestBill>

/**
 * What the page shows. `checking`: a payment was sent and nobody answered; `unsent`: it turned out never to have
 * arrived; else where the payment stands, or the form to pay.
 */
export type View = 'form' | 'checking' | 'unsent' | Exclude<PaymentState, 'none'>

interface Notice {
  text: string
  at: PaymentState
}

/** For this long the server is asked before "it knows nothing" means "it never arrived". */
const GRACE_MS = 10_000

/** Nobody knows whether this call did what it was to do. */
const isUnknown = (error: unknown): boolean =>
  !(error instanceof CallError) ||
  error.status === 0 ||
  error.code === 'in_flight' ||
  (error.status >= 500 && error.code !== 'provider_unreachable')

/** Refusals after which the page has to look at the bill again. */
const OVERTAKEN = new Set([
  'payment_in_progress',
  'already_paid',
  'amount_changed',
  'method_gone',
  'payments_work',
  'promised',
])

/**
 * A guest's payment: the checkout as the server tells it, and paying it once. A sent payment whose answer got lost is
 * looked for before anything can be paid again, also after a reload.
 */
export function usePayment(token: string) {
  const [checkout, setCheckout] = useState<Checkout | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [round, setRound] = useState(0)
  const [again, setAgain] = useState(false)
  const [doubt, setDoubt] = useState<'checking' | 'unsent' | null>(() => (findSent(token) ? 'checking' : null))
  const sent = useRef<{ order: Order; key: string } | null>(null)
  const [toldCard, setToldCard] = useState<Omit<PagePaysBy, 'method'> | null>(null)
  const askedSince = useRef<number | null>(null)

  const isSignedIn = useSession() !== null
  const load = useCallback(async () => {
    try {
      const now = await call(guestCheckout, { token })
      await loadParts(now, isSignedIn)
      setCheckout(now)
      setError(null)
      return now
    } catch (failure) {
      // A link that opens nothing has nothing in doubt either.
      if (failure instanceof CallError && (failure.status === 404 || failure.status === 400)) setDoubt(null)
      throw failure
    }
  }, [token, isSignedIn])

  const settle = () => {
    forgetSent(token)
    sent.current = null
    setDoubt(null)
  }
  /** Says it above what is shown, for as long as the payment stands where it stands now. */
  const say = (text: string, at: PaymentState) => setNotice({ text, at })

  /** One look at what became of the payment. An answer that says nothing new for long enough settles it too. */
  const ask = async () => {
    const { payment } = await load()
    if (doubt !== 'checking') return
    askedSince.current ??= Date.now()
    if (!isOpen(payment.state) || (payment.state === 'declined' && findSent(token)?.before === 'none')) settle()
    else if (Date.now() - askedSince.current > GRACE_MS) {
      forgetSent(token)
      setDoubt('unsent')
    }
  }

  const reload = () => void ask().catch(setError)
  // Once for each payment.
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
      settle()
    } catch (failure) {
      if (isUnknown(failure)) {
        askedSince.current = null
        await toTop()
        setDoubt('checking')
        return
      }
      settle()
      if (!(failure instanceof CallError) || failure.status >= 500) throw failure
      if (OVERTAKEN.has(failure.code)) await toTop()
      if ('card' in failure.details) setToldCard(failure.details['card'] as typeof toldCard)
      // What was refused is looked at again, so that it is not offered once more.
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
  // Whoever named their bank's small deposits comes back to a page that goes on by itself; so does one whose fee is being charged.
  const isWaited = view === 'paid' && receipt?.ownFee?.status === 'waiting'
  const pace = view === 'processing' && actionUrl ? 'challenge' : isWaited ? 'working' : view
  usePolling(pace && intervals[pace], ask)
  useReturn(view === 'form' || view === 'declined', load)
  useNotices(load)

  return {
    checkout,
    error,
    /** What the payment service said of a card, where its fee is another than the one that was shown. */
    toldCard,
    view,
    /** What the server said last, where it overtook the payer: stands above what is shown. */
    notice: notice?.at === state ? notice?.text : undefined,
    /** Counts the answers to what was sent: after each the page is drawn anew. */
    round,
    /** The form was asked for again: the payer goes on where card or bank account are entered. */
    again,
    reload,
    /** Looks at the checkout again: something was added, or a card is kept. */
    look: load,
    /** Sends a payment. Throws what the form can show; everything else becomes another view. */
    pay: (order: Order) => {
      sent.current = { order, key: newKey() }
      return send()
    },
    /** The same payment with the same key: it can't happen twice. Null where what was entered is gone. */
    payAgain:
      sent.current &&
      (() =>
        void send().catch((failure: unknown) => say(failure instanceof Error ? failure.message : '', state ?? 'none'))),
    /** Writes down what is to be done once payments work again. Throws what the form can show. */
    promise: async (order: Order, way: 'note' | 'charge' | 'remind') => {
      try {
        return (await (await import('../outage/promise.ts')).promise({ ...order, way })).message
      } finally {
        await load()
      }
    },
    /** Gives up what waits for the payer's bank. Throws where that could not be asked for. */
    drop: async () => {
      await call(dropGuestPayment, { token })
      await toTop()
      await load()
      setAgain(true)
    },
    /** Takes something out of the cart. Throws where it could not be; the cart is looked at again in any case. */
    remove: async (no: number) => {
      try {
        await call(removeFromCart, { token, no })
      } finally {
        await load()
      }
    },
    /** Back to the form. */
    startOver: () => {
      sent.current = null
      setDoubt(null)
      setAgain(true)
    },
  }
}

/** Somebody who comes back to the page sees what is owed now: they may have paid in another tab. */
function useReturn(active: boolean, load: () => Promise<unknown>): void {
  useEffect(() => {
    if (!active) return
    const seen = () => void (document.hidden || load().catch(() => {}))
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  }, [active, load])
}

/** The banner of each page says something else: payments are out, or work again, and the page shows what can be done now. */
function useNotices(load: () => Promise<unknown>): void {
  useEffect(() => {
    const look = () => void load().catch(() => {})
    addEventListener('notices', look)
    return () => removeEventListener('notices', look)
  }, [load])
}

const MAX_FRAME_MS = 100

/** The top of the page comes into view before another view stands there: what moved out of sight moves before nobody's eyes. */
async function toTop(): Promise<void> {
  if (document.hidden || globalThis.scrollY === 0) return
  globalThis.scrollTo({ top: 0 })
  await Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    new Promise((resolve) => setTimeout(resolve, MAX_FRAME_MS)),
  ])
}

/** How soon and how often each view asks again, in milliseconds: from the first to the second. */
const intervals: Partial<Record<View, readonly [number, number]>> = {
  checking: [1000, 5000],
  working: [1000, 5000],
  challenge: [3000, 5000],
  // A bank takes days for an eCheck: a page that is left open asks now and then.
  processing: [30_000, 120_000],
}
