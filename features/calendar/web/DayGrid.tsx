import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { cx } from '../../../web/ui/cx.ts'
import { longDay, weekdays } from './parts/days.ts'
import { today } from './company.ts'
import { translated } from '../../../shared/messages.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface DayGridProps {
  /** Whole weeks, starting on a Sunday. */
  days: readonly string[]
  busy: boolean
  /** Content below a day's number. */
  children: (day: string) => ReactNode
  /** True if the day is outside the range and is shown only to complete a week. The grid dims such days. */
  isAside?: (day: string) => boolean
  /** Called when staff drop a dragged item on a day. Absent or null if no drop is possible. */
  onDrop?: ((day: string) => void) | null
}

/**
 * Number of days in two weeks. On medium widths, two weeks fit in two columns, one for each week. A month needs the
 * full width of seven columns.
 */
const FORTNIGHT = 14

/**
 * Shows days as rows of a week, or as a list on narrow screens (spec 2.11). The layout depends on the width of the
 * container, not of the window.
 */
export const DayGrid = ({ days, busy, children, isAside, onDrop }: DayGridProps) => (
  <div className="@container" aria-busy={busy}>
    <div aria-hidden className="hidden grid-cols-7 border border-line border-b-0 bg-tint @min-[50rem]:grid print:grid">
      {weekdays.map((name) => (
        <span key={name} className="px-2 py-1.5 font-bold text-sm">
          {translated(name)}
        </span>
      ))}
    </div>
    <ol
      className={cx(
        'grid border-line border-s border-t',
        days.length === FORTNIGHT && '@min-[34rem]:grid-flow-col @min-[34rem]:grid-cols-2 @min-[34rem]:grid-rows-7',
        '@min-[50rem]:grid-flow-row @min-[50rem]:grid-cols-7 @min-[50rem]:grid-rows-none print:grid-flow-row print:grid-cols-7 print:grid-rows-none',
      )}
    >
      {days.map((day) => (
        <Day key={day} day={day} aside={isAside?.(day) ?? false} onDrop={onDrop && (() => onDrop(day))}>
          {children(day)}
        </Day>
      ))}
    </ol>
  </div>
)

interface DayProps {
  day: string
  aside: boolean
  onDrop: (() => void) | null | undefined
  children: ReactNode
}

function Day({ day, aside, onDrop, children }: DayProps) {
  const isToday = day === today
  return (
    <li
      aria-current={isToday ? 'date' : undefined}
      data-day={day}
      {...(onDrop && {
        onDragOver: (dragEvent) => dragEvent.preventDefault(),
        onDrop: (drop) => {
          drop.preventDefault()
          onDrop()
        },
      })}
      className={cx(
        'min-w-0 flex-col gap-1.5 border-line border-e border-b p-2 @min-[50rem]:p-1.5 @min-[50rem]:min-h-32',
        isToday ? 'bg-tint' : aside ? 'bg-paper' : 'bg-surface',
        aside ? 'hidden @min-[50rem]:flex print:flex' : 'flex',
      )}
    >
      <h3 className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-body font-bold text-sm">
        <DayNumber day={day} isToday={isToday} />
        {isToday && (
          <span className="text-link text-xs">
            <Trans>Today</Trans>
          </span>
        )}
      </h3>
      <Text>{children}</Text>
    </li>
  )
}

/**
 * Shows only the day of the month in the grid, where the column heading names the weekday. In the list, shows the full
 * date.
 */
const DayNumber = ({ day, isToday }: { day: string; isToday: boolean }) => (
  <>
    <span className="spoken">{longDay(day)}</span>
    <span aria-hidden className="@min-[50rem]:hidden print:hidden">
      {longDay(day)}
    </span>
    <span
      aria-hidden
      className={cx(
        'hidden min-w-6 place-items-center rounded-sm leading-tight @min-[50rem]:inline-grid print:inline-grid',
        isToday && 'bg-brand px-1 py-0.5 text-on-brand',
      )}
    >
      {Number(day.slice(8))}
    </span>
  </>
)

/** Placeholders for a loading day and for an empty day. */
export const DaySkeleton = () => <span aria-hidden className="skeleton h-5 w-3/4" />
export const NoEvents = () => (
  <p className="text-muted text-xs">
    <Trans>No events</Trans>
  </p>
)
