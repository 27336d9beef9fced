import type { BillLine } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { MAX_CENTS, parseCents } from '../../../shared/money.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { isAccountNumber, normaliseAccountNumber } from '../rules.ts'

/** One line of a bill file, read and checked; amounts in integer cents, dates YYYY-MM-DD. */
export interface ReadBill extends Omit<
  Schema['found_utility_account'],
  'company_id' | 'id' | 'created_at' | 'name_key'
> {
  line: number
  bill_number: string
  bill_date: string
  due_date: string
  period_start: string
  period_end: string
  lines: BillLine[]
  amount_cents: number
  paid_elsewhere_cents: number
}

/** A line that can't be taken; the message is the reason that is reported. */
export class WrongLine extends Error {}

const GROUPS = 6
const GROUP_COLUMNS = ['service', 'description', 'quantity', 'unit', 'amount'] as const
const REQUIRED = [
  'account_number',
  'customer_name',
  'service_address',
  'city',
  'state',
  'zip',
  'bill_number',
  'bill_date',
  'due_date',
  'period_start',
  'period_end',
  'service_1',
  'amount_1',
] as const
const OPTIONAL = ['customer_email', 'phone', 'amount_paid'] as const
const groups = Array.from({ length: GROUPS }, (_, at) => GROUP_COLUMNS.map((column) => `${column}_${at + 1}`))
const KNOWN = new Set<string>([...REQUIRED, ...OPTIONAL, ...groups.flat()])

export type Columns = ReadonlyMap<string, number>

/** Reads the header. Answers where each column is, or the one sentence that says what is wrong with it. */
export function readHeader(cells: readonly string[]): Columns | string {
  const names = cells.map((cell) =>
    plain(cell)
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  while (names.at(-1) === '') names.pop()
  const columns = new Map<string, number>()
  for (const [at, name] of names.entries()) {
    if (name === '') return `Column ${at + 1} of the header has no name.`
    if (columns.has(name)) return `The header names the column ${name} twice.`
    columns.set(name, at)
  }
  const missing = REQUIRED.filter((name) => !columns.has(name))
  if (missing.length === REQUIRED.length)
    return 'The first line is not a header with the names of the columns. The layout is in docs/import-bills.md.'
  if (missing.length > 0) return `The header lacks ${missing.join(', ')}. The layout is in docs/import-bills.md.`
  const strange = names.filter((name) => !KNOWN.has(name))
  if (strange.length > 0)
    return `The header has columns that are not known: ${strange.join(', ')}. The layout is in docs/import-bills.md.`
  return columns
}

/** Reads one line by the header's columns. @throws WrongLine */
export function readBill(cells: readonly string[], columns: Columns, line: number): ReadBill {
  const extra = cells.slice(columns.size).some((cell) => cell.trim() !== '')
  if (extra) throw new WrongLine(`It has ${cells.length} columns, the header has ${columns.size}.`)
  const all = cells.join(' ')
  if (all.includes('\uFFFD')) throw new WrongLine('It has a character that is not UTF-8. Save the file as "CSV UTF-8".')
  if (/[\p{Cc}--[\t\n]]/v.test(all)) throw new WrongLine('It has a control character.')
  const get = (name: string) => plain(cells[columns.get(name) ?? -1] ?? '')
  const lines = readLines(get)
  const amount_cents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (Math.abs(amount_cents) > MAX_CENTS) throw new WrongLine('The amounts come to more than $9,999,999.99.')
  const bill = {
    line,
    account_number: accountNumber(required(get, 'account_number', 60)),
    customer_name: oneLine(required(get, 'customer_name')),
    customer_email: email(get('customer_email')),
    phone_no: phone(get('phone')),
    service_address: oneLine(required(get, 'service_address'), ', '),
    city: oneLine(required(get, 'city', 100)),
    state: state(required(get, 'state', 20)),
    zipcode: zip(required(get, 'zip', 20)),
    bill_number: billNumber(required(get, 'bill_number', 60)),
    bill_date: date('bill_date', get),
    due_date: date('due_date', get),
    period_start: date('period_start', get),
    period_end: date('period_end', get),
    lines,
    amount_cents,
    paid_elsewhere_cents: get('amount_paid') === '' ? 0 : amount('amount_paid', get('amount_paid')),
  }
  if (bill.due_date < bill.bill_date)
    throw new WrongLine(`due_date ${bill.due_date} is before bill_date ${bill.bill_date}.`)
  if (bill.period_end < bill.period_start)
    throw new WrongLine(`period_end ${bill.period_end} is before period_start ${bill.period_start}.`)
  if (bill.paid_elsewhere_cents < 0) throw new WrongLine('amount_paid is negative.')
  return bill
}

/** A cell without the marks by which spreadsheets keep a number as text: '000123 and ="000123". */
function plain(cell: string): string {
  const text = cell.trim()
  // Most cells have no such mark, and there are many cells.
  if (!text.startsWith("'") && !text.startsWith('=')) return text
  return text
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=[\d=+@.$(-])/, '')
    .trim()
}

type Get = (name: string) => string

const oneLine = (text: string, joint = ' '): string => text.replaceAll(/\s*\n\s*/g, joint)

function required(get: Get, name: string, most = 200): string {
  const text = get(name)
  if (text === '') throw new WrongLine(`${name} is empty.`)
  if (text.length > most) throw new WrongLine(`${name} is longer than ${most} characters.`)
  return text
}

function accountNumber(text: string): string {
  const number = normaliseAccountNumber(text)
  if (!isAccountNumber(number))
    throw new WrongLine(`account_number "${text}" is not made of at most 30 letters, digits and dashes.`)
  return number
}

function billNumber(text: string): string {
  if (!/^[\w./#-]{1,40}$/.test(text))
    throw new WrongLine(`bill_number "${text}" is not made of at most 40 letters, digits and . / # - _.`)
  return text
}

function email(text: string): string {
  if (text !== '' && (text.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)))
    throw new WrongLine(`customer_email "${text}" is not an email address.`)
  return text
}

function phone(text: string): string {
  const digits = nationalDigits(text)
  if (text !== '' && digits.length !== 10) throw new WrongLine(`phone "${text}" does not have 10 digits.`)
  return digits
}

function state(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new WrongLine(`state "${text}" is not two letters.`)
  return text.toUpperCase()
}

function zip(text: string): string {
  const digits = /^(\d{5})(?:-?\d{4})?$/.exec(text)?.[1]
  if (!digits) throw new WrongLine(`zip "${text}" is not 5 digits. A spreadsheet may have dropped a zero in front.`)
  return digits
}

/** YYYY-MM-DD or MM/DD/YYYY, and a day that there is. */
function date(name: string, get: Get): string {
  const text = required(get, name, 40)
  const read = days.get(text) ?? dayOf(text)
  if (read === null) throw new WrongLine(`${name} "${text}" is not a date such as 2026-11-21 or 11/21/2026.`)
  if (days.size > 1000) days.clear()
  days.set(text, read)
  return read
}

/** The bills of a file share a few dates. */
const days = new Map<string, string>()

function dayOf(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const [year = '', month = '', day = ''] = iso ? iso.slice(1) : us ? [us[3], us[1], us[2]] : []
  const read = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${read}T00:00:00Z`)
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === read && Number(year) >= 1900
  return exists ? read : null
}

/** Cents of an amount; `-12.50` and `(12.50)` are credits. */
function amount(name: string, text: string): number {
  const negative = /^\((.*)\)$/.exec(text)?.[1] ?? /^-\s*(.*)$/.exec(text)?.[1] ?? /^\$-(.*)$/.exec(text)?.[1]
  const cents = parseCents(negative ?? text)
  if (cents === null) throw new WrongLine(`${name} "${text}" is not an amount such as 149.31.`)
  return negative === undefined || cents === 0 ? cents : -cents
}

/** The groups of columns that are filled in, as lines of the bill. */
function readLines(get: Get): BillLine[] {
  const lines: BillLine[] = []
  for (const [at, columns] of groups.entries()) {
    const group = at + 1
    const [service = '', description = '', quantity = '', unit = '', cents = ''] = columns.map(get)
    if (!service && !description && !quantity && !unit && !cents) continue
    if (!service) throw new WrongLine(`service_${group} is empty.`)
    if (!cents) throw new WrongLine(`amount_${group} is empty.`)
    if (Math.max(service.length, description.length, unit.length) > 200)
      throw new WrongLine(`A text of group ${group} is longer than 200 characters.`)
    const number = quantity.replaceAll(',', '')
    if (!/^(?:-?\d{1,9}(?:\.\d{1,4})?)?$/.test(number))
      throw new WrongLine(`quantity_${group} "${quantity}" is not a number.`)
    const [oneService, oneDescription] = [oneLine(service), oneLine(description)]
    const amountCents = amount(`amount_${group}`, cents)
    lines.push({
      service: oneService,
      description: oneDescription,
      quantity: number === '' ? null : Number(number),
      unit: oneLine(unit),
      amountCents,
    })
  }
  if (lines.length === 0) throw new WrongLine('It has no service with an amount.')
  return lines
}
