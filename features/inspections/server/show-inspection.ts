import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { FormStep } from '../../../shared/fields/definition.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { translated } from '../../../shared/messages.ts'
import { photosOf } from '../../../server/attachments/photos.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { definitionsOf } from '../../../server/fields/sets.ts'
import { loadHistories } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { ordersOfItems } from '../../work-orders/api.ts'
import { itemPhotos, returnInspection } from '../contract.ts'
import { counting, resultOf } from '../rules.ts'
import { inspectionStates, itemStates, type ItemStatus } from '../states.ts'
import { findInspection, type Inspection, itemsOfAll, itemStateOf, unknownInspection } from './inspections.ts'
import { skippedItemsOf } from './not-applicable.ts'
import { whenOf } from './schedule.ts'
import { LOCATION_LABEL, subjectOf } from './subjects.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'

type ReturnInspectionResponse = ResponseOf<typeof returnInspection>

export const showInspectionCall = implement(returnInspection, (call) =>
  call.reading((tx) => inspectionOf(tx, call, call.body.inspectionId)),
)

/** Returns an inspection with all details. @throws 404 if it does not exist */
export async function inspectionOf(tx: Tx, call: Call, inspectionId: number) {
  const inspectionRow = await findInspection(tx, call.company.id, inspectionId)
  const [inspection] = await inspectionsOf(tx, call, [inspectionRow])
  if (!inspection) throw unknownInspection()
  return inspection
}

/** Returns several inspections with all details. The number of queries is the same as for one inspection. */
export async function inspectionsOf(tx: Tx, call: Call, inspections: readonly Inspection[]) {
  const { company, context } = call
  const ids = inspections.map(({ id }) => id)
  const [allItems, histories, extras] = await Promise.all([
    itemViewsOf(tx, call, inspections),
    loadHistories(tx, inspectionStates, company.id, ids),
    loadExtras(tx, company.id, ids),
  ])
  const { privileges } = signedIn(call)
  const today = dateIn(company.timeZone, context.clock.now())
  const mayChange = may(privileges, 'inspections', 'update')
  return inspections.map((inspection) => {
    const { id, status, subject_kind, subject_id } = inspection
    const items = allItems.get(id) ?? []
    const beside = extras.get(id)
    const by = beside?.by ?? null
    const subject = subjectOf(subject_kind)
    const buttons = buttonsFrom(inspectionStates, status, { as: 'staff', privileges })
    const countedItems = items
      .filter(({ skipReason }) => skipReason === '')
      .map(({ id: item, status: state, repeatOf }) => ({ id: item, status: state, repeatOf }))
    const isReady = resultOf(countedItems)
    const counted = counting(countedItems)
    return {
      id,
      number: inspection.number,
      title: inspection.title,
      subjectKind: subject_kind,
      subjectLabel: translated(subject?.label ?? LOCATION_LABEL),
      subjectName: inspection.subject_name,
      subjectPath: subject && subject_id !== null ? subject.path(subject_id) : '',
      location: locationFromRow(inspection),
      status,
      when: whenOf(inspection, company.timeZone),
      assignedName: beside?.assigned ?? '',
      isOverdue: status === 'scheduled' && inspection.due_on < today,
      finishedAt: inspection.finished_at?.toISOString() ?? '',
      finishedBy: inspection.finished_by,
      again: { of: beside?.again ?? null, by },
      items: items.map(({ repeatOf: _repeatOf, ...item }) => item),
      countedItems: counted.length,
      doneItems: counted.filter(({ status: state }) => state === 'passed' || state === 'failed').length,
      history: histories.get(id) ?? [],
      today,
      can: {
        edit: mayChange && status === 'scheduled',
        again: status === 'failed' && by === null && may(privileges, 'inspections', 'create'),
        certificate: status === 'passed' && beside?.certificate === true,
        steps: { ...buttons, finish: buttons.finish && isReady !== null },
      },
    }
  })
}

/**
 * Loads for each inspection: the inspector, the failed inspection that it repeats, its re-inspection, and whether its
 * template issues certificates.
 */
async function loadExtras(tx: Tx, company: CompanyId, ids: readonly number[]) {
  const { rows } = await sql<{
    id: number
    assigned: string
    again: { id: number; number: string } | null
    by: { id: number; number: string } | null
    certificate: boolean
  }>`
    SELECT i.id, coalesce(trim(p.first_name || ' ' || p.last_name), '') AS assigned, t.certificate <> '' AS certificate,
      CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('id', o.id, 'number', o.number) END AS again,
      (SELECT jsonb_build_object('id', n.id, 'number', n.number) FROM inspection n
        WHERE n.company_id = i.company_id AND n.repeat_of = i.id AND n.status <> 'cancelled' ORDER BY n.id DESC LIMIT 1) AS by
    FROM inspection i
    JOIN inspection_template t ON t.company_id = i.company_id AND t.id = i.template_id
    LEFT JOIN person p ON p.company_id = i.company_id AND p.id = i.assigned_to
    LEFT JOIN inspection o ON o.company_id = i.company_id AND o.id = i.repeat_of
    WHERE i.company_id = ${company} AND i.id = ANY (${[...ids]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

async function itemViewsOf(tx: Tx, call: Call, inspections: readonly Inspection[]) {
  const company = call.company.id
  const [items, definitions] = await Promise.all([
    itemsOfAll(
      tx,
      company,
      inspections.map(({ id }) => id),
    ),
    definitionsOf({ tx, company }, inspections),
  ])
  const all = [...items.values()].flat()
  const ids = all.map(({ id }) => id)
  const [photos, orders, repeated] = await Promise.all([
    photosOf(tx, itemPhotos, company, ids),
    ordersOf(tx, company, ids),
    repeatedBy(
      tx,
      company,
      all.flatMap(({ repeat_of }) => repeat_of ?? []),
    ),
  ])
  const { privileges } = signedIn(call)
  const mayChangeAny = may(privileges, 'inspections', 'update')
  return new Map(
    inspections.map((inspection, index) => {
      const definition = definitions[index] ?? { steps: [] }
      const its = items.get(inspection.id) ?? []
      const left = skippedItemsOf(definition, inspection, its)
      const again = new Set(its.map(({ repeat_of }) => repeat_of))
      const itemViews = its.map((item) => {
        const mayChange = mayChangeAny && inspection.status === 'scheduled' && !left.has(item.id) && !again.has(item.id)
        const edit = mayChange && (item.status === 'open' || item.status === 'complete')
        return {
          ...itemStateOf(item),
          title: item.title,
          step: stepIn(definition.steps, item.step),
          answers: item.answers,
          note: item.note,
          reason: item.reason,
          doneAt: item.done_at?.toISOString() ?? '',
          doneBy: item.done_by,
          repeats: (item.repeat_of !== null && repeated.get(item.repeat_of)) || null,
          isRepeated: again.has(item.id),
          skipReason: left.get(item.id) ?? '',
          photos: photos.get(item.id) ?? [],
          orders: orders.get(item.id) ?? [],
          can: {
            edit,
            repeat: mayChange && item.status !== 'open',
            // An open item can fail too. The call completes it first.
            steps: mayChange
              ? { ...buttonsFrom(itemStates, item.status, { as: 'staff', privileges }), fail: edit }
              : { complete: false, pass: false, fail: false },
          },
        }
      })
      return [inspection.id, itemViews] as const
    }),
  )
}

function stepIn(steps: readonly FormStep[], id: string): FormStep {
  const step = steps.find((one) => one.id === id)
  return step ? { ...step, showWhen: null } : { id, title: '', intro: '', showWhen: null, fields: [] }
}

async function ordersOf(tx: Tx, company: CompanyId, items: readonly number[]) {
  const rows = await ordersOfItems(tx, company, items)
  const of = Map.groupBy(rows, ({ item }) => item)
  return new Map([...of].map(([item, its]) => [item, its.map(({ item: _item, ...order }) => order)]))
}

type RepeatedItem = NonNullable<ReturnInspectionResponse['items'][number]['repeats']>

async function repeatedBy(tx: Tx, company: CompanyId, ids: readonly number[]): Promise<Map<number, RepeatedItem>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ item: number; id: number; number: string; status: ItemStatus; reason: string }>`
    SELECT i.id AS item, s.id, s.number, i.status, i.reason FROM inspection_item i
    JOIN inspection s ON s.company_id = i.company_id AND s.id = i.inspection_id
    WHERE i.company_id = ${company} AND i.id = ANY (${[...ids]}::bigint[])`.execute(tx)
  return new Map(
    rows.map(({ item, id, number, status, reason }) => [item, { inspection: { id, number }, status, reason }]),
  )
}
