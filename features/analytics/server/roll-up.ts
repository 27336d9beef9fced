import { sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { countDays } from './count-days.ts'

/** Number of past days that are recounted to include late data. */
const LATE_DAYS = 3
/** Number of days counted in one transaction. */
const DAYS_PER_BATCH = 31
/** Maximum number of past days to count: two years plus some extra days. */
const MAX_DAYS = 800
const COMPANIES_PER_BATCH = 200
/**
 * Overlap of two checks in milliseconds. A transaction that started before the last check may have committed after it.
 */
const OVERLAP_MS = 5 * 60_000

export const ROLL_UP = 'analytics.roll_up'

/** Defines the job that counts today's figures every 15 minutes, and recent days after midnight. */
export function defineAnalyticsJobs(context: AppContext): void {
  context.jobs.define(ROLL_UP, async () => void (await rollUp(context)), {
    ...{ cron: '*/15 * * * *', retryLimit: 0, timeoutSeconds: 14 * 60 },
  })
}

interface CompanyZone {
  id: CompanyId
  zone: string
}

type Parts = Pick<AppContext, 'clock' | 'log' | 'inCompany' | 'outside'>

/**
 * Updates the figures of all companies, each in separate transactions. If the process dies, only whole days remain, and
 * the next run continues.
 * @returns the number of companies counted and unchanged
 */
export async function rollUp(parts: Parts): Promise<{ counted: number; quiet: number }> {
  const { clock, log } = parts
  const began = clock.now()
  const done = { counted: 0, quiet: 0 }
  let failed = false
  let through: string | null = null
  let last = 0
  for (;;) {
    const companies = await companiesAfter(parts, last)
    for (const company of companies) {
      last = company.id
      const today = dateIn(company.zone, began)
      if (through === null || today < through) through = today
      try {
        done[await catchUp(parts, company, began)] += 1
      } catch (error) {
        // An error in one company does not block the others. Its screen then still shows the time of its last count.
        failed = true
        log.error({ err: error, company: company.id }, 'the figures of a town could not be counted')
      }
    }
    if (companies.length < COMPANIES_PER_BATCH) break
  }
  if (!failed && through !== null) await noteWalk(parts, began, through)
  return done
}

async function companiesAfter({ outside }: Parts, last: number): Promise<CompanyZone[]> {
  const rows = await outside((tx) =>
    tx
      .selectFrom('company')
      .innerJoin('timezone', 'timezone.id', 'company.timezone_id')
      .select(['company.id', 'timezone.zone'])
      .where('company.id', '>', last)
      .orderBy('company.id')
      .limit(COMPANIES_PER_BATCH)
      .execute(),
  )
  return rows.map(({ id, zone }) => ({ id: companyIdFrom('job', id), zone }))
}

const noteWalk = ({ outside }: Parts, began_at: Date, through: string) =>
  outside((tx) =>
    tx
      .insertInto('figure_walk')
      .values({ began_at, through })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ began_at, through }))
      .execute(),
  )

/** Counts the missing days of a company, some weeks in each transaction. */
async function catchUp({ inCompany }: Parts, { id, zone }: CompanyZone, now: Date): Promise<'counted' | 'quiet'> {
  const today = dateIn(zone, now)
  let first = true
  for (;;) {
    const reached = await inCompany(id, async (tx) => {
      const progress = await lockedProgress(tx, id, today, now)
      if (
        first &&
        progress.through === today &&
        progress.checked_at !== null &&
        (await isQuiet(tx, id, progress.checked_at))
      )
        return 'quiet'
      const recent = addDays(today, -LATE_DAYS)
      const fromDate = progress.through < recent ? progress.through : recent
      const far = addDays(fromDate, DAYS_PER_BATCH)
      const toDate = far < today ? far : today
      await countDays(tx, id, { zone, fromDate, toDate })
      await tx
        .updateTable('figure_progress')
        .set({ through: toDate, checked_at: now })
        .where('company_id', '=', id)
        .execute()
      return toDate
    })
    if (reached === 'quiet') return 'quiet'
    first = false
    if (reached >= today) return 'counted'
  }
}

/**
 * Locks and returns the last counted day of a company, so that no other job counts it. A new company starts at its
 * first record.
 */
async function lockedProgress(tx: Tx, id: CompanyId, today: string, now: Date) {
  const progress = await tx
    .selectFrom('figure_progress')
    .select(['through', 'checked_at'])
    .where('company_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (progress) return progress
  const { rows } = await sql<{ day: string }>`
    SELECT greatest(${today}::date - ${MAX_DAYS}::int, least(c.created_at,
      (SELECT min(at) FROM ledger_transfer WHERE company_id = ${id}),
      (SELECT min(at) FROM audit_event WHERE company_id = ${id}),
      ${now}::timestamptz)::date - 1)::text AS day
    FROM company c WHERE c.id = ${id}`.execute(tx)
  const through = rows[0]?.day ?? today
  const added = await tx
    .insertInto('figure_progress')
    .values({ company_id: id, through, checked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('through')
    .executeTakeFirst()
  // Another job inserted the row first. This call waits for its lock.
  if (!added) return lockedProgress(tx, id, today, now)
  return { through, checked_at: null }
}

/** True if no counted data was written since `lookedAt`. Reads only the ends of indexes, so the check is fast. */
async function isQuiet(tx: Tx, id: CompanyId, lookedAt: Date): Promise<boolean> {
  const since = new Date(lookedAt.getTime() - OVERLAP_MS)
  const { rows } = await sql<{ quiet: boolean }>`
    SELECT NOT (EXISTS (SELECT FROM audit_event WHERE company_id = ${id} AND at >= ${since})
      OR EXISTS (SELECT FROM ledger_transfer WHERE company_id = ${id} AND at >= ${since})
      OR EXISTS (SELECT FROM payment_order WHERE company_id = ${id} AND created_at >= ${since})
      OR EXISTS (SELECT FROM status_history WHERE company_id = ${id} AND machine = 'order' AND event IN ('declined', 'returned') AND at >= ${since})
      OR EXISTS (SELECT FROM email_outbox WHERE company_id = ${id} AND created_at >= ${since})) AS quiet`.execute(tx)
  return rows[0]?.quiet ?? false
}
