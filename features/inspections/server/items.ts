import { same } from '../../../shared/edits.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { FormStep } from '../../../shared/fields/definition.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, callerName, implement } from '../../../server/call.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { acceptAnswers } from '../../../server/fields/accept-answers.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import { canBeStored, UNSTORABLE } from '../../../server/text.ts'
import { malformed } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { openWorkOrder, defineWorkOrderSource } from '../../work-orders/api.ts'
import { answerItem, failItem, itemPhotos, transitionItem, repeatItem } from '../contract.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { type Inspection, type Item, itemStateStore, lockItem } from './inspections.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'

/**
 * Returns the step of one item without its display condition, which depends on other items. `findSkippedItems` checks
 * that condition.
 */
export async function stepOf(tx: Tx, company: CompanyId, inspection: Inspection, item: Item): Promise<FormStep> {
  const at = { tx, company }
  const { definition } = await versionOf(at, inspection.field_set_id, inspection.version)
  const step = definition.steps.find(({ id }) => id === item.step)
  if (!step) throw notFound('The questions for this item were not found.')
  return { ...step, showWhen: null }
}

/** @throws 422 with a message for each wrong answer */
const accepted = (call: Call, step: FormStep, answers: unknown): Promise<Answers> =>
  acceptAnswers({ steps: [step] }, answers, {
    today: dateIn(call.company.timeZone, call.context.clock.now()),
    findFile: async () => null,
    signer: null,
  })

/** Prefix of an item's field names in an edit conflict. */
export const ANSWER = 'answer '
/** Flattens answers and note into one object, so that two people can save different parts of one item. */
const partsOf = ({ answers, note }: { answers: Record<string, unknown>; note: string }): Record<string, unknown> => ({
  note,
  ...Object.fromEntries(Object.entries(answers).map(([name, value]) => [ANSWER + name, value])),
})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const fromParts = ({ note, ...parts }: Record<string, unknown>) => ({
  note: textOf(note),
  answers: Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) =>
      name.startsWith(ANSWER) && value !== undefined && value !== null ? [[name.slice(ANSWER.length), value]] : [],
    ),
  ),
})
const basisOf = (basis: Record<string, unknown>) =>
  partsOf({ answers: Object(basis['answers']) as Record<string, unknown>, note: textOf(basis['note']) })

export const answerItemCall = implement(answerItem, (call) => {
  const { itemId, answers: sent, note, basis } = call.body
  const { company } = call
  if (!canBeStored(sent)) throw malformed(UNSTORABLE)
  return call.once(async (tx) => {
    const { item, inspection } = await lockItem(tx, company.id, itemId)
    if (item.status === 'passed' || item.status === 'failed')
      throw conflict('wrong_status', say`“${item.title}” already has a result. Repeat the item to check it again.`)
    const step = await stepOf(tx, company.id, inspection, item)
    const answers = await accepted(call, step, sent)
    const now = partsOf(item)
    const subject = `inspection_item ${item.id}`
    const edit = editBy(tx, call, subject)
    const labels = new Map(step.fields.map(({ name, label }) => [ANSWER + name, label]))
    const labelOf = (part: string) => ({ label: labels.get(part) ?? say`Note` })
    const input = partsOf({ answers, note })
    const merged = await mergeEdit(edit, { basis: basis && basisOf(basis), own: input, now, labelsOf: labelOf })
    if (!same(now, merged)) {
      const stored = fromParts(merged)
      await tx
        .updateTable('inspection_item')
        .set({ answers: JSON.stringify(stored.answers), note: stored.note })
        .where('company_id', '=', company.id)
        .where('id', '=', item.id)
        .execute()
      await recordChanges(edit, now, merged)
      const detail = { item: item.title }
      await call.audit(tx, {
        action: 'inspection.item_answered',
        subject: { kind: 'inspection', id: inspection.number },
        detail,
      })
    }
    return { success: true as const, message: say`“${item.title}” saved.` }
  })
})

const by = (call: Call) => {
  return { by: callerName(call) }
}

export const transitionItemCall = implement(transitionItem, (call) => {
  const { company, body } = call
  return call.once(async (tx) => {
    const locked = await itemStateStore.lock(tx, company.id, body.itemId)
    // An item needs its required answers before it is complete.
    if (body.event === 'complete' && locked.state === 'open')
      await accepted(call, await stepOf(tx, company.id, locked.inspection, locked.item), locked.item.answers)
    const request = {
      scope: company.id,
      id: body.itemId,
      locked,
      event: body.event,
      actor: actorOf(call),
      patch: by(call),
    }
    const { message } = await transition(tx, itemStateStore, request)
    return { success: true as const, message }
  })
})

/** Fails the item and opens its work order with the photos and the location, in one transaction. */
export const failItemCall = implement(failItem, (call) => {
  const { company, body } = call
  return call.once(async (tx) => {
    const request = {
      scope: company.id,
      id: body.itemId,
      event: 'fail' as const,
      actor: actorOf(call),
      patch: by(call),
    }
    const { locked, reason, message } = await transition(tx, itemStateStore, { ...request, reason: body.reason })
    if (!body.openOrder) return { success: true as const, message, order: null }
    const { item, inspection } = locked
    const files = await tx
      .selectFrom('attachment')
      .select('id')
      .where('company_id', '=', company.id)
      .where('kind', '=', itemPhotos.kind)
      .where('subject_kind', '=', itemPhotos.subject)
      .where('subject_id', '=', item.id)
      .orderBy('nth')
      .execute()
    const { subject_kind, subject_id, subject_name } = inspection
    const order = await openWorkOrder(tx, call, {
      title: `${item.title}: ${subject_name}`.slice(0, 120),
      description: [reason, say`Found during inspection ${inspection.number}.`, item.note].filter(Boolean).join('\n\n'),
      kind: 'repair',
      severity: body.severity,
      location: locationFromRow(inspection),
      dueOn: null,
      departmentId: null,
      asset: subject_id === null ? null : { kind: subject_kind, id: subject_id, name: subject_name },
      source: { kind: checklistSource.kind, id: item.id },
      fileIds: files.map(({ id }) => id),
    })
    return { success: true as const, message: say`${message} Work order ${order.number} was opened.`, order }
  })
})

const repeatCall = implement(repeatItem, (call) => {
  const { company, body } = call
  return call.once(async (tx) => {
    const { item, inspection } = await lockItem(tx, company.id, body.itemId)
    if (item.status === 'open')
      throw conflict('wrong_status', say`You cannot repeat “${item.title}” yet because it is still open.`)
    const { last } = await tx
      .selectFrom('inspection_item')
      .select(({ fn }) => fn.max<number>('no').as('last'))
      .where('company_id', '=', company.id)
      .where('inspection_id', '=', inspection.id)
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('inspection_item')
      .values({
        company_id: company.id,
        inspection_id: inspection.id,
        no: last + 1,
        step: item.step,
        title: item.title,
        status: 'open',
        repeat_of: item.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { inspection: inspection.number, item: item.title, repeats: item.id }
    await recordCreation(tx, itemStateStore, { scope: company.id, id, event: 'add', actor: actorOf(call), detail })
    return { success: true as const, message: say`“${item.title}” is open again.`, itemId: id }
  })
})

/** Registers failed items as a source of work orders. Each item shows the current status of its work orders. */
const checklistSource = defineWorkOrderSource({
  kind: 'checklist_item',
  onMoved: async () => {},
  label: async (tx, company, ids) => {
    const rows = await tx
      .selectFrom('inspection_item as i')
      .innerJoin('inspection as s', (on) =>
        on.onRef('s.company_id', '=', 'i.company_id').onRef('s.id', '=', 'i.inspection_id'),
      )
      .select(['i.id', 'i.title', 's.number', 's.id as inspection'])
      .where('i.company_id', '=', company)
      .where('i.id', 'in', [...ids])
      .execute()
    return new Map(
      rows.map(({ id, title, number, inspection }) => [
        id,
        { text: say`Inspection ${number}, ${title}`, path: `${INSPECTIONS_PATH}?inspection=${inspection}` },
      ]),
    )
  },
})

export const itemCalls = [answerItemCall, transitionItemCall, failItemCall, repeatCall]
