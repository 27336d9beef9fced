import { call } from '../../../web/call.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { failItem } from '../contract.ts'
import { FailForm } from './FailForm.tsx'
import { type ItemDetails, reloadInspections } from './fresh.ts'
import { AddPhotos } from './ItemPhotos.tsx'

/** Dialog that fails an item in the office. Photos upload immediately. */
export const FailDialog = ({ item, onClose }: { item: ItemDetails; onClose: () => void }) => (
  <FailForm
    title={item.title}
    draft={`inspection-fail:${item.id}`}
    onFail={async (values) => {
      toast((await call(failItem, { ...values, itemId: item.id })).message)
      await reloadInspections()
    }}
    onClose={onClose}
  >
    <AddPhotos item={item} />
  </FailForm>
)
