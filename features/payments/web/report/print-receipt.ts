import { sentenceOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { paymentReceipt } from '../../contract.ts'

interface ReceiptRequest {
  id: number
  /** Of one of its lines alone. */
  line?: number | undefined
  /** `roll`: as wide as the roll of a receipt printer. */
  paper?: 'letter' | 'roll'
}

export const printReceipt = ({ id, line, paper }: ReceiptRequest): Promise<void> =>
  download(paymentReceipt, { paymentId: id, ...(line !== undefined && { line }), ...(paper && { paper }) }).catch(
    (error: unknown) => toast(sentenceOf(error), 'danger'),
  )
