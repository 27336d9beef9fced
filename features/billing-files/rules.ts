import { plainDollars } from '../../shared/money.ts'

/** How a file of bills came. */
export const ways = {
  upload: 'Back office',
  key: 'Call with a key',
  folder: 'Watched folder',
  command: 'Command',
} as const
export type ImportSource = keyof typeof ways

/** What a line of a file does. */
export const lineKinds = {
  wrong: 'Wrong line',
  account: 'New account',
  account_updated: 'Account updated',
  bill: 'New bill',
  paid: 'Other amount paid',
  adjustment: 'Adjustment',
  shutoff: 'Shut-off',
  no_document: 'PDF is missing',
} as const
export type LineKind = keyof typeof lineKinds

/** Of each file so many wrong lines are kept, and as many of those that change something. */
export const MAX_LINES = 10_000

/** Each line of a day's file, and at its end what they come to. */
export const REMITTANCE_HEAD = 'type,number,account_number,amount,date,payment'

export interface RemittanceLine {
  kind: 'credit' | 'reversal'
  id: number
  account: string
  cents: number
  date: string
  order: number
}

/** One remittance as a line: what went back has a minus. */
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

/** The end of a day's file: how many credits and reversals it has and what they come to, and what the day comes to. */
export const controlLines = ({ number, day, credits, creditCents, reversals, reversalCents }: ControlTotals): string =>
  [
    `total_credits,${credits},,${plainDollars(creditCents)},${day},`,
    `total_reversals,${reversals},,${plainDollars(-reversalCents)},${day},`,
    `file,${number},,${plainDollars(creditCents - reversalCents)},${day},`,
    '',
  ].join('\n')

/** The name of a day's file: sorted by name, files stand in the order of their numbers. */
export const remittanceName = (subdomain: string, number: number): string =>
  `remittances-${subdomain}-${String(number).padStart(6, '0')}.csv`
