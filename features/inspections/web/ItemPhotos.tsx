import { Trans, useLingui } from '@lingui/react/macro'
import { sizeLabel } from '../../../shared/file-types.ts'
import { call, messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { Photos } from '../../../web/ui/office/Photos.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addItemPhoto, downloadItemPhoto, itemPhotos, removeItemPhoto } from '../contract.ts'
import { type ItemDetails, reloadInspections } from './fresh.ts'

/** Adds photos to an item and uploads them immediately. */
export function AddPhotos({ item: { id, photos } }: { item: ItemDetails }) {
  const { t } = useLingui()
  const size = sizeLabel(itemPhotos.maxBytes)
  return (
    <FileUpload
      key={photos.length}
      label={t`Photos`}
      low
      takes={addItemPhoto}
      by={itemPhotos}
      fields={{ itemId: String(id) }}
      hint={
        <Trans>
          JPG or PNG, up to {itemPhotos.maxFiles} photos, {size} each. {photos.length} added so far.
        </Trans>
      }
      onChange={() => void reloadInspections()}
    />
  )
}

export function ItemPhotos({ item: { id, title, photos, can } }: { item: ItemDetails }) {
  const { t } = useLingui()
  if (photos.length === 0) return null
  const get = (photoId: string) =>
    download(downloadItemPhoto, { itemId: id, photoId }).catch((problem: unknown) =>
      toast(messageOf(problem), 'danger'),
    )
  const remove = async (photoId: string) => {
    try {
      toast((await call(removeItemPhoto, { itemId: id, photoId })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    await reloadInspections()
  }
  return (
    <Photos
      className="mt-2"
      small
      photos={photos}
      alt={(name) => t`${name}, photo of ${title}`}
      mayRemove={() => can.edit}
      onDownload={(photoId) => void get(photoId)}
      onRemove={(photoId) => void remove(photoId)}
    />
  )
}
