import { sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { countDays } from './count-days.ts'

/** Days that ended are counted again for this long, for what comes late. */
const LATE_DAYS = 3
/** Days that one transaction counts. */
const DAYS_PER_BATCH = 31
/** Nobody looks further back: a year, and the year before it. */
const MAX_DAYS = 800
const COMPANIES_PER_BATCH = 200
/** What was begun before the last look may have been committed after it. */
const OVERLAP_MS = 5 * 60_000

export const ROLL_UP = 'analytics.roll_up'

/** Every quarter of an hour today's figures are counted, and after midnight the days before. */
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
 * Brings the figures of every town up to date, town by town, each in transactions of its own: whoever is killed in between
 * leaves whole days, and the next walk goes on from there. @returns how many towns were counted, how many had nothing new
 */
export async function rollUp(parts: Parts): Promise<{ counted: number; quiet: number }> {
  const { clock, log } = parts
  const began = clock.now()
  const done = { counted: 0, quiet: 0 }
  let failed = false
  let through: string | null = null
  let last = 0
  for (;;) {
    const towns = await townsAfter(parts, last)
    for (const town of towns) {
      last = town.id
      const today = dateIn(town.zone, began)
      if (through === null || today < through) through = today
      try {
        done[await catchUp(parts, town, began)] += 1
      } catch (error) {
        // One town's trouble keeps no other from being counted; the time that the screen tells stays the older one.
        failed = true
        log.error({ err: error, company: town.id }, 'the figures of a town could not be counted')
      }
    }
    if (towns.length < COMPANIES_PER_BATCH) break
  }
  if (!failed && through !== null) await noteWalk(parts, began, through)
  return done
}

async function townsAfter({ outside }: Parts, last: number): Promise<CompanyZone[]> {
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

/** Counts what a town has not counted yet, some weeks a transaction. */
async function catchUp({ inCompany }: Parts, { id, zone }: CompanyZone, now: Date): Promise<'counted' | 'quiet'> {
  const today = dateIn(zone, now)
  let first = true
  for (;;) {
    const reached = await inCompany(id, async (tx) => {
      const known = await lockedProgress(tx, id, today, now)
      if (first && known.through === today && known.looked_at !== null && (await isQuiet(tx, id, known.looked_at)))
        return 'quiet'
      const recent = addDays(today, -LATE_DAYS)
      const fromDate = known.through < recent ? known.through : recent
      const far = addDays(fromDate, DAYS_PER_BATCH)
      const toDate = far < today ? far : today
      await countDays(tx, id, { zone, fromDate, toDate })
      await tx
        .updateTable('figure_progress')
        .set({ through: toDate, looked_at: now })
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
 * How far the town is counted, held so that nobody else counts it meanwhile. A town that never was begins where its
 * history does.
 */
async function lockedProgress(tx: Tx, id: CompanyId, today: string, now: Date) {
  const known = await tx
    .selectFrom('figure_progress')
    .select(['through', 'looked_at'])
    .where('company_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (known) return known
  const { rows } = await sql<{ day: string }>`
    SELECT greatest(${today}::date - ${MAX_DAYS}::int, least(c.created_at,
      (SELECT min(at) FROM ledger_transfer WHERE company_id = ${id}),
      (SELECT min(at) FROM audit_event WHERE company_id = ${id}),
      ${now}::timestamptz)::date - 1)::text AS day
    FROM company c WHERE c.id = ${id}`.execute(tx)
  const through = rows[0]?.day ?? today
  const added = await tx
    .insertInto('figure_progress')
    .values({ company_id: id, through, looked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('through')
    .executeTakeFirst()
  // Somebody else was quicker: it is theirs until they commit.
  if (!added) return lockedProgress(tx, id, today, now)
  return { through, looked_at: null }
}

/** Whether nothing was written since that the figures count: four looks at the ends of indexes. */
async function isQuiet(tx: Tx, id: CompanyId, lookedAt: Date): Promise<boolean> {
  const since = new Date(lookedAt.getTime() - OVERLAP_MS)
  const { rows } = await sql<{ quiet: boolean }>`
    SELECT NOT (EXISTS (SELECT FROM audit_event WHERE company_id = ${id} AND at >= ${since})
      OR EXISTS (SELECT FROM ledger_transfer WHERE company_id = ${id} AND at >= ${since})
      OR EXISTS (SELECT FROM payment_order WHERE company_id = ${id} AND created_at >= ${since})
      OR EXISTS (SELECT FROM status_history WHERE company_id = ${id} AND machine = 'order' AND event IN ('declined', 'returned') AND at >= ${since})
      OR EXISTS (SELECT FROM mail_outbox WHERE company_id = ${id} AND created_at >= ${since})) AS quiet`.execute(tx)
  return rows[0]?.quiet ?? false
}
