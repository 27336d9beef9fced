import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import { allMeasures } from './measures/all.ts'
import type { Scope } from './measures/measure.ts'

interface Days {
  zone: string
  fromDate: string
  toDate: string
}

interface Change {
  day: string
  measure: string
  part: string
  count: number
  cents: number
}

/**
 * Recounts some days of a company and adds the differences to the platform figures, both in the caller's transaction. A
 * repeated call changes nothing.
 */
export async function countDays(tx: Tx, company: CompanyId, days: Days): Promise<void> {
  const changes = await countCompany(tx, scopeOf(company, days))
  if (changes.length > 0) await addToAll(tx, changes)
}

const scopeOf = (company: number, { zone, fromDate, toDate }: Days): Scope => ({
  ...{ company, zone, fromDate, toDate },
  from: midnightIn(zone, fromDate),
  until: midnightIn(zone, addDays(toDate, 1)),
})

/**
 * Writes the company's figures.
 * @returns the differences from the old figures
 */
async function countCompany(tx: Tx, scope: Scope): Promise<Change[]> {
  const counted = allMeasures.map(
    ({ name, rows }) =>
      sql`SELECT ${name}::text AS measure, day, part::text AS part, count::bigint AS count, cents::bigint AS cents FROM (${rows(scope)}) AS m`,
  )
  const ours = sql`company_id = ${scope.company} AND day BETWEEN ${scope.fromDate}::date AND ${scope.toDate}::date`
  const { rows } = await sql<Change>`
    WITH fresh AS MATERIALIZED (${sql.join(counted, sql` UNION ALL `)}),
    old AS MATERIALIZED (SELECT day, measure, part, count, cents FROM daily_figure WHERE ${ours}),
    gone AS (
      DELETE FROM daily_figure d WHERE ${ours} AND NOT EXISTS (
        SELECT FROM fresh f WHERE f.day = d.day AND f.measure = d.measure AND f.part = d.part)),
    written AS (
      INSERT INTO daily_figure AS d (company_id, day, measure, part, count, cents)
      SELECT ${scope.company}::int, day, measure, part, count, cents FROM fresh
      ON CONFLICT (company_id, day, measure, part) DO UPDATE SET count = excluded.count, cents = excluded.cents
      WHERE (d.count, d.cents) <> (excluded.count, excluded.cents))
    SELECT day, measure, part, coalesce(f.count, 0) - coalesce(o.count, 0) AS count, coalesce(f.cents, 0) - coalesce(o.cents, 0) AS cents
    FROM fresh f FULL JOIN old o USING (day, measure, part)
    WHERE (coalesce(f.count, 0), coalesce(f.cents, 0)) <> (coalesce(o.count, 0), coalesce(o.cents, 0))`.execute(tx)
  return rows
}

/** Sorts the rows, so that concurrent updates lock them in the same order and can't deadlock. */
const addToAll = (tx: Tx, changes: readonly Change[]) =>
  sql`
    INSERT INTO platform_daily_figure AS p (day, measure, part, count, cents)
    SELECT day, measure, part, count, cents
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c(day date, measure text, part text, count bigint, cents bigint)
    ORDER BY day, measure, part
    ON CONFLICT (day, measure, part) DO UPDATE SET count = p.count + excluded.count, cents = p.cents + excluded.cents`.execute(
    tx,
  )
