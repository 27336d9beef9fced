import { useCallback, useRef, useState } from 'react'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import { newKey } from '../../../web/send-once.ts'
import type { PaymentState } from '../../payments/contract.ts'
import { payGuestBill } from '../contract.ts'
import { findSent, forgetSent, rememberSent } from './attempt-key.ts'
import { isOpen, type Payment } from './checkout.ts'
import { scrollToTop } from './scroll-to-top.ts'

export type Order = RequestOf<typeof payGuestBill>

/** Uncertain state of a sent payment. `checking`: no response arrived. `unsent`: the payment never arrived. */
export type Doubt = 'checking' | 'unsent'

/**
 * Time during which the page checks for a sent payment. After that, a payment unknown to the server counts as never
 * arrived.
 */
const GRACE_MS = 10_000

/** True if the outcome of the call is unknown. */
const isUnknown = (error: unknown): boolean =>
  !(error instanceof CallError) ||
  error.status === 0 ||
  error.code === 'in_flight' ||
  (error.status >= 500 && error.code !== 'provider_unreachable')

/** Sends a payment once. While the outcome is unknown, tracks the payment, even after a reload. */
export function useSentPayment(token: string) {
  const [doubt, setDoubt] = useState<Doubt | null>(() => (findSent(token) ? 'checking' : null))
  const sent = useRef<{ order: Order; key: string } | null>(null)
  const doubtSince = useRef<number | null>(null)

  const endDoubt = useCallback(() => setDoubt(null), [])

  const forget = () => {
    forgetSent(token)
    sent.current = null
    setDoubt(null)
  }

  /**
   * Sends the payment with its original key, so it cannot be charged twice. Returns null if the outcome is unknown.
   * @throws the error of a refused payment
   */
  async function resend(stateBefore: PaymentState): Promise<Payment | null> {
    if (!sent.current) return null
    const { order, key } = sent.current
    rememberSent(token, key, stateBefore)
    try {
      return await call(payGuestBill, order, { idempotencyKey: key })
    } catch (failure) {
      if (!isUnknown(failure)) {
        forget()
        throw failure
      }
      doubtSince.current = null
      await scrollToTop()
      setDoubt('checking')
      return null
    }
  }

  return {
    doubt,
    /** False if the page no longer has the entered data. */
    canResend: sent.current !== null,
    /** Sends a new payment. Returns and throws the same as `resend`. */
    send: (order: Order, stateBefore: PaymentState) => {
      sent.current = { order, key: newKey() }
      return resend(stateBefore)
    },
    resend,
    forget,
    endDoubt,
    /**
     * Ends the uncertain state if the loaded payment shows the outcome. If the outcome stays unknown for the grace
     * period, the payment counts as unsent.
     */
    resolve: ({ state }: Payment) => {
      if (doubt !== 'checking') return
      doubtSince.current ??= Date.now()
      if (!isOpen(state) || (state === 'declined' && findSent(token)?.before === 'none')) forget()
      else if (Date.now() - doubtSince.current > GRACE_MS) {
        forgetSent(token)
        setDoubt('unsent')
      }
    },
  }
}
