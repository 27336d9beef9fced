import { same } from '../../../shared/edits.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { answersOf } from '../../../shared/fields/answers.ts'
import type { FormStep } from '../../../shared/fields/definition.ts'
import { dateIn } from '../../../shared/dates.ts'
import { plural, say } from '../../../shared/messages.ts'
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
import { answerItem, failItem, itemPhotos, passItem, passItems, transitionItem, repeatItem } from '../contract.ts'
import { counting, INSPECTIONS_PATH } from '../rules.ts'
import { type Inspection, type Item, itemsOf, itemStateStore, lockInspection, lockItem } from './inspections.ts'
import { findSkippedItems } from './not-applicable.ts'
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
/** Name of a part in the row of an item, which has no note. */
export const withoutPrefix = (part: string): string => (part.startsWith(ANSWER) ? part.slice(ANSWER.length) : part)
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
/** Converts a basis of the browser. It has all fields of the step, so that two first answers conflict. */
const basisOf = ({ fields }: FormStep, basis: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(fields.map(({ name }) => [ANSWER + name, undefined])),
  ...partsOf({ answers: Object(basis['answers']) as Record<string, unknown>, note: textOf(basis['note']) }),
})

interface ItemAnswers {
  answers: Record<string, unknown>
  note: string
  basis?: Record<string, unknown> | undefined
  /** Returns the name of a part in the form. */
  formName?: (part: string) => string
}

/**
 * Saves the answers and note of a locked item.
 * @returns the answers as stored
 * @throws 409 if the item has a result, 422 with a message for each wrong answer
 */
async function saveAnswers(
  tx: Tx,
  call: Call,
  { item, inspection }: { item: Item; inspection: Inspection },
  { answers: sent, note, basis, formName }: ItemAnswers,
): Promise<Record<string, unknown>> {
  const { company } = call
  if (!canBeStored(sent)) throw malformed(UNSTORABLE)
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
  const merged = await mergeEdit(edit, {
    basis: basis && basisOf(step, basis),
    own: input,
    now,
    labelsOf: labelOf,
    ...(formName && { formName }),
  })
  const stored = fromParts(merged)
  if (same(now, merged)) return stored.answers
  await tx
    .updateTable('inspection_item')
    .set({ answers: JSON.stringify(stored.answers), note: stored.note })
    .where('company_id', '=', company.id)
    .where('id', '=', item.id)
    .execute()
  await recordChanges(edit, now, merged)
  await call.audit(tx, {
    action: 'inspection.item_answered',
    subject: { kind: 'inspection', id: inspection.number },
    detail: { item: item.title },
  })
  return stored.answers
}

export const answerItemCall = implement(answerItem, (call) =>
  call.once(async (tx) => {
    const locked = await lockItem(tx, call.company.id, call.body.itemId)
    await saveAnswers(tx, call, locked, call.body)
    return { success: true as const, message: say`“${locked.item.title}” saved.` }
  }),
)

type LockedItem = Awaited<ReturnType<typeof itemStateStore.lock>>

interface RowAnswers {
  itemId: number
  answers?: ItemAnswers['answers'] | undefined
  basis?: ItemAnswers['basis']
}

/** Locks an item and saves the answers of its row. */
async function lockWithAnswers(tx: Tx, call: Call, { itemId, answers, basis }: RowAnswers): Promise<LockedItem> {
  const locked = await itemStateStore.lock(tx, call.company.id, itemId)
  if (!answers) return locked
  const stored = await saveAnswers(tx, call, locked, {
    answers,
    basis,
    note: locked.item.note,
    formName: withoutPrefix,
  })
  return { ...locked, item: { ...locked.item, answers: stored } }
}

/** Takes a step of a locked item. @throws 422 if an item without a required answer is to be complete */
async function takeStep(tx: Tx, call: Call, locked: LockedItem, event: 'complete' | 'pass') {
  if (event === 'complete' && locked.state === 'open')
    await accepted(call, await stepOf(tx, call.company.id, locked.inspection, locked.item), locked.item.answers)
  const patch = { by: callerName(call) }
  const request = { scope: call.company.id, id: locked.id, locked, event, actor: actorOf(call), patch }
  return transition(tx, itemStateStore, request)
}

/** Completes a locked item that is open. @returns the item after it */
async function complete(tx: Tx, call: Call, locked: LockedItem): Promise<LockedItem> {
  if (locked.state !== 'open') return locked
  await takeStep(tx, call, locked, 'complete')
  return { ...locked, state: 'complete' }
}

export const transitionItemCall = implement(transitionItem, (call) =>
  call.once(async (tx) => {
    const { message } = await takeStep(tx, call, await lockWithAnswers(tx, call, call.body), call.body.event)
    return { success: true as const, message }
  }),
)

export const passItemCall = implement(passItem, (call) =>
  call.once(async (tx) => {
    const locked = await complete(tx, call, await lockWithAnswers(tx, call, call.body))
    const { message } = await takeStep(tx, call, locked, 'pass')
    return { success: true as const, message }
  }),
)

export const passItemsCall = implement(passItems, (call) => {
  const { company, body, context } = call
  return call.once(async (tx) => {
    const inspection = await lockInspection(tx, company.id, body.inspectionId)
    const items = await itemsOf(tx, company.id, inspection.id)
    const skippedIds = await findSkippedItems(tx, company.id, inspection, items)
    const undecided = counting(items.map((item) => ({ ...item, repeatOf: item.repeat_of }))).filter(
      ({ id, status }) => (status === 'open' || status === 'complete') && !skippedIds.has(id),
    )
    const today = dateIn(company.timeZone, context.clock.now())
    const skipped: string[] = []
    for (const { id, title, status, answers } of undecided) {
      const locked = await itemStateStore.lock(tx, company.id, id)
      const step = await stepOf(tx, company.id, inspection, locked.item)
      const { errors } = answersOf({ steps: [step] }, answers, today)
      if (status === 'open' && Object.keys(errors).length > 0) skipped.push(title)
      else await takeStep(tx, call, await complete(tx, call, locked), 'pass')
    }
    const passed = undecided.length - skipped.length
    const message = say`${plural(passed, '# item', '# items')} passed.`
    const rest = say`These items need an answer first: ${skipped.join(', ')}.`
    return { success: true as const, message: skipped.length > 0 ? `${message} ${rest}` : message, passed, skipped }
  })
})

/** Fails the item and opens its work order with the photos and the location, in one transaction. */
export const failItemCall = implement(failItem, (call) => {
  const { company, body } = call
  return call.once(async (tx) => {
    const { reason, message, locked } = await transition(tx, itemStateStore, {
      ...{
        scope: company.id,
        id: body.itemId,
        locked: await complete(tx, call, await lockWithAnswers(tx, call, body)),
      },
      ...{ event: 'fail' as const, actor: actorOf(call), patch: { by: callerName(call) }, reason: body.reason },
    })
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

export const itemCalls = [answerItemCall, transitionItemCall, passItemCall, passItemsCall, failItemCall, repeatCall]
