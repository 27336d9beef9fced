/** Bank statement of one account, independent of the file layout. In integer cents. */
export interface StatementLine {
  /** As YYYY-MM-DD. */
  day: string
  /** Negative for money out. Never 0. */
  cents: number
  /** BAI2 type code, such as 142. Empty for a CSV. */
  code: string
  reference: string
  text: string
}

export interface Statement {
  /** Last four digits, or more if two accounts share them. */
  account: string
  /** Account number, as complete as the file states it. Never stored. */
  number: string
  /** Null if the file has no balance. */
  openingCents: number | null
  closingCents: number | null
  fromDay: string
  toDay: string
  lines: StatementLine[]
}

/** Default number of digits in the name of an account. */
const SHORT = 4
/** Number of digits to add while several accounts have the same ending. */
const STEP = 2

/**
 * Normalizes an account number by removing leading zeros, masks and words. `XXXX-0011`, `Checking 0011` and `000011`
 * are equal.
 */
export const numberOf = (account: string): string => {
  const plain = account.replaceAll(/\W/g, '')
  const digits = /\d+$/.exec(plain)?.[0].replace(/^0+(?=\d{4})/, '')
  return digits ?? plain
}

export const endingOf = (account: string): string => account.replaceAll(/\W/g, '').slice(-SHORT) || '–'

/**
 * Account with saved statements: its name in lists, and a keyed hash of its number. The hash is '' if no file stated
 * the full number.
 */
export interface BankAccount {
  account: string
  mark: string
  /** Number of an account in the same file. */
  number?: string
}

/** Names an account for lists by its last four digits, or by as many digits as make it unique. */
export function accountOf(
  number: string,
  markOf: (number: string) => string,
  existing: readonly BankAccount[],
): BankAccount {
  // A number of only four digits can belong to any account with that ending, so it gets no hash.
  const mark = number.length > SHORT ? markOf(number) : ''
  const same = mark && existing.find((one) => one.mark === mark)
  if (same) return same
  for (let length = SHORT; ; length += STEP) {
    const account = number.slice(-length) || '–'
    const isUsed =
      mark !== '' &&
      existing.some(
        (one) => one.mark !== '' && one.mark !== mark && (one.account === account || one.number?.endsWith(account)),
      )
    if (!isUsed || length >= number.length) return { account, mark, number }
  }
}
