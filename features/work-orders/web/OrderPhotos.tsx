import { Trans, useLingui } from '@lingui/react/macro'
import { sizeLabel } from '../../../shared/file-types.ts'
import { useAct } from '../../../web/act.ts'
import { call, messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Photos } from '../../../web/ui/office/Photos.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addPhotoAfter, addPhotoBefore, downloadPhoto, photosAfter, photosBefore, removePhoto } from '../contract.ts'
import { type OrderDetails, reloadOrders } from './fresh.ts'

/** Photos from before and after the work, and photos of the order's source. Saves an added photo immediately. */
export function OrderPhotos({ order: { id, number, photos, can } }: { order: OrderDetails }) {
  const { t } = useLingui()
  const { act, refusal } = useAct(reloadOrders)
  const labels = { before: t`Before`, after: t`After`, fromRequest: t`From the request` }
  const get = (photoId: string) =>
    download(downloadPhoto, { orderId: id, photoId }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  if (photos.length === 0 && !can.work) return null
  const size = sizeLabel(photosBefore.maxBytes)
  const uploads = [
    { when: 'before', label: t`Add “before” photos`, takes: addPhotoBefore, by: photosBefore },
    { when: 'after', label: t`Add “after” photos`, takes: addPhotoAfter, by: photosAfter },
  ] as const
  const count = (when: 'before' | 'after') => photos.filter((photo) => photo.when === when).length
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Photos</Trans>
      </h3>
      <Refusal>{refusal}</Refusal>
      {photos.length > 0 && (
        <Photos
          className="mb-4"
          photos={photos}
          alt={(name) => t`${name}, photo for work order ${number}`}
          caption={({ when }) => labels[when]}
          mayRemove={({ when }) => can.work && when !== 'fromRequest'}
          onDownload={(photoId) => void get(photoId)}
          onRemove={(photoId) => void act(() => call(removePhoto, { orderId: id, photoId }))}
        />
      )}
      {can.work && (
        <div className="grid gap-4 sm:grid-cols-2">
          {uploads.map(({ when, label, takes, by }) => (
            <FileUpload
              key={`${when}-${count(when)}`}
              label={label}
              low
              takes={takes}
              by={by}
              fields={{ orderId: String(id) }}
              hint={<Trans>JPG or PNG, up to {size} each</Trans>}
              onChange={() => void reloadOrders()}
            />
          ))}
        </div>
      )}
    </section>
  )
}
