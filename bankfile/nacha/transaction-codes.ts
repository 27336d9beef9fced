/**
 * What a transaction code says: the first digit names the kind of account (2 checking, 3 savings, 4 general ledger, 5 loan),
 * the second which way the money goes and what for.
 */
export interface TransactionKind {
  way: 'credit' | 'debit'
  /** `live` moves money; a prenote and a `zero` entry (remittance information alone) have no amount. */
  purpose: 'live' | 'prenote' | 'zero' | 'return'
}

const ACCOUNTS = { checking: '2', savings: '3', ledger: '4', loan: '5' } as const

/** What a code means, or undefined where no such code exists. `isAdvice`: among accounting advices, which have codes of their own. */
export function transactionKind(code: string, isAdvice = false): TransactionKind | undefined {
  const [account = '', purpose = ''] = code
  if (isAdvice)
    return /^8[1-8]$/.test(code) ? { way: Number(purpose) % 2 === 1 ? 'credit' : 'debit', purpose: 'live' } : undefined
  if (!/^[2-5]$/.test(account)) return undefined
  // A loan account is credited; the one debit there is takes such a credit back.
  if (account === ACCOUNTS.loan && !/^[1-6]$/.test(purpose)) return undefined
  if (account === ACCOUNTS.loan && purpose === '5') return { way: 'debit', purpose: 'live' }
  const purposes = { 1: 'return', 2: 'live', 3: 'prenote', 4: 'zero', 6: 'return', 7: 'live', 8: 'prenote', 9: 'zero' }
  const known = purposes[Number(purpose) as keyof typeof purposes] as TransactionKind['purpose'] | undefined
  return known && { way: Number(purpose) < 5 ? 'credit' : 'debit', purpose: known }
}

export type AccountType = 'checking' | 'savings'

/** The code of an entry that we write. */
export function transactionCode(type: AccountType, way: 'credit' | 'debit', purpose: 'live' | 'prenote'): string {
  const live = way === 'credit' ? 2 : 7
  return `${ACCOUNTS[type]}${purpose === 'live' ? live : live + 1}`
}

/** The kind of account that a code is for, where it is a customer's. */
export function accountTypeOf(code: string): AccountType | undefined {
  if (code.startsWith(ACCOUNTS.checking)) return 'checking'
  return code.startsWith(ACCOUNTS.savings) ? 'savings' : undefined
}
