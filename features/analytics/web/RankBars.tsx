import type { ReactNode } from 'react'

export interface Rank {
  id: string
  label: string
  value: number
  /** In words, at its bar. */
  text: ReactNode
}

/** How much of each, the largest first: a bar below its name and its figures, so that nothing hangs on the bar alone. */
export function RankBars({ ranks }: { ranks: readonly Rank[] }) {
  const most = Math.max(1, ...ranks.map(({ value }) => value))
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
              <rect width={`${(value / most) * 100}%`} height="12" className="fill-link" />
            </svg>
          </li>
        ))}
    </ul>
  )
}
