import { call } from '../../../web/call.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { answerItem } from '../contract.ts'
import { AnswerForm } from './AnswerForm.tsx'
import { type InspectionDetails, type ItemDetails, reloadInspections } from './fresh.ts'
import { AddPhotos } from './ItemPhotos.tsx'

interface ItemFormProps {
  inspection: InspectionDetails
  item: ItemDetails
  onClose: () => void
}

/** Form for the answers, note and photos of an item. */
export const ItemForm = ({ inspection, item, onClose }: ItemFormProps) => (
  <AnswerForm
    item={item}
    today={inspection.today}
    draft={`inspection-item:${item.id}`}
    onSave={async (body) => {
      toast((await call(answerItem, body)).message)
      await reloadInspections()
    }}
    onClose={onClose}
  >
    <AddPhotos item={item} />
  </AnswerForm>
)
