import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CaseCalls } from '../../shared/cases.ts'
import { sizeLabel } from '../../shared/file-types.ts'
import { Checkbox } from '../ui/Choice.tsx'
import { FileUpload, type UploadedFile } from '../ui/FileUpload.tsx'
import type { Bound } from '../ui/form.ts'

export interface AttachedFile {
  file_id: string
  path: string
  name: string
}

/** Returns the file ids that a message refers to. */
export const idsOf = (files: readonly AttachedFile[] | undefined): string[] =>
  (files ?? []).map(({ file_id }) => file_id)

interface AttachFilesProps {
  of: CaseCalls
  field: Bound<AttachedFile[] | undefined>
  /** Company of the case, on the administrator's host. */
  companyId?: number
  onBusy: (busy: boolean) => void
  /** Description of the documents that must be attached. Without it, files are optional. */
  requires?: string
}

/**
 * Field for the files of a message. Each file is uploaded as soon as it is chosen. The message refers to the files by
 * id.
 */
export function AttachFiles({ of, field, companyId, onBusy, requires }: AttachFilesProps) {
  const { t } = useLingui()
  const { maxBytes, maxFiles, needsPosition } = of.files
  const size = sizeLabel(maxBytes)
  const [keepsPosition, setKeepsPosition] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      {needsPosition && (
        <Checkbox
          label={t`Include the location where my photos were taken`}
          hint={t`Select this box before you add photos. We use the location to find the problem. We remove all other camera data.`}
          checked={keepsPosition}
          onChange={({ target }) => setKeepsPosition(target.checked)}
        />
      )}
      <FileUpload
        label={requires === undefined ? t`Files` : t`Documents`}
        optional={requires === undefined}
        low
        takes={of.attach}
        by={of.files}
        fields={{
          ...(companyId !== undefined && { company: String(companyId) }),
          ...(keepsPosition && { keepPosition: 'yes' }),
        }}
        hint={
          <>
            {requires !== undefined && <span className="block text-ink">{requires}</span>}
            <Trans>
              PNG, JPG or PDF, up to {maxFiles} files, {size} each
            </Trans>
          </>
        }
        error={field.error}
        uploaded={field.value ?? []}
        onBusy={onBusy}
        onChange={(files: readonly UploadedFile[]) =>
          field.onChange(files.map(({ file_id, path, name = '' }) => ({ file_id: String(file_id), path, name })))
        }
      />
    </div>
  )
}
