import type { ReactNode } from 'react'
import { Link } from '../../../web/ui/Link.tsx'
import { Text } from '../../../web/ui/Text.tsx'

interface Way {
  id: string
  name: string
  note: ReactNode
  value: string
  /** The list of the payments that it is about; without one the name leads nowhere. */
  to?: string | undefined
}

/** Figures that are each a way to the payments behind them. */
export const Ways = ({ label, rows }: { label: string; rows: readonly Way[] }) => (
  <ul aria-label={label} className="tabular-nums">
    {rows.map(({ id, name, note, value, to }) => (
      <li
        key={id}
        className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b py-2 last:border-b-0"
      >
        <span className="min-w-0 wrap-anywhere">
          <Text>
            {to === undefined ? (
              name
            ) : (
              <Link className="link" to={to}>
                {name}
              </Link>
            )}
          </Text>
          <span className="block text-muted text-sm">{note}</span>
        </span>
        <span className="ms-auto text-end">{value}</span>
      </li>
    ))}
  </ul>
)
