import { lazy, Suspense } from 'react'
import { printReceipt } from './print-receipt.ts'

const PaymentSlideOut = lazy(() => import('./PaymentSlideOut.tsx'))

/** Slide-out of the payment selected in a list, loaded on demand. */
export const ChosenPayment = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <Suspense>
    <PaymentSlideOut id={id} onClose={onClose} onPrint={(line) => void printReceipt({ id, line })} />
  </Suspense>
)
