import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { IconButton } from './Button.tsx'
import type { Upload } from './upload.ts'
import { Text } from './Text.tsx'

/**
 * Progress of an upload. Screen readers announce when the upload starts, loses the connection or resumes. They do not
 * announce each percentage, but people can query it.
 */
export function UploadProgress({ upload }: { upload: Upload | null }) {
  const { t } = useLingui()
  if (!upload) return null
  const { state, percent } = upload.progress
  return (
    <div className="flex flex-col gap-1.5">
      <p role="status" className="text-sm">
        {state === 'cut' ? (
          <Trans>The connection was lost. The upload will resume automatically when you are back online.</Trans>
        ) : state === 'resumed' ? (
          <Trans>Uploading..... The upload resumed where it stopped.</Trans>
        ) : (
          <Trans>Uploading.....</Trans>
        )}
      </p>
      <div className="flex items-center gap-3">
        <progress
          value={percent}
          max={100}
          aria-label={t`Upload`}
          className="h-2.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-sm border border-edge bg-surface [&::-moz-progress-bar]:bg-link [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-link"
        />
        <span aria-hidden className="shrink-0 text-sm tabular-nums">
          <Text>{percent}</Text> %
        </span>
        <IconButton icon={X} label={t`Stop upload`} onClick={upload.stop} />
      </div>
    </div>
  )
}
