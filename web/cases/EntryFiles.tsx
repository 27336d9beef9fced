import { Trans, useLingui } from '@lingui/react/macro'
import { Download, MapPin } from 'lucide-react'
import type { CaseCalls, CaseFile, CaseSubject } from '../../shared/cases.ts'
import { sizeLabel, typeLabel } from '../../shared/file-types.ts'
import { messageOf } from '../call.ts'
import { download } from '../download.ts'
import { useResponse } from '../query.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/Toasts.tsx'
import { Text } from '../ui/Text.tsx'

/** Access of the viewer to the files: as staff, or through the emailed link. */
export type FileOwnerRef = CaseSubject | { token: string }

interface EntryFilesProps {
  of: CaseCalls
  fileOwner: FileOwnerRef
  files: readonly CaseFile[]
}

/** The files of a message, with thumbnails of images. */
export const EntryFiles = ({ of, fileOwner, files }: EntryFilesProps) => (
  <ul className="mt-2 flex flex-col gap-2">
    {files.map((file) => (
      <li
        key={file.id}
        className="flex flex-wrap items-center gap-3 rounded-sm border border-line bg-surface px-2 py-1.5"
      >
        {file.state === 'clean' && file.contentType.startsWith('image/') && (
          <Preview of={of} fileOwner={fileOwner} id={file.id} />
        )}
        <span className="min-w-0 flex-1 basis-40">
          <span className="wrap-anywhere">{file.name}</span>
          <span className="block text-muted text-sm">
            <Text>{typeLabel(file.contentType)}</Text>, <Text>{sizeLabel(file.bytes)}</Text>
          </span>
          {file.position && <PhotoLocation {...file.position} />}
        </span>
        <Get of={of} fileOwner={fileOwner} file={file} />
      </li>
    ))}
  </ul>
)

function Preview({ of, fileOwner, id }: { of: CaseCalls; fileOwner: FileOwnerRef; id: string }) {
  // Both calls have the same response.
  const previewCall = ('token' in fileOwner ? of.previewByLink : of.previewFile) as CaseCalls['previewFile']
  const preview = useResponse(previewCall, { ...fileOwner, fileId: id } as never).data?.preview
  return preview ? (
    <img src={preview} alt="" className="h-16 w-20 shrink-0 rounded-sm border border-line object-contain" />
  ) : null
}

function Get({ of, fileOwner, file: { id, name, state } }: { of: CaseCalls; fileOwner: FileOwnerRef; file: CaseFile }) {
  const { t } = useLingui()
  if (state === 'waiting')
    return (
      <span className="text-muted text-sm">
        <Trans>Checking for viruses</Trans>
      </span>
    )
  if (state === 'refused')
    return (
      <span className="text-danger text-sm">
        <Trans>Rejected by the virus scanner</Trans>
      </span>
    )
  const get = async () => {
    try {
      await ('token' in fileOwner
        ? download(of.downloadByLink, { ...fileOwner, fileId: id })
        : download(of.downloadFile, { ...fileOwner, fileId: id }))
    } catch (problem) {
      toast(messageOf(problem))
    }
  }
  return (
    <Button size="small" icon={Download} aria-label={t`Download ${name}`} onClick={() => void get()}>
      <Trans>Download</Trans>
    </Button>
  )
}

const PhotoLocation = ({ lat, lon }: { lat: number; lon: number }) => (
  <span className="flex items-center gap-1 text-sm">
    <MapPin size={14} aria-hidden className="shrink-0" />
    <Trans>
      Taken at {lat}, {lon}
    </Trans>
  </span>
)
