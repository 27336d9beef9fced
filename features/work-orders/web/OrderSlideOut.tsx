import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarClock, Pencil, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { UnprintableNotice } from '../../../web/ui/office/UnprintableNotice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { changeOrderStatus, printOrder, returnOrder, scheduleOrder } from '../contract.ts'
import { kindLabels, severityLabels, workOrderStatus } from '../rules.ts'
import { orderStates } from '../states.ts'
import { Checklist } from './Checklist.tsx'
import { Costs } from './Costs.tsx'
import { EditOrder } from './EditOrder.tsx'
import { type OrderDetails, reloadOrders } from './fresh.ts'
import { OrderPhotos } from './OrderPhotos.tsx'
import { ScheduleOrder } from './ScheduleOrder.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { QueryItem } from '../../../web/query-item.tsx'

/** Slide-out for the order with the id from the URL. */
export const OrderFromQuery = () => (
  <QueryItem name="order">{(id, close) => <OrderSlideOut orderId={id} onClose={close} />}</QueryItem>
)

/** All details of an order: task, assignee, schedule, costs and history. */
function OrderSlideOut({ orderId, onClose }: { orderId: number; onClose: () => void }) {
  const response = useResponse(returnOrder, { orderId })
  const [panel, setPanel] = useState<'edit' | 'schedule' | null>(null)
  const { data } = response
  if (panel === 'edit' && data) return <EditOrder order={data} onClose={() => setPanel(null)} />
  return (
    <ResponseSlideOut
      title={data ? <Trans>Work order {data.number}</Trans> : <Trans>Work order</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the work order</Trans>}
      failed={<Trans>This work order could not be loaded</Trans>}
    >
      {(order) => (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0 font-bold wrap-anywhere">{order.details.title}</p>
            <span className="flex gap-2">
              {order.late && (
                <StatusBadge kind="bad">
                  <Trans>Overdue</Trans>
                </StatusBadge>
              )}
              <StateBadge of={orderStates} state={order.status} />
            </span>
          </div>
          <Written order={order} />
          <Tools order={order} onEdit={() => setPanel('edit')} onSchedule={() => setPanel('schedule')} />
          <MoveButtons
            of={orderStates}
            can={order.can.steps}
            dialog={{
              text: (event) =>
                event === 'invalidate' ? (
                  <Trans>
                    Mark the work order as invalid if no more work is needed. The work order will be removed from the
                    calendar.
                  </Trans>
                ) : null,
              draft: `work-order:${order.id}`,
            }}
            onPress={async (event, reason) => {
              toast((await call(changeOrderStatus, { orderId: order.id, event, reason })).message)
              await reloadOrders()
            }}
          />
          <Checklist order={order} />
          <Costs order={order} />
          <OrderPhotos order={order} />
          <History history={order.history} />
          {panel === 'schedule' && <ScheduleOrder order={order} onClose={() => setPanel(null)} />}
        </>
      )}
    </ResponseSlideOut>
  )
}

function Written({ order }: { order: OrderDetails }) {
  const { t } = useLingui()
  const { details, schedule, source, linked, assetPath } = order
  const asset = assetPath ? <Link to={assetPath}>{details.assetName}</Link> : details.assetName
  const rows: [string, ReactNode][] = [
    [t`Kind`, translated(kindLabels[details.kind])],
    [t`Priority`, translated(severityLabels[details.severity])],
    [t`Location`, details.location.text || '–'],
    ...(details.assetName ? [[t`Asset`, asset] as [string, ReactNode]] : []),
    [t`Department`, order.department || '–'],
    [t`Assigned to`, order.assignee || '–'],
    ...(order.crew ? [[t`Crew`, `${order.crew.name} (${order.crew.people})`] as [string, string]] : []),
    [t`Scheduled`, schedule ? shortInstant(schedule.startsAt) : '–'],
    [t`Due`, details.dueOn ? formatShortDate(details.dueOn) : '–'],
    [t`Opened`, shortInstant(order.openedAt)],
    ...(order.completedAt ? [[t`Completed`, shortInstant(order.completedAt)] as [string, string]] : []),
  ]
  return (
    <>
      <UnprintableNotice texts={[details.title, details.description, order.assignee]} />
      <DetailList
        className="text-table"
        details={[
          ...rows,
          ...(source
            ? [
                [
                  t`Opened from`,
                  <Link key="source" to={source.path}>
                    {source.text}
                  </Link>,
                ] as const,
              ]
            : []),
          ...linked.map(
            ({ text, path }) =>
              [
                t`Also for`,
                <Link key={path} to={path}>
                  {text}
                </Link>,
              ] as const,
          ),
        ]}
      />
      {details.description && <p className="mt-3 whitespace-pre-line wrap-anywhere">{details.description}</p>}
    </>
  )
}

interface ToolsProps {
  order: OrderDetails
  onEdit: () => void
  onSchedule: () => void
}

function Tools({ order, onEdit, onSchedule }: ToolsProps) {
  const { act, busy, refusal } = useAct(reloadOrders)
  const isOpen = orderStates.states[order.status].kind !== 'good' && order.status !== workOrderStatus.invalid
  return (
    <>
      <Refusal className="mt-4">{refusal}</Refusal>
      <div className="mt-5 flex flex-wrap gap-2">
        {order.can.edit && (
          <Button size="small" icon={Pencil} onClick={onEdit}>
            <Trans>Edit</Trans>
          </Button>
        )}
        {order.can.work && isOpen && (
          <Button size="small" icon={CalendarClock} onClick={onSchedule}>
            {order.schedule ? <Trans>Reschedule</Trans> : <Trans>Schedule</Trans>}
          </Button>
        )}
        {order.can.work && isOpen && order.schedule && (
          <Button
            size="small"
            disabled={busy}
            onClick={() => void act(() => call(scheduleOrder, { orderId: order.id, schedule: null }))}
          >
            <Trans>Remove from calendar</Trans>
          </Button>
        )}
        <Button size="small" icon={Printer} onClick={() => void download(printOrder, { orderId: order.id })}>
          <Trans>Print work order</Trans>
        </Button>
      </div>
    </>
  )
}
