import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { COMPANY_IDS } from '../../../server/cursor.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { feeDays } from '../contract.ts'
import { feeReport } from '../list.ts'
import { figuresAs, MADE_OF_THE_QUESTION } from './companies.ts'
import { absorbsOn } from '../../payments/api.ts'
import { dayOf, feeFigures, type FeeFigures, feeNames, type FeePeriod, feesOf, moves } from './ledger-sums.ts'

export const feeReportCalls = implementList(feeReport, {
  table: ({ question: { search, filters } }) => sql`(
    SELECT c.id, c.name, c.name_key, f.* FROM (
      SELECT m.by, ${feeFigures} FROM ${moves(sql`d.company_id`, filters as FeePeriod, filters.companyId)} GROUP BY m.by) f
    JOIN company c ON c.id = f.by WHERE ${matchesSearch(sql`c.name_key`, search)})`,
  together: true,
  highestId: COMPANY_IDS,
  columns: {
    companyId: 'id',
    name: 'name',
    ...figuresAs(feeNames),
    absorbsNow: absorbsOn(sql`r.id`, sql`current_date`),
  },
  sorts: { name: 'name_key' },
  ...MADE_OF_THE_QUESTION,
  row: () => ({ can: { view: true } }),
  exported: 'export.fees',
})

export const feeDaysCall = implement(feeDays, async (call) => {
  const { company, body } = call
  const { rows } = await call.inCompany((tx) =>
    sql<FeeFigures & { day: string }>`
      SELECT m.by AS day, ${feeFigures} FROM ${moves(dayOf(body), body, company.id)} GROUP BY 1 ORDER BY 1`.execute(tx),
  )
  const days = rows.map(({ day, ...figures }) => ({ day, ...feesOf(figures) }))
  return { days, totals: feesOf(sumOf(rows)) }
})

function sumOf(rows: readonly FeeFigures[]): FeeFigures {
  const sums = feeNames.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])
  return Object.fromEntries(sums) as FeeFigures
}
