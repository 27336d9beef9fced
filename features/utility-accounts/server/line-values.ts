import type { TableRow } from '../../../server/table-rows.ts'
import { readDay } from '../../../shared/dates.ts'
import { formatCents, MAX_CENTS, readAmount } from '../../../shared/money.ts'
import { DIRECTION_OVERRIDES } from '../../../shared/visible.ts'
import { isAccountNumber, normalizeAccountNumber } from '../rules.ts'

/** Error for a refused line. The import report shows its message as the reason. */
export class LineError extends Error {}

/**
 * Returns a reader for the values of a line by column name. `width` is the number of columns in the header.
 * @throws LineError
 */
export function getterOf({ cells, texts }: Pick<TableRow, 'cells' | 'texts'>, width: number): Get {
  const extra = cells.slice(width).some((cell) => cell.trim() !== '')
  if (extra) throw new LineError(`The line has ${cells.length} columns, but the header has ${width}.`)
  const all = cells.join(' ')
  if (all.includes('\uFFFD'))
    throw new LineError('The line has a character that is not UTF-8. Save the file as "CSV UTF-8".')
  if (/[\p{Cc}--[\t\n]]/v.test(all)) throw new LineError('The line has a control character.')
  if (DIRECTION_OVERRIDES.test(all.replaceAll(/[\u200E\u200F]/g, '')))
    throw new LineError('The line has a character that reverses the text direction.')
  return (name) => texts.get(name) ?? ''
}

export type Get = (name: string) => string

export const oneLine = (text: string, joint = ' '): string => text.replaceAll(/\s*\n\s*/g, joint)

export function required(get: Get, name: string, max = 200): string {
  const text = get(name)
  if (text === '') throw new LineError(`${name} is empty.`)
  if (text.length > max) throw new LineError(`${name} is longer than ${max} characters.`)
  return text
}

export function accountNumber(text: string): string {
  const number = normalizeAccountNumber(text)
  if (!isAccountNumber(number))
    throw new LineError(`account_number "${text}" can contain only letters, digits and dashes, up to 30 characters.`)
  return number
}

/** Parses an amount to cents. `-12.50` and `(12.50)` are credits. */
export function amount(name: string, text: string): number {
  const { cents, problem } = readAmount(text)
  if (problem === 'limit') throw new LineError(`${name} "${text}" is over the limit of ${formatCents(MAX_CENTS)}.`)
  if (cents === undefined) throw new LineError(`${name} "${text}" is not an amount such as 149.31.`)
  return cents
}

/** Parses a date (`readDay`). Refuses days that do not exist. */
export function date(name: string, get: Get): string {
  const text = required(get, name, 40)
  const read = days.get(text) ?? readDay(text, /^(?:19|20|21)/)
  if (read === null) throw new LineError(`${name} "${text}" is not a date such as 2026-11-21 or 11/21/2026.`)
  if (days.size > 1000) days.clear()
  days.set(text, read)
  return read
}

/** Parsed dates by text. Saves time, because the bills of a file have only a few different dates. */
const days = new Map<string, string>()
