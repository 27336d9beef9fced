import type { ResponseOf } from '../../../shared/endpoint.ts'
import { dateIn } from '../../../shared/dates.ts'
import { translated } from '../../../shared/words.ts'
import { timeZone } from '../../../web/clock.ts'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import type { scheduledItems } from '../contract.ts'
import { statusLabel, statusOf } from '../rules.ts'
import { itemStates, type ItemStatus } from '../states.ts'
import { daysOf } from './days.ts'

/** An item; where items of many towns are on show, with the clocks of its own. */
export type Item = Omit<OwnItem, 'moves' | 'who' | 'path'> &
  Partial<Pick<OwnItem, 'moves' | 'who' | 'path'>> & { timeZone?: string }
type OwnItem = ResponseOf<typeof scheduledItems>['data'][number]

/** Its last day is not over yet. */
const isToCome = (item: Item, zone: string) => daysOf(item, zone)[1] >= dateIn(zone, new Date())

/** The status of an item, in the same word wherever it is shown. */
export function ItemBadge({ item, className }: { item: Item; className?: string }) {
  const label = statusLabel(item.status, item.type, isToCome(item, item.timeZone ?? timeZone))
  const arranged = item.status === null && label !== itemStates.labels.not_started
  return (
    <StatusBadge kind={arranged ? 'neutral' : itemStates.states[statusOf(item.status)].kind} className={className}>
      {translated(label)}
    </StatusBadge>
  )
}

/** How many items of a day have a status. */
export const CountBadge = ({ status, count }: { status: ItemStatus; count: number }) => (
  <StatusBadge kind={itemStates.states[status].kind} className="gap-1! px-1! tabular-nums">
    {`${count.toLocaleString('en-US')} ${translated(itemStates.labels[status])}`}
  </StatusBadge>
)
