import { lazy, Suspense } from 'react'
import { type DashboardCard, dashboardCards, dashboardNotes } from '../../../web/municipality/dashboard.ts'
import { may } from '../../../web/session.ts'

/** Omits cards that fail to load. The dashboard works without them. */
const loadable = (list: readonly DashboardCard[]) =>
  list.map(({ card, ...rest }) => ({ ...rest, Card: lazy(() => card().catch(() => ({ default: () => null }))) }))
const cards = loadable(dashboardCards)
const notes = loadable(dashboardNotes)

/** Notes of other features next to the title. */
export const DashboardNotes = () =>
  notes
    .filter(({ needs }) => may(...needs))
    .map(({ id, Card }) => (
      <Suspense key={id}>
        <Card />
      </Suspense>
    ))

/**
 * Cards of other features above the panels. Each reserves its space during loading, so that the layout does not shift.
 */
export function DashboardCards() {
  const visible = cards.filter(({ needs }) => may(...needs))
  if (visible.length === 0) return null
  return (
    <div className="mb-4 grid gap-4 empty:hidden">
      {visible.map(({ id, Card }) => (
        <div key={id} className="grid min-h-27">
          <Suspense>
            <Card />
          </Suspense>
        </div>
      ))}
    </div>
  )
}
