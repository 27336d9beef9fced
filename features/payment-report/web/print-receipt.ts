import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { paymentReceipt } from '../contract.ts'

interface ReceiptRequest {
  id: number
  /** Number of the line to print. Without it, prints all lines. */
  line?: number | undefined
  /** `roll` fits the paper of a receipt printer. */
  format?: 'letter' | 'roll'
}

export const printReceipt = ({ id, line, format }: ReceiptRequest): Promise<void> =>
  download(paymentReceipt, { paymentId: id, ...(line !== undefined && { line }), ...(format && { format }) }).catch(
    (error: unknown) => toast(messageOf(error), 'danger'),
  )
