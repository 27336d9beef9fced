import { lazy, Suspense } from 'react'
import { printReceipt } from './print-receipt.ts'

const PaymentSlideOut = lazy(() => import('./PaymentSlideOut.tsx'))

/** The payment that was chosen in a list, beside it: loaded when it is opened. */
export const ChosenPayment = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <Suspense>
    <PaymentSlideOut id={id} onClose={onClose} onPrint={(line) => void printReceipt({ id, line })} />
  </Suspense>
)
