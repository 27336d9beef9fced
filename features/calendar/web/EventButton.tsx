import type { KeyboardEvent } from 'react'
import { cx } from '../../../web/ui/cx.ts'
import { statusOf } from '../rules.ts'
import type { ItemStatus } from '../states.ts'
import { type Item, ItemBadge } from './parts/item-status.tsx'

export interface EventMoveHandlers {
  onDrag: (item: Item | null) => void
  onStep: (item: Item, days: number) => void
}

interface EventButtonProps {
  item: Item
  /** Time, shown above the title. */
  time: string
  /** Company of the event, shown below the title. Absent on screens of one company. */
  companyName?: string
  onOpen: () => void
  /** Handlers that move the event. Absent if the event can't be moved from this screen. */
  moving?: EventMoveHandlers | undefined
}

/** Number of days by which Alt and an arrow key move an event. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

const edges: Record<ItemStatus, string> = {
  not_started: 'border-s-danger',
  in_progress: 'border-s-warning',
  completed: 'border-s-success',
}

/** Shows an event in its day. A click opens the details. */
export const EventButton = ({ item, time, companyName, onOpen, moving }: EventButtonProps) => (
  <button
    type="button"
    aria-haspopup="dialog"
    data-event={item.id}
    onClick={onOpen}
    {...(moving && {
      onKeyDown: (keyEvent: KeyboardEvent) => {
        const days = keyEvent.altKey ? STEPS[keyEvent.key] : undefined
        if (days === undefined) return
        keyEvent.preventDefault()
        moving.onStep(item, days)
      },
    })}
    className={cx(
      'flex w-full min-w-0 flex-col items-start gap-0.5 rounded-sm border border-s-4 border-line bg-surface px-1.5 py-1.5 text-start',
      'hover:border-link hover:bg-tint-2',
      moving && 'cursor-grab',
      item.status === null ? 'border-s-edge' : edges[statusOf(item.status)],
    )}
  >
    <span className="text-muted text-xs tabular-nums">{time}</span>
    <span className="w-full font-bold text-sm leading-tight wrap-anywhere">{item.title}</span>
    {companyName && <span className="w-full text-xs wrap-anywhere">{companyName}</span>}
    <ItemBadge item={item} className="gap-1! px-1!" />
  </button>
)
