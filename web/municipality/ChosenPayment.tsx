import { Suspense } from 'react'
import { definePart } from '../page-part.ts'

interface ChosenPaymentProps {
  id: number
  onClose: () => void
}

export const paymentSlideOut = definePart<ChosenPaymentProps>('slide-out of a payment')

/** Slide-out of the payment selected in a list, loaded on demand. Any staff screen can open it. */
export const ChosenPayment = (props: ChosenPaymentProps) => (
  <Suspense>
    <paymentSlideOut.Part {...props} />
  </Suspense>
)
