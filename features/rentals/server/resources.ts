import { type Selectable, sql } from 'kysely'
import { rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { readOfficeDays } from '../../../server/working-time.ts'
import type { ClosedDays, Rules } from '../rules.ts'
import { closuresOf } from './closures.ts'

export type Resource = Selectable<Schema['rental_resource']>
export type Space = Selectable<Schema['rental_space']>

export const { find: findResource, lock: lockResource } = rowFinderById('rental_resource', () =>
  notFound('This resource is not available to rent.'),
)

export const rulesOf = (row: Resource): Rules => ({
  seasons: row.seasons,
  closedOnHolidays: row.closed_on_holidays,
  stepMinutes: row.step_minutes,
  minMinutes: row.min_minutes,
  maxMinutes: row.max_minutes,
  noticeHours: row.notice_hours,
  aheadDays: row.ahead_days,
  beforeMinutes: row.before_minutes,
  afterMinutes: row.after_minutes,
  chargedBy: row.charged_by,
  residentCents: row.resident_cents,
  otherCents: row.other_cents,
  depositCents: row.security_deposit_cents,
  addons: row.addons,
  refundDays: row.refund_days,
  latePercent: row.late_percent,
})

export const spacesOf = (tx: Tx, company: CompanyId, resource: number): Promise<Space[]> =>
  tx
    .selectFrom('rental_space')
    .selectAll()
    .where('company_id', '=', company)
    .where('resource_id', '=', resource)
    .orderBy('id')
    .execute()

/** Lists the smallest spaces that make up a space. For a space without parts, returns only that space. */
export function leavesOf(spaces: readonly Pick<Space, 'id' | 'parent_id'>[], id: number): number[] {
  const parts = spaces.filter(({ parent_id }) => parent_id === id)
  return parts.length === 0 ? [id] : parts.flatMap((part) => leavesOf(spaces, part.id))
}

/** Loads the days on which resources are closed, for staff. */
export async function closuresByResource(
  tx: Tx,
  company: Company,
  resources: readonly number[],
): Promise<(resource: number) => ClosedDays> {
  const { holidays } = await readOfficeDays(tx, company.id)
  const blackouts = await tx
    .selectFrom('rental_blackout')
    .select(['resource_id', 'from_on as from', 'until_on as until', 'reason'])
    .where('company_id', '=', company.id)
    .where('resource_id', 'in', resources)
    .orderBy('from_on')
    .execute()
  return (resource) => ({ holidays, blackouts: blackouts.filter(({ resource_id }) => resource_id === resource) })
}

/** Loads the days on which a resource is closed. Closures by other features apply only to residents. */
export async function closedOf(tx: Tx, company: Company, resource: number, byStaff: boolean): Promise<ClosedDays> {
  const { holidays, blackouts } = (await closuresByResource(tx, company, [resource]))(resource)
  if (byStaff) return { holidays, blackouts }
  return { holidays, blackouts: [...blackouts, ...(await closuresOf(tx, company.id, resource))] }
}

/**
 * Locks the times of a resource until the transaction ends. Call it before each change of these times. A database
 * constraint also prevents double reservations, but transactions that wait for it could deadlock.
 */
export const lockResourceTimes = (tx: Tx, company: CompanyId | 0, resource: number): Promise<unknown> =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'rental', ${company}::int, ${resource}::bigint), 0))`.execute(
    tx,
  )
