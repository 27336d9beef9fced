import {
  amount,
  accountNumber,
  type Columns,
  columnsOf,
  date,
  getterOf,
  oneLine,
  required,
  LineError,
} from './csv-cells.ts'

/** Kinds of account records that a billing system sends between bills. */
export const recordKinds = ['adjustment', 'shutoff_scheduled', 'shutoff', 'shutoff_restored'] as const
export type RecordKind = (typeof recordKinds)[number]

/** Parsed and validated line of a records file. */
export interface AccountRecord {
  line: number
  account_number: string
  kind: RecordKind
  record_number: string
  date: string
  /**
   * Amount in cents. Negative for a credit adjustment. For a shutoff, the amount that the customer must pay. Null if
   * the line has none.
   */
  amount_cents: number | null
  reason: string
}

const REQUIRED = ['account_number', 'record', 'record_number', 'date'] as const
const ALL_COLUMNS = new Set<string>([...REQUIRED, 'amount', 'reason'])

/** Returns true if this is the header of a records file. Only such a file has a column for the kind of each line. */
export const isRecordHeader = (cells: readonly string[]): boolean =>
  cells.some((cell) => cell.trim().toLowerCase() === 'record')

export const readHeader = (cells: readonly string[]): Columns | string => columnsOf(cells, REQUIRED, ALL_COLUMNS)

/**
 * Parses one line, using the column positions of the header.
 * @throws LineError
 */
export function readRecord(cells: readonly string[], columns: Columns, line: number): AccountRecord {
  const get = getterOf(cells, columns)
  const kind = kindOf(required(get, 'record', 40))
  const cents = get('amount') === '' ? null : amount('amount', get('amount'))
  const reason = oneLine(get('reason'))
  if (reason.length > 200) throw new LineError('reason is longer than 200 characters.')
  if (kind === 'adjustment' && !cents) throw new LineError('An adjustment needs an amount that is not zero.')
  if (kind === 'adjustment' && !reason) throw new LineError('An adjustment needs a reason. The customer reads it.')
  if (kind !== 'adjustment' && cents !== null && cents <= 0)
    throw new LineError('The amount of a shutoff must be empty or more than zero.')
  return {
    line,
    account_number: accountNumber(required(get, 'account_number', 60)),
    kind,
    record_number: recordNumber(required(get, 'record_number', 60)),
    date: date('date', get),
    amount_cents: cents,
    reason,
  }
}

function kindOf(text: string): RecordKind {
  const kind = recordKinds.find((one) => one === text.toLowerCase().replaceAll(/[\s-]+/g, '_'))
  if (!kind) throw new LineError(`record "${text}" is not one of ${recordKinds.join(', ')}.`)
  return kind
}

function recordNumber(text: string): string {
  if (!/^[\w./#-]{1,40}$/.test(text))
    throw new LineError(`record_number "${text}" can contain only letters, digits and . / # - _, up to 40 characters.`)
  return text
}
