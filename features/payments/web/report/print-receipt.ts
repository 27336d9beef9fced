import { sentenceOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { paymentReceipt } from '../../contract.ts'

/** The receipt as a page, or as wide as the roll of a receipt printer. */
export const printReceipt = ({ id, paper }: { id: number; paper?: 'letter' | 'roll' }): Promise<void> =>
  download(paymentReceipt, { paymentId: id, ...(paper && { paper }) }).catch((error: unknown) =>
    toast(sentenceOf(error), 'danger'),
  )
