import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Photo } from '../../../shared/photos.ts'
import { IconButton } from '../Button.tsx'
import { cx } from '../cx.ts'

interface PhotosProps<One extends Photo> {
  className?: string
  photos: readonly One[]
  /** Returns the description of a photo for screen readers. */
  alt: (name: string) => string
  /** True if the photos are smaller than usual. */
  small?: boolean
  /** Content next to a photo's buttons. */
  caption?: (photo: One) => ReactNode
  mayRemove: (photo: One) => boolean
  onDownload: (photoId: string) => void
  onRemove: (photoId: string) => void
}

/** Photos of a record, each with its buttons. An unscanned or refused photo shows its status instead. */
export function Photos<One extends Photo>({
  className,
  photos,
  alt,
  small = false,
  caption,
  ...does
}: PhotosProps<One>) {
  const { t } = useLingui()
  const size = small ? 'h-20 w-28' : 'h-28 w-36'
  return (
    <ul className={cx('flex flex-wrap', small ? 'gap-2' : 'gap-3', className)}>
      {photos.map((photo) => {
        const { id, name, state, preview } = photo
        return (
          <li key={id} className="rounded-sm border border-line bg-surface p-1 text-sm">
            {preview ? (
              <img src={preview} alt={alt(name)} className={cx(size, 'object-contain')} />
            ) : (
              <span className={cx(size, 'grid place-items-center text-center text-muted')}>
                {state === 'refused' ? (
                  <Trans>Rejected by the virus scanner</Trans>
                ) : state === 'waiting' ? (
                  <Trans>Checking for viruses</Trans>
                ) : (
                  name
                )}
              </span>
            )}
            <span className="flex items-center gap-1">
              <span className="me-auto ps-1 font-bold">{caption?.(photo)}</span>
              {state === 'clean' && (
                <IconButton icon={Download} label={t`Download ${name}`} onClick={() => does.onDownload(id)} />
              )}
              {does.mayRemove(photo) && (
                <IconButton icon={Trash2} label={t`Remove ${name}`} onClick={() => does.onRemove(id)} />
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
