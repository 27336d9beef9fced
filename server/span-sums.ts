import { type RawBuilder, sql } from 'kysely'
import { addDays, addMonths } from '../shared/dates.ts'
import type { CompanyId, Tx } from './tenancy.ts'

type Recount = (tx: Tx, company: CompanyId) => Promise<unknown>
const recounts: Recount[] = []

/** Declares sums by the municipality's day, which follow its time zone. `recount` makes them again from the rows. */
export const keepDaySums = (recount: Recount): void => void recounts.push(recount)

/** Makes all sums by day again, for a caller who changed the municipality's time zone and holds its row. */
export async function recountDays(tx: Tx, company: CompanyId): Promise<void> {
  for (const recount of recounts) await recount(tx, company)
}

const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

/**
 * The rows `s` of a table of sums with `span` and `since` that make up a range of days: its whole months, and the days at its edges.
 * Without a bound the range is open at that end.
 */
export function spansWithin(from = '-infinity', to = 'infinity'): RawBuilder<unknown> {
  // The month of the day before the range begins is not whole.
  const first = from === '-infinity' ? from : addMonths(firstOfMonth(addDays(from, -1)), 1)
  const end = to === 'infinity' ? to : firstOfMonth(addDays(to, 1))
  return sql`(s.span = 'month' AND s.since >= ${first}::date AND s.since < ${end}::date
    OR s.span = 'day' AND s.since >= ${from}::date AND s.since <= ${to}::date AND (s.since < ${first}::date OR s.since >= ${end}::date))`
}
