import type { ReactNode } from 'react'

interface RowsProps {
  title: ReactNode
  none: ReactNode
  rows: readonly { id: string; what: ReactNode; amount: string }[]
}

/** List of rows in a slide-out, each with an amount. */
export const Rows = ({ title, none, rows }: RowsProps) => (
  <section className="mt-7">
    <h3 className="mb-2 text-lg">{title}</h3>
    {rows.length === 0 ? (
      <p className="text-muted">{none}</p>
    ) : (
      <ul className="tabular-nums">
        {rows.map(({ id, what, amount }) => (
          <li key={id} className="flex justify-between gap-4 border-line border-b py-2 last:border-b-0">
            <span className="min-w-0 wrap-anywhere">{what}</span>
            <span className="shrink-0">{amount}</span>
          </li>
        ))}
      </ul>
    )}
  </section>
)
