import { Trans } from '@lingui/react/macro'
import { Camera, type LucideIcon } from 'lucide-react'
import { type ReactNode, type Ref, useId, useState } from 'react'
import { cx } from './cx.ts'
import { useMedia } from './use-media.ts'

interface DropZoneProps {
  /** Prefix of element ids. The label has `{id}-label`, and the error has `{id}-error`. */
  id: string
  icon: LucideIcon
  /** Text that describes the accepted files. */
  hint: ReactNode
  accept: string
  multiple?: boolean
  /** True for a one-line zone, if files are a minor part of the form. */
  low?: boolean
  problem?: string | undefined
  onPick: (files: readonly File[]) => void
  onDrop: (files: readonly File[]) => void
  ref?: Ref<HTMLInputElement>
}

/** Area for files. The person drops files there or chooses them with the file input (spec 2.20). */
export function DropZone({ id, icon: Icon, hint, accept, multiple, low, problem, onPick, onDrop, ref }: DropZoneProps) {
  const [isDragOver, setIsDragOver] = useState(false)
  const isTouch = useMedia('(pointer: coarse)')
  const images = accept.split(',').filter((type) => /^(?:image\/|\.(?:jpe?g|png)$)/.test(type.trim()))
  const drop = (
    // Files that can be dropped can also be chosen with the file input inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <label
      onDrop={(event) => {
        event.preventDefault()
        setIsDragOver(false)
        onDrop([...event.dataTransfer.files])
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      className={cx(
        'cursor-pointer rounded-sm border border-dashed transition-colors',
        low
          ? 'flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2'
          : 'grid min-h-32 place-items-center gap-1 p-5 text-center',
        'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[#111]',
        problem
          ? 'border-danger bg-danger-tint'
          : isDragOver
            ? 'border-link bg-tint-2'
            : 'border-edge bg-surface hover:bg-tint',
      )}
    >
      <input
        ref={ref}
        type="file"
        multiple={multiple ?? false}
        accept={accept}
        className="spoken"
        aria-labelledby={`${id}-label ${id}-do`}
        aria-describedby={cx(`${id}-hint`, problem && `${id}-error`)}
        aria-invalid={problem ? true : undefined}
        {...(problem && { 'data-error': `${id}-error` })}
        onChange={({ target }) => {
          onPick([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Icon size={low ? 20 : 28} aria-hidden className="text-link" />
      <span id={`${id}-do`}>
        {isTouch ? (
          <strong className="text-link underline underline-offset-4">
            <Trans>Choose a file</Trans>
          </strong>
        ) : (
          <Trans>
            <strong className="text-link underline underline-offset-4">Click to upload</strong> or drag and drop
          </Trans>
        )}
      </span>
      <span id={`${id}-hint`} className="text-muted text-sm">
        {hint}
      </span>
    </label>
  )
  if (!isTouch || images.length === 0) return drop
  return (
    <div className="flex flex-col gap-2">
      {drop}
      <CameraButton accept={images.join(',')} labelledBy={`${id}-label`} onPick={onPick} />
    </div>
  )
}

interface CameraButtonProps {
  accept: string
  labelledBy: string
  onPick: (files: readonly File[]) => void
}

/**
 * Button that opens the camera of a phone. The file picker of many phones offers no camera if it also accepts
 * documents.
 */
function CameraButton({ accept, labelledBy, onPick }: CameraButtonProps) {
  const id = useId()
  return (
    <label
      className={cx(
        'flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-sm border border-edge bg-surface px-4 font-bold',
        'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[#111]',
      )}
    >
      <input
        type="file"
        accept={accept}
        capture="environment"
        className="spoken"
        aria-labelledby={`${labelledBy} ${id}`}
        onChange={({ target }) => {
          onPick([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Camera size={20} aria-hidden className="text-link" />
      <span id={id}>
        <Trans>Take a photo</Trans>
      </span>
    </label>
  )
}
