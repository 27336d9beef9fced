import type { AnswerOf } from '../../../shared/endpoint.ts'
import { dateIn } from '../../../shared/dates.ts'
import { timeZone } from '../../../web/clock.ts'
import { StatusBadge, type StatusKind } from '../../../web/ui/StatusBadge.tsx'
import type { scheduledItems } from '../contract.ts'
import { type ItemStatus, statusLabel, statusLabels, statusOf } from '../rules.ts'
import { daysOf } from './days.ts'

/** An item; where items of many towns are on show, with the clocks of its own. */
export type Item = AnswerOf<typeof scheduledItems>['data'][number] & { timeZone?: string }

/** Red, orange, green (specification 4.1), each with its picture and its word. */
const kinds: Record<ItemStatus, StatusKind> = { not_started: 'bad', in_progress: 'waiting', completed: 'good' }

/** Its last day is not over yet. */
const isToCome = (item: Item, zone: string) => daysOf(item, zone)[1] >= dateIn(zone, new Date())

/** The status of an item, in the same word wherever it is shown. */
export function ItemBadge({ item, className }: { item: Item; className?: string }) {
  const label = statusLabel(item.status, item.type, isToCome(item, item.timeZone ?? timeZone))
  const arranged = item.status === null && label !== statusLabels.not_started
  return (
    <StatusBadge kind={arranged ? 'neutral' : kinds[statusOf(item.status)]} className={className}>
      {label}
    </StatusBadge>
  )
}

/** How many items of a day have a status. */
export const CountBadge = ({ status, count }: { status: ItemStatus; count: number }) => (
  <StatusBadge kind={kinds[status]} className="gap-1! px-1! tabular-nums">
    {`${count.toLocaleString('en-US')} ${statusLabels[status]}`}
  </StatusBadge>
)
