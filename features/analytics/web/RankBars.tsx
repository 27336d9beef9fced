import type { ReactNode } from 'react'

export interface Rank {
  id: string
  label: string
  value: number
  /** Figures above the bar, as text. */
  text: ReactNode
}

/**
 * Shows values as bars, largest first. The name and the figures appear above each bar, so that readers do not depend on
 * the bar.
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
