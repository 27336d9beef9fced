import { useLingui } from '@lingui/react/macro'
import { FileText, FileUp, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { sizeLabel } from '../../shared/file-types.ts'
import { IconButton } from './Button.tsx'
import { DropZone } from './DropZone.tsx'
import { FieldError } from './Field.tsx'
import type { Upload } from './upload.ts'
import { UploadProgress } from './UploadProgress.tsx'

interface FilePickerProps {
  label: ReactNode
  /** The `accept` list of the file input: '.pdf,.png'. */
  accept: string
  /** Text that describes the accepted files and the size limit. */
  hint: ReactNode
  value: File | null
  onChange: (file: File | null) => void
  error?: string | undefined
  /**
   * Number of failed attempts to send the file. Each failure focuses the field, so that a screen reader reads the
   * error.
   */
  refusals?: number
  /** Progress of an upload in parts. */
  upload?: Upload | null
}

/** Field for one file. The person picks or drops the file. The server checks its content. */
export function FilePicker({
  label,
  accept,
  hint,
  value,
  onChange,
  error,
  refusals = 0,
  upload = null,
}: FilePickerProps) {
  const { t } = useLingui()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (refusals > 0) picker.current?.focus()
  }, [refusals])
  const take = ([file]: readonly File[]) => file && onChange(file)
  return (
    <div className="flex flex-col gap-2">
      <span id={`${id}-label`} className="font-bold text-sm">
        {label}
      </span>
      <DropZone
        id={id}
        ref={picker}
        icon={FileUp}
        accept={accept}
        problem={error}
        hint={hint}
        onPick={take}
        onDrop={take}
      />
      <FieldError id={id}>{error}</FieldError>
      <UploadProgress upload={upload} />
      <div role="status">
        {value && (
          <p className="flex items-center gap-2 rounded-sm border border-line px-3 py-1.5">
            <FileText size={18} aria-hidden className="shrink-0 text-link" />
            <span className="min-w-0 flex-1 wrap-anywhere">{value.name}</span>
            <span className="shrink-0 text-muted text-sm">{sizeLabel(value.size)}</span>
            <IconButton
              icon={Trash2}
              label={t`Remove ${value.name}`}
              onClick={() => {
                onChange(null)
                picker.current?.focus()
              }}
            />
          </p>
        )}
      </div>
    </div>
  )
}
