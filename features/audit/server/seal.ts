import { sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { logRefused } from '../../../server/refused-calls.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { BEGINNING, SEAL_VERSION, type SealedAuditRow, sealOf } from './chain.ts'

/** Number of rows sealed in one transaction. */
const BATCH = 2000
const SEAL_LOCK = 20_118

/** Defines the job that seals new rows each minute. It first adds the refused calls of the minute before. */
export function defineSealing(context: AppContext): void {
  context.jobs.define('audit.seal', async () => void (await sealPending(context)), { cron: '* * * * *', retryLimit: 0 })
}

/**
 * Seals unsealed rows, one batch in each transaction. Only one process seals at a time.
 * @returns the number of sealed rows
 */
export async function sealPending(context: AppContext): Promise<number> {
  await context.acrossCompanies((tx) => logRefused(tx, context.clock.now()))
  let sealed = 0
  for (;;) {
    const count = await context.acrossCompanies((tx) => sealBatch(tx, context.clock.now()))
    sealed += count
    if (count < BATCH) return sealed
  }
}

async function sealBatch(tx: Tx, now: Date): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(${SEAL_LOCK})`.execute(tx)
  const { rows: unsealed } = await sql<{ company: number; event_id: number }>`
    DELETE FROM audit_unsealed WHERE (company, event_id) IN (
      SELECT company, event_id FROM audit_unsealed ORDER BY company, event_id LIMIT ${BATCH}) RETURNING company, event_id`.execute(
    tx,
  )
  const byCompany = Map.groupBy(unsealed, ({ company }) => company)
  for (const [company, rows] of byCompany)
    await sealCompany(
      tx,
      company,
      rows.map(({ event_id: id }) => id),
      now,
    )
  return unsealed.length
}

async function sealCompany(tx: Tx, company: number, ids: readonly number[], now: Date): Promise<void> {
  const chain = chainOf(company)
  const { rows } = await sql<SealedAuditRow>`
    SELECT ${chain.columns} FROM ${chain.events} e WHERE ${chain.byCompany} AND e.id = ANY(${ids}::bigint[]) ORDER BY e.id`.execute(
    tx,
  )
  const { rows: last } = await sql<{ position: number; hash: Buffer }>`
    SELECT position, hash FROM ${chain.seals} e WHERE ${chain.byCompany} ORDER BY position DESC LIMIT 1`.execute(tx)
  let before = last[0]?.hash ?? BEGINNING
  const first = (last[0]?.position ?? 0) + 1
  const hashes = rows.map((row, n) => {
    const hash = sealOf(before, { position: first + n, version: SEAL_VERSION, sealed_at: now }, row)
    if (!hash) throw new Error(`there is no version ${SEAL_VERSION} of seals`)
    return (before = hash)
  })
  const values = sql`
    SELECT ${now}::timestamptz, ${SEAL_VERSION}::int, x.* FROM unnest(${hashes.map((_, n) => first + n)}::bigint[],
      ${rows.map(({ id }) => id)}::bigint[], ${hashes}::bytea[]) AS x`
  const columns = sql`sealed_at, version, position, event_id, hash`
  await (
    company === PLATFORM
      ? sql`INSERT INTO platform_audit_seal (${columns}) ${values}`
      : sql`INSERT INTO audit_seal (company_id, ${columns}) SELECT ${company}::int, v.* FROM (${values}) AS v`
  ).execute(tx)
}

/** Returns the tables with rows and seals of a company or the platform. */
export function chainOf(company: number) {
  const rowColumns = sql.raw(
    'e.id, e.at, e.actor_id, e.action, e.subject_kind, e.subject, e.person_id, e.detail::text AS detail, e.request_id',
  )
  return company === PLATFORM
    ? {
        columns: sql`0 AS company, ${rowColumns}, 'platform' AS actor_kind, NULL::bigint AS impersonator_id`,
        events: sql.table('platform_audit_event'),
        seals: sql.table('platform_audit_seal'),
        byCompany: sql`true`,
      }
    : {
        columns: sql`e.company_id AS company, ${rowColumns}, e.actor_kind, e.impersonator_id`,
        events: sql.table('audit_event'),
        seals: sql.table('audit_seal'),
        byCompany: sql`e.company_id = ${company}`,
      }
}
