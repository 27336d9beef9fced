/** What a bank's statement says of one account, whichever layout it came in. Integer cents. */
export interface StatementLine {
  /** YYYY-MM-DD. */
  day: string
  /** Negative where money left the account; never 0. */
  cents: number
  /** The type code of BAI2, such as 142; empty in a CSV. */
  code: string
  reference: string
  says: string
}

export interface Statement {
  /** The last four digits, or more where two accounts share them. */
  account: string
  /** The whole number as far as the file tells it, which is kept nowhere. */
  number: string
  /** Null where the file tells no balance. */
  openingCents: number | null
  closingCents: number | null
  fromDay: string
  toDay: string
  lines: StatementLine[]
}

/** Digits by which an account is known in a list. */
const SHORT = 4
/** Digits that more than one account shares, before longer ones are shown. */
const STEP = 2

/** The number of an account without leading zeros, masks and words: `XXXX-0011`, `Checking 0011` and `000011` are one. */
export const numberOf = (account: string): string => {
  const plain = account.replaceAll(/\W/g, '')
  const digits = /\d+$/.exec(plain)?.[0].replace(/^0+(?=\d{4})/, '')
  return digits ?? plain
}

export const endingOf = (account: string): string => account.replaceAll(/\W/g, '').slice(-SHORT) || '–'

/** An account of which a statement was taken: its name in lists, and a keyed hash of its number; '' if nobody told it whole. */
export interface BankAccount {
  account: string
  mark: string
  /** Of an account in the same file: its number. */
  number?: string
}

/** The name of an account in lists: its last four digits, or as many as tell it from the other accounts. */
export function accountOf(
  number: string,
  markOf: (number: string) => string,
  known: readonly BankAccount[],
): BankAccount {
  // What is as short as a name may be any account of that name.
  const mark = number.length > SHORT ? markOf(number) : ''
  const same = mark && known.find((one) => one.mark === mark)
  if (same) return same
  for (let length = SHORT; ; length += STEP) {
    const account = number.slice(-length) || '–'
    const isTaken =
      mark !== '' &&
      known.some(
        (one) => one.mark !== '' && one.mark !== mark && (one.account === account || one.number?.endsWith(account)),
      )
    if (!isTaken || length >= number.length) return { account, mark, number }
  }
}
