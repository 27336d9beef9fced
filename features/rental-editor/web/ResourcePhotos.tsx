import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowUp, PencilLine } from 'lucide-react'
import { sizeLabel } from '../../../shared/file-types.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call, messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { IconButton } from '../../../web/ui/Button.tsx'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Photos } from '../../../web/ui/office/Photos.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  addResourcePhoto,
  altForm,
  describeResourcePhoto,
  staffPhotos,
  downloadResourcePhoto,
  orderResourcePhoto,
  removeResourcePhoto,
  resourcePhotos,
} from '../../rentals/contract-photos.ts'
import { reloadRentals } from '../../rentals/web/parts/fresh.ts'

export type Photo = ResponseOf<typeof staffPhotos>['photos'][number]

interface ResourcePhotosProps {
  resourceId: number
  name: string
  /** Opens the dialog for the description. The dialog is outside the editor's form, because forms cannot be nested. */
  onDescribe: (photo: Photo) => void
}

/** Photos of a resource, with their order and descriptions, edited by staff. */
export function ResourcePhotos({ resourceId, name, onDescribe }: ResourcePhotosProps) {
  const response = useResponse(staffPhotos, { resourceId })
  return (
    <section>
      <h4 className="mb-2 font-bold text-sm">
        <Trans>Photos</Trans>
      </h4>
      <ResponseView response={response} shape="lines" loading={<Trans>Loading the photos</Trans>}>
        {({ photos, can }) => <StoredPhotos {...{ resourceId, name, photos, onDescribe }} mayEdit={can.edit} />}
      </ResponseView>
    </section>
  )
}

interface StoredPhotosProps extends ResourcePhotosProps {
  photos: readonly Photo[]
  mayEdit: boolean
}
function StoredPhotos({ resourceId, name, photos, mayEdit, onDescribe }: StoredPhotosProps) {
  const { t } = useLingui()
  const { act, busy, refusal } = useAct(reloadRentals)
  const get = (photoId: string) =>
    download(downloadResourcePhoto, { resourceId, photoId }).catch((problem: unknown) =>
      toast(messageOf(problem), 'danger'),
    )
  const size = sizeLabel(resourcePhotos.maxBytes)
  return (
    <>
      <Refusal>{refusal}</Refusal>
      {photos.length > 0 && (
        <Photos
          className="mb-4"
          photos={photos}
          alt={(file) => photos.find((one) => one.name === file)?.alt || t`Photo ${file} of ${name}`}
          caption={(photo) =>
            mayEdit && (
              <span className="flex">
                <IconButton
                  icon={PencilLine}
                  label={photo.alt ? t`Change description: ${photo.alt}` : t`Describe ${photo.name}`}
                  onClick={() => onDescribe(photo)}
                />
                {photo !== photos[0] && (
                  <IconButton
                    icon={ArrowUp}
                    label={t`Move ${photo.alt || photo.name} forward`}
                    disabled={busy}
                    onClick={() => void act(() => call(orderResourcePhoto, { resourceId, photoId: photo.id }))}
                  />
                )}
              </span>
            )
          }
          mayRemove={() => mayEdit}
          onDownload={(photoId) => void get(photoId)}
          onRemove={(photoId) => void act(() => call(removeResourcePhoto, { resourceId, photoId }))}
        />
      )}
      {photos.length === 0 && !mayEdit && (
        <p className="text-muted">
          <Trans>No photos</Trans>
        </p>
      )}
      {mayEdit && (
        <FileUpload
          // A new key empties the upload field, because the uploaded photos now appear above it.
          key={photos.length}
          label={t`Add photos`}
          low
          takes={addResourcePhoto}
          by={resourcePhotos}
          fields={{ resourceId: String(resourceId) }}
          hint={
            <Trans>
              JPG or PNG, up to {resourcePhotos.maxFiles} photos, {size} each. The first photo appears in the list.
              Describe each photo for people who can't see it.
            </Trans>
          }
          onChange={() => void reloadRentals()}
        />
      )}
    </>
  )
}

interface DescribePhotoProps {
  resourceId: number
  photo: Photo
  onClose: () => void
}

export function DescribePhoto({ resourceId, photo, onClose }: DescribePhotoProps) {
  const { t } = useLingui()
  const form = useZodForm(altForm, { defaultValues: { alt: photo.alt } })
  return (
    <FormDialog
      title={<Trans>Photo description</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async ({ alt }) => {
        toast((await call(describeResourcePhoto, { resourceId, photoId: photo.id, alt })).message)
        await reloadRentals()
      }}
    >
      {photo.preview && <img src={photo.preview} alt="" className="h-40 max-w-full object-contain" />}
      <TextField
        label={t`Description`}
        hint={t`Screen readers read this text aloud. Example: the pavilion from the north, tables under a roof.`}
        autoComplete="off"
        {...form.field('alt')}
      />
    </FormDialog>
  )
}
