import { type RawBuilder, sql } from 'kysely'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { Company } from '../../../server/hosts.ts'
import { allOf } from '../../../server/list-sql.ts'
import type { House } from '../../../server/house.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type Kind, kinds } from '../rules.ts'

export interface Filters {
  kind?: Kind | undefined
  fromDate?: string | undefined
  toDate?: string | undefined
}

export interface EventRow {
  id: number
  at: Date
  actor_kind: string
  actor_id: number | null
  impersonator_id: number | null
  action: string
  subject_kind: string
  subject: string
  person_id: number | null
  detail: Record<string, unknown>
}

/** Whose log it is: a town's, or the platform's own (null), which is about no one town. */
export type Owner = Company | null

export const zoneOf = (owner: Owner): string => owner?.timeZone ?? 'UTC'

/** The conditions of a list of events, `e`. Dates are the town's days (the platform's are UTC), both ends included. */
export function conditionsOf(owner: Owner, { kind, fromDate, toDate }: Filters): RawBuilder<unknown>[] {
  const conditions = [owner ? sql`e.company_id = ${owner.id}` : sql`true`]
  if (fromDate) conditions.push(sql`e.at >= ${midnightIn(zoneOf(owner), fromDate)}`)
  if (toDate) conditions.push(sql`e.at < ${midnightIn(zoneOf(owner), addDays(toDate, 1))}`)
  if (kind) {
    const begins = kinds[kind].begins.map((begin) => sql`starts_with(e.action, ${begin})`)
    conditions.push(sql`(${sql.join(begins, sql` OR `)})`)
  }
  return conditions
}

/** The newest first, or the oldest. */
type Way = 'asc' | 'desc'

/**
 * A walk through a log's events by time, along an index: of everybody, or what one person did and what was done to
 * them, which are two indexes put together. `limit` null walks to the end.
 */
export function walk(
  owner: Owner,
  conditions: readonly RawBuilder<unknown>[],
  person: number | null,
  limit: number | null,
  way: Way = 'desc',
): RawBuilder<EventRow> {
  const order = sql`ORDER BY at ${sql.raw(way)}, id ${sql.raw(way)} ${limit === null ? sql`` : sql`LIMIT ${limit}`}`
  const events = owner
    ? sql`SELECT e.* FROM audit_event e`
    : sql`SELECT e.*, 'platform' AS actor_kind, NULL::bigint AS impersonator_id FROM platform_audit_event e`
  const along = (more: readonly RawBuilder<unknown>[]) =>
    sql`(${events} WHERE ${allOf([...conditions, ...more])} ${order})`
  const walked =
    person === null
      ? along([])
      : sql`${along([sql`e.actor_id = ${person}`])} UNION ${along([sql`e.person_id = ${person}`])}`
  return sql<EventRow>`SELECT * FROM (${walked}) AS e ${order}`
}

/** The names of people by id, of the town and of the platform. */
export async function namesOf(
  house: House,
  tx: Tx,
  owner: Owner,
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const name = sql<string>`trim(first_name || ' ' || last_name)`.as('name')
  const ours = owner
    ? await tx
        .selectFrom('person')
        .select(['id', name])
        .where('company_id', '=', owner.id)
        .where('id', 'in', wanted)
        .execute()
    : []
  const names = new Map(ours.map((row) => [row.id, row.name]))
  const others = wanted.filter((id) => !names.has(id))
  if (others.length === 0) return names
  const platform = await house.acrossCompanies((across) =>
    across.selectFrom('platform_person').select(['id', name]).where('id', 'in', others).execute(),
  )
  for (const row of platform) names.set(row.id, owner ? `${row.name} (platform)` : row.name)
  return names
}
