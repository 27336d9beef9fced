import { type RawBuilder, sql } from 'kysely'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { TriedPayment } from '../../contract-tried.ts'

/**
 * SQL that says whether somebody tried to pay the thing `id` in an outage and is not late with it on this day: no fee is added, no
 * plan is broken and nothing is shut off meanwhile.
 */
export const heldByOutage = (
  company: RawBuilder<unknown> | CompanyId,
  kind: string | RawBuilder<string>,
  id: RawBuilder<unknown> | number,
  today: string,
): RawBuilder<boolean> => sql<boolean>`EXISTS (SELECT FROM tried_in_outage held
  WHERE held.company_id = ${company} AND held.kind = ${kind} AND held.payable_id = ${id}
    AND coalesce(held.grace_until, 'infinity') >= ${today}::date)`

/** SQL that answers as JSON that somebody tried to pay the thing `id` in an outage, the last time; null where nobody did. `since`: or earlier than this day alone. */
export const lastTried = (
  company: RawBuilder<unknown> | CompanyId,
  kind: string,
  id: RawBuilder<unknown> | number,
  since: RawBuilder<unknown> = sql`'-infinity'`,
): RawBuilder<TriedPayment | null> => sql<TriedPayment | null>`(SELECT jsonb_build_object('at', to_char(tried.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'cents', tried.amount_cents, 'graceUntil', tried.grace_until)
  FROM tried_in_outage tried WHERE tried.company_id = ${company} AND tried.kind = ${kind} AND tried.payable_id = ${id} AND tried.at >= ${since}
  ORDER BY tried.at DESC LIMIT 1)`

/** The same of one thing. */
export async function triedOf(tx: Tx, company: CompanyId, kind: string, id: number): Promise<TriedPayment | null> {
  const { rows } = await sql<{ tried: TriedPayment | null }>`SELECT ${lastTried(company, kind, id)} AS tried`.execute(
    tx,
  )
  return rows[0]?.tried ?? null
}

export async function isHeld(tx: Tx, company: CompanyId, kind: string, id: number, today: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`SELECT ${heldByOutage(company, kind, id, today)} AS held`.execute(tx)
  return rows[0]?.held ?? false
}
