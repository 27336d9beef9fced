import { amount, accountNumber, date, type Get, oneLine, required, LineError } from './line-values.ts'

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

/**
 * Parses one line.
 * @throws LineError
 */
export function readRecord(get: Get, line: number): AccountRecord {
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
