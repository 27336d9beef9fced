import { lazy, Suspense } from 'react'
import { dashboardCards } from '../../../web/municipality/dashboard.ts'
import { may } from '../../../web/session.ts'

/** One that can't be loaded is left out: the dashboard works without it. */
const cards = dashboardCards.map(({ card, ...rest }) => ({
  ...rest,
  Card: lazy(() => card().catch(() => ({ default: () => null }))),
}))

/** What other features show above the panels. Each keeps its place while it comes, so that nothing moves. */
export function DashboardCards() {
  const shown = cards.filter(({ needs }) => may(...needs))
  if (shown.length === 0) return null
  return (
    <div className="mb-4 grid gap-4 empty:hidden">
      {shown.map(({ id, Card }) => (
        <div key={id} className="grid min-h-27">
          <Suspense>
            <Card />
          </Suspense>
        </div>
      ))}
    </div>
  )
}
