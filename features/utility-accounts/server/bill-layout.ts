import type { BillLine } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { addMonths } from '../../../shared/dates.ts'
import { columnKey } from '../../../server/columns.ts'
import type { ColumnMapping } from '../../../shared/imports.ts'
import { MAX_CENTS, readAmount } from '../../../shared/money.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { isLinkCode, normalizeLinkCode } from '../rules.ts'
import { billColumns, GROUP_COLUMNS, GROUPS, type madeColumns } from './bill-columns.ts'
import { accountNumber, amount, date, type Get, oneLine, required, LineError } from './line-values.ts'

/** Parsed and validated line of a billing file. Amounts are integer cents, and dates are YYYY-MM-DD. */
export interface BillRecord extends Omit<
  Schema['found_utility_account'],
  'company_id' | 'id' | 'created_at' | 'name_key'
> {
  line: number
  /** Billing route. Empty if the file has none. */
  route: string
  bill_number: string
  bill_date: string
  due_date: string
  period_start: string
  period_end: string
  lines: BillLine[]
  amount_cents: number
  paid_elsewhere_cents: number
  /** Code for linking the account. Empty if the file has none. */
  link_code: string
  /** File name of the bill's PDF from the billing system. Empty if it has none. */
  document: string
}

const groups = Array.from({ length: GROUPS }, (_, at) => GROUP_COLUMNS.map((column) => `${column}_${at + 1}`))

/**
 * Parses one line. If the file has no bill numbers, makes the number from account and due date. If it has no periods,
 * makes the month up to the bill date. So a second import of the file finds the same bill again.
 * @throws LineError
 */
export function readBill(
  get: Get,
  line: number,
  has: (name: (typeof madeColumns)[number]) => boolean = () => true,
): BillRecord {
  const lines = readLines(get)
  const amount_cents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (Math.abs(amount_cents) > MAX_CENTS) throw new LineError('The amounts total more than $9,999,999.99.')
  const account_number = accountNumber(required(get, 'account_number', 60))
  const due_date = date('due_date', get)
  const bill_date = date('bill_date', get)
  const period_end = has('period_end') ? date('period_end', get) : bill_date
  const bill = {
    line,
    account_number,
    customer_name: oneLine(required(get, 'customer_name')),
    customer_email: email(get('customer_email')),
    phone_no: phone(get('phone')),
    route: route(get('route')),
    service_address: oneLine(required(get, 'service_address'), ', '),
    city: oneLine(required(get, 'city', 100)),
    state: state(required(get, 'state', 20)),
    zipcode: zip(required(get, 'zip', 20)),
    bill_number: has('bill_number')
      ? billNumber(required(get, 'bill_number', 60))
      : `${account_number}-${due_date.replaceAll('-', '')}`,
    bill_date,
    due_date,
    period_start: has('period_start') ? date('period_start', get) : addMonths(period_end, -1),
    period_end,
    lines,
    amount_cents,
    paid_elsewhere_cents: get('amount_paid') === '' ? 0 : amount('amount_paid', get('amount_paid')),
    link_code: linkCode(get('link_code')),
    document: documentName(get('document')),
  }
  if (bill.due_date < bill.bill_date)
    throw new LineError(`due_date ${bill.due_date} is before bill_date ${bill.bill_date}.`)
  if (bill.period_end < bill.period_start)
    throw new LineError(`period_end ${bill.period_end} is before period_start ${bill.period_start}.`)
  if (bill.paid_elsewhere_cents < 0) throw new LineError('amount_paid is negative.')
  return bill
}

/**
 * Returns a reader that names the charge of each amount without a service by the header of the amount, such as “Sewer”.
 * It leaves out such charges of 0.
 */
export function readerWithHeaders({ columns }: ColumnMapping, headers: readonly string[]): (get: Get) => Get {
  const services = new Map(
    [...columns.entries()].flatMap(([at, name]): [string, string][] => {
      const group = /^amount_(\d+)$/.exec(name)?.[1]
      const header = headers[at] ?? ''
      const isNamed = !group || group === '1' || columns.includes(`service_${group}`)
      return isNamed || billColumns.names.get(columnKey(header)) === name ? [] : [[group, titleOfHeader(header)]]
    }),
  )
  if (services.size === 0) return (get) => get
  return (get) => (name) => {
    const [column, group = ''] = name.split('_')
    const service = services.get(group)
    if (service === undefined || (column !== 'service' && column !== 'amount')) return get(name)
    const text = get(`amount_${group}`)
    if (text === '' || readAmount(text).cents === 0) return ''
    return column === 'service' ? service : text
  }
}

const titleOfHeader = (header: string): string => {
  const text = columnKey(header).replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function linkCode(text: string): string {
  if (text !== '' && !isLinkCode(text)) throw new LineError('link_code must have 8 to 12 letters and digits.')
  return normalizeLinkCode(text)
}

function documentName(text: string): string {
  if (text !== '' && !/^[^.\\/\p{C}<>:"|?*][^\\/\p{C}<>:"|?*]{0,119}\.pdf$/iu.test(text))
    throw new LineError(
      `document "${text}" must be the file name of a PDF without a folder, such as 202611-100014.pdf.`,
    )
  return text
}

function billNumber(text: string): string {
  if (!/^[\w./#-]{1,40}$/.test(text))
    throw new LineError(`bill_number "${text}" can contain only letters, digits and . / # - _, up to 40 characters.`)
  return text
}

function email(text: string): string {
  if (text !== '' && (text.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)))
    throw new LineError(`customer_email "${text}" is not an email address.`)
  return text
}

function phone(text: string): string {
  const digits = nationalDigits(text)
  if (text !== '' && digits.length !== 10) throw new LineError(`phone "${text}" does not have 10 digits.`)
  return digits
}

function route(text: string): string {
  const name = oneLine(text).toUpperCase()
  if (name.length > 20) throw new LineError(`route "${text}" is longer than 20 characters.`)
  return name
}

function state(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new LineError(`state "${text}" must be two letters.`)
  return text.toUpperCase()
}

function zip(text: string): string {
  const digits = /^(\d{5})(?:-?\d{4})?$/.exec(text)?.[1]
  if (!digits)
    throw new LineError(`zip "${text}" does not have 5 digits. A spreadsheet may have removed a leading zero.`)
  return digits
}

/** Converts each column group that contains a value to a bill line. */
function readLines(get: Get): BillLine[] {
  const lines: BillLine[] = []
  for (const [at, columns] of groups.entries()) {
    const group = at + 1
    const [service = '', description = '', quantity = '', unit = '', cents = ''] = columns.map(get)
    if (!service && !description && !quantity && !unit && !cents) continue
    if (!service) throw new LineError(`service_${group} is empty.`)
    if (!cents) throw new LineError(`amount_${group} is empty.`)
    if (Math.max(service.length, description.length, unit.length) > 200)
      throw new LineError(`A text in group ${group} is longer than 200 characters.`)
    const number = quantity.replaceAll(',', '')
    if (!/^(?:-?\d{1,9}(?:\.\d{1,4})?)?$/.test(number))
      throw new LineError(`quantity_${group} "${quantity}" is not a number.`)
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
  if (lines.length === 0) throw new LineError('The line has no service with an amount.')
  return lines
}
