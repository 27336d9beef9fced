import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { dateIn } from '../../../../shared/dates.ts'
import { translated } from '../../../../shared/messages.ts'
import { page } from '../../../../web/page.ts'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import type { scheduledItems } from '../../contract.ts'
import { statusLabel, statusOf } from '../../rules.ts'
import { itemStates, type ItemStatus } from '../../states.ts'
import { daysOf } from './days.ts'

/** Calendar item. On screens that cover all companies, it includes its company's time zone. */
export type Item = Omit<OwnItem, 'moves' | 'assignee' | 'path'> &
  Partial<Pick<OwnItem, 'moves' | 'assignee' | 'path'>> & { timeZone?: string }
type OwnItem = ResponseOf<typeof scheduledItems>['data'][number]

const isToCome = (item: Item, zone: string) => daysOf(item, zone)[1] >= dateIn(zone, new Date())

/** Shows the status of an item with the same label on every screen. */
export function ItemBadge({ item, className }: { item: Item; className?: string }) {
  const label = statusLabel(item.status, item.type, isToCome(item, item.timeZone ?? page().timeZone))
  const arranged = item.status === null && label !== itemStates.labels.not_started
  return (
    <StatusBadge kind={arranged ? 'neutral' : itemStates.states[statusOf(item.status)].kind} className={className}>
      {translated(label)}
    </StatusBadge>
  )
}

export const CountBadge = ({ status, count }: { status: ItemStatus; count: number }) => (
  <StatusBadge kind={itemStates.states[status].kind} className="gap-1! px-1! tabular-nums">
    {`${count.toLocaleString('en-US')} ${translated(itemStates.labels[status])}`}
  </StatusBadge>
)
