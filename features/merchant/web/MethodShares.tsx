import type { ReactNode } from 'react'
import { Link } from '../../../web/ui/Link.tsx'
import { Text } from '../../../web/ui/Text.tsx'

interface MethodShare {
  id: string
  name: string
  note: ReactNode
  value: string
  /** Path of the matching list of payments. Without it, the name is not a link. */
  to?: string | undefined
}

/** List of figures, with links to the payments that they count. */
export const MethodShares = ({ label, rows }: { label: string; rows: readonly MethodShare[] }) => (
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
