import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { timeZone } from '../../../web/clock.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DayGrid, DaySkeleton, NoEvents } from './DayGrid.tsx'
import { byDay, startOn } from './days.ts'
import { EventButton } from './EventButton.tsx'
import type { Item } from './item-status.tsx'

interface CalendarGridProps {
  /** Whole weeks from a Sunday on. */
  days: readonly string[]
  /** Days that are here to fill a week. */
  isAside: (day: string) => boolean
  /** Null while they are being loaded. */
  items: readonly Item[] | null
  onOpen: (item: Item) => void
}

/** A day with more events than this shows the others when asked. */
const SHOWN = 4

/** Two weeks or a month of the town (specification 2.11). */
export function CalendarGrid({ days, isAside, items, onOpen }: CalendarGridProps) {
  const found = byDay(items ?? [], days, timeZone)
  return (
    <DayGrid days={days} isAside={isAside} busy={items === null}>
      {(day) => (items ? <Events day={day} items={found.get(day) ?? []} onOpen={onOpen} /> : <DaySkeleton />)}
    </DayGrid>
  )
}

interface EventsProps {
  day: string
  items: readonly Item[]
  onOpen: (item: Item) => void
}

function Events({ day, items, onOpen }: EventsProps) {
  const [all, setAll] = useState(false)
  const shown = items.slice(0, all ? undefined : SHOWN)
  const hidden = items.length - shown.length
  if (items.length === 0) return <NoEvents />
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {shown.map((item) => (
          <li key={item.id}>
            <EventButton item={item} time={startOn(item, day, timeZone)} onOpen={() => onOpen(item)} />
          </li>
        ))}
      </ul>
      {(hidden > 0 || all) && (
        <Button look="quiet" size="small" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? <Trans>Show fewer</Trans> : <Trans>{hidden} more</Trans>}
        </Button>
      )}
    </>
  )
}
