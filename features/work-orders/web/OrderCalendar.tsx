import { Trans } from '@lingui/react/macro'
import { instantAt } from '../../../shared/dates.ts'
import type { RowOf } from '../../../shared/list.ts'
import { page } from '../../../web/page.ts'
import { setQuery } from '../../../web/go.ts'
import { CalendarGrid } from '../../calendar/web/parts/CalendarGrid.tsx'
import type { Item } from '../../calendar/web/parts/item-status.tsx'
import { type Range, RangeName } from '../../calendar/web/parts/range.tsx'
import { RangeSteps } from '../../calendar/web/parts/RangeSteps.tsx'
import { rescheduleTo } from '../../calendar/web/parts/reschedule.ts'
import type { workOrders } from '../list.ts'
import type { OrderStatus } from '../states.ts'
import { reloadOrders } from './fresh.ts'
import { workOrderStatus } from '../rules.ts'

type Order = RowOf<typeof workOrders>

const itemStatuses = { 0: 'not_started', 1: 'in_progress', 2: 'completed', 3: 'not_started', 4: null } as const

/**
 * Converts an order to a calendar item on its scheduled day. An unscheduled order appears on its due date. Null if the
 * order has neither.
 */
function itemOf(order: Order): Item | null {
  if (order.scheduled === '' && order.due === '') return null
  const midnight = (time: string) => instantAt(page().timeZone, order.due, time).toISOString()
  const status = order.status as OrderStatus
  return {
    id: order.id,
    title: `${order.number} ${order.title}`,
    calendar_date: order.scheduled || midnight('00:00'),
    end_datetime: order.endsAt || midnight('23:59'),
    status: itemStatuses[status],
    description: order.location,
    type: 'workorder',
    moves: {
      start: false,
      complete: false,
      reopen: false,
      reschedule:
        order.scheduled !== '' &&
        order.itemId !== null &&
        status !== workOrderStatus.completed &&
        status !== workOrderStatus.invalid &&
        order.can['edit'] === true,
    },
  }
}

/** Calendar of the orders. Staff can move scheduled orders to another day. */
export function OrderCalendar({ orders, range }: { orders: readonly Order[]; range: Range }) {
  const items = orders.map(itemOf).filter((item) => item !== null)
  const itemIds = new Map(orders.map(({ id, itemId }) => [id, itemId]))
  return (
    <section aria-labelledby="order-days">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h3 id="order-days" className="text-lg">
          <RangeName range={range} />
        </h3>
        <RangeSteps range={range} onShow={(from) => setQuery({ from })} />
      </div>
      <CalendarGrid
        days={range.days}
        isAside={range.isAside}
        items={items}
        onOpen={({ id }) => setQuery({ order: String(id) })}
        onMove={async (item, day) => {
          await rescheduleTo({ ...item, id: itemIds.get(item.id) ?? 0 }, day)
          await reloadOrders()
        }}
      />
      <p className="mt-3 text-muted text-sm">
        <Trans>
          A work order without a time appears on its due date. Work orders without a date appear only in the list.
        </Trans>
      </p>
    </section>
  )
}
