import type { KeyboardEvent } from 'react'
import { cx } from '../../../web/ui/cx.ts'
import { statusOf } from '../rules.ts'
import type { ItemStatus } from '../states.ts'
import { type Item, ItemBadge } from './item-status.tsx'

/** How an event of the grid is moved. */
export interface EventMoveHandlers {
  onDrag: (item: Item | null) => void
  onStep: (item: Item, days: number) => void
}

interface EventButtonProps {
  item: Item
  /** Above the title: when. */
  time: string
  /** Under the title: where, if that says more. */
  place?: string
  onOpen: () => void
  /** Where it can be put on another day from here. */
  moving?: EventMoveHandlers | undefined
}

/** By so many days an arrow key moves it, together with Alt. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

const edges: Record<ItemStatus, string> = {
  not_started: 'border-s-danger',
  in_progress: 'border-s-warning',
  completed: 'border-s-success',
}

/** An event within its day; more of it is told when it is pressed. */
export const EventButton = ({ item, time, place, onOpen, moving }: EventButtonProps) => (
  <button
    type="button"
    aria-haspopup="dialog"
    data-event={item.id}
    onClick={onOpen}
    {...(moving && {
      onKeyDown: (press: KeyboardEvent) => {
        const days = press.altKey ? STEPS[press.key] : undefined
        if (days === undefined) return
        press.preventDefault()
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
    {place && <span className="w-full text-xs wrap-anywhere">{place}</span>}
    <ItemBadge item={item} className="gap-1! px-1!" />
  </button>
)
