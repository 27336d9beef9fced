import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { columnsInput } from '../../../server/import-columns.ts'
import { refuseParallelImport, importAtOnce } from '../../../server/imports.ts'
import { parserOf } from '../../../server/parse.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type StatementReport, importStatement } from '../contract.ts'
import { isBai2 } from './bai2.ts'
import { readBankCsv } from './bank-csv.ts'
import { updateExceptions } from './update-exceptions.ts'
import { expectedAt, type ExpectedReceipts, matchLine, type OpenLine, resolveLine } from './match-bank.ts'
import { accountOf, type BankAccount, type Statement } from './statement.ts'
import { warningsOf } from './statement-warnings.ts'

const readBai2 = parserOf<[text: string], Statement[]>(new URL('bai2.ts', import.meta.url), 'readBai2')

const LOCK = 71_004
const MAX_LINES = 50_000

/**
 * Imports a statement file in full or not at all. Matched lines are resolved immediately. The other lines become
 * exceptions.
 */
export const importStatementCall = implement(importStatement, (call) => {
  const { company, context } = call
  const { content, name } = call.file
  return importAtOnce<StatementReport>((work) => call.inCompany(work), {
    ...call.body,
    rowErrors: 'refuse',
    besides: { inCents: 0, outCents: 0, openCents: 0, newAccounts: [], warnings: [] },
    work: async (tx, report) => {
      await refuseParallelImport(tx, LOCK, company.id)
      const format = isBai2(content.subarray(0, 2000).toString('utf8')) ? ('bai2' as const) : ('csv' as const)
      const statements =
        format === 'bai2'
          ? await readBai2(String(company.id), content.toString('utf8'))
          : await readBankCsv(content, report, { tx, input: columnsInput(call) })
      if (format === 'bai2') report.read = statements.reduce((sum, { lines }) => sum + lines.length, 0)
      if (report.read > MAX_LINES)
        throw new FileRefused(say`A file can have up to ${MAX_LINES} lines. Split it into smaller files.`)
      if (report.errorCount > 0) return
      const expected = await expectedAt(tx, company.id)
      const digest = createHash('sha256').update(content).digest('hex')
      const existing = await existingAccounts(tx, company.id)
      const lastDays = new Map(existing.map(({ account, day }) => [account, day]))
      const markOf = (number: string) =>
        context.secrets.mark(`bank-account:${company.id}:${number}`).subarray(0, 16).toString('base64url')
      const named: BankAccount[] = [...existing]
      const marks = statements.map((statement) => {
        const one = accountOf(statement.number, markOf, named)
        named.push(one)
        statement.account = one.account
        return one.mark
      })
      report.warnings = statements.flatMap((statement) => warningsOf(statement, todayOf(call)))
      if (lastDays.size > 0)
        report.newAccounts = [...new Set(statements.map(({ account }) => account))].filter((one) => !lastDays.has(one))
      for (const [at, statement] of statements.entries()) {
        refuseImportedDays(lastDays, statement)
        lastDays.set(statement.account, statement.toDay)
        await storeStatement(tx, call, { statement, mark: marks[at] ?? '', format, name, digest }, { expected, report })
      }
      await updateExceptions(tx, context, company)
    },
    record: (tx, counts) =>
      call.audit(tx, { action: 'reconciliation.statement_imported', detail: { file: name, ...counts } }),
  })
})

const todayOf = ({ company, context }: Pick<Call, 'company' | 'context'>): string =>
  dateIn(company.timeZone, context.clock.now())

/** Lists the accounts with their last imported day. */
async function existingAccounts(tx: Tx, company: CompanyId): Promise<(BankAccount & { day: string })[]> {
  return tx
    .selectFrom('bank_statement')
    .select((of) => ['account', of.fn.max('account_mark').as('mark'), of.fn.max('to_day').as('day')])
    .where('company_id', '=', company)
    .groupBy('account')
    .execute()
}

/** Refuses days that are already imported, because overlapping files would count lines twice. */
function refuseImportedDays(lastDays: ReadonlyMap<string, string>, { account, fromDay }: Statement): void {
  const last = lastDays.get(account)
  if (last !== undefined && fromDay <= last)
    throw new FileRefused(
      say`Account ${account} has already been imported through ${formatDate(last)}. Download a statement that starts on the next day.`,
    )
}

interface StatementFile {
  statement: Statement
  mark: string
  format: 'bai2' | 'csv'
  name: string
  digest: string
}

async function storeStatement(
  tx: Tx,
  call: Call,
  { statement, mark, format, name, digest }: StatementFile,
  { expected, report }: { expected: ExpectedReceipts; report: StatementReport },
): Promise<void> {
  const company = call.company.id
  const at = call.context.clock.now()
  const { id } = await tx
    .insertInto('bank_statement')
    .values({
      company_id: company,
      account: statement.account,
      account_mark: mark,
      format,
      file_name: name,
      digest: `${digest}/${statement.account}`,
      from_day: statement.fromDay,
      to_day: statement.toDay,
      opening_cents: statement.openingCents,
      closing_cents: statement.closingCents,
      line_count: statement.lines.length,
      imported_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { lines } = statement
  const { rows } = await sql<OpenLine>`
    INSERT INTO bank_transaction (company_id, statement_id, line_no, booked_on, amount_cents, code, reference, description, search_text)
    SELECT ${company}, ${id}, l.no, l.day, l.cents, l.code, l.reference, l.text, lower(concat_ws(' ', l.reference, l.text))
    FROM unnest(${lines.map(({ day }) => day)}::date[], ${lines.map(({ cents }) => cents)}::bigint[], ${lines.map(({ code }) => code)}::text[],
      ${lines.map(({ reference }) => reference)}::text[], ${lines.map(({ text }) => text)}::text[])
      WITH ORDINALITY AS l(day, cents, code, reference, text, no)
    RETURNING id, version, booked_on::text AS day, amount_cents AS cents, reference, description AS text`.execute(tx)
  for (const line of rows) {
    report.created += 1
    report[line.cents > 0 ? 'inCents' : 'outCents'] += line.cents
    const match = matchLine(line, expected)
    if (match) {
      report.changed += 1
      await resolveLine(tx, company, line, match, { at, by: 'Mainstreet' })
    } else {
      report.unchanged += 1
      report.openCents += line.cents
    }
  }
}
