import { sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { csvDollars as dollars, csvOf, csvText } from '../../../server/csv.ts'
import { walkOf } from '../../../server/list-sql.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { feeDays, feeReport, feeReportCsv } from '../contract.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { byCompany, pageOfCompanies } from './companies.ts'
import { feeFigures, type FeeFigures, feeNames, feesOf, moves } from './ledger-sums.ts'

type Question = BodyOf<typeof feeReport>

const companiesOf = (question: Question) => byCompany(question, moves(question.filters, sql`c.id`), feeFigures)

const feeSorts = { amount: 'amountCents', fees: 'feeCents' } as const

export const feeReportCall = implement(feeReport, async ({ house, body }) =>
  house.acrossCompanies(async (tx) => {
    const { page, totals, count } = await pageOfCompanies(tx, companiesOf(body), feeNames, body, feeSorts)
    const absorbing = await absorbingAmong(
      tx,
      page.rows.map(({ id }) => id),
    )
    return {
      ...page,
      rows: page.rows.map(({ id, name, ...figures }) => ({
        ...{ id, name, absorbsNow: absorbing.has(id) },
        ...feesOf(figures),
        can: { view: true },
      })),
      count,
      totals: feesOf(totals),
    }
  }),
)

/** Which of these companies take the fee on themselves at present. */
async function absorbingAmong(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .selectFrom('payment_settings')
    .select('company_id')
    .where('company_id', 'in', [...ids])
    .where('absorb', '=', 1)
    .execute()
  return new Set(rows.map(({ company_id }) => company_id))
}

export const feeReportCsvCall = implement(feeReportCsv, async (call) => {
  const { body, house } = call
  await house.acrossCompanies((tx) =>
    auditPlatform(tx, house.clock, call, {
      action: 'export.fees',
      detail: { filters: body.filters, search: body.search },
    }),
  )
  return csvOf(house, null, 'convenience-fees', csvQuestion(body))
})

function csvQuestion(question: Question) {
  const { way } = walkOf(question.direction)
  const column = sql.ref(question.sort === 'name' ? 'name_key' : feeSorts[question.sort])
  return sql`
    SELECT id AS "ID", ${csvText(sql`name`)} AS "Company", payments AS "Payments", ${dollars('amountCents')} AS "Amount",
      ${dollars('paidCents')} AS "Fees paid", ${dollars('absorbedCents')} AS "Fees absorbed", ${dollars('backCents')} AS "Fees given back",
      ${dollars('feeCents')} AS "Net fees", ${dollars('totalCents')} AS "Payment",
      "cardPayments" AS "Card payments", ${dollars('cardAmountCents')} AS "Card amount", ${dollars('cardFeeCents')} AS "Card fees",
      "echeckPayments" AS "eCheck payments", ${dollars('echeckAmountCents')} AS "eCheck amount", ${dollars('echeckFeeCents')} AS "eCheck fees"
    FROM (${companiesOf(question)}) AS sums ORDER BY ${column} ${way}, id ${way}`
}

export const feeDaysCall = implement(feeDays, async (call) => {
  const { company, body } = call
  const { rows } = await call.inCompany((tx) =>
    sql<FeeFigures & { day: string }>`
      SELECT m.day, ${feeFigures} FROM ${moves(body, sql`${company.id}::int`)} GROUP BY 1 ORDER BY 1`.execute(tx),
  )
  const days = rows.map(({ day, ...figures }) => ({ day, ...feesOf(figures) }))
  return { days, totals: feesOf(sumOf(rows)) }
})

function sumOf(rows: readonly FeeFigures[]): FeeFigures {
  const sums = feeNames.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])
  return Object.fromEntries(sums) as FeeFigures
}
