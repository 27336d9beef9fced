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
  /** The last four digits. */
  account: string
  fromDay: string
  toDay: string
  /** Null where the file tells no balance. */
  openingCents: number | null
  closingCents: number | null
  lines: StatementLine[]
}

/** An account is known by its last four digits alone, and the whole number is kept nowhere. */
export const endingOf = (account: string): string => account.replaceAll(/\W/g, '').slice(-4) || '–'
