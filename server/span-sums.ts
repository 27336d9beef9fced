import { type RawBuilder, sql } from 'kysely'
import { addDays, addMonths, firstOfMonth } from '../shared/dates.ts'
import type { CompanyId, Tx } from './tenancy.ts'

type Recount = (tx: Tx, company: CompanyId) => Promise<unknown>
const recounts: Recount[] = []

/**
 * Registers a feature's sums by day. These depend on the company's time zone. `recount` rebuilds them from the rows.
 */
export const keepDaySums = (recount: Recount): void => void recounts.push(recount)

/** Rebuilds all sums by day after the company's time zone changed. The caller has locked the company's row. */
export async function recountDays(tx: Tx, company: CompanyId): Promise<void> {
  for (const recount of recounts) await recount(tx, company)
}

/**
 * Returns an SQL condition for the rows `s` of a sum table (`span`, `since`) that cover a range of days. Uses whole
 * months where possible, and single days at both ends. Either end may be open.
 */
export function spansWithin(from = '-infinity', to = 'infinity'): RawBuilder<unknown> {
  // Start of the first month that the range covers completely. The month of the day before `from` is not complete.
  const first = from === '-infinity' ? from : addMonths(firstOfMonth(addDays(from, -1)), 1)
  const end = to === 'infinity' ? to : firstOfMonth(addDays(to, 1))
  return sql`(s.span = 'month' AND s.since >= ${first}::date AND s.since < ${end}::date
    OR s.span = 'day' AND s.since >= ${from}::date AND s.since <= ${to}::date AND (s.since < ${first}::date OR s.since >= ${end}::date))`
}
