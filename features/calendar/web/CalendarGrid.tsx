import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { type ItemStatus, statusLabels, statusOf } from '../rules.ts'
import { byDay, daysFrom, longDay, startOn, weekdays } from './days.ts'
import { type Chosen, type Item, ItemBadge } from './item-status.tsx'
import { timeZone, today } from './town.ts'

interface CalendarGridProps {
  /** The Sunday it starts on. */
  first: string
  /** Null while they are being loaded. */
  items: readonly Item[] | null
  onOpen: (chosen: Chosen) => void
}

/** A day with more events than this shows the others when asked. */
const SHOWN = 4

/**
 * Fourteen days, as two rows of a week where there is room, else as a list by day (specification 2.11). It asks its own
 * place, not the window, how much room there is.
 */
export function CalendarGrid({ first, items, onOpen }: CalendarGridProps) {
  const days = daysFrom(first)
  const found = byDay(items ?? [], days, timeZone)
  return (
    <div className="@container" aria-busy={items === null}>
      <div
        aria-hidden
        className="hidden grid-cols-7 border border-line border-b-0 bg-tint @min-[50rem]:grid print:grid"
      >
        {weekdays.map((name) => (
          <span key={name} className="px-2 py-1.5 font-bold text-sm">
            {name}
          </span>
        ))}
      </div>
      <ol
        className={cx(
          'grid border-line border-s border-t',
          '@min-[34rem]:grid-flow-col @min-[34rem]:grid-cols-2 @min-[34rem]:grid-rows-7',
          '@min-[50rem]:grid-flow-row @min-[50rem]:grid-cols-7 @min-[50rem]:grid-rows-none print:grid-flow-row print:grid-cols-7 print:grid-rows-none',
        )}
      >
        {days.map((day) => (
          <Day key={day} day={day} items={items && (found.get(day) ?? [])} onOpen={onOpen} />
        ))}
      </ol>
    </div>
  )
}

interface DayProps {
  day: string
  items: readonly Item[] | null
  onOpen: (chosen: Chosen) => void
}

function Day({ day, items, onOpen }: DayProps) {
  const [all, setAll] = useState(false)
  const isToday = day === today
  const shown = items?.slice(0, all ? undefined : SHOWN)
  const hidden = (items?.length ?? 0) - (shown?.length ?? 0)
  return (
    <li
      aria-current={isToday ? 'date' : undefined}
      className={cx(
        'flex min-w-0 flex-col gap-1.5 border-line border-e border-b p-2 @min-[50rem]:p-1.5 @min-[50rem]:min-h-32',
        isToday ? 'bg-tint' : 'bg-surface',
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
      {items === null && <span aria-hidden className="skeleton h-5 w-3/4" />}
      {items?.length === 0 && (
        <p className="text-muted text-xs">
          <Trans>No events</Trans>
        </p>
      )}
      {shown && shown.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {shown.map((item) => (
            <li key={item.id}>
              <EventButton item={item} day={day} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
      {(hidden > 0 || all) && (
        <Button look="quiet" size="small" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? <Trans>Show fewer</Trans> : <Trans>{hidden} more</Trans>}
        </Button>
      )}
    </li>
  )
}

/** In a week's row the number says enough, its column says the rest; in a list by day it is written out. */
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

const edges: Record<ItemStatus, string> = {
  not_started: 'border-s-danger',
  in_progress: 'border-s-warning',
  completed: 'border-s-success',
}

function EventButton({ item, day, onOpen }: { item: Item; day: string; onOpen: (chosen: Chosen) => void }) {
  const status = statusOf(item.status)
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => onOpen({ item, label: statusLabels[status] })}
      className={cx(
        'flex w-full min-w-0 flex-col items-start gap-0.5 rounded-sm border border-s-4 border-line bg-surface px-1.5 py-1.5 text-start',
        'hover:border-link hover:bg-tint-2',
        edges[status],
      )}
    >
      <span className="text-muted text-xs tabular-nums">{startOn(item, day, timeZone)}</span>
      <span className="w-full font-bold text-sm leading-tight wrap-anywhere">{item.title}</span>
      <ItemBadge status={status} className="gap-1! px-1!" />
    </button>
  )
}
