import { type RefObject, useRef, useState } from 'react'
import { go } from '../../../web/go.ts'
import { useSession } from '../../../web/session.ts'
import { FieldsRefused } from '../../../web/ui/fields-channel.ts'
import { FormRefused } from '../../../web/ui/form.ts'
import type { HostedFieldsHandle } from '../../../web/ui/HostedFields.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import type { DeferredAction } from '../../outages/web/parts/OutageChoice.tsx'
import { type Checkout, outageStartOf } from './checkout.ts'
import { amountsOfOrder, type PaymentRequest } from './payment-request.ts'
import type { PaymentFormState } from './use-payment-form.ts'
import type { Order } from './use-sent-payment.ts'

export interface SubmitPaymentInput {
  token: string
  checkout: Checkout
  onPay: (order: Order) => Promise<void>
  /** Saves a deferred payment in an outage. Returns the confirmation message. */
  onDefer: (order: Order, action: DeferredAction) => Promise<string>
  /** Called after a payment method was saved, to reload the checkout. */
  onStored: () => Promise<unknown>
}

/** Sends the payment with a saved or an entered method. In an outage, it saves a deferred payment instead. */
export function useSubmitPayment(
  { form, request, paysBy, storedMethod }: PaymentFormState,
  fields: RefObject<HostedFieldsHandle | null>,
  { token, checkout, onPay, onDefer, onStored }: SubmitPaymentInput,
) {
  const session = useSession()
  // Disables the form after sending. Before that, the hosted fields must be able to take the focus.
  const [isSent, setSent] = useState(false)
  const [deferredAction, setDeferredAction] = useState<DeferredAction | null>(null)
  // A ref instead of state, so that the submit handler reads the clicked action without waiting for a render.
  const clickedAction = useRef<DeferredAction>('remind')

  async function submit({ email, keep, ...amounts }: PaymentRequest) {
    const order = { token, method: request.method, email, ...amountsOfOrder(checkout, paysBy, amounts) }
    const storedSource = storedMethod && { storedMethodId: storedMethod.id }
    try {
      if (outageStartOf(checkout) !== null) {
        setSent(true)
        toast(await onDefer({ ...order, ...storedSource }, clickedAction.current))
      } else if (storedSource) {
        setSent(true)
        await onPay({ ...order, ...storedSource })
      } else await payByEnteredMethod(order, keep)
    } catch (failure) {
      // The hosted fields have already shown their errors.
      if (!(failure instanceof FieldsRefused)) throw failure
    } finally {
      setSent(false)
      setDeferredAction(null)
    }
  }

  async function payByEnteredMethod(order: Order, storesMethod: boolean) {
    const methodToken = (await fields.current?.tokenize()) ?? ''
    setSent(true)
    if (!storesMethod || !session) return onPay({ ...order, methodToken })
    const { storeMethod } = await import('./store-method.ts')
    const stored = await storeMethod({ method: order.method, methodToken, checkout: token })
    // The bank must authenticate the cardholder first.
    if (stored.actionUrl) return go(stored.actionUrl)
    form.setValue('keep', false, { shouldDirty: true })
    // An unconfirmed bank account cannot pay yet. The payer can use another method, or enter the account for this
    // payment only.
    if (stored.id === 0) throw new FormRefused(stored.message)
    // The method stays saved even if the payment is declined, and the next attempt uses it.
    form.setValue('storedMethodId', stored.id, { shouldDirty: true })
    await onStored()
    await onPay({ ...order, storedMethodId: stored.id })
  }

  return {
    submit,
    isSent,
    /** Action that the payer clicked during an outage, while it is being saved. */
    deferredAction,
    /** Selects the action of the next submit in an outage. */
    selectAction: (action: DeferredAction) => {
      setDeferredAction(action)
      clickedAction.current = action
    },
    clearAction: () => setDeferredAction(null),
  }
}
