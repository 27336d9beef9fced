import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { beTheOnlyImport, importAtOnce } from '../../../server/imports.ts'
import { parserOf } from '../../../server/parse.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import { type StatementReport, takeStatement } from '../contract.ts'
import { isBai2 } from './bai2.ts'
import { readBankCsv } from './bank-csv.ts'
import { findExceptions } from './find-exceptions.ts'
import { expectedAt, type Expected, matchLine, type OpenLine, settleLine } from './match-bank.ts'
import { accountOf, type KnownAccount, type Statement } from './statement.ts'
import { warningsOf } from './statement-warnings.ts'

const readBai2 = parserOf<[text: string], Statement[]>(new URL('bai2.ts', import.meta.url), 'readBai2')

const LOCK = 71_004
const MOST_LINES = 50_000

/** Takes a file of statements: all of it counts or nothing does. What fits is settled at once, what doesn't waits as an exception. */
export const takeStatementCall = implement(takeStatement, (call) => {
  const { company, house } = call
  const { content, name } = call.file
  return importAtOnce<StatementReport>((work) => call.inCompany(work), {
    mode: call.body.mode,
    wrongRows: 'refuse',
    besides: { inCents: 0, outCents: 0, openCents: 0, newAccounts: [], warnings: [] },
    work: async (tx, report) => {
      await beTheOnlyImport(tx, LOCK, company.id)
      const format = isBai2(content.subarray(0, 2000).toString('utf8')) ? ('bai2' as const) : ('csv' as const)
      const statements =
        format === 'bai2'
          ? await readBai2(String(company.id), content.toString('utf8'))
          : await readBankCsv(content, report)
      if (format === 'bai2') report.read = statements.reduce((sum, { lines }) => sum + lines.length, 0)
      if (report.read > MOST_LINES)
        throw new FileRefused(say`A file has at most ${MOST_LINES} lines. Send it in parts.`)
      if (report.wrongCount > 0) return
      const expected = await expectedAt(tx, company.id)
      const digest = createHash('sha256').update(content).digest('hex')
      const known = await knownAccounts(tx, company.id)
      const lastDays = new Map(known.map(({ account, day }) => [account, day]))
      const markOf = (number: string) =>
        house.secrets.mark(`bank-account:${company.id}:${number}`).subarray(0, 16).toString('base64url')
      const named: KnownAccount[] = [...known]
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
        refuseKnownDays(lastDays, statement)
        lastDays.set(statement.account, statement.toDay)
        await keep(tx, call, { statement, mark: marks[at] ?? '', format, name, digest }, { expected, report })
      }
      await findExceptions(tx, house, company)
    },
    record: (tx, counts) =>
      call.audit(tx, { action: 'reconciliation.statement_taken', detail: { file: name, ...counts } }),
  })
})

const todayOf = ({ company, house }: Pick<Call, 'company' | 'house'>): string =>
  dateIn(company.timeZone, house.clock.now())

/** Accounts with the last day that was taken of each. */
async function knownAccounts(tx: Tx, company: CompanyId): Promise<(KnownAccount & { day: string })[]> {
  return tx
    .selectFrom('bank_statement')
    .select((of) => ['account', of.fn.max('account_mark').as('mark'), of.fn.max('to_day').as('day')])
    .where('company_id', '=', company)
    .groupBy('account')
    .execute()
}

/** Files overlap as people download them: a day that is here already would count twice. */
function refuseKnownDays(lastDays: ReadonlyMap<string, string>, { account, fromDay }: Statement): void {
  const last = lastDays.get(account)
  if (last !== undefined && fromDay <= last)
    throw new FileRefused(
      say`The days of account ${account} are here through ${formatDate(last)}. Download a statement that begins on the day after.`,
    )
}

interface Read {
  statement: Statement
  mark: string
  format: 'bai2' | 'csv'
  name: string
  digest: string
}

async function keep(
  tx: Tx,
  call: Call,
  { statement, mark, format, name, digest }: Read,
  { expected, report }: { expected: Expected; report: StatementReport },
): Promise<void> {
  const company = call.company.id
  const at = call.house.clock.now()
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
      taken_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { lines } = statement
  const { rows } = await sql<OpenLine>`
    INSERT INTO bank_line (company_id, statement_id, line_no, booked_on, amount_cents, code, reference, says, search_text)
    SELECT ${company}, ${id}, l.no, l.day, l.cents, l.code, l.reference, l.says, lower(concat_ws(' ', l.reference, l.says))
    FROM unnest(${lines.map(({ day }) => day)}::date[], ${lines.map(({ cents }) => cents)}::bigint[], ${lines.map(({ code }) => code)}::text[],
      ${lines.map(({ reference }) => reference)}::text[], ${lines.map(({ says }) => says)}::text[])
      WITH ORDINALITY AS l(day, cents, code, reference, says, no)
    RETURNING id, version, booked_on::text AS day, amount_cents AS cents, reference, says`.execute(tx)
  for (const line of rows) {
    report.created += 1
    report[line.cents > 0 ? 'inCents' : 'outCents'] += line.cents
    const match = matchLine(line, expected)
    if (match) {
      report.changed += 1
      await settleLine(tx, company, line, match, { at, by: 'Mainstreet' })
    } else {
      report.unchanged += 1
      report.openCents += line.cents
    }
  }
}
