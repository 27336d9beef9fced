import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { addDays } from '../../../../shared/dates.ts'
import { page } from '../../../../web/page.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DayGrid, DaySkeleton, NoEvents } from '../DayGrid.tsx'
import { byDay, daysOf, startOn } from './days.ts'
import { dragging } from './dragging.ts'
import { EventButton, type EventMoveHandlers } from '../EventButton.tsx'
import type { Item } from './item-status.tsx'

interface CalendarGridProps {
  /** Whole weeks, starting on a Sunday. */
  days: readonly string[]
  /** True if the day is outside the range and is shown only to complete a week. */
  isAside: (day: string) => boolean
  /** Items of the visible days. Null during loading. */
  items: readonly Item[] | null
  onOpen: (item: Item) => void
  /** Moves an item to another day, after a drag or after Alt and an arrow key. */
  onMove?: (item: Item, day: string) => Promise<unknown>
}

/** Maximum number of events shown in a day. A button shows the others. */
const MAX_VISIBLE = 4

/** Shows two weeks or a month of the company (spec 2.11). */
export function CalendarGrid({ days, isAside, items, onOpen, onMove }: CalendarGridProps) {
  const itemsByDay = byDay(items ?? [], days, page().timeZone)
  const [dragged, setDragged] = useState<Item | null>(null)
  const moved = useRef<{ id: number; from: string } | null>(null)
  // An event moved by keyboard is now on another day, so the focus follows the event.
  useEffect(() => {
    if (!moved.current) return
    const { id, from } = moved.current
    const event = document.querySelector<HTMLElement>(`[data-event="${id}"]`)
    if (!event || event.closest<HTMLElement>('[data-day]')?.dataset['day'] === from) return
    moved.current = null
    event.focus()
  })
  const moving = onMove && {
    onDrag: setDragged,
    onStep: (item: Item, by: number) => {
      const [from] = daysOf(item, page().timeZone)
      moved.current = { id: item.id, from }
      void onMove(item, addDays(from, by))
    },
  }
  return (
    <DayGrid
      days={days}
      isAside={isAside}
      busy={items === null}
      onDrop={
        dragged &&
        ((day) => {
          if (day !== daysOf(dragged, page().timeZone)[0]) void onMove?.(dragged, day)
          setDragged(null)
        })
      }
    >
      {(day) =>
        items ? <Events day={day} items={itemsByDay.get(day) ?? []} onOpen={onOpen} moving={moving} /> : <DaySkeleton />
      }
    </DayGrid>
  )
}

interface EventsProps {
  day: string
  items: readonly Item[]
  onOpen: (item: Item) => void
  moving: EventMoveHandlers | undefined
}

function Events({ day, items, onOpen, moving }: EventsProps) {
  const [all, setAll] = useState(false)
  const visible = items.slice(0, all ? undefined : MAX_VISIBLE)
  const hidden = items.length - visible.length
  if (items.length === 0) return <NoEvents />
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {visible.map((item) => (
          <li
            key={item.id}
            {...(moving &&
              item.moves?.reschedule &&
              dragging(
                item.title,
                () => moving.onDrag(item),
                () => moving.onDrag(null),
              ))}
          >
            <EventButton
              item={item}
              time={startOn(item, day, page().timeZone)}
              onOpen={() => onOpen(item)}
              moving={item.moves?.reschedule ? moving : undefined}
            />
          </li>
        ))}
      </ul>
      {(hidden > 0 || all) && (
        <Button variant="quiet" size="small" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? <Trans>Show fewer</Trans> : <Trans>{hidden} more</Trans>}
        </Button>
      )}
    </>
  )
}
