import type { Insertable } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { insertRows } from '../../../server/db/rows.ts'
import { openCase } from '../../../server/cases/open.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { type LaterUse, usesOfCase } from '../../../server/imported-rows.ts'
import { locationColumns, storedLocation } from '../../../server/places/stored-location.ts'
import { definePreviewRows } from '../../../server/resident-preview.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { actorOf, recordCreations } from '../../../server/states.ts'
import { readWorkingTime } from '../../../server/working-time.ts'
import { closingAfter } from '../../../shared/working-time.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { requestCase } from '../contract.ts'
import { type Channel, idOf, numberOf, requestStatus } from '../rules.ts'
import { requestStates } from '../states.ts'
import { requestStateStore, requests } from './case.ts'
import type { Category } from './categories.ts'
import { receivedEmail } from './emails.ts'
import type { Request } from './row.ts'

/**
 * Reserves the next request ids of a company in a year, and returns the first one. The caller uses a separate
 * transaction, so that concurrent requests do not wait for each other.
 */
export async function nextRequestId(tx: Tx, company: CompanyId, year: number, count = 1): Promise<number> {
  const { last_no } = await tx
    .insertInto('request_number')
    .values({ company_id: company, year, last_no: count })
    .onConflict((on) =>
      on
        .columns(['company_id', 'year'])
        .doUpdateSet(({ eb }) => ({ last_no: eb('request_number.last_no', '+', count) })),
    )
    .returning('last_no')
    .executeTakeFirstOrThrow()
  return idOf(year, last_no - count + 1)
}

/** Returns the current year in the company's time zone, for the next request number. */
export const yearOf = ({ context, company }: Pick<Call, 'context' | 'company'>): number =>
  Number(dateIn(company.timeZone, context.clock.now()).slice(0, 4))

type RequestText = Pick<
  Insertable<Schema['service_request']>,
  'description' | 'name' | 'email' | 'phone' | 'person_id'
> &
  Partial<Pick<Insertable<Schema['service_request']>, 'answers' | 'field_set_id' | 'version'>>

interface Entry {
  /** Id that `nextRequestId` returned. */
  id: number
  category: Pick<Category, 'id' | 'name' | 'department_id' | 'target_days'>
  /** Location that `resolveLocation` returned. */
  location: LocationValue
  text: RequestText
  files: readonly string[]
  by?: 'requester' | 'staff'
  /** Channel of a request that staff enter. Undefined if staff split it from another request. */
  channel?: Channel
  /** Name of the API key, if an external system sent the request. */
  sender?: string
}

/** Creates a request with its due date and first case entry, and emails the requester. */
export async function enterRequest(
  tx: Tx,
  call: Call,
  { id, category, location, text, files, by = 'requester', channel, sender }: Entry,
): Promise<Request> {
  const { company, context } = call
  const now = context.clock.now()
  const row = await tx
    .insertInto('service_request')
    .values({
      ...text,
      ...locationColumns(location),
      company_id: company.id,
      id,
      came_by: sender !== undefined ? 'open311' : by === 'staff' ? (channel ?? 'staff') : 'portal',
      created_at: now,
      updated_at: now,
      category_id: category.id,
      title: category.name,
      department_id: category.department_id,
      due_at: closingAfter(await readWorkingTime(tx, company), now, category.target_days),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await openCase(tx, call, requests, row, {
    files,
    by,
    confirmationEmail: () => receivedEmail(id),
    begins: {
      states: requestStateStore,
      event: 'submit',
      detail: { category: category.name, ...(sender !== undefined && { sender }), ...(channel && { channel }) },
    },
  })
  return row
}

/** States in which a request from another system can be, with their events. */
export const importEvents = {
  [requestStatus.new]: 'import',
  [requestStatus.inProgress]: 'import_started',
  [requestStatus.completed]: 'import_completed',
  [requestStatus.invalid]: 'import_invalid',
} as const
export type ImportedStatus = keyof typeof importEvents

export interface ImportedRequest extends Pick<Entry, 'location'> {
  category: Entry['category']
  departmentId: number | null
  text: RequestText
  oldNumber: string
  /** Year of the request's number. */
  year: number
  createdAt: Date
  dueAt: Date
  status: ImportedStatus
  closedAt: Date | null
}

/**
 * Creates requests from another system, with their old numbers, states and dates. Emails no one, and staff get no notice
 * about their due dates. @returns their ids
 */
export async function importRequests(tx: Tx, call: Call, requests: readonly ImportedRequest[]): Promise<number[]> {
  const company = call.company.id
  const numbered = await withIds(tx, company, requests)
  await insertRows(
    tx,
    'service_request',
    numbered.map(({ id, ...request }) => ({
      ...request.text,
      ...storedLocation(request.location),
      company_id: company,
      id,
      came_by: 'import',
      old_number: request.oldNumber,
      created_at: request.createdAt,
      updated_at: request.closedAt ?? request.createdAt,
      category_id: request.category.id,
      title: request.category.name,
      department_id: request.departmentId,
      due_at: request.dueAt,
      escalated_at: call.context.clock.now(),
      status: request.status,
      closed_at: request.closedAt,
    })),
  )
  await recordCreations(
    tx,
    requestStateStore,
    { company, actor: actorOf(call) },
    numbered.map(({ id, status, category, oldNumber }) => ({
      ...{ id, number: numberOf(id), event: importEvents[status], detail: { category: category.name, oldNumber } },
    })),
  )
  return numbered.map(({ id }) => id)
}

/** Reserves the ids of imported requests, in the order of the file. */
async function withIds(tx: Tx, company: CompanyId, requests: readonly ImportedRequest[]) {
  const next = new Map<number, number>()
  for (const [year, its] of Map.groupBy(requests, (request) => request.year))
    next.set(year, await nextRequestId(tx, company, year, its.length))
  return requests.map((request) => {
    const id = next.get(request.year) ?? 0
    next.set(request.year, id + 1)
    return { ...request, id }
  })
}

/** Later rows that use imported requests or those of a preview. */
export const laterUses: readonly LaterUse[] = [
  ...usesOfCase('service_request', requestCase.kind),
  {
    from: 'work_order',
    column: 'source_id',
    of: 'service_request',
    only: { source_kind: requestCase.kind },
    cause: 'linked',
  },
]

definePreviewRows({
  tables: ['service_request'],
  counters: ['request_number'],
  children: [
    { table: 'status_history', of: 'service_request', column: 'subject_id', only: { machine: requestStates.name } },
  ],
  uses: laterUses,
})
