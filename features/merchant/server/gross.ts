import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { midnightIn } from '../../../shared/dates.ts'
import { methods, OFFICE } from '../../payments/rules.ts'
import type { Figures } from '../contract.ts'
import { months } from '../rules.ts'
import { tookByProvider } from './volume.ts'

interface Row {
  month: number
  method: number
  location: number
  payments: number
  cents: number
  /** Number of payments that were voided before the provider settled them. */
  voids: number
  voidCents: number
}

/**
 * Loads the card and eCheck payments that payment providers processed in a year, by month, with the voided payments.
 * Reads the ledger's daily totals.
 */
export async function yearOf(
  tx: Tx,
  { id: company, timeZone }: Pick<Company, 'id' | 'timeZone'>,
  year: number,
): Promise<Row[]> {
  const [from, until] = [midnightIn(timeZone, `${year}-01-01`), midnightIn(timeZone, `${year + 1}-01-01`)]
  const { rows } = await sql<Row>`
    WITH days AS (
      SELECT extract(month FROM made_on)::int AS month, method, location, coalesce(sum(payments) FILTER (WHERE movement_type = 'capture'), 0)::int AS payments,
        coalesce(sum(bill_cents + fee_cents) FILTER (WHERE movement_type = 'capture'), 0)::bigint AS cents,
        coalesce(-sum(bill_cents + fee_cents) FILTER (WHERE movement_type = 'void'), 0)::bigint AS void_cents
      FROM payment_day WHERE company_id = ${company} AND made_on BETWEEN ${`${year}-01-01`} AND ${`${year}-12-31`} AND method IN (${methods.card}, ${methods.echeck}) AND ${tookByProvider(sql`provider`)}
      GROUP BY 1, 2, 3),
    void AS (
      SELECT extract(month FROM o.created_at AT TIME ZONE ${timeZone})::int AS month, o.method, o.location, count(DISTINCT o.id)::int AS voids
      FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE t.company_id = ${company} AND t.kind = 'void.bill' AND ${tookByProvider(sql`t.source`)} AND t.at >= ${from} AND o.created_at >= ${from} AND o.created_at < ${until} GROUP BY 1, 2, 3)
    SELECT d.month, d.method, d.location, d.payments, d.cents, coalesce(v.voids, 0) AS voids, d.void_cents AS "voidCents"
    FROM days d LEFT JOIN void v USING (month, method, location)`.execute(tx)
  return rows
}

/**
 * Returns the boxes of Form 1099-K for one payment method: gross amounts of settled payments by payment date, including
 * the payer's fee. Provider fees, refunds, returns and disputes are not deducted, as the form's instructions require.
 */
export function figuresOf(rows: readonly Row[], method: number): Figures {
  const methodRows = rows.filter((row) => row.method === method)
  const sum = (some: readonly Row[]) => some.reduce((cents, row) => cents + row.cents - row.voidCents, 0)
  return {
    grossCents: sum(methodRows),
    notPresentCents: sum(methodRows.filter(({ location }) => location !== OFFICE)),
    transactions: methodRows.reduce((count, row) => count + row.payments - row.voids, 0),
    monthCents: months.map((_, n) => sum(methodRows.filter(({ month }) => month === n + 1))),
  }
}

/** Sums card payments voided before settlement. */
export const voidedOf = (rows: readonly Row[]): { transactions: number; cents: number } =>
  rows
    .filter(({ method }) => method === methods.card)
    .reduce((sum, row) => ({ transactions: sum.transactions + row.voids, cents: sum.cents + row.voidCents }), {
      transactions: 0,
      cents: 0,
    })
