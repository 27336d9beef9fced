import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from '../ui/Link.tsx'

interface Figure {
  label: string
  /** Number of records. Undefined while loading. */
  count: number | undefined
  /** Path of the list that shows only these records. */
  to: string
  /** True if a count above 0 needs the attention of staff. */
  urgent?: boolean
}

interface AreaCardProps {
  title: string
  figures: readonly Figure[]
  failed: boolean
}

/** Card with the counts of one area (spec 3, 4.1). Each count links to its list. */
export function AreaCard({ title, figures, failed }: AreaCardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="@container rounded-sm border border-line bg-surface p-4">
      <h2 id={id} className="mb-2 text-base">
        {title}
      </h2>
      {failed ? (
        <p className="text-muted text-sm">
          <Trans>Could not load these figures. Reload the page to try again.</Trans>
        </p>
      ) : (
        <ul className="grid grid-cols-2 gap-x-4 gap-y-2 @min-[34rem]:grid-cols-5">
          {figures.map((figure) => (
            <li key={figure.label}>
              <Link to={figure.to} className="group block rounded-sm">
                <Count {...figure} />
                <span className="link text-sm">{figure.label}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Count({ count, urgent }: Figure) {
  if (count === undefined) return <span aria-hidden className="skeleton my-1 block h-6 w-12" />
  return (
    <span
      className={`block font-bold font-display text-h3 tabular-nums ${urgent && count > 0 ? 'text-danger' : 'text-ink'}`}
    >
      {count.toLocaleString('en-US')}
    </span>
  )
}
