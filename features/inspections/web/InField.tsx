import { Trans, useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { say } from '../../../shared/messages.ts'
import { PhotoButton, PendingPhotos } from '../../../web/field/Photos.tsx'
import type { Act, DetailsProps, FieldPart } from '../../../web/field/parts.ts'
import type { Action } from '../../../web/field/outbox.ts'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import {
  addItemPhoto,
  answerItem,
  failItem,
  itemPhotos,
  passItem,
  transitionInspection,
  transitionItem,
} from '../contract.ts'
import { type ItemStatus, itemStates } from '../states.ts'
import { AnswerForm } from './AnswerForm.tsx'
import { Decision, type RowAnswers, useRowForm } from './Decision.tsx'
import { FailForm } from './FailForm.tsx'
import type { InspectionDetails as Inspection, ItemDetails as Item } from './fresh.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

/** Returns the actions that are allowed for an item in this state. */
const canOf = (status: ItemStatus) => ({
  edit: status === 'open' || status === 'complete',
  repeat: false,
  steps: { complete: status === 'open', pass: status === 'complete', fail: status === 'open' || status === 'complete' },
})

/** Returns the inspection as it will be after the server applies this call. */
function after(inspection: Inspection, { path, body }: { path: string; body: Record<string, unknown> }): Inspection {
  if (path === transitionInspection.path) return { ...inspection, status: 'passed' }
  const change = (item: Item): Item => {
    if (path === answerItem.path) {
      const { answers, note } = body as RequestInputOf<typeof answerItem>
      return { ...item, answers, note }
    }
    if (path === transitionItem.path) {
      const { event } = body as RequestInputOf<typeof transitionItem>
      const status = event === 'pass' ? 'passed' : 'complete'
      return { ...item, status, can: canOf(status) }
    }
    if (path === passItem.path) {
      const { answers = item.answers } = body as RequestInputOf<typeof passItem>
      return { ...item, answers, status: 'passed', can: canOf('passed') }
    }
    if (path === failItem.path) {
      const { reason, answers = item.answers } = body as RequestInputOf<typeof failItem>
      return { ...item, answers, status: 'failed', reason, can: canOf('failed') }
    }
    return item
  }
  const items = inspection.items.map((item) => (String(item.id) === String(body['itemId']) ? change(item) : item))
  const isReady = items.every(
    ({ status, isRepeated, skipReason }) =>
      isRepeated || skipReason !== '' || status === 'passed' || status === 'failed',
  )
  return { ...inspection, items, can: { ...inspection.can, steps: { ...inspection.can.steps, finish: isReady } } }
}

const Line = ({ record: { number, title, subjectName, when, isOverdue } }: { record: Inspection }) => (
  <>
    <strong className="wrap-anywhere">
      <Text>{title}</Text>: <Code>{subjectName}</Code>
    </strong>
    <span className="text-muted text-sm">
      <Code>{number}</Code> ·{' '}
      {isOverdue ? (
        <Trans>overdue since {formatShortDate(when.dueOn)}</Trans>
      ) : (
        <Trans>due {formatShortDate(when.dueOn)}</Trans>
      )}
    </span>
  </>
)

function Details({ record: inspection, today, act, pending }: DetailsProps<Inspection>) {
  const { t } = useLingui()
  const { id, items, location, when, status, can } = inspection
  return (
    <div className="flex flex-col gap-6">
      <DetailList
        details={[
          [<Trans>Location</Trans>, location.text || <Trans>Unknown</Trans>],
          [<Trans>Due</Trans>, formatShortDate(when.dueOn)],
          [<Trans>Inspector</Trans>, inspection.assignedName || <Trans>Unassigned</Trans>],
        ]}
      />
      <ul className="flex flex-col gap-4">
        {items
          .filter(({ isRepeated, skipReason }) => !isRepeated && skipReason === '')
          .map((item) => (
            <ItemInField key={item.id} item={item} today={today} act={act} pending={pending} />
          ))}
      </ul>
      {can.steps['finish'] && status === 'scheduled' && (
        <Button
          variant="primary"
          className="min-h-12 self-start"
          onClick={() => void act(transitionInspection, { inspectionId: id, event: 'finish' }, t`Finished`)}
        >
          <Trans>Finish inspection</Trans>
        </Button>
      )}
    </div>
  )
}

interface ItemProps {
  item: Item
  today: string
  act: Act
  pending: readonly Action[]
}

/** Checklist item with its answers and one button for each decision. */
function ItemInField({ item, today, act, pending }: ItemProps) {
  const { t } = useLingui()
  const [isAnswering, setAnswering] = useState(false)
  const [fails, setFails] = useState<RowAnswers | null>(null)
  const { id, title, status, can, note, reason } = item
  const row = useRowForm(item, today, `field-row:${id}`)
  const photos = pending.filter(({ photo, body }) => photo && body['itemId'] === String(id))
  const fields = can.edit ? item.step.fields.filter(({ name }) => !row.names.has(name)) : item.step.fields
  const needed = fields.some(({ required, name }) => required && item.answers[name] === undefined)
  return (
    <li className="rounded-sm border border-line bg-surface p-4">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-2">
        <h3 className="wrap-anywhere text-lg">{title}</h3>
        <StateBadge of={itemStates} state={status} />
      </div>
      {Object.keys(item.answers).length > 0 && (
        <AnswerSheet
          definition={{ steps: [{ ...item.step, title: '', fields }] }}
          answers={item.answers as Answers}
          today={today}
        />
      )}
      {note && <p className="wrap-anywhere">{note}</p>}
      {reason && (
        <p className="wrap-anywhere">
          <Trans>Reason for failure: {reason}</Trans>
        </p>
      )}
      <PendingPhotos pending={photos} there={item.photos.length} />
      {can.edit && (
        <div className="mt-3">
          <Decision
            large
            title={title}
            row={row}
            today={today}
            disabled={needed}
            onPass={(answers) => act(passItem, { itemId: id, ...answers }, t`Passed: ${title}`)}
            onFail={setFails}
          />
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-3 empty:hidden">
        {can.edit && (
          <Button
            className="min-h-12"
            icon={Pencil}
            aria-label={t`Answer questions for ${title}`}
            onClick={() => setAnswering(true)}
          >
            <Trans>Answer</Trans>
          </Button>
        )}
        {can.edit && (
          <PhotoButton
            label={t`Photo`}
            onPhoto={(file) => act(addItemPhoto, { itemId: String(id) }, t`Photo of ${title}`, file)}
          />
        )}
      </div>
      {can.edit && needed && (
        <p className="mt-2 text-muted text-sm">
          <Trans>Answer the required questions before you pass or fail this item.</Trans>
        </p>
      )}
      {isAnswering && (
        <AnswerForm
          item={item}
          today={today}
          draft={`field-item:${id}`}
          onSave={(body) => act(answerItem, body, t`Answered: ${title}`)}
          onClose={() => setAnswering(false)}
        />
      )}
      {fails && <FailInField item={item} act={act} answers={fails} photos={photos} onClose={() => setFails(null)} />}
    </li>
  )
}

interface FailProps extends Omit<ItemProps, 'today' | 'pending'> {
  answers: RowAnswers
  photos: readonly Action[]
  onClose: () => void
}

/**
 * Form that fails an item, with the photos taken on this device, and opens a work order. The form also works offline.
 */
function FailInField({ item: { id, title, photos: there }, act, answers, photos, onClose }: FailProps) {
  const { t } = useLingui()
  return (
    <FailForm
      title={title}
      draft={`field-fail:${id}`}
      onFail={(values) => act(failItem, { ...values, ...answers, itemId: id }, t`Failed: ${title}`)}
      onClose={onClose}
    >
      <PendingPhotos pending={photos} there={there.length} />
      <PhotoButton
        label={t`Photo`}
        onPhoto={(file) => act(addItemPhoto, { itemId: String(id) }, t`Photo of ${title}`, file)}
      />
    </FailForm>
  )
}

export const part: FieldPart<Inspection> = {
  kind: 'inspection',
  label: 'Inspections',
  calls: [answerItem, transitionItem, passItem, failItem, transitionInspection],
  photos: [{ takes: addItemPhoto, by: itemPhotos }],
  fieldLabels: {},
  nameOf: ({ number }) => say`Inspection ${number}`,
  searchTextOf: ({ number, title, subjectName, location }) => `${number} ${title} ${subjectName} ${location.text}`,
  after,
  Line,
  Details,
}
