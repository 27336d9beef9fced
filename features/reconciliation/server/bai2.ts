/**
 * Reads bank statements in the BAI2 format (Cash Management Balance Reporting Specifications, version 2). Amounts are
 * in cents, and the type code determines the sign. Refuses a file if the totals or counts in its trailers are wrong.
 */
import { FileRefused } from '../../../server/file-refused.ts'
import { formatDate, readDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { endingOf, numberOf, type Statement, type StatementLine } from './statement.ts'

interface Bai2Record {
  code: string
  fields: string[]
  line: number
  /** Number of lines of the record in the file, including continuation lines. */
  count: number
  /**
   * Number of continuation lines without a record code. Some banks include these lines in their record counts, and
   * others do not.
   */
  loose: number
}

/** Number of fields before the references and the text: type, amount and funds type. */
const FIELDS_BEFORE_TEXT = 3

const CODES = ['01', '02', '03', '16', '49', '98', '99'] as const
/** Type codes of the opening and closing balances. Balances are not transactions. */
const [OPENING, CLOSING] = ['010', '015']
/**
 * Returns the sign of a type code: 1 for 100 to 399 (money in), -1 for 400 to 699 (money out). Other codes are not
 * transactions.
 */
const signOf = (code: string): 1 | -1 | 0 => {
  const n = Number(code)
  if (n >= 100 && n < 400) return 1
  return n >= 400 && n < 700 ? -1 : 0
}

/** Patterns of the lines in a BAI2 file, except for the first line. */
const RECORDS = [
  /^02,[^,]*,[^,]*,\d?,\d{6},/,
  /^03,\w+,(?:[A-Z]{3})?,/,
  /^16,\d{3},\d*,/,
  /^88[,: ]/,
  /^49,[+-]?\d+,\d+\s*\/?/,
  /^9[89],[+-]?\d+,\d+,\d+\s*\/?/,
]

/**
 * Returns true if a file is in BAI2 format. The first record decides. If that record is damaged, more than half of the
 * first lines must match.
 */
export function isBai2(text: string): boolean {
  if (/^\uFEFF?\s*01,/.test(text)) return true
  const lines = text.split(/[\r\n]+/, 20).filter((line) => line.trim() !== '')
  const records = lines.filter((line) => RECORDS.some((record) => record.test(line.trim())))
  return records.length > 1 && records.length * 2 > lines.length
}

/**
 * Reads the statements of a file.
 * @throws FileRefused with the line number and the error
 */
export function readBai2(text: string): Statement[] {
  const records = recordsOf(text)
  const statements = new Map<string, Statement>()
  let at = 0
  const here = () => records[at]?.line ?? records.at(-1)?.line ?? 1
  const next = (code: string): Bai2Record => {
    const record = records[at]
    if (record?.code !== code)
      return refuse(
        here(),
        say`Expected record type ${code} here. The file is incomplete or out of order. Download the file from the bank again.`,
      )
    at += 1
    return record
  }

  if (records[0] && records[0].code !== '01')
    throw new FileRefused(
      say`This BAI2 file is damaged. Its first record is not type 01. Download it from the bank again.`,
    )
  const file = next('01')
  if (file.fields[7] !== undefined && file.fields[7] !== '' && file.fields[7] !== '2')
    refuse(file.line, say`The file uses version ${file.fields[7]} of the BAI format. Ask the bank for version 2.`)
  const ofFile = { sum: 0, groups: 0, records: file.count, loose: 0 }
  while (records[at]?.code === '02') {
    const group = next('02')
    const day = dayIn(group.fields[3] ?? '', group.line)
    const ofGroup = { sum: 0, accounts: 0, records: group.count, loose: 0 }
    while (records[at]?.code === '03') {
      const account = readAccount(next('03'), group.fields[5] ?? '')
      const ofAccount = { sum: account.sum, records: account.count, loose: account.loose }
      const lines: StatementLine[] = []
      while (records[at]?.code === '16') {
        const record = next('16')
        const { cents, line } = readDetail(record, day)
        ofAccount.sum += cents
        ofAccount.records += record.count
        ofAccount.loose += record.loose
        if (line) lines.push(line)
      }
      const trailer = next('49')
      expectTotals(trailer, { ...ofAccount, records: ofAccount.records + trailer.count })
      ofGroup.sum += ofAccount.sum
      ofGroup.accounts += 1
      ofGroup.records += ofAccount.records + trailer.count
      ofGroup.loose += ofAccount.loose
      addDay(statements, { ...account, day, lines, line: trailer.line })
    }
    const trailer = next('98')
    expectTotals(trailer, { ...ofGroup, records: ofGroup.records + trailer.count }, ofGroup.accounts)
    ofFile.sum += ofGroup.sum
    ofFile.groups += 1
    ofFile.records += ofGroup.records + trailer.count
    ofFile.loose += ofGroup.loose
  }
  const trailer = next('99')
  expectTotals(trailer, { ...ofFile, records: ofFile.records + trailer.count }, ofFile.groups)
  if (at < records.length)
    refuse(here(), say`The file has extra data after its final trailer record. Ask the bank to send the file again.`)
  return [...statements.values()]
}

function refuse(line: number, what: string): never {
  throw new FileRefused(say`Line ${line}: ${what}`)
}

/**
 * Checks a trailer: its total amount, its number of records and its number of parts. The trailer of an account has no
 * number of parts.
 */
function expectTotals(
  { fields, line }: Bai2Record,
  { sum, records, loose }: { sum: number; records: number; loose: number },
  parts?: number,
): void {
  const [control = '', ...counts] = fields
  const statedCents = centsIn(control, line)
  if (statedCents !== sum)
    refuse(
      line,
      say`The control total is ${formatCents(statedCents)}, but the records add up to ${formatCents(sum)}. Ask the bank to send the file again.`,
    )
  const [statedParts, statedRecords] = parts === undefined ? [undefined, counts[0]] : counts
  if (!(Number(statedRecords) >= records && Number(statedRecords) <= records + loose))
    refuse(
      line,
      say`The trailer states a record count of ${statedRecords ?? ''}, but the actual count is ${records}. Ask the bank to send the file again.`,
    )
  if (parts !== undefined && Number(statedParts) !== parts)
    refuse(
      line,
      say`The trailer states a group or account count of ${statedParts ?? ''}, but the actual count is ${parts}. Ask the bank to send the file again.`,
    )
}

/** Reads an account record: its balances, and the sum of its amounts, which the trailer's total includes. */
function readAccount({ fields, line, count, loose }: Bai2Record, groupCurrency: string) {
  const currency = fields[1] || groupCurrency || 'USD'
  if (currency !== 'USD') refuse(line, say`The account is in ${currency}. Statements must be in US dollars.`)
  const balances = new Map<string, number>()
  let sum = 0
  for (let at = 2; at < fields.length;) {
    const [code = '', amount = '', , funds = ''] = fields.slice(at, at + 4)
    at += 4 + fundsFields(funds, fields.slice(at + 4), line)
    if (code === '' && amount === '') continue
    const cents = amount === '' ? 0 : centsIn(amount, line)
    sum += cents
    if (amount !== '') balances.set(code, cents)
  }
  return {
    number: numberOf(fields[0] ?? ''),
    opening: balances.get(OPENING) ?? null,
    closing: balances.get(CLOSING) ?? null,
    sum,
    count,
    loose,
  }
}

/** Reads a transaction of the account. Other lines, such as memos, count toward the totals but are not transactions. */
function readDetail({ fields, line }: Bai2Record, day: string) {
  const [code = '', amount = '', funds = ''] = fields
  if (!/^\d{3}$/.test(code))
    refuse(line, say`“${code}” is not a type code. A type code has three digits. Ask the bank to send the file again.`)
  const cents = amount === '' ? 0 : centsIn(amount, line)
  const rest = fields.slice(3 + fundsFields(funds, fields.slice(3), line))
  const [bank = '', customer = '', ...descriptionParts] = rest
  const sign = signOf(code)
  if (sign === 0 || cents === 0) return { cents, line: null }
  const reference = [bank, customer].filter(Boolean).join(' ')
  return { cents, line: { day, cents: sign * cents, code, reference, text: descriptionParts.join(',').trim() } }
}

/**
 * Returns the number of fields about the availability of funds. Value-dated funds (V) have two, split amounts (S) have
 * three, and lists (D) have pairs.
 */
function fundsFields(funds: string, after: readonly string[], line: number): number {
  if (funds === '' || /^[012Z]$/.test(funds)) return 0
  if (funds === 'V') return 2
  if (funds === 'S') return 3
  const pairs = Number(after[0])
  if (funds !== 'D' || !Number.isInteger(pairs) || pairs < 0)
    return refuse(line, say`The funds type “${funds}” is unknown or incomplete. Ask the bank to send the file again.`)
  return 1 + 2 * pairs
}

interface Day {
  number: string
  opening: number | null
  closing: number | null
  day: string
  lines: StatementLine[]
  line: number
}

/**
 * Adds a day to the statement of its account. The opening balance must equal the closing balance of the previous day.
 */
function addDay(statements: Map<string, Statement>, { number, opening, closing, day, lines, line }: Day) {
  const account = endingOf(number)
  const moved = lines.reduce((sum, one) => sum + one.cents, 0)
  if (opening !== null && closing !== null && opening + moved !== closing)
    refuse(
      line,
      say`The transactions for ${formatDate(day)} add up to ${formatCents(moved)}, but the balances differ by ${formatCents(closing - opening)}. The file is incomplete. Download the file from the bank again.`,
    )
  const existing = statements.get(number)
  if (!existing) {
    const days = { fromDay: day, toDay: day }
    statements.set(number, { account, number, ...days, openingCents: opening, closingCents: closing, lines })
    return
  }
  if (day <= existing.toDay)
    refuse(
      line,
      say`The days for account ${account} are out of order, or a day appears twice. Ask the bank to send the file again.`,
    )
  if (opening !== null && existing.closingCents !== null && opening !== existing.closingCents)
    refuse(
      line,
      say`${formatDate(day)} starts with a balance of ${formatCents(opening)}, but the previous day ended with ${formatCents(existing.closingCents)}. Ask the bank to send the file again.`,
    )
  existing.toDay = day
  existing.closingCents = closing
  existing.lines.push(...lines)
}

/**
 * Splits the text into records, which end with a slash. Some banks write several records on one line or omit the slash
 * after a text. Other banks write `88:TEXT`, or continue a text on a line without the code 88.
 */
function recordsOf(text: string): Bai2Record[] {
  const records: Bai2Record[] = []
  for (const [at, physical] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries())
    for (const part of physical.split(/\/(?=\s*(?:0[123]|16|49|88|9[89]),)/)) {
      const content = part.trim().replace(/\/\s*$/, '')
      if (content === '') continue
      const before = records.at(-1)
      const [, goesOn] = /^88(?!\d)[,:;]?(.*)$/.exec(content) ?? []
      if (goesOn !== undefined && before) {
        before.fields.push(...goesOn.split(',').map((field) => field.trim()))
        before.count += 1
        continue
      }
      const [code = '', ...fields] = content.split(',').map((field) => field.trim())
      if ((CODES as readonly string[]).includes(code)) records.push({ code, fields, line: at + 1, count: 1, loose: 0 })
      else if (before?.code === '16' && before.fields.length > FIELDS_BEFORE_TEXT && !/^\d\d$/.test(code)) {
        before.fields.push(`${before.fields.pop() ?? ''} ${content}`.trim())
        before.loose += 1
      } else refuse(at + 1, say`“${code.slice(0, 20)}” is not a BAI2 record. Check that the file is in BAI2 format.`)
    }
  return records
}

function centsIn(text: string, line: number): number {
  if (!/^[+-]?\d{1,15}$/.test(text))
    refuse(line, say`“${text.slice(0, 20)}” is not an amount in cents. Ask the bank to send the file again.`)
  return Number(text)
}

/** Converts YYMMDD to YYYY-MM-DD. */
function dayIn(text: string, line: number): string {
  const day = readDay(text.replace(/^(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3'))
  return (
    day ??
    refuse(line, say`“${text.slice(0, 20)}” is not a date in the format YYMMDD. Ask the bank to send the file again.`)
  )
}
