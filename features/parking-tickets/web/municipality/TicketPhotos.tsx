import { Trans, useLingui } from '@lingui/react/macro'
import { sizeLabel } from '../../../../shared/file-types.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { FileUpload } from '../../../../web/ui/FileUpload.tsx'
import { Photos } from '../../../../web/ui/office/Photos.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { addPhoto, downloadPhoto, removePhoto, ticketPhotos } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'
import type { TicketDetails } from './details.ts'

/** Photos of a ticket. A new photo is saved immediately. */
export function TicketPhotos({ ticket: { id, citation, photos, can } }: { ticket: TicketDetails }) {
  const { t } = useLingui()
  const get = (photoId: string) =>
    download(downloadPhoto, { ticketId: id, photoId }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  const remove = async (photoId: string) => {
    try {
      toast((await call(removePhoto, { ticketId: id, photoId })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    await reloadTickets()
  }
  if (photos.length === 0 && !can.addPhoto) return null
  const size = sizeLabel(ticketPhotos.maxBytes)
  return (
    <section className="mt-7">
      <h3 className="mb-2 text-lg">
        <Trans>Photos</Trans>
      </h3>
      {photos.length > 0 && (
        <Photos
          className="mb-4"
          photos={photos}
          alt={(name) => t`${name}, ticket ${citation}`}
          mayRemove={() => can.removePhoto}
          onDownload={(photoId) => void get(photoId)}
          onRemove={(photoId) => void remove(photoId)}
        />
      )}
      {can.addPhoto && (
        <FileUpload
          // Resets the file input after each upload, because the list above it already shows the new photo.
          key={photos.length}
          label={t`Add photos`}
          low
          takes={addPhoto}
          by={ticketPhotos}
          fields={{ ticketId: String(id) }}
          hint={
            <Trans>
              JPG or PNG, up to {ticketPhotos.maxFiles} photos, {size} each. Camera metadata is removed.
            </Trans>
          }
          onChange={() => void reloadTickets()}
        />
      )}
    </section>
  )
}
