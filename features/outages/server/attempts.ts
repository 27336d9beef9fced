import { type RawBuilder, sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { TriedPayment } from '../contract-attempts.ts'

/**
 * Returns an SQL condition: true if a payer tried to pay item `id` in an outage and the grace period has not ended.
 * Until then, the portal adds no late fee, defaults no arrangement and shuts off no service.
 */
export const blockedByOutage = (
  company: RawBuilder<unknown> | CompanyId,
  kind: string | RawBuilder<string>,
  id: RawBuilder<unknown> | number,
  today: string,
): RawBuilder<boolean> => sql<boolean>`EXISTS (SELECT FROM outage_attempt held
  WHERE held.company_id = ${company} AND held.kind = ${kind} AND held.payable_id = ${id}
    AND coalesce(held.grace_until, 'infinity') >= ${today}::date)`

/**
 * Returns the SQL for the last attempt to pay item `id` in an outage, as JSON. Null if no one tried. Attempts before
 * `since` are ignored.
 */
export const lastTried = (
  company: RawBuilder<unknown> | CompanyId,
  kind: string,
  id: RawBuilder<unknown> | number,
  since: RawBuilder<unknown> = sql`'-infinity'`,
): RawBuilder<TriedPayment | null> => sql<TriedPayment | null>`(SELECT jsonb_build_object('at', to_char(tried.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'cents', tried.amount_cents, 'graceUntil', tried.grace_until)
  FROM outage_attempt tried WHERE tried.company_id = ${company} AND tried.kind = ${kind} AND tried.payable_id = ${id} AND tried.at >= ${since}
  ORDER BY tried.at DESC LIMIT 1)`

/** Loads the last attempt to pay one item in an outage. */
export async function triedOf(tx: Tx, company: CompanyId, kind: string, id: number): Promise<TriedPayment | null> {
  const { rows } = await sql<{ tried: TriedPayment | null }>`SELECT ${lastTried(company, kind, id)} AS tried`.execute(
    tx,
  )
  return rows[0]?.tried ?? null
}

export async function isBlocked(tx: Tx, company: CompanyId, kind: string, id: number, today: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`SELECT ${blockedByOutage(company, kind, id, today)} AS held`.execute(tx)
  return rows[0]?.held ?? false
}
