import { Trans, useLingui } from '@lingui/react/macro'
import { ImageUp, Trash2 } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useId, useRef, useState } from 'react'
import { sendFile, sentenceOf } from '../call.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { FieldError, type FieldProps } from './Field.tsx'

export interface UploadedFile {
  file_id: number | string
  path: string
}

interface FileUploadProps extends Pick<FieldProps, 'label' | 'error' | 'className'> {
  /** The call that takes the file: 'save/communication/file' (specification 7.1). */
  path: string
  /** Sent with the file: `{ company: '3' }`. */
  fields?: Record<string, string>
  /** Files that are there already; with them, nothing can be deleted (specification 2.20). */
  initial?: readonly UploadedFile[]
  onChange: (files: readonly UploadedFile[]) => void
  /** The storage host, before a file's path. */
  storage?: string
}

/** What may be dropped; the server judges what the picker sends by its content (specification 5.4). */
const TAKEN = ['image/jpg', 'image/jpeg', 'image/png']

type Phase = 'idle' | 'uploading' | 'complete'

/** Takes pictures by dropping or picking, sends them at once, and shows them (specification 2.20). */
export function FileUpload({
  label,
  error,
  className,
  path,
  fields,
  initial,
  onChange,
  storage = '',
}: FileUploadProps) {
  const { t } = useLingui()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly UploadedFile[]>(initial ?? [])
  const [phase, setPhase] = useState<Phase>('idle')
  const [refusal, setRefusal] = useState<string>()
  const [over, setOver] = useState(false)
  const fixed = (initial?.length ?? 0) > 0

  const keep = (next: readonly UploadedFile[]) => {
    setFiles(next)
    onChange(next)
  }

  const send = async (chosen: readonly File[]) => {
    if (chosen.length === 0) return
    setRefusal(undefined)
    setPhase('uploading')
    const sent: UploadedFile[] = []
    try {
      for (const file of chosen) sent.push(await sendFile(path, file, fields))
      setPhase('complete')
    } catch (failure) {
      setRefusal(sentenceOf(failure))
      setPhase('idle')
    }
    if (sent.length > 0) keep([...files, ...sent])
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void send([...event.dataTransfer.files].filter((file) => TAKEN.includes(file.type)))
  }
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    void send([...(event.target.files ?? [])])
    event.target.value = ''
  }
  const remove = (file: UploadedFile) => {
    keep(files.filter((other) => other !== file))
    setPhase('idle')
    picker.current?.focus()
  }

  const problem = refusal ?? error
  return (
    <div className={cx('flex flex-col gap-2', className)}>
      <span id={`${id}-label`} className="font-bold text-sm">
        {label}
      </span>
      {/* What can be dropped here can be chosen by the field within, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <label
        onDrop={drop}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        className={cx(
          'grid min-h-32 cursor-pointer place-items-center gap-1 rounded-sm border border-dashed p-5 text-center transition-colors',
          'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[#111]',
          problem
            ? 'border-danger bg-danger-tint'
            : over
              ? 'border-link bg-tint-2'
              : 'border-edge bg-surface hover:bg-tint',
        )}
      >
        <input
          ref={picker}
          type="file"
          multiple
          accept={TAKEN.join()}
          className="spoken"
          aria-labelledby={`${id}-label ${id}-do`}
          aria-describedby={cx(`${id}-hint`, problem && `${id}-error`)}
          aria-invalid={problem ? true : undefined}
          onChange={pick}
        />
        <ImageUp size={28} aria-hidden className="text-link" />
        <span id={`${id}-do`}>
          <Trans>
            <strong className="text-link underline underline-offset-4">Click to upload</strong> or drag and drop
          </Trans>
        </span>
        <span id={`${id}-hint`} className="text-muted text-sm">
          <Trans>PNG or JPG (MAX 800x400px)</Trans>
        </span>
      </label>
      <p role="status" className="text-sm empty:hidden">
        {phase === 'uploading' && <Trans>Uploading.....</Trans>}
        {phase === 'complete' && <Trans>Upload Complete</Trans>}
      </p>
      <FieldError id={id}>{problem}</FieldError>
      {files.length > 0 && (
        <ul className="flex flex-wrap gap-3">
          {files.map((file, i) => (
            <li key={file.file_id} className="relative rounded-sm border border-line bg-surface p-1">
              <img src={storage + file.path} alt={t`Uploaded picture ${i + 1}`} className="h-24 w-40 object-contain" />
              {!fixed && (
                <IconButton
                  icon={Trash2}
                  label={t`Delete picture ${i + 1}`}
                  onClick={() => remove(file)}
                  className="absolute end-1 top-1 border-edge bg-surface"
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
