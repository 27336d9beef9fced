import { type RawBuilder, sql } from 'kysely'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { Company } from '../../../server/hosts.ts'
import { allOf } from '../../../server/list-sql.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { actionGroups } from '../../../shared/audit-actions.ts'
import type { Kind } from '../rules.ts'
import type { AuditRow } from './chain.ts'

interface Filters {
  kind?: Kind | undefined
  fromDate?: string | undefined
  toDate?: string | undefined
}

export interface EventRow extends AuditRow {
  detail: Record<string, unknown>
}

/** SQL condition: the action starts with a prefix of an action group. */
export const isOfKind = (action: RawBuilder<unknown>, kind: Kind): RawBuilder<boolean> =>
  sql`(${sql.join(
    actionGroups[kind].begins.map((prefix) => sql`starts_with(${action}, ${prefix})`),
    sql` OR `,
  )})`

/** Returns the conditions on a company's events `e`. Dates are days in the company's time zone, including both ends. */
export function conditionsOf(company: Company, { kind, fromDate, toDate }: Filters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`e.company_id = ${company.id}`]
  if (fromDate) conditions.push(sql`e.at >= ${midnightIn(company.timeZone, fromDate)}`)
  if (toDate) conditions.push(sql`e.at < ${midnightIn(company.timeZone, addDays(toDate, 1))}`)
  if (kind) conditions.push(isOfKind(sql`e.action`, kind))
  return conditions
}

/**
 * Selects the actions of one person and the actions on that person, newest first, from two indexes. If `limit` is null,
 * selects all actions.
 */
export function walk(
  conditions: readonly RawBuilder<unknown>[],
  person: number,
  limit: number | null,
): RawBuilder<EventRow> {
  const order = sql`ORDER BY at DESC, id DESC ${limit === null ? sql`` : sql`LIMIT ${limit}`}`
  const along = (column: string) =>
    sql`(SELECT e.* FROM audit_event e WHERE ${allOf([...conditions, sql`e.${sql.ref(column)} = ${person}`])} ${order})`
  return sql<EventRow>`SELECT * FROM (${along('actor_id')} UNION ${along('person_id')}) AS e ${order}`
}

/**
 * Runs a query across all companies while a log is read. For the platform's own log, uses the same connection. Several
 * log readers that wait for a second connection from one pool could deadlock.
 */
export const amongAll = <T>(
  context: AppContext,
  owner: Company | null,
  tx: Tx,
  work: (across: Tx) => Promise<T>,
): Promise<T> => (owner ? context.readingAll(work) : work(tx))

export async function namesOf(
  context: AppContext,
  tx: Tx,
  owner: Company | null,
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))]
  if (uniqueIds.length === 0) return new Map()
  const name = sql<string>`trim(first_name || ' ' || last_name)`.as('name')
  const ours = owner
    ? await tx
        .selectFrom('person')
        .select(['id', name])
        .where('company_id', '=', owner.id)
        .where('id', 'in', uniqueIds)
        .execute()
    : []
  const names = new Map(ours.map((row) => [row.id, row.name]))
  const others = uniqueIds.filter((id) => !names.has(id))
  if (others.length === 0) return names
  const platform = await amongAll(context, owner, tx, (across) =>
    across.selectFrom('platform_person').select(['id', name]).where('id', 'in', others).execute(),
  )
  for (const row of platform) names.set(row.id, owner ? `${row.name} (platform)` : row.name)
  return names
}
