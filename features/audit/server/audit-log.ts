import { sql } from 'kysely'
import { auditAt, type Deed, PLATFORM } from '../../../server/audit.ts'
import { type Call, implement } from '../../../server/call.ts'
import { csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import { walkOf } from '../../../server/list-sql.ts'
import type { House } from '../../../server/house.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { auditActions, type SubjectKind, subjectKinds } from '../../../shared/audit-actions.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import { auditCsv, auditLog, platformAuditCsv, platformAuditLog } from '../contract.ts'
import { factName, wordsOf } from '../rules.ts'
import { conditionsOf, type EventRow, namesOf, type Owner, walk, zoneOf } from './events.ts'
import { chainOf } from './seal.ts'

type Query = Omit<BodyOf<typeof auditLog>, 'companyId'>

/** Nobody has this id: what is shown of somebody who was not found. */
const NOBODY = -1

export const auditLogCall = implement(auditLog, (call) => listed(call, call.company))

/** What the platform's staff did outside any one town. */
export const platformAuditLogCall = implement(platformAuditLog, (call) => listed(call, null))

const within = <T>(house: House, owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> =>
  owner ? house.inCompany(owner.id, work) : house.acrossCompanies(work)

const listed = ({ house, body }: Call<Query>, owner: Owner) =>
  within(house, owner, async (tx) => {
    const person = body.search ? await personOf(house, tx, owner, body.search) : null
    const page = await onePage(tx, owner, body, person)
    const people = page.rows.flatMap((row) => [row.actor_id, row.impersonator_id, row.person_id])
    const names = await namesOf(house, tx, owner, people)
    const ids = page.rows.map(({ id }) => id)
    const sealed = await sealedAmong(tx, owner, ids)
    return { ...page, rows: page.rows.map((row) => shown(row, names, sealed)), totals: null }
  })

/** Who has this email, in the town or at the platform. */
async function personOf(house: House, tx: Tx, owner: Owner, email: string): Promise<number> {
  const lower = email.toLowerCase()
  const ours =
    owner &&
    (await tx
      .selectFrom('person')
      .select('id')
      .where('company_id', '=', owner.id)
      .where(tx.fn<string>('lower', ['email']), '=', lower)
      .executeTakeFirst())
  if (ours) return ours.id
  const theirs = await house.acrossCompanies((across) =>
    across
      .selectFrom('platform_person')
      .select('id')
      .where(across.fn<string>('lower', ['email']), '=', lower)
      .executeTakeFirst(),
  )
  return theirs?.id ?? NOBODY
}

async function onePage(tx: Tx, owner: Owner, { filters, cursor, direction, pageSize }: Query, person: number | null) {
  const place = readCursor(cursor, isInstant)
  const { order, beyond: than } = walkOf(direction, place)
  const conditions = conditionsOf(owner, filters)
  const beyond = place ? [sql`(e.at, e.id) ${than} (${place.key}::timestamptz, ${place.id})`] : []
  const { rows } = await walk(owner, [...conditions, ...beyond], person, pageSize + 1, order).execute(tx)
  const page = pageOf(rows, place, pageSize, (row) => row.at.toISOString())
  const { rows: counted } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (${walk(owner, conditions, person, COUNT_CAP)}) AS counted`.execute(tx)
  return { ...page, count: counted[0]?.n ?? 0 }
}

async function sealedAmong(tx: Tx, owner: Owner, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { ofTown, seals } = chainOf(owner?.id ?? PLATFORM)
  const { rows } = await sql<{ event_id: number }>`
    SELECT e.event_id FROM ${seals} e WHERE ${ofTown} AND e.event_id = ANY(${ids}::bigint[])`.execute(tx)
  return new Set(rows.map(({ event_id }) => event_id))
}

const kindNames: Record<string, string> = { guest: 'A guest', system: 'The portal itself' }

function shown(row: EventRow, names: ReadonlyMap<number, string>, sealed: ReadonlySet<number>) {
  const nameOf = (id: number) => names.get(id) ?? `Number ${id}`
  return {
    id: row.id,
    at: row.at.toISOString(),
    who: row.actor_id === null ? (kindNames[row.actor_kind] ?? 'Nobody signed in') : nameOf(row.actor_id),
    impersonator: row.impersonator_id === null ? null : nameOf(row.impersonator_id),
    what: wordsOf(row.action),
    action: row.action,
    about: aboutOf(row, nameOf),
    detail: Object.entries(row.detail).map(([name, value]) => ({
      name: factName(name),
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    sealed: sealed.has(row.id),
    can: { view: true },
  }
}

/** Whom or what it was done to; nothing where that is whoever did it. */
function aboutOf(
  { person_id, subject_kind, subject, actor_id, detail }: EventRow,
  nameOf: (id: number) => string,
): string {
  if (person_id !== null) return nameOf(person_id)
  if (subject_kind === 'person') return subject === String(actor_id) ? '' : nameOf(Number(subject))
  if (subject_kind === 'call' && typeof detail['what'] === 'string') return detail['what']
  return `${subjectKinds[subject_kind as SubjectKind] ?? ''} ${subject}`.trim()
}

export const auditCsvCall = implement(auditCsv, (call) => exported(call, call.company))

export const platformAuditCsvCall = implement(platformAuditCsv, (call) => exported(call, null))

async function exported(call: Call<Query>, owner: Owner) {
  const { house, body } = call
  const person = await within(house, owner, async (tx) => {
    const deed: Deed = { action: 'export.audit', detail: { filters: body.filters, search: body.search !== '' } }
    await auditAt(tx, house.clock, owner?.id ?? null, call, deed)
    return body.search ? personOf(house, tx, owner, body.search) : null
  })
  const { direction } = body
  const walked = walk(owner, conditionsOf(owner, body.filters), person, null, direction)
  const question = sql`
    SELECT e.id AS "Number", to_char(e.at AT TIME ZONE ${zoneOf(owner)}, 'YYYY-MM-DD HH24:MI:SS') AS ${sql.ref(owner ? 'Date' : 'Date (UTC)')},
      e.actor_kind AS "Kind", e.actor_id AS "Who", e.impersonator_id AS "In the name of somebody", e.action AS "Action",
      ${csvLabels('e.action', auditActions)} AS "What", ${csvText(sql`trim(replace(e.subject_kind, '_', ' ') || ' ' || e.subject)`)} AS "About", e.person_id AS "Person", ${csvText(sql`e.detail::text`)} AS "Facts",
      e.request_id AS "Request"
    FROM (${walked}) AS e ORDER BY e.at ${sql.raw(direction)}, e.id ${sql.raw(direction)}`
  return csvOf(house, owner, 'audit-log', question)
}
