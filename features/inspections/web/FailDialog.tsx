import { call } from '../../../web/call.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { failItem } from '../contract.ts'
import type { RowAnswers } from './Decision.tsx'
import { FailForm } from './FailForm.tsx'
import { type ItemDetails, reloadInspections } from './fresh.ts'
import { AddPhotos } from './ItemPhotos.tsx'

interface FailDialogProps {
  item: ItemDetails
  /** Answers of the row, which the portal saves with the failure. */
  answers: RowAnswers
  onClose: () => void
}

/** Dialog that fails an item in the office. Photos upload immediately. */
export const FailDialog = ({ item, answers, onClose }: FailDialogProps) => (
  <FailForm
    title={item.title}
    draft={`inspection-fail:${item.id}`}
    onFail={async (values) => {
      toast((await call(failItem, { ...values, ...answers, itemId: item.id })).message)
      await reloadInspections()
    }}
    onClose={onClose}
  >
    <AddPhotos item={item} />
  </FailForm>
)
