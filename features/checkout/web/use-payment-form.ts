import { useEffect, useMemo, useState } from 'react'
import { useQueryParam } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { useZodForm } from '../../../web/ui/form.ts'
import type { Brand } from '../../payments/rules-fees.ts'
import { methods } from '../../payments/rules.ts'
import { type Checkout, defaultAmount } from './checkout.ts'
import {
  NEW_METHOD,
  ANY_CARD,
  defaultMethodId,
  type PagePaysBy,
  type PaymentRequest,
  quoteOfRequest,
  refusalOfCart,
  requestedLines,
  requestForm,
  storedCard,
} from './payment-request.ts'

export interface PaymentFormInput {
  token: string
  checkout: Checkout
  /** Payment method just saved at the payer's bank. The form selects it. */
  newMethodId: number | null
  /** Card type reported by the payment provider, if the page could not detect it. */
  reportedCard: Omit<PagePaysBy, 'method'> | null
}

/**
 * Returns the storage name of the payer's draft. The payer's choices survive a reload and a declined payment. The draft
 * never contains the input of the hosted fields.
 */
export const draftOf = (token: string): string => `guest-payment:${token}`

/** Creates the form with the payer's choices. */
function useRequestForm({ token, checkout, newMethodId }: Omit<PaymentFormInput, 'reportedCard'>) {
  const session = useSession()
  const byPlan = useQueryParam('pay') === 'installment'
  // After a sign-out or the removal of a method, the choice in the draft may be outdated. So the default comes from the
  // current methods.
  const defaultId = defaultMethodId(checkout.storedMethods)
  const schema = useMemo(() => requestForm(checkout), [checkout])
  const form = useZodForm<PaymentRequest, PaymentRequest>(schema, {
    defaultValues: {
      ...defaultAmount(checkout, byPlan),
      amounts: {},
      storedMethodId: defaultId,
      keep: false,
      method: checkout.storedMethods.find(({ id }) => id === defaultId)?.method ?? methods.card,
      email: session?.email ?? '',
    },
    // Consent is never restored from a draft. The payer must agree each time.
    draft: { name: draftOf(token), leaveOut: ['keep'] },
  })
  useEffect(() => {
    if (newMethodId !== null) form.setValue('storedMethodId', newMethodId, { shouldDirty: true })
    // Runs once for each saved method.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [newMethodId])
  return form
}

export type PaymentFormState = ReturnType<typeof usePaymentForm>

/** Creates the payment form. Also returns the method, lines and quote that follow from the payer's choices. */
export function usePaymentForm({ reportedCard, ...input }: PaymentFormInput) {
  const { checkout } = input
  const form = useRequestForm(input)
  const values = form.watch()
  const storedMethod = checkout.storedMethods.find(({ id, isGood }) => id === values.storedMethodId && isGood)
  const request: PaymentRequest = storedMethod
    ? { ...values, method: storedMethod.method }
    : { ...values, storedMethodId: NEW_METHOD }
  const lines = requestedLines(checkout, request)
  const isPayable = refusalOfCart(checkout, lines, request) === null
  // The hosted fields report the card brand if they detect it. Otherwise the payment provider reports the brand when
  // the payment is sent.
  const [brand, setBrand] = useState<Brand | null>(null)
  const enteredCard = brand === null && reportedCard ? reportedCard : { ...ANY_CARD, brand }
  const paysBy: PagePaysBy = {
    ...(storedMethod ? storedCard(storedMethod.methodLabel) : enteredCard),
    method: request.method,
  }
  return {
    form,
    request,
    lines,
    /** Saved payment method that the payer selected. Undefined if the payer enters a new one. */
    storedMethod,
    enteredCard,
    setBrand,
    paysBy,
    /** True if the amounts can be paid. */
    isPayable,
    /** Null while the amounts cannot be paid. */
    quote: isPayable ? quoteOfRequest(checkout.fees, paysBy, lines) : null,
  }
}
