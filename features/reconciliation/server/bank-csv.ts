/**
 * Reads bank statements from CSV files, which banks offer for use in spreadsheets. The first line names the columns.
 */
import { Readable } from 'node:stream'
import { FileRefused } from '../../../server/file-refused.ts'
import { defineColumns } from '../../../server/columns.ts'
import { type ColumnsInput, openTableOfStaff, rowsOfStaff } from '../../../server/import-columns.ts'
import { type TableRow, tableRows } from '../../../server/table-rows.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { importRows, RowError } from '../../../server/imports.ts'
import { readDay } from '../../../shared/dates.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { formatCents, readAmount } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { endingOf, numberOf, type Statement, type StatementLine } from './statement.ts'

/** Columns of the file. */
const columns = defineColumns('bank_statement', {
  needs: ['date', 'description', 'amount|debit|credit'],
  columns: {
    date: {
      title: 'Date',
      aliases: 'posting_date posted_date post_date booked booked_on transaction_date value_date',
      content: 'date',
      sample: '2026-11-20',
    },
    description: {
      title: 'Description',
      aliases: 'details memo payee transaction text narrative',
      sample: 'DEPOSIT',
    },
    amount: { title: 'Amount', aliases: 'transaction_amount', content: 'money', sample: '1234.50' },
    debit: { title: 'Debit', aliases: 'withdrawal withdrawals paid_out debit_amount', content: 'money' },
    credit: { title: 'Credit', aliases: 'deposit deposits paid_in credit_amount', content: 'money' },
    balance: { title: 'Balance', aliases: 'running_balance ledger_balance', content: 'money', sample: '20500.00' },
    reference: {
      title: 'Reference',
      aliases: 'reference_number check_number check_or_slip_# trace trace_number id',
      content: 'code',
      sample: '1001',
    },
    account: { title: 'Account', aliases: 'account_number', content: 'code', sample: '990011' },
  },
})
const OFTEN = 1000

interface CsvLine extends StatementLine {
  balance: number | null
}

/**
 * Reads one statement for each account in a CSV file, with balances if the file has a balance column. Lines may be in
 * order, oldest or newest first. Adds unreadable lines to the report.
 * @param staff has the choices of staff. Without it, the file needs the exact column names
 * @throws FileRefused
 */
export async function readBankCsv(
  content: Buffer,
  report: ImportReport,
  staff?: { tx: Tx; input: ColumnsInput },
): Promise<Statement[]> {
  const accounts = new Map<string, CsvLine[]>()
  await importRows(staff ? staffRows(content, report, staff) : tableRows(Readable.from([content]), columns), {
    report,
    take: ({ texts }) => {
      const text = (name: string) => texts.get(name) ?? ''
      const account = numberOf(text('account'))
      const existing = accounts.get(account)
      if (existing) existing.push(readLine(text))
      else accounts.set(account, [readLine(text)])
    },
    write: async () => {},
    every: OFTEN,
  })
  if (report.read === 0) throw new FileRefused(say`The file has no transactions. Check that it is the right file.`)
  return [...accounts].map(([account, lines]) => statementOf(account, lines))
}

async function* staffRows(
  content: Buffer,
  report: ImportReport,
  { tx, input }: { tx: Tx; input: ColumnsInput },
): AsyncGenerator<TableRow> {
  const table = await openTableOfStaff(tx, () => Readable.from([content]), input, columns)
  yield* rowsOfStaff(tx, table, input, report)
}

/**
 * Reads one line.
 * @throws RowError
 */
function readLine(text: (name: string) => string): CsvLine {
  const refuse = (what: string): never => {
    throw new RowError(what)
  }
  const description = text('description').replaceAll(/\s+/g, ' ')
  if (/[\uFFFD\p{Cc}]/u.test(description) || !description.isWellFormed())
    refuse(say`A value contains a character that is not allowed. Remove the character, or save the file as UTF-8 text.`)
  const day = readDay(text('date')) ?? refuse(say`“${text('date')}” is not a date. Use a date such as 2027-03-31.`)
  const read = (name: string) => amountOf(text(name), 'amount')
  const cents = text('amount') ? read('amount') : read('credit') - Math.abs(read('debit'))
  if (cents === 0) refuse(say`The amount is missing or zero.`)
  const balance = text('balance') === '' ? null : amountOf(text('balance'), 'balance')
  return { day, cents, code: '', reference: text('reference').slice(0, 100), text: description.slice(0, 300), balance }
}

/** Maximum balance: one trillion dollars. A balance may exceed the maximum of a payment. */
const MAX_BANK_CENTS = 100_000_000_000_000

/**
 * Parses signed cents. An empty cell is 0.
 * @throws RowError
 */
function amountOf(text: string, what: 'amount' | 'balance'): number {
  if (text === '') return 0
  const { cents, problem } = readAmount(text, MAX_BANK_CENTS)
  if (problem === 'limit')
    throw new RowError(say`The amount “${text}” is over the limit of ${formatCents(MAX_BANK_CENTS)}.`)
  if (cents === undefined)
    throw new RowError(
      what === 'amount'
        ? say`The amount “${text}” must be a number such as 123.45.`
        : say`The balance “${text}” must be a number such as 123.45.`,
    )
  return cents
}

function statementOf(account: string, read: readonly CsvLine[]): Statement {
  // Most banks list the newest line first. The dates of the first and last line show the order.
  const [first, last] = [read[0], read.at(-1)]
  const lines = first && last && first.day > last.day ? read.toReversed() : [...read]
  const [oldest, newest] = [lines[0], lines.at(-1)]
  return {
    account: endingOf(account),
    number: account,
    fromDay: lines.reduce((earliest, { day }) => (day < earliest ? day : earliest), oldest?.day ?? ''),
    toDay: lines.reduce((latest, { day }) => (day > latest ? day : latest), newest?.day ?? ''),
    openingCents: oldest && oldest.balance !== null ? oldest.balance - oldest.cents : null,
    closingCents: newest?.balance ?? null,
    lines: lines.map(({ balance: _balance, ...line }) => line),
  }
}
