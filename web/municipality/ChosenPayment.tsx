import { type ComponentType, lazy, Suspense } from 'react'

interface ChosenPaymentProps {
  id: number
  onClose: () => void
}

/** Slide-out of a payment. The portal sets its loader, so that any screen can open a payment. */
export const paymentSlideOut: { load: () => Promise<{ default: ComponentType<ChosenPaymentProps> }> } = {
  load: () => Promise.reject(new Error('the portal has not set the slide-out of a payment')),
}

const SlideOut = lazy(() => paymentSlideOut.load())

/** Slide-out of the payment selected in a list, loaded on demand. */
export const ChosenPayment = (props: ChosenPaymentProps) => (
  <Suspense>
    <SlideOut {...props} />
  </Suspense>
)
