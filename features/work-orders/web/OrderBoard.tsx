import { Trans, useLingui } from '@lingui/react/macro'
import { type DragEvent, useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { RowOf } from '../../../shared/list.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { dragging } from '../../calendar/web/parts/dragging.ts'
import { QueryLink } from '../../../web/ui/Link.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { changeOrderStatus } from '../contract.ts'
import type { workOrders } from '../list.ts'
import { severityLabels, workOrderStatus } from '../rules.ts'
import { type OrderStatus, orderStates } from '../states.ts'
import { reloadOrders } from './fresh.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Order = RowOf<typeof workOrders>
type OrderButton = (typeof orderStates.buttons)[number]

/** Columns of the board, in the order of the work. */
const COLUMNS = [
  workOrderStatus.created,
  workOrderStatus.reopened,
  workOrderStatus.inProgress,
  workOrderStatus.completed,
] as const satisfies readonly OrderStatus[]

/** Finds a transition to this state that needs no reason from staff. */
const stepTo = (to: OrderStatus) =>
  orderStates.buttons.find((event) => {
    const step = orderStates.steps[event]
    return step.to === to && !('reason' in step)
  })

const labelOf = (event: OrderButton) => translated(orderStates.steps[event].label ?? '')

/** Board of orders by state. Staff drag a card or use its button, which also works with the keyboard. */
export function OrderBoard({ orders }: { orders: readonly Order[] }) {
  const [dragged, setDragged] = useState<Order | null>(null)
  const take = async (order: Order, event: OrderButton) => {
    try {
      toast((await call(changeOrderStatus, { orderId: order.id, event })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    await reloadOrders()
  }
  const leads = (status: OrderStatus) => {
    const event = stepTo(status)
    return dragged && event && dragged.can[event] ? event : null
  }
  return (
    <ol className="grid gap-4 md:grid-cols-2 lg:grid-cols-4">
      {COLUMNS.map((status) => {
        const there = orders.filter((order) => order.status === status)
        const event = leads(status)
        return (
          <li
            key={status}
            className={cx(
              'min-w-0 rounded-sm border bg-paper p-2',
              event ? 'border-link border-dashed' : 'border-line',
            )}
            {...(dragged &&
              event && {
                onDragOver: (dragEvent: DragEvent) => dragEvent.preventDefault(),
                onDrop: (drop: DragEvent) => {
                  drop.preventDefault()
                  void take(dragged, event)
                  setDragged(null)
                },
              })}
          >
            <h3 className="mb-2 flex items-baseline justify-between gap-2 text-base">
              <Text>{translated(orderStates.labels[status])}</Text>{' '}
              <span className="text-muted text-sm">{there.length}</span>
            </h3>
            {there.length === 0 && (
              <p className="text-muted text-sm">
                <Trans>No work orders</Trans>
              </p>
            )}
            <ul className="flex flex-col gap-2">
              {there.map((order) => (
                <OrderCard key={order.id} order={order} onDrag={setDragged} onStep={(step) => void take(order, step)} />
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}

interface OrderCardProps {
  order: Order
  onDrag: (order: Order | null) => void
  onStep: (event: OrderButton) => void
}

function OrderCard({ order, onDrag, onStep }: OrderCardProps) {
  const { t } = useLingui()
  const steps = orderStates.buttons.filter((event) => order.can[event] && !('reason' in orderStates.steps[event]))
  return (
    <li
      {...(steps.length > 0 &&
        dragging(
          order.number,
          () => onDrag(order),
          () => onDrag(null),
        ))}
      className={cx('rounded-sm border border-line bg-surface p-2 text-sm', steps.length > 0 && 'cursor-grab')}
    >
      <QueryLink className="link text-start leading-tight wrap-anywhere" set={{ order: String(order.id) }}>
        <Code>{order.number}</Code> <Text>{order.title}</Text>
      </QueryLink>
      <p className="mt-1 text-muted wrap-anywhere">
        {[
          translated(severityLabels[order.severity as 0]),
          order.location,
          order.assignee,
          order.crew,
          order.due && t`due ${formatShortDate(order.due)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {order.late && (
        <StatusBadge kind="bad" className="mt-1">
          <Trans>Overdue</Trans>
        </StatusBadge>
      )}
      {steps.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {steps.map((event) => (
            <Button
              key={event}
              size="small"
              aria-label={`${labelOf(event)} ${order.number}`}
              onClick={() => onStep(event)}
            >
              {labelOf(event)}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}
