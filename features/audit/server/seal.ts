import { sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { logRefused } from '../../../server/refused-calls.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { BEGINNING, SEAL_VERSION, type SealedAuditRow, sealOf } from './chain.ts'

/** Rows that one transaction seals. */
const BATCH = 2000
const SEAL_LOCK = 20_118

/** Every minute the audit log's new rows are sealed, and with them the refused calls of the minute before. */
export function defineSealing(context: AppContext): void {
  context.jobs.define('audit.seal', async () => void (await sealWaiting(context)), { cron: '* * * * *', retryLimit: 0 })
}

/** Seals what waits, one batch a transaction, one sealer at a time over all portals. @returns how many rows */
export async function sealWaiting(context: AppContext): Promise<number> {
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
  const { rows: waiting } = await sql<{ town: number; event_id: number }>`
    DELETE FROM audit_unsealed WHERE (town, event_id) IN (
      SELECT town, event_id FROM audit_unsealed ORDER BY town, event_id LIMIT ${BATCH}) RETURNING town, event_id`.execute(
    tx,
  )
  const byTown = Map.groupBy(waiting, ({ town }) => town)
  for (const [town, rows] of byTown)
    await sealTown(
      tx,
      town,
      rows.map(({ event_id: id }) => id),
      now,
    )
  return waiting.length
}

async function sealTown(tx: Tx, town: number, ids: readonly number[], now: Date): Promise<void> {
  const chain = chainOf(town)
  const { rows } = await sql<SealedAuditRow>`
    SELECT ${chain.columns} FROM ${chain.events} e WHERE ${chain.ofTown} AND e.id = ANY(${ids}::bigint[]) ORDER BY e.id`.execute(
    tx,
  )
  const { rows: last } = await sql<{ position: number; hash: Buffer }>`
    SELECT position, hash FROM ${chain.seals} e WHERE ${chain.ofTown} ORDER BY position DESC LIMIT 1`.execute(tx)
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
    town === PLATFORM
      ? sql`INSERT INTO platform_audit_seal (${columns}) ${values}`
      : sql`INSERT INTO audit_seal (company_id, ${columns}) SELECT ${town}::int, v.* FROM (${values}) AS v`
  ).execute(tx)
}

/** Where a town's rows and seals are, and where the platform's. */
export function chainOf(town: number) {
  const facts = sql.raw(
    'e.id, e.at, e.actor_id, e.action, e.subject_kind, e.subject, e.person_id, e.detail::text AS detail, e.request_id',
  )
  return town === PLATFORM
    ? {
        columns: sql`0 AS town, ${facts}, 'platform' AS actor_kind, NULL::bigint AS impersonator_id`,
        events: sql.table('platform_audit_event'),
        seals: sql.table('platform_audit_seal'),
        ofTown: sql`true`,
      }
    : {
        columns: sql`e.company_id AS town, ${facts}, e.actor_kind, e.impersonator_id`,
        events: sql.table('audit_event'),
        seals: sql.table('audit_seal'),
        ofTown: sql`e.company_id = ${town}`,
      }
}
