import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { COMPANY_IDS } from '../../../server/cursor.ts'
import { csvDollars, csvText } from '../../../server/csv.ts'
import { notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import type { FiltersOf, ListQuestion } from '../../../shared/list.ts'
import { ledgerAccounts, companyAccounts } from '../../payments/rules-ledger.ts'
import { profitMonths } from '../contract.ts'
import { profitReport } from '../list.ts'
import { type AccountKind, accountKinds, monthsOf } from '../rules.ts'
import { byCompany, figuresAs, MADE_OF_THE_QUESTION } from './companies.ts'
import { gains, type Period, profitFigures, profitNames } from './ledger-sums.ts'

export const profitReportCalls = implementList(profitReport, {
  table: ({ question }) => byCompany(question, gains(question.filters as Period, sql`c.id`), profitFigures),
  together: true,
  highestId: COMPANY_IDS,
  columns: { name: 'name', ...figuresAs(profitNames) },
  sorts: { name: 'name_key' },
  ...MADE_OF_THE_QUESTION,
  row: () => ({ can: { view: true } }),
  exported: 'export.profit',
  file: ({ question }) => monthsAndAccounts(question),
})

const monthOf = sql`to_char(m.day, 'YYYY-MM')`

/** Returns SQL for one row per company, month and account, for use in spreadsheets. */
function monthsAndAccounts({ search, direction, filters }: ListQuestion<FiltersOf<typeof profitReport>>) {
  const { companyId } = filters
  return sql`
    SELECT c.id AS "ID", ${csvText(sql`c.name`)} AS "Company", s.month AS "Month", s.kind AS "Kind", ${csvText(sql`s.name`)} AS "Account",
      ${csvDollars('s.cents')} AS "Amount"
    FROM company c
    CROSS JOIN LATERAL (
      SELECT ${monthOf} AS month, m.kind, m.code, min(m.name) AS name, sum(m.gain) AS cents
      FROM ${gains(filters as Period, sql`c.id`)} GROUP BY 1, 2, 3) s
    WHERE ${companyId === undefined ? sql`true` : sql`c.id = ${companyId}`}
      AND ${matchesSearch(sql`c.name_key`, search)}
    ORDER BY lower(c.name) COLLATE "C" ${sql.raw(direction)}, c.id, s.month, s.kind DESC, s.code`
}

interface MonthMovement {
  code: string
  name: string
  kind: AccountKind
  month: string
  cents: number
}

export const profitMonthsCall = implement(profitMonths, async ({ context, body }) => {
  const moved = await context.acrossCompanies(async (tx) => {
    if (body.company !== undefined) await expectCompany(tx, body.company)
    const of = body.company === undefined ? sql`true` : sql`c.id = ${body.company}`
    const { rows } = await sql<MonthMovement>`
      SELECT s.code, min(s.name) AS name, s.kind, s.month, sum(s.cents)::bigint AS cents
      FROM company c
      CROSS JOIN LATERAL (
        SELECT ${monthOf} AS month, m.code, m.kind, min(m.name) AS name, sum(m.gain) AS cents
        FROM ${gains(body, sql`c.id`)} GROUP BY 1, 2, 3) s
      WHERE ${of} GROUP BY s.code, s.kind, s.month ORDER BY s.code`.execute(tx)
    return rows
  })
  return byMonth(monthsOf(body.fromDate, body.toDate), moved)
})

async function expectCompany(tx: Tx, id: number): Promise<void> {
  const company = await tx.selectFrom('company').select('id').where('id', '=', id).executeTakeFirst()
  if (!company) throw notFound('This municipality was not found.')
}

const isEarning = (account: { kind: string }): account is { kind: AccountKind } =>
  (accountKinds as readonly string[]).includes(account.kind)

/**
 * Returns revenue, expenses and net by month. Includes every account of the ledger's catalog, even without entries, and
 * other accounts only if they have entries.
 */
function byMonth(months: readonly string[], moved: readonly MonthMovement[]) {
  const catalogAccounts = Object.entries(ledgerAccounts).flatMap(([code, account]) =>
    isEarning(account) && !companyAccounts.has(code) ? [{ code, name: account.name, kind: account.kind }] : [],
  )
  const others = moved.filter(
    (row, n) =>
      moved.findIndex(({ code }) => code === row.code) === n && !catalogAccounts.some(({ code }) => code === row.code),
  )
  const accounts = [...catalogAccounts, ...others.map(({ code, name, kind }) => ({ code, name, kind }))].map(
    (account) => {
      const accountRows = moved.filter(({ code }) => code === account.code)
      const cents = months.map((month) => accountRows.find((row) => row.month === month)?.cents ?? 0)
      return { ...account, cents, totalCents: total(cents), moved: accountRows.length > 0 }
    },
  )
  const of = (kind: AccountKind) =>
    months.map((_, n) => total(accounts.flatMap((account) => (account.kind === kind ? (account.cents[n] ?? 0) : []))))
  const [revenue, expense] = [of('revenue'), of('expense')]
  const net = months.map((_, n) => (revenue[n] ?? 0) - (expense[n] ?? 0))
  return {
    ...{ months: [...months], accounts, revenue, expense, net },
    totals: { revenueCents: total(revenue), expenseCents: total(expense), netCents: total(net) },
  }
}

const total = (cents: readonly number[]): number => cents.reduce((sum, some) => sum + some, 0)
