import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Trash2 } from 'lucide-react'
import { call, sentenceOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { IconButton } from '../../../web/ui/Button.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { downloadItemPhoto, removeItemPhoto } from '../contract.ts'
import { type ItemDetails, reloadInspections } from './fresh.ts'

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
