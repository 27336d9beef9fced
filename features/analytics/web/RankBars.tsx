import type { ReactNode } from 'react'

export interface Rank {
  id: string
  label: string
  value: number
  /** Text at the bar. */
  text: ReactNode
}

/**
 * Shows values as bars, largest first. Name and figures are above each bar, so that the bar is not the only
 * information.
 */
export function RankBars({ ranks }: { ranks: readonly Rank[] }) {
  const max = Math.max(1, ...ranks.map(({ value }) => value))
  return (
    <ul className="flex flex-col gap-3">
      {ranks
        .toSorted((a, b) => b.value - a.value)
        .map(({ id, label, value, text }) => (
          <li key={id}>
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
              <span>{label}</span>
              <span className="font-bold">{text}</span>
            </div>
            <svg aria-hidden width="100%" height="12" className="chart block">
              <rect width="100%" height="12" className="fill-tint-2" />
              <rect width={`${(value / max) * 100}%`} height="12" className="fill-link" />
            </svg>
          </li>
        ))}
    </ul>
  )
}
