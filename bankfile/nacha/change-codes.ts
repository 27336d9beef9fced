import { isRoutingNumber } from './routing.ts'
import { type AccountType, accountTypeOf } from './transaction-codes.ts'

/** Short text of each change code of the ACH network (Nacha Operating Rules, Appendix Five). */
export const changeCodes: Readonly<Record<string, string>> = {
  C01: 'Account number',
  C02: 'Routing number',
  C03: 'Routing number and account number',
  C04: 'Name of the account’s owner',
  C05: 'Kind of account',
  C06: 'Account number and kind of account',
  C07: 'Routing number, account number and kind of account',
  C08: 'Receiving bank of an international entry',
  C09: 'Individual identification',
  C10: 'Company name',
  C11: 'Company identification',
  C12: 'Company name and identification',
  C13: 'Form of the addenda',
  C14: 'Class of an international entry',
  C61: 'Refused change: sent to the wrong bank',
  C62: 'Refused change: trace number',
  C63: 'Refused change: company identification',
  C64: 'Refused change: individual identification',
  C65: 'Refused change: corrected data',
  C66: 'Refused change: original bank',
  C67: 'Refused change: routing number',
  C68: 'Refused change: account number',
  C69: 'Refused change: transaction code',
}

/** Corrected parts of a receiver's account. */
export interface Correction {
  routing?: string
  account?: string
  accountType?: AccountType
  name?: string
}

/**
 * Reads the corrected data of a notification of change, 29 characters. Returns `{}` if the change does not affect the
 * receiver's account, such as a change of a company name. Staff must handle such a change. Returns null if required
 * data is missing or wrong.
 */
export function correctionOf(code: string, data: string): Correction | null {
  const part = (from: number, to: number) => data.slice(from, to).trim()
  switch (code) {
    case 'C01':
      return whole({ account: part(0, 17) })
    case 'C02':
      return whole({ routing: part(0, 9) })
    case 'C03':
      return whole({ routing: part(0, 9), account: part(12, 29) })
    case 'C04':
      return whole({ name: part(0, 22) })
    case 'C05':
      return whole({ code: part(0, 2) })
    case 'C06':
      return whole({ account: part(0, 17), code: part(20, 22) })
    case 'C07':
      return whole({ routing: part(0, 9), account: part(9, 26), code: part(26, 28) })
    default:
      return {}
  }
}

/** Returns the correction. Null if a part of it is missing or wrong. */
function whole({
  code,
  ...rest
}: {
  routing?: string
  account?: string
  name?: string
  code?: string
}): Correction | null {
  const accountType = code === undefined ? undefined : accountTypeOf(code)
  if (rest.routing !== undefined && !isRoutingNumber(rest.routing)) return null
  if (rest.account !== undefined && !/^[A-Za-z\d -]{1,17}$/.test(rest.account)) return null
  if (rest.name === '') return null
  if (code !== undefined && (!/^\d\d$/.test(code) || !accountType)) return null
  return { ...rest, ...(accountType && { accountType }) }
}
