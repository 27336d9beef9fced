import { lazy, Suspense } from 'react'
import { type DashboardCard, dashboardCards, dashboardNotes } from '../../../web/municipality/dashboard.ts'
import { may } from '../../../web/session.ts'

/** One that can't be loaded is left out: the dashboard works without it. */
const loadable = (list: readonly DashboardCard[]) =>
  list.map(({ card, ...rest }) => ({ ...rest, Card: lazy(() => card().catch(() => ({ default: () => null }))) }))
const cards = loadable(dashboardCards)
const notes = loadable(dashboardNotes)

/** What other features say beside the title. */
export const DashboardNotes = () =>
  notes
    .filter(({ needs }) => may(...needs))
    .map(({ id, Card }) => (
      <Suspense key={id}>
        <Card />
      </Suspense>
    ))

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
