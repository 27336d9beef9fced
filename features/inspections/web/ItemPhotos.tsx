import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Trash2 } from 'lucide-react'
import { sizeLabel } from '../../../shared/file-types.ts'
import { call, sentenceOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { IconButton } from '../../../web/ui/Button.tsx'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addItemPhoto, downloadItemPhoto, itemPhotos, removeItemPhoto } from '../contract.ts'
import { type ItemDetails, reloadInspections } from './fresh.ts'

/** Adds photos to an item, which are sent at once. */
export function AddPhotos({ item: { id, photos } }: { item: ItemDetails }) {
  const { t } = useLingui()
  const size = sizeLabel(itemPhotos.mostBytes)
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
          JPG or PNG, at most {itemPhotos.mostFiles} of {size} each. {photos.length} there by now.
        </Trans>
      }
      onChange={() => void reloadInspections()}
    />
  )
}

/** The photos of an item. */
export function ItemPhotos({ item: { id, title, photos, can } }: { item: ItemDetails }) {
  const { t } = useLingui()
  if (photos.length === 0) return null
  const get = (photoId: string) =>
    download(downloadItemPhoto, { itemId: id, photoId }).catch((problem: unknown) =>
      toast(sentenceOf(problem), 'danger'),
    )
  const remove = async (photoId: string) => {
    try {
      toast((await call(removeItemPhoto, { itemId: id, photoId })).message)
    } catch (problem) {
      toast(sentenceOf(problem), 'danger')
    }
    await reloadInspections()
  }
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {photos.map(({ id: photoId, name, state, preview }) => (
        <li key={photoId} className="rounded-sm border border-line bg-surface p-1">
          {preview ? (
            <img src={preview} alt={t`${name} of ${title}`} className="h-20 w-28 object-contain" />
          ) : (
            <span className="grid h-20 w-28 place-items-center text-center text-muted text-sm">
              {state === 'refused' ? (
                <Trans>Refused by the virus scanner</Trans>
              ) : (
                <Trans>Is being checked for viruses</Trans>
              )}
            </span>
          )}
          <span className="flex justify-end gap-1">
            {state === 'clean' && (
              <IconButton icon={Download} label={t`Download ${name}`} onClick={() => void get(photoId)} />
            )}
            {can.edit && <IconButton icon={Trash2} label={t`Remove ${name}`} onClick={() => void remove(photoId)} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
