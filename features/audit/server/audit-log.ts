import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { csvOf, csvText } from '../../../server/csv.ts'
import { cursorOf } from '../../../server/cursor.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import { auditCsv, auditLog } from '../contract.ts'
import { wordsOf } from '../rules.ts'
import { conditionsOf, type EventRow, namesOf, placeIn, walk } from './events.ts'

type Query = BodyOf<typeof auditLog>

/** Nobody has this id: what is shown of somebody who was not found. */
const NOBODY = -1

export const auditLogCall = implement(auditLog, async (call) => {
  const { company, house, body } = call
  return call.inCompany(async (tx) => {
    const person = body.search ? await personOf(house, tx, company, body.search) : null
    const page = await onePage(tx, company, body, person)
    const names = await namesOf(
      house,
      tx,
      company,
      page.rows.flatMap((row) => [row.actor_id, row.impersonator_id, row.person_id]),
    )
    const sealed = await sealedAmong(
      tx,
      company,
      page.rows.map(({ id }) => id),
    )
    return { ...page, rows: page.rows.map((row) => shown(row, names, sealed)), totals: null }
  })
})

/** Who has this email, in the town or at the platform. */
async function personOf(house: House, tx: Tx, company: Company, email: string): Promise<number> {
  const lower = email.toLowerCase()
  const ours = await tx
    .selectFrom('person')
    .select('id')
    .where('company_id', '=', company.id)
    .where(tx.fn<string>('lower', ['email']), '=', lower)
    .executeTakeFirst()
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

async function onePage(
  tx: Tx,
  company: Company,
  { filters, cursor, direction, pageSize }: Query,
  person: number | null,
) {
  const place = placeIn(cursor)
  const back = place?.back ?? false
  const way = (direction === 'desc') === back ? 'asc' : 'desc'
  const conditions = conditionsOf(company, filters)
  const beyond = place
    ? [sql`(e.at, e.id) ${sql.raw(way === 'asc' ? '>' : '<')} (${place.key}::timestamptz, ${place.id})`]
    : []
  const { rows } = await walk([...conditions, ...beyond], person, pageSize + 1, way).execute(tx)
  const more = rows.length > pageSize
  const page = rows.slice(0, pageSize)
  if (back) page.reverse()
  const { rows: counted } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (${walk(conditions, person, COUNT_CAP)}) AS counted`.execute(tx)
  const edge = (row: EventRow | undefined, goesBack: boolean) =>
    row ? cursorOf({ key: row.at.toISOString(), id: row.id, back: goesBack || undefined }) : null
  return {
    rows: page,
    next: back || more ? edge(page.at(-1), false) : null,
    previous: place && (!back || more) ? edge(page[0], true) : null,
    count: counted[0]?.n ?? 0,
  }
}

async function sealedAmong(tx: Tx, company: Company, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('audit_seal')
    .select('event_id')
    .where('company_id', '=', company.id)
    .where('event_id', 'in', ids)
    .execute()
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
    about: row.person_id === null ? row.subject : nameOf(row.person_id),
    detail: Object.entries(row.detail).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    sealed: sealed.has(row.id),
    can: { view: true },
  }
}

export const auditCsvCall = implement(auditCsv, async (call) => {
  const { company, house, body } = call
  const person = await call.inCompany(async (tx) => {
    await call.audit(tx, { action: 'export.audit', detail: { filters: body.filters, search: body.search !== '' } })
    return body.search ? personOf(house, tx, company, body.search) : null
  })
  return csvOf(house, company, 'audit-log', csvQuestion(call, person))
})

const csvQuestion = ({ company, body }: Call<Query>, person: number | null) => sql`
  SELECT e.id AS "Number", to_char(e.at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI:SS') AS "Date",
    e.actor_kind AS "Kind", e.actor_id AS "Who", e.impersonator_id AS "In the name of somebody", e.action AS "Action",
    ${csvText(sql`e.subject`)} AS "About", e.person_id AS "Person", ${csvText(sql`e.detail::text`)} AS "Facts",
    e.request_id AS "Request"
  FROM (${walk(conditionsOf(company, body.filters), person, null, body.direction)}) AS e
  ORDER BY e.at ${sql.raw(body.direction)}, e.id ${sql.raw(body.direction)}`
