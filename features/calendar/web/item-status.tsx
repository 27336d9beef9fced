import type { AnswerOf } from '../../../shared/endpoint.ts'
import { StatusBadge, type StatusKind } from '../../../web/ui/StatusBadge.tsx'
import type { scheduledItems } from '../contract.ts'
import { type ItemStatus, statusLabels, statusOf } from '../rules.ts'

export type Item = AnswerOf<typeof scheduledItems>['data'][number]

/** Red, orange, green (specification 4.1), each with its picture and its word. */
const kinds: Record<ItemStatus, StatusKind> = { not_started: 'bad', in_progress: 'waiting', completed: 'good' }

interface ItemBadgeProps {
  status: ItemStatus | null
  /** Says something else than the status' own word: 'Scheduled'. Only where there is no status. */
  label?: string
  className?: string
}

export const ItemBadge = ({ status, label, className }: ItemBadgeProps) =>
  status === null && label ? (
    <StatusBadge kind="neutral" className={className}>
      {label}
    </StatusBadge>
  ) : (
    <StatusBadge kind={kinds[statusOf(status)]} className={className}>
      {label ?? statusLabels[statusOf(status)]}
    </StatusBadge>
  )

/** An item somebody wants to read, and the word under which they saw it. */
export interface Chosen {
  item: Item
  label: string
}
