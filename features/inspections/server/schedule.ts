import { sql } from 'kysely'
import { addMonths, dateIn, instantAt, timeIn } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { latestVersion, versionOf } from '../../../server/fields/sets.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import {
  type LockedEntity,
  actorOf,
  defineStateStore,
  recordCreation,
  transition,
  type Transition,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { expectAtWork } from '../../work-orders/api.ts'
import { repeatInspection, transitionInspection, saveInspection, scheduleInspection } from '../contract.ts'
import { counting, LOCATION, resultOf } from '../rules.ts'
import { type InspectionStatus, inspectionStates, itemStates } from '../states.ts'
import { type Inspection, type Item, itemsOf, lockInspection, nextNumber, itemStateOf } from './inspections.ts'
import { syncCalendar } from './in-calendar.ts'
import { findSkippedItems } from './not-applicable.ts'
import { findSubject, subjectOf } from './subjects.ts'
import { locationFromRow, locationColumns } from '../../../server/places/stored-location.ts'

type ScheduleInput = Pick<RequestOf<typeof scheduleInspection>, 'dueOn' | 'startTime' | 'assignedTo'>

interface InspectionInput extends ScheduleInput {
  template: { id: number; name: string; subject_kind: string; field_set_id: number }
  subject: { id: number | null; name: string }
  location: LocationValue
  /** For a re-inspection only: the failed inspection and its failed items. */
  again?: { of: Inspection; items: readonly Item[] }
}

interface LockedInspection extends LockedEntity<InspectionStatus> {
  inspection: Inspection
  /** Items of the inspection, except items that do not apply. */
  items: Item[]
}

const OPEN_ITEMS = 'Some items have no result yet. Complete each item, then pass or fail it.'

const inspectionStateStore = defineStateStore({
  machine: inspectionStates,
  subject: 'inspection',
  lock: async (tx, scope, id): Promise<LockedInspection> => {
    const inspection = await lockInspection(tx, scope, id)
    const { number, title, status } = inspection
    const all = await itemsOf(tx, scope, id)
    const left = await findSkippedItems(tx, scope, inspection, all)
    const items = all.filter((item) => !left.has(item.id))
    return { id, state: status, name: say`Inspection ${number}`, number, details: { title }, inspection, items }
  },
  targetState: ({ items }: LockedInspection, event: string) => {
    if (event === 'cancel') return 'cancelled'
    const result = resultOf(items.map(itemStateOf))
    if (!result) throw conflict('open_items', OPEN_ITEMS)
    return result
  },
  write: (
    tx,
    { scope, locked, to, at, patch }: Transition<InspectionStatus, string, LockedInspection, { by: string }>,
  ) =>
    tx
      .updateTable('inspection')
      .set({ status: to, finished_at: at, finished_by: patch?.by ?? '' })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
  effects: {
    every: (tx, { locked: { inspection } }, { company, context }: Call) =>
      syncCalendar(tx, context, company.id, inspection.id),
    finish: (tx, { to, locked: { inspection } }, call: Call) => followUp(tx, call, inspection, to === 'passed'),
  },
})

/**
 * Reports a result to the feature that owns the subject. If an inspection of a location passes and its template recurs,
 * schedules the next inspection and returns a sentence about it.
 */
async function followUp(tx: Tx, call: Call, inspection: Inspection, hasPassed: boolean): Promise<string | void> {
  const { company, context } = call
  const template = await templateOf(tx, company.id, inspection.template_id)
  const on = dateIn(company.timeZone, context.clock.now())
  const everyMonths = template.every_months
  const { number, subject_kind, subject_id } = inspection
  if (subject_id !== null) {
    await subjectOf(subject_kind)?.onFinished(tx, call, { subjectId: subject_id, number, on, hasPassed, everyMonths })
    return
  }
  if (!hasPassed || everyMonths === null || !template.is_active) return
  const next = await makeInspection(tx, call, {
    template,
    subject: { id: null, name: inspection.subject_name },
    location: locationFromRow(inspection),
    dueOn: addMonths(on, everyMonths),
    startTime: whenOf(inspection, company.timeZone).startTime,
    assignedTo: inspection.assigned_to,
  })
  return say`The next inspection, ${next.number}, was scheduled.`
}

/** Creates an inspection with its items and adds it to the calendar. */
async function makeInspection(tx: Tx, call: Call, input: InspectionInput): Promise<{ id: number; number: string }> {
  const { company, context } = call
  const { template, subject, location, dueOn, startTime, assignedTo, again } = input
  await expectAtWork(tx, company.id, { departmentId: null, assignedTo })
  const at = { tx, company: company.id }
  const { version, definition } = again
    ? await versionOf(at, again.of.field_set_id, again.of.version)
    : await latestVersion(at, template.field_set_id)
  const number = await nextNumber(tx, company.id, company.timeZone, context.clock)
  const starts = instantAt(company.timeZone, dueOn, startTime)
  const { id } = await tx
    .insertInto('inspection')
    .values({
      company_id: company.id,
      number,
      template_id: template.id,
      field_set_id: template.field_set_id,
      version,
      title: template.name,
      subject_kind: template.subject_kind,
      subject_id: subject.id,
      subject_name: subject.name,
      ...locationColumns(location),
      status: 'scheduled',
      due_on: dueOn,
      starts_at: starts,
      assigned_to: assignedTo,
      repeat_of: again?.of.id ?? null,
      created_at: context.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addItems(tx, call, id, definition, again?.items ?? null)
  await syncCalendar(tx, context, company.id, id)
  const detail = { title: template.name, subject: subject.name, dueOn, ...(again && { again: again.of.number }) }
  await recordCreation(tx, inspectionStateStore, {
    scope: company.id,
    id,
    number,
    event: 'schedule',
    actor: actorOf(call),
    detail,
  })
  return { id, number }
}

/** Adds an open item for each step of the template. For a re-inspection, adds one only for each failed item. */
async function addItems(
  tx: Tx,
  call: Call,
  inspectionId: number,
  { steps }: Definition,
  failed: readonly Item[] | null,
): Promise<void> {
  const itemRows = failed
    ? failed.map(({ id, step, title }) => ({ step, title, repeat_of: id }))
    : steps.map(({ id, title }) => ({ step: id, title: title || say`Item`, repeat_of: null }))
  const { kind, personId } = signedIn(call)
  await sql`
    WITH made AS (
      INSERT INTO inspection_item (company_id, inspection_id, no, step, title, status, repeat_of)
      SELECT ${call.company.id}::int, ${inspectionId}::bigint, x.no, x.step, x.title, 'open', x.repeat_of
      FROM jsonb_to_recordset(${JSON.stringify(itemRows.map((item, n) => ({ ...item, no: n + 1 })))}::jsonb)
        AS x(no int, step text, title text, repeat_of bigint) RETURNING company_id, id)
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT company_id, ${itemStates.name}, id, 1, '', 'open', 'add', ${call.context.clock.now()}::timestamptz, ${kind},
      ${personId}::bigint, ${callerName(call)} FROM made`.execute(tx)
}

async function templateOf(tx: Tx, company: CompanyId, id: number) {
  const row = await tx
    .selectFrom('inspection_template')
    .select(['id', 'name', 'subject_kind', 'every_months', 'field_set_id', 'is_active', 'certificate'])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('This template was not found.')
  return row
}

const LOCATION_REQUIRED = 'Enter the location.'

const scheduleCall = implement(scheduleInspection, (call) => {
  const { companyId: _named, templateId, subjectId, location: inputLocation, ...when } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const template = await templateOf(tx, company, templateId)
    if (!template.is_active)
      throw conflict('inactive', say`“${template.name}” is no longer in use. Choose another template.`)
    const isLocationOnly = template.subject_kind === LOCATION
    if (isLocationOnly && inputLocation.text === '') throw rejected(LOCATION_REQUIRED, { location: LOCATION_REQUIRED })
    const existing = isLocationOnly ? null : await findSubject(tx, company, template.subject_kind, subjectId)
    const resolvedLocation = existing?.location ?? (await resolveLocation(tx, company, inputLocation))
    const subject = existing ? { id: subjectId, name: existing.name } : { id: null, name: resolvedLocation.text }
    const { id, number } = await makeInspection(tx, call, { template, subject, location: resolvedLocation, ...when })
    return { success: true as const, message: say`Inspection ${number} was scheduled.`, inspectionId: id }
  })
})

export const whenOf = (inspection: Inspection, timeZone: string): ScheduleInput => ({
  dueOn: inspection.due_on,
  startTime: inspection.starts_at ? timeIn(timeZone, inspection.starts_at) : '09:00',
  assignedTo: inspection.assigned_to,
})

const saveCall = implement(saveInspection, (call) => {
  const { companyId: _named, inspectionId, basis, ...own } = call.body
  const { company, context } = call
  return call.inCompany(async (tx) => {
    const inspection = await lockInspection(tx, company.id, inspectionId)
    const { number, status } = inspection
    if (status !== 'scheduled')
      throw conflict('wrong_status', say`You cannot change inspection ${number} because it is already closed.`)
    const before = whenOf(inspection, company.timeZone)
    const edit = editBy(tx, call, `inspection ${inspectionId}`)
    const { after, isChanged } = await applyEdit<ScheduleInput>(edit, { basis, own, before })
    if (isChanged) {
      const assignment = { departmentId: null, assignedTo: after.assignedTo }
      await expectAtWork(tx, company.id, assignment, { ...assignment, assignedTo: before.assignedTo })
      const starts = instantAt(company.timeZone, after.dueOn, after.startTime)
      await tx
        .updateTable('inspection')
        .set({ due_on: after.dueOn, starts_at: starts, assigned_to: after.assignedTo })
        .where('company_id', '=', company.id)
        .where('id', '=', inspectionId)
        .execute()
      await syncCalendar(tx, context, company.id, inspectionId)
      const subject = { kind: 'inspection' as const, id: number }
      await call.audit(tx, { action: 'inspection.rescheduled', subject, detail: { before, after } })
    }
    return { success: true as const, message: say`Inspection ${number} was saved.` }
  })
})

/** Finishes or cancels an inspection. */
export const transitionInspectionCall = implement(transitionInspection, (call) => {
  const { company, body } = call
  return call.once(async (tx) => {
    const request = {
      scope: company.id,
      id: body.inspectionId,
      event: body.event,
      actor: actorOf(call),
      reason: body.reason,
    }
    const details = { by: callerName(call) }
    const { message } = await transition(tx, inspectionStateStore, { ...request, patch: details, deps: call })
    return { success: true as const, message }
  })
})

const againCall = implement(repeatInspection, (call) => {
  const { companyId: _named, inspectionId, ...when } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const of = await lockInspection(tx, company, inspectionId)
    if (of.status !== 'failed')
      throw conflict('wrong_status', say`Inspection ${of.number} did not fail, so it does not need a re-inspection.`)
    if ((await reinspectionsOf(tx, company, [of.id])).size > 0)
      throw conflict('again', say`Inspection ${of.number} already has a re-inspection.`)
    const items = await itemsOf(tx, company, of.id)
    const counts = new Set(counting(items.map(itemStateOf)).map(({ id }) => id))
    const failed = items.filter(({ id, status }) => counts.has(id) && status === 'failed')
    const template = await templateOf(tx, company, of.template_id)
    const subject = { id: of.subject_id, name: of.subject_name }
    const input = { template, subject, location: locationFromRow(of), ...when, again: { of, items: failed } }
    const { id, number } = await makeInspection(tx, call, input)
    return { success: true as const, message: say`Inspection ${number} was scheduled.`, inspectionId: id }
  })
})

/** Returns the re-inspections by the id of the original inspection. Cancelled re-inspections do not count. */
export async function reinspectionsOf(tx: Tx, company: CompanyId, ids: readonly number[]) {
  const { rows } = await sql<{ repeat_of: number; id: number; number: string }>`
    SELECT repeat_of, id, number FROM inspection
    WHERE company_id = ${company} AND repeat_of = ANY (${[...ids]}::bigint[]) AND status <> 'cancelled'`.execute(tx)
  return new Map(rows.map(({ repeat_of, ...by }) => [repeat_of, by]))
}

export const scheduleCalls = [scheduleCall, saveCall, transitionInspectionCall, againCall]
