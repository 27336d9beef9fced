/** Reads statements as banks give them for spreadsheets: a CSV whose first line names its columns. */
import { Readable } from 'node:stream'
import { FileRefused } from '../../../server/csv-records.ts'
import { csvRows, namesOfColumns } from '../../../server/csv-rows.ts'
import { takeRows, WrongRow } from '../../../server/imports.ts'
import { readDay } from '../../../shared/dates.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { say } from '../../../shared/words.ts'
import { endingOf, type Statement, type StatementLine } from './statement.ts'

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
      const account = endingOf(text('account'))
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
  const written = text('amount') || text('credit') || text('debit')
  const cents = text('amount') ? amountOf(text('amount')) : amountOf(text('credit')) - Math.abs(amountOf(text('debit')))
  if (Number.isNaN(cents)) refuse(say`The amount “${written}” is no amount, such as 123.45.`)
  if (cents === 0) refuse(say`The line has no amount.`)
  const balance = text('balance') === '' ? null : amountOf(text('balance'))
  if (Number.isNaN(balance)) refuse(say`The balance “${text('balance')}” is no amount, such as 123.45.`)
  return { day, cents, code: '', reference: text('reference').slice(0, 100), says: says.slice(0, 300), balance }
}

/** Cents of an amount with a sign before or after it, or in brackets; NaN of what is none, 0 of nothing. */
function amountOf(text: string): number {
  if (text === '') return 0
  const negative = /^\(.*\)$|^-|-$/.test(text)
  // A town's balance may be larger than any payment, so this is not the reading of payments.
  const [, dollars, decimals = ''] =
    /^(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})?(?:\.(\d{1,2}))?$/.exec(text.replaceAll(/[()+$\s-]/g, '')) ?? []
  if (dollars === undefined && decimals === '') return Number.NaN
  const cents = Number((dollars ?? '0').replaceAll(',', '')) * 100 + Number(decimals.padEnd(2, '0'))
  return negative ? -cents : cents
}

function statementOf(account: string, read: readonly CsvLine[]): Statement {
  // Banks list the newest first as a rule.
  const [first, last] = [read[0], read.at(-1)]
  const lines = first && last && first.day > last.day ? read.toReversed() : [...read]
  const [oldest, newest] = [lines[0], lines.at(-1)]
  return {
    account,
    fromDay: lines.reduce((least, { day }) => (day < least ? day : least), oldest?.day ?? ''),
    toDay: lines.reduce((most, { day }) => (day > most ? day : most), newest?.day ?? ''),
    openingCents: oldest && oldest.balance !== null ? oldest.balance - oldest.cents : null,
    closingCents: newest?.balance ?? null,
    lines: lines.map(({ balance: _balance, ...line }) => line),
  }
}
