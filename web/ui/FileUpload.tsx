import { Trans, useLingui } from '@lingui/react/macro'
import { ImageUp, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Attachments } from '../../shared/attachments.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { type FileType, pickedTypes } from '../../shared/file-types.ts'
import { messageOf } from '../call.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { DropZone } from './DropZone.tsx'
import { FieldError, type FieldProps, OptionalMark } from './Field.tsx'
import { useUpload } from './upload.ts'
import { UploadProgress } from './UploadProgress.tsx'
import { Text } from './Text.tsx'

export interface UploadedFile {
  file_id: number | string
  /** URL of the image, or '' if the list shows only the file name. */
  path: string
  name?: string
}

type TakesPhoto = Endpoint<z.ZodMiniType, z.ZodMiniType<UploadedFile>>

/**
 * Method of uploading a file: an endpoint (spec 7.1) with extra fields such as `{ company: '3' }`, or a function of the
 * caller.
 */
type UploadMethod =
  | { takes: TakesPhoto; by: Attachments; fields?: Record<string, string> }
  | { send: (file: File) => Promise<UploadedFile>; accepts: readonly FileType[] }

interface UploadViewProps extends Pick<FieldProps, 'label' | 'error' | 'className'> {
  /** Text about the accepted files, if they are not web images. */
  hint?: ReactNode
  optional?: boolean
  /** True for a one-line field, if files are a minor part of the form. */
  low?: boolean
  /** Called with true when an upload starts, and with false when it ends. The form must not be sent in between. */
  onBusy?: (busy: boolean) => void
  /** Files that are already uploaded. The person can remove them from the list. */
  uploaded?: readonly UploadedFile[]
  /** Files that already exist. If any exist, the field does not permit deletion (spec 2.20). */
  initial?: readonly UploadedFile[]
  onChange: (files: readonly UploadedFile[]) => void
  /** Removes a saved image. By default, the button only removes the image from the list. */
  onRemove?: (file: UploadedFile) => void
  /** URL prefix of the file paths: the storage host. */
  storage?: string
}

/** True if the type of a dropped file is accepted. The server checks the content of all files (spec 5.4). */
const mayDrop = (accepts: readonly FileType[], { type }: File) =>
  accepts.some((accepted) => accepted === type.replace('image/jpg', 'image/jpeg'))

type Phase = 'idle' | 'uploading' | 'complete'

/** Field for images. The person drops or picks images, which are uploaded immediately and shown (spec 2.20). */
export function FileUpload({
  label,
  error,
  className,
  hint,
  optional,
  low,
  onBusy,
  uploaded,
  initial,
  onChange,
  onRemove,
  storage = '',
  ...target
}: UploadViewProps & UploadMethod) {
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly UploadedFile[]>(initial ?? uploaded ?? [])
  const [phase, setPhase] = useState<Phase>('idle')
  const { upload, send: sendByCall } = useUpload()
  const accepts = 'send' in target ? target.accepts : target.by.accepts
  const [refusal, setRefusal] = useState<string>()
  const fixed = (initial?.length ?? 0) > 0

  const store = (next: readonly UploadedFile[]) => {
    setFiles(next)
    onChange(next)
  }

  const send = async (chosen: readonly File[]) => {
    if (chosen.length === 0) return
    setRefusal(undefined)
    setPhase('uploading')
    onBusy?.(true)
    const sent: UploadedFile[] = []
    try {
      for (const file of chosen)
        sent.push('send' in target ? await target.send(file) : await sendByCall({ ...target, file }))
      setPhase('complete')
    } catch (failure) {
      setRefusal(messageOf(failure))
      setPhase('idle')
    }
    onBusy?.(false)
    if (sent.length > 0) store([...files, ...sent])
  }

  const remove = (file: UploadedFile) => {
    store(files.filter((other) => other !== file))
    setPhase('idle')
    picker.current?.focus()
  }

  const problem = refusal ?? error
  return (
    <div className={cx('flex flex-col gap-2', className)}>
      <span id={`${id}-label`} className="font-bold text-sm">
        <Text>{label}</Text>
        {optional && <OptionalMark />}
      </span>
      <DropZone
        id={id}
        ref={picker}
        icon={ImageUp}
        accept={pickedTypes({ accepts })}
        multiple
        {...(low && { low })}
        problem={problem}
        hint={hint ?? <Trans>PNG or JPG (MAX 800x400px)</Trans>}
        onPick={(chosen) => void send(chosen)}
        onDrop={(dropped) => void send(dropped.filter((file) => mayDrop(accepts, file)))}
      />
      <UploadProgress upload={upload} />
      <p role="status" className="text-sm empty:hidden">
        {phase === 'uploading' && !upload && <Trans>Uploading.....</Trans>}
        {phase === 'complete' && <Trans>Upload Complete</Trans>}
      </p>
      <FieldError id={id}>{problem}</FieldError>
      {files.length > 0 && (
        <FileList files={files} storage={storage} onRemove={fixed ? undefined : (onRemove ?? remove)} />
      )}
    </div>
  )
}

interface FileListProps {
  files: readonly UploadedFile[]
  storage: string
  /** Undefined if files cannot be removed. */
  onRemove: ((file: UploadedFile) => void) | undefined
}

function FileList({ files, storage, onRemove }: FileListProps) {
  const { t } = useLingui()
  return (
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
              alt={file.name ?? t`Uploaded image ${i + 1}`}
              className="h-24 w-40 object-contain"
            />
          )}
          {onRemove && (
            <IconButton
              icon={Trash2}
              label={file.name ? t`Delete ${file.name}` : t`Delete image ${i + 1}`}
              onClick={() => onRemove(file)}
              className={cx('border-edge bg-surface', file.path !== '' && 'absolute end-1 top-1')}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
