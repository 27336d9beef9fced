/** One line of a bank statement, independent of the file format. */
export interface StatementLine {
  /** Day in the format YYYY-MM-DD. */
  day: string
  /** Amount in integer cents, never 0. Negative for money out. */
  cents: number
  /** BAI2 type code, such as 142. Empty for a CSV file. */
  code: string
  reference: string
  text: string
}

export interface Statement {
  /** Last four digits of the account number, or more if two accounts share them. */
  account: string
  /** Account number, as complete as in the file. The portal never stores it. */
  number: string
  /** Null if the file has no balance. */
  openingCents: number | null
  closingCents: number | null
  fromDay: string
  toDay: string
  lines: StatementLine[]
}

/** Default number of digits in an account's short name. */
const SHORT = 4
/** Number of digits by which a short name grows until no other account has it. */
const STEP = 2

/**
 * Normalizes an account number: removes leading zeros, masks and words. `XXXX-0011`, `Checking 0011` and `000011` have
 * the same result.
 */
export const numberOf = (account: string): string => {
  const plain = account.replaceAll(/\W/g, '')
  const digits = /\d+$/.exec(plain)?.[0].replace(/^0+(?=\d{4})/, '')
  return digits ?? plain
}

export const endingOf = (account: string): string => account.replaceAll(/\W/g, '').slice(-SHORT) || '–'

/**
 * Account with saved statements: its short name, and a keyed hash of its number. The hash is '' if no file had the full
 * number.
 */
export interface BankAccount {
  account: string
  mark: string
  /** Account number, known only while its file is imported. */
  number?: string
}

/** Assigns a short name to an account: the last four digits, or more if another account has the same digits. */
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
