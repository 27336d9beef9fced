import { Trans, useLingui } from '@lingui/react/macro'
import { Play, Plus, Check as CheckIcon } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf, RequestInputOf } from '../../../shared/endpoint.ts'
import { say, translated } from '../../../shared/messages.ts'
import { shortInstant } from '../../../web/clock.ts'
import { PhotoButton, PendingPhotos } from '../../../web/field/Photos.tsx'
import type { DetailsProps, FieldPart } from '../../../web/field/parts.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import {
  addCost,
  addPhotoAfter,
  addPhotoBefore,
  addTask,
  changeOrderStatus,
  lineForm,
  noteForm,
  photosAfter,
  photosBefore,
  returnOrder,
  saveOrder,
  tickTask,
} from '../contract.ts'
import { costLabels, severityLabels } from '../rules.ts'
import { type OrderStatus, orderStates } from '../states.ts'
import { AddCost } from './Costs.tsx'
import { PartsToBring } from './PartsToBring.tsx'
import { Money } from '../../../web/ui/Money.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

type Order = ResponseOf<typeof returnOrder>

/** Predicts the state of an order after a queued offline action. */
function after(order: Order, { path, body }: { path: string; body: Record<string, unknown> }, me: string): Order {
  const now = new Date().toISOString()
  if (path === changeOrderStatus.path) {
    const { event } = body as RequestInputOf<typeof changeOrderStatus>
    const status = orderStates.steps[event].to as OrderStatus
    const can = { ...order.can.steps, start: false, complete: event === 'start', reopen: false }
    return { ...order, status, can: { ...order.can, steps: can } }
  }
  if (path === saveOrder.path) {
    const { description } = body as RequestInputOf<typeof saveOrder>
    return { ...order, details: { ...order.details, description } }
  }
  if (path === tickTask.path) {
    const { no, done } = body as RequestInputOf<typeof tickTask>
    const ticked = { doneAt: done ? now : null, doneBy: done ? me : '' }
    return { ...order, tasks: order.tasks.map((task) => (task.no === no ? { ...task, ...ticked } : task)) }
  }
  if (path === addTask.path) {
    const { text } = body as RequestInputOf<typeof addTask>
    // The server assigns the item's number, so staff can check the item only after the server has saved it.
    return { ...order, tasks: [...order.tasks, { no: 0, text, doneAt: null, doneBy: '' }] }
  }
  if (path === addCost.path) {
    const cost = body as RequestInputOf<typeof addCost>
    return { ...order, costs: [...order.costs, { ...cost, no: 0, cents: 0, by: me, voided: false }] }
  }
  return order
}

const Line = ({ record: { number, details, schedule, status, late } }: { record: Order }) => (
  <>
    <span className="flex flex-wrap items-center gap-2">
      <strong className="wrap-anywhere">{details.title}</strong>
      <StateBadge of={orderStates} state={status} />
    </span>
    <span className="text-muted text-sm wrap-anywhere">
      {[
        number,
        details.location.text,
        schedule && shortInstant(schedule.startsAt),
        details.dueOn &&
          (late ? say`overdue since ${formatShortDate(details.dueOn)}` : say`due ${formatShortDate(details.dueOn)}`),
      ]
        .filter(Boolean)
        .join(' · ')}
    </span>
  </>
)

/** Details of an order with the actions available on site. */
function Details({ record: order, act, pending }: DetailsProps<Order>) {
  const { t } = useLingui()
  const [openDialog, setOpenDialog] = useState<'cost' | 'task' | 'note' | null>(null)
  const { id, details, costs, can } = order
  const close = () => setOpenDialog(null)
  return (
    <div className="flex flex-col gap-6">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="wrap-anywhere">{details.title}</strong>
        <StateBadge of={orderStates} state={order.status} />
      </p>
      <StepButtons order={order} act={act} />
      <DetailList
        details={[
          [<Trans>Location</Trans>, details.location.text || <Trans>Unknown</Trans>],
          [<Trans>Priority</Trans>, translated(severityLabels[details.severity])],
          [
            <Trans>Assigned to</Trans>,
            [order.assignee, order.crew?.name, order.department].filter(Boolean).join(', ') || (
              <Trans>Unassigned</Trans>
            ),
          ],
          [<Trans>Scheduled</Trans>, order.schedule ? shortInstant(order.schedule.startsAt) : <Trans>Not set</Trans>],
          [<Trans>Due</Trans>, details.dueOn ? formatShortDate(details.dueOn) : <Trans>Not set</Trans>],
        ]}
      />
      <section>
        <h3 className="mb-2 text-lg">
          <Trans>Notes</Trans>
        </h3>
        {details.description && <p className="mb-2 whitespace-pre-wrap wrap-anywhere">{details.description}</p>}
        {can.work && (
          <Button className="min-h-12" onClick={() => setOpenDialog('note')}>
            <Trans>Edit notes</Trans>
          </Button>
        )}
      </section>
      <section>
        <h3 className="mb-2 text-lg">
          <Trans>Checklist</Trans>
        </h3>
        <Checklist order={order} act={act} />
        {can.work && (
          <Button className="min-h-12" icon={Plus} onClick={() => setOpenDialog('task')}>
            <Trans>Add checklist item</Trans>
          </Button>
        )}
      </section>
      <section>
        <h3 className="mb-2 text-lg">
          <Trans>Hours and parts</Trans>
        </h3>
        <PartsToBring
          order={order}
          onUse={(part) => void act(addCost, { ...part, kind: 'part', orderId: id }, t`Added: ${part.text}`)}
        />
        <CostList costs={costs} />
        {can.work && (
          <Button className="min-h-12" icon={Plus} onClick={() => setOpenDialog('cost')}>
            <Trans>Add hours or parts</Trans>
          </Button>
        )}
      </section>
      <section>
        <h3 className="mb-2 text-lg">
          <Trans>Photos</Trans>
        </h3>
        <PendingPhotos pending={pending} there={order.photos.length} />
        {can.work && <PhotoButtons orderId={id} act={act} />}
      </section>
      {openDialog === 'cost' && (
        <AddCost onAdd={(cost) => act(addCost, { ...cost, orderId: id }, t`Added: ${cost.text}`)} onClose={close} />
      )}
      {openDialog === 'task' && (
        <TextDialog
          title={t`Add checklist item`}
          label={t`Task`}
          start=""
          onText={(text) => act(addTask, { orderId: id, text }, t`Checklist item added: ${text}`)}
          onClose={close}
        />
      )}
      {openDialog === 'note' && (
        <TextDialog
          long
          title={t`Edit notes`}
          label={t`Notes`}
          start={details.description}
          onText={(description) =>
            act(saveOrder, { ...details, description, orderId: id, basis: { ...details } }, t`Notes changed`)
          }
          onClose={close}
        />
      )}
    </div>
  )
}

type PartProps = Pick<DetailsProps<Order>, 'act'> & { order: Order }

function StepButtons({ order: { id, can }, act }: PartProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-wrap gap-3 empty:hidden">
      {can.steps.start && (
        <Button
          variant="primary"
          icon={Play}
          className="min-h-12"
          onClick={() => void act(changeOrderStatus, { orderId: id, event: 'start' }, t`Started`)}
        >
          <Trans>Start</Trans>
        </Button>
      )}
      {can.steps.complete && (
        <Button
          variant="primary"
          icon={CheckIcon}
          className="min-h-12"
          onClick={() => void act(changeOrderStatus, { orderId: id, event: 'complete' }, t`Completed`)}
        >
          <Trans>Complete</Trans>
        </Button>
      )}
    </div>
  )
}

function Checklist({ order: { id, tasks, can }, act }: PartProps) {
  const { t } = useLingui()
  return (
    <ul className="mb-3 flex flex-col gap-2">
      {tasks.map(({ no, text, doneAt, doneBy }, at) => (
        <li key={no || `new ${at}`}>
          <Checkbox
            className="min-h-12"
            label={text}
            checked={doneAt !== null}
            disabled={!can.work || no === 0}
            hint={doneAt === null ? undefined : `${doneBy}, ${shortInstant(doneAt)}`}
            onChange={({ target: { checked } }) =>
              void act(
                tickTask,
                { orderId: id, no, done: checked, basis: { doneBy } },
                checked ? t`Done: ${text}` : t`Not done: ${text}`,
              )
            }
          />
        </li>
      ))}
    </ul>
  )
}

const CostList = ({ costs }: Pick<Order, 'costs'>) => (
  <ul className="mb-3 flex flex-col gap-1 text-sm">
    {costs
      .filter(({ voided }) => !voided)
      .map(({ no, kind, text, quantity, unitCents }, at) => (
        <li key={no || `new ${at}`} className="wrap-anywhere">
          <Text>{translated(costLabels[kind])}</Text>: <Text>{text}</Text>, <Code>{quantity}</Code> ×{' '}
          <Money cents={unitCents} />
        </li>
      ))}
  </ul>
)

function PhotoButtons({ orderId, act }: Pick<DetailsProps<Order>, 'act'> & { orderId: number }) {
  const { t } = useLingui()
  return (
    <div className="flex flex-wrap gap-3">
      <PhotoButton
        label={t`Add “before” photo`}
        onPhoto={(file) => act(addPhotoBefore, { orderId: String(orderId) }, t`“Before” photo`, file)}
      />
      <PhotoButton
        label={t`Add “after” photo`}
        onPhoto={(file) => act(addPhotoAfter, { orderId: String(orderId) }, t`“After” photo`, file)}
      />
    </div>
  )
}

interface TextDialogProps {
  title: string
  label: string
  start: string
  long?: boolean
  onText: (text: string) => Promise<void>
  onClose: () => void
}

function TextDialog({ title, label, start, long = false, onText, onClose }: TextDialogProps) {
  const form = useZodForm(long ? noteForm : lineForm, { defaultValues: { text: start } })
  return (
    <FormDialog title={title} form={form} onClose={onClose} onSubmit={({ text }) => onText(text)}>
      {long ? (
        <TextArea label={label} rows={6} {...form.field('text')} />
      ) : (
        <TextField label={label} autoComplete="off" {...form.field('text')} />
      )}
    </FormDialog>
  )
}

export const part: FieldPart<Order> = {
  kind: 'order',
  label: 'Work orders',
  calls: [changeOrderStatus, saveOrder, tickTask, addTask, addCost],
  photos: [
    { takes: addPhotoBefore, by: photosBefore },
    { takes: addPhotoAfter, by: photosAfter },
  ],
  fieldLabels: { description: 'Notes' },
  nameOf: ({ number }) => say`Work order ${number}`,
  searchTextOf: ({ number, details }) => `${number} ${details.title} ${details.location.text}`,
  after,
  Line,
  Details,
}
