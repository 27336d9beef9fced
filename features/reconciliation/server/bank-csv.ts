/** Reads statements as banks give them for spreadsheets: a CSV whose first line names its columns. */
import { Readable } from 'node:stream'
import { FileRefused } from '../../../server/csv-records.ts'
import { csvRows, namesOfColumns } from '../../../server/csv-rows.ts'
import { takeRows, WrongRow } from '../../../server/imports.ts'
import { readDay } from '../../../shared/dates.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { formatCents, readAmount } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { endingOf, numberOf, type Statement, type StatementLine } from './statement.ts'

/** What the columns may be called, in lower case and with underscores. */
const nameOf = namesOfColumns({
  date: 'date posting_date posted_date post_date booked booked_on transaction_date value_date',
  description: 'description details memo payee transaction text narrative',
  amount: 'amount transaction_amount',
  debit: 'debit withdrawal withdrawals paid_out debit_amount',
  credit: 'credit deposit deposits paid_in credit_amount',
  balance: 'balance running_balance ledger_balance',
  reference: 'reference reference_number check_number check_or_slip_# trace trace_number id',
  account: 'account account_number',
})
const OFTEN = 1000

interface CsvLine extends StatementLine {
  balance: number | null
}

/**
 * The statements in a CSV, one of each account. Balances are read where it has a column of them, oldest or newest first, as
 * it comes; the report hears of each line that can't be read. @throws FileRefused
 */
export async function readBankCsv(content: Buffer, report: ImportReport): Promise<Statement[]> {
  const accounts = new Map<string, CsvLine[]>()
  await takeRows(csvRows(Readable.from([content]), nameOf, ['date', 'description', 'amount|debit|credit']), {
    report,
    take: ({ texts }) => {
      const text = (name: string) => texts.get(name) ?? ''
      const account = numberOf(text('account'))
      const known = accounts.get(account)
      if (known) known.push(readLine(text))
      else accounts.set(account, [readLine(text)])
    },
    write: async () => {},
    every: OFTEN,
  })
  if (report.read === 0) throw new FileRefused(say`The file has no lines.`)
  return [...accounts].map(([account, lines]) => statementOf(account, lines))
}

/** @throws WrongRow */
function readLine(text: (name: string) => string): CsvLine {
  const refuse = (what: string): never => {
    throw new WrongRow(what)
  }
  const says = text('description').replaceAll(/\s+/g, ' ')
  if (/[\uFFFD\p{Cc}]/u.test(says) || !says.isWellFormed())
    refuse(say`A text holds a character that is not UTF-8 text.`)
  const day = readDay(text('date')) ?? refuse(say`The date “${text('date')}” is no day, such as 2027-03-31.`)
  const read = (name: string) => amountOf(text(name), 'amount')
  const cents = text('amount') ? read('amount') : read('credit') - Math.abs(read('debit'))
  if (cents === 0) refuse(say`The line has no amount.`)
  const balance = text('balance') === '' ? null : amountOf(text('balance'), 'balance')
  return { day, cents, code: '', reference: text('reference').slice(0, 100), says: says.slice(0, 300), balance }
}

/** A municipality's balance may be larger than any payment: a trillion dollars. */
const MAX_BANK_CENTS = 100_000_000_000_000

/** Cents with their sign; 0 for an empty cell. @throws WrongRow */
function amountOf(text: string, what: 'amount' | 'balance'): number {
  if (text === '') return 0
  const { cents, wrong } = readAmount(text, MAX_BANK_CENTS)
  if (wrong === 'limit')
    throw new WrongRow(say`The amount “${text}” is over the limit of ${formatCents(MAX_BANK_CENTS)}.`)
  if (cents === undefined)
    throw new WrongRow(
      what === 'amount'
        ? say`The amount “${text}” is no amount, such as 123.45.`
        : say`The balance “${text}” is no amount, such as 123.45.`,
    )
  return cents
}

function statementOf(account: string, read: readonly CsvLine[]): Statement {
  // Banks list the newest first as a rule.
  const [first, last] = [read[0], read.at(-1)]
  const lines = first && last && first.day > last.day ? read.toReversed() : [...read]
  const [oldest, newest] = [lines[0], lines.at(-1)]
  return {
    account: endingOf(account),
    number: account,
    fromDay: lines.reduce((least, { day }) => (day < least ? day : least), oldest?.day ?? ''),
    toDay: lines.reduce((most, { day }) => (day > most ? day : most), newest?.day ?? ''),
    openingCents: oldest && oldest.balance !== null ? oldest.balance - oldest.cents : null,
    closingCents: newest?.balance ?? null,
    lines: lines.map(({ balance: _balance, ...line }) => line),
  }
}
