import { useCallback, useState } from 'react'
import { call, CallError } from '../../../web/call.ts'
import { page } from '../../../web/page.ts'
import { useSession } from '../../../web/session.ts'
import { useWasRendered } from '../../../web/was-rendered.ts'
import type { DeferredAction } from '../../outages/web/parts/OutageChoice.tsx'
import { dropGuestPayment, guestCheckout, removeFromCart } from '../contract.ts'
import type { Checkout, Payment } from './checkout.ts'
import { loadParts } from './parts.ts'
import { scrollToTop } from './scroll-to-top.ts'
import type { Order } from './use-sent-payment.ts'

/** Returns the checkout that the server has rendered into the page. */
const renderedCheckout = () =>
  page().responses.find(({ path }) => path === guestCheckout.path)?.response as Checkout | undefined

/**
 * Loads the checkout of the page with its optional parts. Returns the checkout, and functions for all changes except
 * payment.
 * @param onUnknownLink called if the link is unknown or expired. It must not change between renders.
 */
export function useCheckout(token: string, onUnknownLink: () => void) {
  const wasRendered = useWasRendered()
  const [checkout, setCheckout] = useState((wasRendered && renderedCheckout()) || null)
  const [error, setError] = useState<unknown>(null)
  const isSignedIn = useSession() !== null
  const reload = useCallback(async () => {
    try {
      const loaded = await call(guestCheckout, { token })
      await loadParts(loaded, isSignedIn)
      setCheckout(loaded)
      setError(null)
      return loaded
    } catch (failure) {
      if (failure instanceof CallError && (failure.status === 404 || failure.status === 400)) onUnknownLink()
      throw failure
    }
  }, [token, isSignedIn, onUnknownLink])

  return {
    checkout,
    error,
    setError,
    reload,
    setPayment: (payment: Payment) => setCheckout((current) => current && { ...current, payment }),
    /** Saves a deferred payment and returns the confirmation message. Throws errors that the form can show. */
    deferPayment: async (order: Order, action: DeferredAction) => {
      try {
        const { sendDeferredPayment } = await import('../../outages/web/parts/defer-payment.ts')
        return (await sendDeferredPayment({ ...order, action })).message
      } finally {
        await reload()
      }
    },
    /** Abandons the payment that waits for the payer's bank. Throws if the call fails. */
    dropPayment: async () => {
      await call(dropGuestPayment, { token })
      await scrollToTop()
      await reload()
    },
    /** Removes an item from the cart. Reloads the cart even if the removal fails. Throws if the removal fails. */
    removeItem: async (no: number) => {
      try {
        await call(removeFromCart, { token, no })
      } finally {
        await reload()
      }
    },
  }
}
