import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/messages.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { itemTypes, type masterCalendar } from '../contract.ts'
import { typeLabels } from '../rules.ts'
import { itemStates } from '../states.ts'
import { NoEvents } from './DayGrid.tsx'
import { longDay, startThere } from './parts/days.ts'
import { EventButton } from './EventButton.tsx'
import { CountBadge } from './parts/item-status.tsx'

export type DayOfAll = ResponseOf<typeof masterCalendar>['days'][number]
export type MasterItem = DayOfAll['items'][number]

interface MasterDayProps {
  date: string
  /** Counts and items of the day. Undefined if the day has no items. */
  day: DayOfAll | undefined
  /** Maximum number of items to show. */
  maxItems: number
  /** True if the list of this day's items is open below the calendar. */
  open: boolean
  onDay: () => void
  onItem: (item: MasterItem) => void
}

/** Shows one day of all companies: counts, types and first items. */
export function MasterDay({ date, day, maxItems, open, onDay, onItem }: MasterDayProps) {
  const { t } = useLingui()
  if (!day) return <NoEvents />
  const { count, statuses, types, items } = day
  const number = count.toLocaleString('en-US')
  const hidden = count - Math.min(maxItems, items.length)
  return (
    <>
      <button
        type="button"
        className="link min-h-6 self-start text-start text-sm tabular-nums"
        aria-expanded={open}
        aria-label={count === 1 ? t`1 item on ${longDay(date)}` : t`${number} items on ${longDay(date)}`}
        onClick={onDay}
      >
        {count === 1 ? <Trans>1 item</Trans> : <Trans>{number} items</Trans>}
      </button>
      <ul aria-label={t`Items by status`} className="flex flex-wrap gap-1">
        {itemStates.names
          .filter((status) => statuses[status] > 0)
          .map((status) => (
            <li key={status}>
              <CountBadge status={status} count={statuses[status]} />
            </li>
          ))}
      </ul>
      <p className="text-muted text-xs tabular-nums">
        {itemTypes
          .filter((type) => types[type] > 0)
          .map((type) => `${translated(typeLabels[type])} ${types[type].toLocaleString('en-US')}`)
          .join(', ')}
      </p>
      {maxItems > 0 && (
        <ul className="flex flex-col gap-1.5">
          {items.slice(0, maxItems).map((item) => (
            <li key={`${item.companyId}/${item.id}`}>
              <EventButton item={item} time={startThere(item)} companyName={item.company} onOpen={() => onItem(item)} />
            </li>
          ))}
        </ul>
      )}
      {maxItems > 0 && hidden > 0 && (
        <Button variant="quiet" size="small" onClick={onDay} aria-expanded={open}>
          {open ? <Trans>Close list for this day</Trans> : <Trans>{hidden.toLocaleString('en-US')} more</Trans>}
        </Button>
      )}
    </>
  )
}
