import { Trans, useLingui } from '@lingui/react/macro'
import { Pencil, Repeat } from 'lucide-react'
import { useState } from 'react'
import type { Answers } from '../../../shared/fields/answer.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { orderStates, type OrderStatus } from '../../work-orders/states.ts'
import { passItem, transitionItem, repeatItem } from '../contract.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { itemStates } from '../states.ts'
import { Decision, type RowAnswers, useRowForm } from './Decision.tsx'
import { FailDialog } from './FailDialog.tsx'
import { type InspectionDetails, type ItemDetails, reloadInspections } from './fresh.ts'
import { ItemPhotos } from './ItemPhotos.tsx'
import { Code, Text } from '../../../web/ui/Text.tsx'

interface ItemRowProps {
  inspection: InspectionDetails
  item: ItemDetails
  onEdit: () => void
}

/**
 * Checklist item (spec 4.7). It shows Edit, Pass and Fail until the item has a result, then Repeat. The check box
 * completes an open item.
 */
export function ItemRow({ inspection, item, onEdit }: ItemRowProps) {
  const { t } = useLingui()
  const [fails, setFails] = useState<RowAnswers | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { id, title, status, can } = item
  const row = useRowForm(item, inspection.today, `inspection-row:${id}`)
  const submit = async (work: () => Promise<{ message: string }>) => {
    setBusy(true)
    setRefusal(null)
    try {
      toast((await work()).message)
      await reloadInspections()
    } catch (problem) {
      setRefusal(messageOf(problem))
    }
    setBusy(false)
  }
  const isOpen = status === 'open'
  return (
    <li className="rounded-sm border border-line p-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <Checkbox
          label={<strong className="wrap-anywhere">{title}</strong>}
          checked={!isOpen}
          disabled={!isOpen || !can.steps['complete'] || busy}
          aria-label={isOpen ? t`Complete ${title}` : t`${title} is complete`}
          onChange={() =>
            void row.form.handleSubmit((answers) =>
              submit(() => call(transitionItem, { itemId: id, event: 'complete', ...row.toSend(answers) })),
            )()
          }
        />
        {item.skipReason ? (
          <StatusBadge kind="neutral">
            <Trans>Not applicable</Trans>
          </StatusBadge>
        ) : item.isRepeated ? (
          <StatusBadge kind="neutral">
            <Trans>{translated(itemStates.labels[status])}, rechecked later</Trans>
          </StatusBadge>
        ) : (
          <StateBadge of={itemStates} state={status} />
        )}
      </div>
      <Refusal>{refusal}</Refusal>
      {item.skipReason && <p className="mt-1 text-muted text-sm">{item.skipReason}</p>}
      <ItemState inspection={inspection} item={item} />
      <ItemPhotos item={item} />
      {can.edit && (
        <div className="mt-2">
          <Decision
            title={title}
            row={row}
            today={inspection.today}
            onPass={async (answers) => {
              toast((await call(passItem, { itemId: id, ...answers })).message)
              await reloadInspections()
            }}
            onFail={setFails}
          />
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {can.edit && (
          <Button size="small" icon={Pencil} aria-label={t`Edit ${title}`} onClick={onEdit}>
            <Trans>Edit</Trans>
          </Button>
        )}
        {can.repeat && (
          <Button
            size="small"
            variant="quiet"
            icon={Repeat}
            aria-label={t`Repeat ${title}`}
            disabled={busy}
            onClick={() => void submit(() => call(repeatItem, { itemId: id }))}
          >
            <Trans>Repeat</Trans>
          </Button>
        )}
      </div>
      {fails && <FailDialog item={item} answers={fails} onClose={() => setFails(null)} />}
    </li>
  )
}

/** Answers of an item, with the person who completed it, the earlier item that it rechecks, and its work orders. */
function ItemState({ inspection: { today, id }, item }: Omit<ItemRowProps, 'onEdit'>) {
  const { step, answers, note, reason, doneAt, doneBy, repeats, orders, can } = item
  // The numbers of an undecided item are in its fields.
  const fields = can.edit ? step.fields.filter(({ type }) => type !== 'number') : step.fields
  return (
    <div className="mt-1 flex flex-col gap-2 text-sm">
      {Object.keys(answers).length > 0 && (
        <AnswerSheet
          definition={{ steps: [{ ...step, title: '', fields }] }}
          answers={answers as Answers}
          today={today}
        />
      )}
      {note && <p className="wrap-anywhere">{note}</p>}
      {reason && (
        <p className="wrap-anywhere">
          <strong>
            <Trans>Reason for failure:</Trans>
          </strong>{' '}
          <Text>{reason}</Text>
        </p>
      )}
      {doneAt && (
        <p className="text-muted">
          <Code>{doneBy}</Code> · <Text>{shortInstant(doneAt)}</Text>
        </p>
      )}
      {repeats && (
        <p className="text-muted">
          {repeats.inspection.id === id ? (
            <Trans>Recheck of the earlier item marked “{translated(itemStates.labels[repeats.status])}”.</Trans>
          ) : (
            <Trans>
              Recheck of the failed item from{' '}
              <Link className="link" to={`${INSPECTIONS_PATH}?inspection=${repeats.inspection.id}`}>
                {repeats.inspection.number}
              </Link>
              : {repeats.reason}
            </Trans>
          )}
        </p>
      )}
      {orders.map((order) => (
        <p key={order.id} className="flex flex-wrap items-center gap-2">
          <Link className="link" to={`/municipality/work-orders?order=${order.id}`}>
            {order.number}
          </Link>
          <StateBadge of={orderStates} state={order.status as OrderStatus} />
        </p>
      ))}
    </div>
  )
}
