import { useLingui } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'

interface SeenPhoto {
  path: string
  alt: string
}

const BOX = 'block aspect-[3/2] w-full rounded-sm bg-tint'

/**
 * Photo in a box of fixed shape, so that no content moves when the photo loads. Without a photo, the box shows the
 * icon.
 */
export function PhotoBox({ photo, icon: Icon }: { photo: SeenPhoto | null; icon: LucideIcon }) {
  if (!photo)
    return (
      <span aria-hidden className={cx(BOX, 'grid place-items-center text-muted')}>
        <Icon size={48} strokeWidth={1.25} />
      </span>
    )
  return <PhotoFigure photo={photo} />
}

const PhotoFigure = ({ photo: { path, alt } }: { photo: SeenPhoto }) => (
  <img
    src={path}
    alt={alt}
    loading="lazy"
    decoding="async"
    width={1200}
    height={800}
    className={cx(BOX, 'object-cover')}
  />
)

/** All photos of one record, with the first one large. */
export function Gallery({ photos }: { photos: readonly SeenPhoto[] }) {
  const { t } = useLingui()
  if (photos.length === 0) return null
  return (
    <ul aria-label={t`Photos`} className="mb-8 grid grid-cols-2 gap-2 md:grid-cols-4">
      {photos.map((photo, n) => (
        <li key={photo.path} className={cx(n === 0 && 'col-span-2 row-span-2')}>
          <PhotoFigure photo={photo} />
        </li>
      ))}
    </ul>
  )
}
