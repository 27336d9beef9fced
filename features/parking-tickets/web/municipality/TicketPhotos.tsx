import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Trash2 } from 'lucide-react'
import { sizeLabel } from '../../../../shared/file-types.ts'
import { call, sentenceOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { IconButton } from '../../../../web/ui/Button.tsx'
import { FileUpload } from '../../../../web/ui/FileUpload.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { addPhoto, downloadPhoto, removePhoto, ticketPhotos } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'
import type { TicketDetails } from './details.ts'

/** The photos of a ticket. One that is added counts at once. */
export function TicketPhotos({ ticket: { id, citation, photos, can } }: { ticket: TicketDetails }) {
  const { t } = useLingui()
  const get = (photoId: string) =>
    download(downloadPhoto, { ticketId: id, photoId }).catch((problem: unknown) => toast(sentenceOf(problem), 'danger'))
  const remove = async (photoId: string) => {
    try {
      toast((await call(removePhoto, { ticketId: id, photoId })).message)
    } catch (problem) {
      toast(sentenceOf(problem), 'danger')
    }
    await reloadTickets()
  }
  if (photos.length === 0 && !can.addPhoto) return null
  const size = sizeLabel(ticketPhotos.mostBytes)
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Photos</Trans>
      </h3>
      {photos.length > 0 && (
        <ul className="mb-4 flex flex-wrap gap-3">
          {photos.map(({ id: photoId, name, state, preview }) => (
            <li key={photoId} className="rounded-sm border border-line bg-surface p-1">
              {preview ? (
                <img src={preview} alt={t`${name} of ticket ${citation}`} className="h-28 w-36 object-contain" />
              ) : (
                <span className="grid h-28 w-36 place-items-center text-center text-muted text-sm">
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
                {can.removePhoto && (
                  <IconButton icon={Trash2} label={t`Remove ${name}`} onClick={() => void remove(photoId)} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {can.addPhoto && (
        <FileUpload
          // The photos above show what was sent.
          key={photos.length}
          label={t`Add photos`}
          low
          takes={addPhoto}
          by={ticketPhotos}
          fields={{ ticketId: String(id) }}
          hint={
            <Trans>
              JPG or PNG, at most {ticketPhotos.mostFiles} of {size} each. What a camera wrote into it is removed.
            </Trans>
          }
          onChange={() => void reloadTickets()}
        />
      )}
    </section>
  )
}
