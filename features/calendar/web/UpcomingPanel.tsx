import { Trans } from '@lingui/react/macro'
import { type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { page } from '../../../web/page.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { daysOf, mediumDay, timeRange } from './parts/days.ts'
import { type Item, ItemBadge } from './parts/item-status.tsx'
import { statusOf } from '../rules.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface UpcomingPanelProps {
  id: string
  title: ReactNode
  icon: LucideIcon
  /** Text for no items, for example 'No upcoming billing tasks'. */
  empty: ReactNode
  items: readonly Item[]
  onOpen: (item: Item) => void
}

const MAX_VISIBLE = 3
const isDone = ({ status }: Item): boolean => statusOf(status) === 'completed'

/** Shows the items of one kind in the next fourteen days (spec 2.11). */
export function UpcomingPanel({ id, title, icon: Icon, empty, items, onOpen }: UpcomingPanelProps) {
  const [all, setAll] = useState(false)
  // Open items come first, so that completed ones do not hide them.
  const [open, done] = [items.filter((item) => !isDone(item)), items.filter(isDone)]
  const visible = [...open, ...done].slice(0, all ? items.length : MAX_VISIBLE)
  const count = items.length
  return (
    <Panel
      id={id}
      className="p-4!"
      title={
        <span className="flex items-start gap-2 text-base leading-tight @min-[34rem]:text-lg @min-[58rem]:text-base">
          <Icon size={20} aria-hidden className="mt-0.5 shrink-0 text-link" />
          <Text>{title}</Text>
        </span>
      }
    >
      {count === 0 && (
        <p className="lots px-3 py-5 text-center text-muted">
          <span className="bg-surface px-2">{empty}</span>
        </p>
      )}
      <ul>
        {visible.map((item) => (
          <Upcoming key={item.id} item={item} onOpen={onOpen} />
        ))}
      </ul>
      {count > MAX_VISIBLE && (
        <Button variant="quiet" size="small" className="-ms-3 mt-2" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? <Trans>Show fewer</Trans> : <Trans>Show all {count}</Trans>}
        </Button>
      )}
    </Panel>
  )
}

function Upcoming({ item, onOpen }: { item: Item; onOpen: (item: Item) => void }) {
  const [first, last] = daysOf(item, page().timeZone)
  return (
    <li className="border-line border-t py-2.5 first:border-t-0 first:pt-0">
      <button
        type="button"
        aria-haspopup="dialog"
        className="link text-start leading-tight wrap-anywhere"
        onClick={() => onOpen(item)}
      >
        {item.title}
      </button>
      <p className="mt-0.5 mb-1 text-sm tabular-nums">
        {first === last && (
          <span className="inline-block">
            <Text>{mediumDay(first)}</Text>,
          </span>
        )}{' '}
        <span className="inline-block">{timeRange(item, page().timeZone)}</span>
      </p>
      <ItemBadge item={item} />
    </li>
  )
}
