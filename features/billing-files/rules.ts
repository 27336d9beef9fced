import { plainDollars } from '../../shared/money.ts'

/** Import sources of a billing file. */
export const sources = {
  upload: 'Back office',
  key: 'API',
  folder: 'Watched folder',
  command: 'Command line',
} as const
export type ImportSource = keyof typeof sources

/** Kinds of lines in the order of a preview: errors, new records, changed records. */
export const lineKinds = {
  invalid: 'Line with error',
  account: 'New account',
  bill: 'New bill',
  adjustment: 'Adjustment',
  account_updated: 'Account updated',
  paid: 'Paid amount changed',
  shutoff: 'Shutoff',
  no_document: 'PDF missing',
} as const
export type LineKind = keyof typeof lineKinds

/** Maximum number of invalid lines stored for each file. Lines with changes have a separate limit of this size. */
export const MAX_LINES = 10_000

/** Columns of a daily file. Each line is one remittance, and the last lines are the totals. */
export const REMITTANCE_HEAD = 'type,number,account_number,amount,date,payment'

export interface RemittanceLine {
  kind: 'credit' | 'reversal'
  id: number
  account: string
  cents: number
  date: string
  order: number
}

/** Formats one remittance as a line. Reversals have a minus sign. */
export const remittanceLine = ({ kind, id, account, cents, date, order }: RemittanceLine): string =>
  `${kind},${id},${account},${plainDollars(kind === 'credit' ? cents : -cents)},${date},P${order}\n`

export interface ControlTotals {
  number: number
  day: string
  credits: number
  creditCents: number
  reversals: number
  reversalCents: number
}

/** Formats the last lines of a daily file: count and total of credits and of reversals, and the total of the day. */
export const controlLines = ({ number, day, credits, creditCents, reversals, reversalCents }: ControlTotals): string =>
  [
    `total_credits,${credits},,${plainDollars(creditCents)},${day},`,
    `total_reversals,${reversals},,${plainDollars(-reversalCents)},${day},`,
    `file,${number},,${plainDollars(creditCents - reversalCents)},${day},`,
    '',
  ].join('\n')

/** Returns the name of a daily file. Names sort in the order of the file numbers. */
export const remittanceName = (subdomain: string, number: number): string =>
  `remittances-${subdomain}-${String(number).padStart(6, '0')}.csv`
