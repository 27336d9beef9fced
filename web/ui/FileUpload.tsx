import { Trans, useLingui } from '@lingui/react/macro'
import { ImageUp, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { sendFile, sentenceOf } from '../call.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { DropZone } from './DropZone.tsx'
import { FieldError, type FieldProps, OptionalMark } from './Field.tsx'

export interface UploadedFile {
  file_id: number | string
  /** Where the picture is shown from; '' of a file that is shown by its name. */
  path: string
  name?: string
}

interface FileUploadProps extends Pick<FieldProps, 'label' | 'error' | 'className'> {
  /** The call that takes the file: 'save/communication/file' (specification 7.1); or what sends it. */
  path: string | ((file: File) => Promise<UploadedFile>)
  /** Sent with the file: `{ company: '3' }`. */
  fields?: Record<string, string>
  /** What it takes, as types of media and in words, where that is other than pictures for the web. */
  takes?: readonly string[]
  hint?: ReactNode
  optional?: boolean
  /** Files that were sent already and can be taken off the list again. */
  begun?: readonly UploadedFile[]
  /** Files that are there already; with them, nothing can be deleted (specification 2.20). */
  initial?: readonly UploadedFile[]
  onChange: (files: readonly UploadedFile[]) => void
  /** What a picture's own button does, where the picture counts already: by itself it takes the picture off the list. */
  onRemove?: (file: UploadedFile) => void
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
  takes = TAKEN,
  hint,
  optional,
  begun,
  initial,
  onChange,
  onRemove,
  storage = '',
}: FileUploadProps) {
  const { t } = useLingui()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly UploadedFile[]>(initial ?? begun ?? [])
  const [phase, setPhase] = useState<Phase>('idle')
  const [refusal, setRefusal] = useState<string>()
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
      for (const file of chosen)
        sent.push(typeof path === 'string' ? await sendFile(path, file, fields) : await path(file))
      setPhase('complete')
    } catch (failure) {
      setRefusal(sentenceOf(failure))
      setPhase('idle')
    }
    if (sent.length > 0) keep([...files, ...sent])
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
        {optional && <OptionalMark />}
      </span>
      <DropZone
        id={id}
        ref={picker}
        icon={ImageUp}
        accept={takes.join()}
        multiple
        problem={problem}
        hint={hint ?? <Trans>PNG or JPG (MAX 800x400px)</Trans>}
        onPick={(chosen) => void send(chosen)}
        onDrop={(dropped) => void send(dropped.filter((file) => takes.includes(file.type)))}
      />
      <p role="status" className="text-sm empty:hidden">
        {phase === 'uploading' && <Trans>Uploading.....</Trans>}
        {phase === 'complete' && <Trans>Upload Complete</Trans>}
      </p>
      <FieldError id={id}>{problem}</FieldError>
      {files.length > 0 && (
        <ul className="flex flex-wrap gap-3">
          {files.map((file, i) => (
            <li
              key={file.file_id}
              className="relative flex max-w-full items-center gap-2 rounded-sm border border-line bg-surface p-1"
            >
              {file.path === '' ? (
                <span className="min-w-0 ps-2 wrap-anywhere">{file.name}</span>
              ) : (
                <img
                  src={storage + file.path}
                  alt={t`Uploaded picture ${i + 1}`}
                  className="h-24 w-40 object-contain"
                />
              )}
              {!fixed && (
                <IconButton
                  icon={Trash2}
                  label={file.path === '' ? t`Delete ${file.name ?? ''}` : t`Delete picture ${i + 1}`}
                  onClick={() => (onRemove ?? remove)(file)}
                  className={cx('border-edge bg-surface', file.path !== '' && 'absolute end-1 top-1')}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
