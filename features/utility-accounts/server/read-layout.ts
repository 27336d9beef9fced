import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { accountNumber, date, type Get, oneLine, required, LineError } from './line-values.ts'

/** Parsed and validated line of a readings file. Dates are YYYY-MM-DD. */
export interface MeterRead extends Omit<
  Selectable<Schema['meter_reading']>,
  'company_id' | 'account_id' | 'imported_at'
> {
  line: number
  account_number: string
}

/**
 * Parses one line.
 * @throws LineError
 */
export function readMeterRead(get: Get, line: number): MeterRead {
  const read = {
    line,
    account_number: accountNumber(required(get, 'account_number', 60)),
    meter_number: meterNumber(required(get, 'meter_number', 60)),
    read_date: date('read_date', get),
    service: oneLine(required(get, 'service', 60)),
    unit: oneLine(required(get, 'unit', 40)),
    reading: quantity('reading', get),
    used: quantity('used', get),
    days: Number(required(get, 'days', 10)),
    kind: kindOf(get('kind')),
  }
  if (!Number.isInteger(read.days) || read.days < 1 || read.days > 400)
    throw new LineError(`days "${get('days')}" is not a whole number from 1 to 400.`)
  return read
}

function meterNumber(text: string): string {
  if (!/^[\w./#-]{1,40}$/.test(text))
    throw new LineError(`meter_number "${text}" can contain only letters, digits and . / # - _, up to 40 characters.`)
  return text
}

function quantity(name: string, get: Get): number {
  const text = required(get, name, 40)
  const digits = text.replaceAll(',', '')
  if (!/^\d{1,9}(?:\.\d{1,3})?$/.test(digits))
    throw new LineError(`${name} "${text}" is not a number with up to three decimals, such as 6.5.`)
  return Number(digits)
}

const kinds = ['actual', 'estimated', 'corrected'] as const

function kindOf(text: string): MeterRead['kind'] {
  const kind = kinds.find((one) => one === text.toLowerCase())
  if (text !== '' && !kind) throw new LineError(`kind "${text}" must be actual, estimated or corrected.`)
  return kind ?? 'actual'
}
