/**
 * Meaning of a transaction code. The first digit is the account type (2 checking, 3 savings, 4 general ledger, 5 loan).
 * The second digit is the direction and the purpose.
 */
export interface TransactionKind {
  direction: 'credit' | 'debit'
  /** `live` moves money. A prenote and a `zero` entry (remittance information only) have no amount. */
  purpose: 'live' | 'prenote' | 'zero' | 'return'
}

const ACCOUNTS = { checking: '2', savings: '3', ledger: '4', loan: '5' } as const

/**
 * Returns the meaning of a code, or undefined if the code does not exist. `isAdvice` selects the separate codes of
 * accounting advices.
 */
export function transactionKind(code: string, isAdvice = false): TransactionKind | undefined {
  const [account = '', purpose = ''] = code
  if (isAdvice)
    return /^8[1-8]$/.test(code)
      ? { direction: Number(purpose) % 2 === 1 ? 'credit' : 'debit', purpose: 'live' }
      : undefined
  if (!/^[2-5]$/.test(account)) return undefined
  // Loan accounts receive only credits. Their only debit code reverses a credit.
  if (account === ACCOUNTS.loan && !/^[1-6]$/.test(purpose)) return undefined
  if (account === ACCOUNTS.loan && purpose === '5') return { direction: 'debit', purpose: 'live' }
  const purposes = { 1: 'return', 2: 'live', 3: 'prenote', 4: 'zero', 6: 'return', 7: 'live', 8: 'prenote', 9: 'zero' }
  const purposeName = purposes[Number(purpose) as keyof typeof purposes] as TransactionKind['purpose'] | undefined
  return purposeName && { direction: Number(purpose) < 5 ? 'credit' : 'debit', purpose: purposeName }
}

export type AccountType = 'checking' | 'savings'

export function transactionCode(type: AccountType, direction: 'credit' | 'debit', purpose: 'live' | 'prenote'): string {
  const live = direction === 'credit' ? 2 : 7
  return `${ACCOUNTS[type]}${purpose === 'live' ? live : live + 1}`
}

/** Returns the account type of a code, or undefined if it is not a customer's account. */
export function accountTypeOf(code: string): AccountType | undefined {
  if (code.startsWith(ACCOUNTS.checking)) return 'checking'
  return code.startsWith(ACCOUNTS.savings) ? 'savings' : undefined
}
