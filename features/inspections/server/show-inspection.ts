import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import type { Step } from '../../../shared/fields/definition.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { translated } from '../../../shared/words.ts'
import { photosOf } from '../../../server/attachments/photos.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { historyShown } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { itemPhotos, returnInspection } from '../contract.ts'
import { resultOf } from '../rules.ts'
import { inspectionStates, itemStates, type ItemStatus } from '../states.ts'
import { findInspection, type Inspection, itemsOf, shown } from './inspections.ts'
import { notAskedBy } from './not-asked.ts'
import { againOf, whenOf } from './schedule.ts'
import { PLACE_LABEL, subjectOf } from './subjects.ts'
import { keptPlace } from '../../../server/places/kept-place.ts'

type Answer = AnswerOf<typeof returnInspection>

export const showInspectionCall = implement(returnInspection, (call) =>
  call.reading((tx) => inspectionOf(tx, call, call.body.inspectionId)),
)

/** An inspection with all that is known of it. @throws 404 */
export async function inspectionOf(tx: Tx, call: Call, inspectionId: number) {
  const { company, house } = call
  const inspection = await findInspection(tx, company.id, inspectionId)
  const { id, status, subject_kind, subject_id } = inspection
  const [items, history, by, of, assigned, certificate] = await Promise.all([
    itemsShown(tx, call, inspection),
    historyShown(tx, inspectionStates, company.id, id),
    againOf(tx, company.id, id),
    inspection.again_of === null ? null : findInspection(tx, company.id, inspection.again_of),
    nameOf(tx, company.id, inspection.assigned_to),
    hasCertificate(tx, company.id, inspection.template_id),
  ])
  const { privileges } = signedIn(call)
  const today = dateIn(company.timeZone, house.clock.now())
  const subject = subjectOf(subject_kind)
  const mayChange = may(privileges, 'communication_management', 'update')
  const buttons = buttonsFrom(inspectionStates, status, { as: 'staff', privileges })
  const isReady = resultOf(
    items
      .filter(({ notAsked }) => notAsked === '')
      .map(({ id: item, status: state, repeatOf }) => ({ id: item, status: state, repeatOf })),
  )
  return {
    id,
    number: inspection.number,
    title: inspection.title,
    subjectKind: subject_kind,
    subjectLabel: translated(subject?.label ?? PLACE_LABEL),
    subjectName: inspection.subject_name,
    subjectPath: subject && subject_id !== null ? subject.path(subject_id) : '',
    place: keptPlace(inspection),
    status,
    when: whenOf(inspection, company.timeZone),
    assignedName: assigned,
    isOverdue: status === 'scheduled' && inspection.due_on < today,
    finishedAt: inspection.finished_at?.toISOString() ?? '',
    finishedBy: inspection.finished_by,
    again: { of: of && { id: of.id, number: of.number }, by },
    items: items.map(({ repeatOf: _repeatOf, ...item }) => item),
    history,
    today,
    can: {
      edit: mayChange && status === 'scheduled',
      again: status === 'failed' && by === null && may(privileges, 'communication_management', 'create'),
      certificate: status === 'passed' && certificate,
      steps: { ...buttons, finish: buttons.finish && isReady !== null },
    },
  }
}

async function nameOf(tx: Tx, company: CompanyId, person: number | null): Promise<string> {
  if (person === null) return ''
  const row = await tx
    .selectFrom('person')
    .select(['first_name', 'last_name'])
    .where('company_id', '=', company)
    .where('id', '=', person)
    .executeTakeFirst()
  return row ? `${row.first_name} ${row.last_name}`.trim() : ''
}

async function hasCertificate(tx: Tx, company: CompanyId, template: number): Promise<boolean> {
  const row = await tx
    .selectFrom('inspection_template')
    .select('certificate')
    .where('company_id', '=', company)
    .where('id', '=', template)
    .executeTakeFirstOrThrow()
  return row.certificate !== ''
}

async function itemsShown(tx: Tx, call: Call, inspection: Inspection) {
  const company = call.company.id
  const at = { tx, company }
  const [items, { definition }] = await Promise.all([
    itemsOf(tx, company, inspection.id),
    versionOf(at, inspection.field_set_id, inspection.version),
  ])
  const ids = items.map(({ id }) => id)
  const left = notAskedBy(definition, inspection, items)
  const [photos, orders, repeated] = await Promise.all([
    photosOf(tx, itemPhotos, company, ids),
    ordersOf(tx, company, ids),
    repeatedBy(
      tx,
      company,
      items.flatMap(({ repeat_of }) => repeat_of ?? []),
    ),
  ])
  const { privileges } = signedIn(call)
  const isOpen = inspection.status === 'scheduled'
  const mayChangeAny = may(privileges, 'communication_management', 'update') && isOpen
  const again = new Set(items.map(({ repeat_of }) => repeat_of))
  return items.map((item) => {
    const mayChange = mayChangeAny && !left.has(item.id)
    return {
      ...shown(item),
      title: item.title,
      step: stepIn(definition.steps, item.step),
      answers: item.answers,
      note: item.note,
      reason: item.reason,
      doneAt: item.done_at?.toISOString() ?? '',
      doneBy: item.done_by,
      repeats: (item.repeat_of !== null && repeated.get(item.repeat_of)) || null,
      isRepeated: again.has(item.id),
      notAsked: left.get(item.id) ?? '',
      photos: photos.get(item.id) ?? [],
      orders: orders.get(item.id) ?? [],
      can: {
        edit: mayChange && (item.status === 'open' || item.status === 'complete'),
        repeat: mayChange && item.status !== 'open' && !again.has(item.id),
        steps: mayChange
          ? buttonsFrom(itemStates, item.status, { as: 'staff', privileges })
          : { complete: false, pass: false, fail: false },
      },
    }
  })
}

function stepIn(steps: readonly Step[], id: string): Step {
  const step = steps.find((one) => one.id === id)
  return step ? { ...step, showWhen: null } : { id, title: '', intro: '', showWhen: null, fields: [] }
}

async function ordersOf(tx: Tx, company: CompanyId, items: readonly number[]) {
  const { rows } = await sql<{ item: number; id: number; number: string; status: number }>`
    SELECT source_id AS item, id, number, status FROM work_order
    WHERE company_id = ${company} AND source_kind = 'checklist_item' AND source_id = ANY (${[...items]}::bigint[]) ORDER BY id`.execute(
    tx,
  )
  return Map.groupBy(
    rows.map(({ item, id, number, status }) => ({ item, id, number, status })),
    ({ item }) => item,
  )
}

type Repeats = NonNullable<Answer['items'][number]['repeats']>

async function repeatedBy(tx: Tx, company: CompanyId, ids: readonly number[]): Promise<Map<number, Repeats>> {
  const { rows } = await sql<{ item: number; id: number; number: string; status: ItemStatus; reason: string }>`
    SELECT i.id AS item, s.id, s.number, i.status, i.reason FROM inspection_item i
    JOIN inspection s ON s.company_id = i.company_id AND s.id = i.inspection_id
    WHERE i.company_id = ${company} AND i.id = ANY (${[...ids]}::bigint[])`.execute(tx)
  return new Map(
    rows.map(({ item, id, number, status, reason }) => [item, { inspection: { id, number }, status, reason }]),
  )
}
