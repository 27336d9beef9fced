import { Trans, useLingui } from '@lingui/react/macro'
import { ImageUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Attachments } from '../../shared/attachments.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { pickedTypes } from '../../shared/file-types.ts'
import { sentenceOf } from '../call.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { DropZone } from './DropZone.tsx'
import { FieldError, type FieldProps } from './Field.tsx'
import { useUpload } from './upload.ts'
import { UploadProgress } from './UploadProgress.tsx'

export interface UploadedFile {
  file_id: number | string
  path: string
}

interface FileUploadProps extends Pick<FieldProps, 'label' | 'error' | 'className'> {
  /** The call that takes the file (specification 7.1), and what it takes. */
  takes: TakesPicture
  by: Attachments
  /** Sent with the file: `{ company: '3' }`. */
  fields?: Record<string, string>
  /** Files that are there already; with them, nothing can be deleted (specification 2.20). */
  initial?: readonly UploadedFile[]
  onChange: (files: readonly UploadedFile[]) => void
  /** What a picture's own button does, where the picture counts already: by itself it takes the picture off the list. */
  onRemove?: (file: UploadedFile) => void
  /** The storage host, before a file's path. */
  storage?: string
}

type TakesPicture = Endpoint<z.ZodMiniType, z.ZodMiniType<UploadedFile>>

/** What may be dropped; the server judges what the picker sends by its content (specification 5.4). */
const mayDrop = ({ accepts }: Attachments, { type }: File) =>
  accepts.some((accepted) => accepted === type.replace('image/jpg', 'image/jpeg'))

type Phase = 'idle' | 'uploading' | 'complete'

/** Takes pictures by dropping or picking, sends them at once, and shows them (specification 2.20). */
export function FileUpload({
  label,
  error,
  className,
  takes,
  by,
  fields,
  initial,
  onChange,
  onRemove,
  storage = '',
}: FileUploadProps) {
  const { t } = useLingui()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly UploadedFile[]>(initial ?? [])
  const [phase, setPhase] = useState<Phase>('idle')
  const { upload, send: sendOne } = useUpload()
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
      for (const file of chosen) sent.push(await sendOne({ takes, by, file, ...(fields && { fields }) }))
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
      </span>
      <DropZone
        id={id}
        ref={picker}
        icon={ImageUp}
        accept={pickedTypes(by)}
        multiple
        problem={problem}
        hint={<Trans>PNG or JPG (MAX 800x400px)</Trans>}
        onPick={(chosen) => void send(chosen)}
        onDrop={(dropped) => void send(dropped.filter((file) => mayDrop(by, file)))}
      />
      <UploadProgress upload={upload} />
      <p role="status" className="text-sm empty:hidden">
        {phase === 'uploading' && !upload && <Trans>Uploading.....</Trans>}
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
                  onClick={() => (onRemove ?? remove)(file)}
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
