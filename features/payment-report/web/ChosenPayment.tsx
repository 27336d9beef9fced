import PaymentSlideOut from './PaymentSlideOut.tsx'
import { printReceipt } from './print-receipt.ts'

/** Slide-out of one payment with its print button. */
export default function ChosenPayment({ id, onClose }: { id: number; onClose: () => void }) {
  return <PaymentSlideOut id={id} onClose={onClose} onPrint={(line) => void printReceipt({ id, line })} />
}
