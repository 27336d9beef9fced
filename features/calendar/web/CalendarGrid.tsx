import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { timeZone } from '../../../web/clock.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { statusLabels, statusOf } from '../rules.ts'
import { DayGrid, DaySkeleton, NoEvents } from './DayGrid.tsx'
import { byDay, daysFrom, startOn } from './days.ts'
import { EventButton } from './EventButton.tsx'
import type { Chosen, Item } from './item-status.tsx'

interface CalendarGridProps {
  /** The Sunday it starts on. */
  first: string
  /** Null while they are being loaded. */
  items: readonly Item[] | null
  onOpen: (chosen: Chosen) => void
}

/** A day with more events than this shows the others when asked. */
const SHOWN = 4

/** Fourteen days of the town (specification 2.11). */
export function CalendarGrid({ first, items, onOpen }: CalendarGridProps) {
  const days = daysFrom(first)
  const found = byDay(items ?? [], days, timeZone)
  return (
    <DayGrid days={days} busy={items === null}>
      {(day) => (items ? <Events day={day} items={found.get(day) ?? []} onOpen={onOpen} /> : <DaySkeleton />)}
    </DayGrid>
  )
}

interface EventsProps {
  day: string
  items: readonly Item[]
  onOpen: (chosen: Chosen) => void
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
            <EventButton
              title={item.title}
              status={item.status}
              time={startOn(item, day, timeZone)}
              onOpen={() => onOpen({ item, label: statusLabels[statusOf(item.status)] })}
            />
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
