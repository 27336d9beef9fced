import { lazy, Suspense } from 'react'
import { type DashboardCard, dashboardCards, dashboardNotes } from '../../../web/municipality/dashboard.ts'
import { may } from '../../../web/session.ts'

/** Wraps dashboard cards, so that a card that fails to load is omitted and the rest of the dashboard still works. */
const loadable = (list: readonly DashboardCard[]) =>
  list.map(({ card, ...rest }) => ({ ...rest, Card: lazy(() => card().catch(() => ({ default: () => null }))) }))
const cards = loadable(dashboardCards)
const notes = loadable(dashboardNotes)

/** Shows notes of other features next to the dashboard title. */
export const DashboardNotes = () =>
  notes
    .filter(({ needs }) => may(...needs))
    .map(({ id, Card }) => (
      <Suspense key={id}>
        <Card />
      </Suspense>
    ))

/**
 * Shows cards of other features above the panels. Each card reserves its space during loading, so that the layout does
 * not shift.
 */
export function DashboardCards() {
  const visible = cards.filter(({ needs }) => may(...needs))
  if (visible.length === 0) return null
  return (
    <div className="mb-4 grid gap-4 empty:hidden">
      {visible.map(({ id, Card, mayBeEmpty }) => (
        <div key={id} className={mayBeEmpty ? 'empty:hidden' : 'grid min-h-27'}>
          <Suspense>
            <Card />
          </Suspense>
        </div>
      ))}
    </div>
  )
}
