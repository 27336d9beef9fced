/**
 * Action after a returned entry. `present-again`: present the same amount up to twice within 180 days. `new-details`:
 * the account can't be used, so ask its owner for another account. `revoke`: the owner does not allow the debit, so the
 * mandate ends. `stop`: the owner stopped this payment, so present no entry until the owner agrees. `staff`: the entry
 * or the banks are in error, so staff must check the return.
 */
export type ReturnAction = 'present-again' | 'new-details' | 'revoke' | 'stop' | 'staff'

export interface ReturnCode {
  title: string
  action: ReturnAction
  /** Time limit for the receiver's bank to return an entry: two banking days after settlement, or 60 calendar days. */
  within: '2 banking days' | '60 days'
  /** Return rate that counts this code: unauthorized debits, or wrong account details. */
  counts: 'unauthorized' | 'administrative' | null
  /** Sender: the receiver's bank, the originator's bank, or a gateway to another country. */
  from: 'receiver' | 'originator' | 'gateway'
}

const soon = (title: string, action: ReturnAction, counts: ReturnCode['counts'] = null): ReturnCode => ({
  title,
  action,
  within: '2 banking days',
  counts,
  from: 'receiver',
})
const late = (title: string, action: ReturnAction, counts: ReturnCode['counts'] = null): ReturnCode => ({
  ...soon(title, action, counts),
  within: '60 days',
})
const between = (title: string, from: ReturnCode['from']): ReturnCode => ({ ...soon(title, 'staff'), from })

/** All return reason codes of the ACH network (Nacha Operating Rules, Appendix Four). */
export const returnCodes: Readonly<Record<string, ReturnCode>> = {
  R01: soon('Insufficient funds', 'present-again'),
  R02: soon('Account closed', 'new-details', 'administrative'),
  R03: soon('No such account', 'new-details', 'administrative'),
  R04: soon('Invalid account number', 'new-details', 'administrative'),
  R05: late('Business debit to a consumer’s account, not authorized', 'revoke', 'unauthorized'),
  R06: soon('Returned because the originator’s bank asked', 'staff'),
  R07: late('Authorization revoked', 'revoke', 'unauthorized'),
  R08: soon('Payment stopped', 'stop'),
  R09: soon('Funds not collected yet', 'present-again'),
  R10: late('Originator not known or not authorized', 'revoke', 'unauthorized'),
  R11: late('Not as it was authorized', 'revoke', 'unauthorized'),
  R12: soon('Branch sold to another bank', 'new-details'),
  R13: soon('Routing number not valid', 'new-details'),
  R14: soon('Representative payee deceased or unable to act', 'revoke'),
  R15: soon('Account holder or beneficiary deceased', 'revoke'),
  R16: soon('Account frozen, or returned for sanctions', 'new-details'),
  R17: soon('Entry details cannot be processed', 'staff'),
  R18: soon('Effective entry date is wrong', 'staff'),
  R19: soon('Amount is wrong', 'staff'),
  R20: soon('Account does not allow debits', 'new-details'),
  R21: soon('Company identification is wrong', 'staff'),
  R22: soon('Individual identification is wrong', 'staff'),
  R23: soon('Receiver refuses the credit', 'new-details'),
  R24: soon('Duplicate entry', 'staff'),
  R25: soon('Addenda are wrong', 'staff'),
  R26: soon('A mandatory field is wrong', 'staff'),
  R27: soon('Trace number is wrong', 'staff'),
  R28: soon('Check digit of the routing number is wrong', 'new-details'),
  R29: soon('Business did not authorize the debit', 'revoke', 'unauthorized'),
  R30: soon('Bank does not take part in check truncation', 'staff'),
  R31: soon('Returned late with the originator’s bank’s permission', 'staff'),
  R32: soon('Bank cannot settle', 'staff'),
  R33: late('Return of a destroyed check', 'staff'),
  R34: soon('Bank’s participation is limited', 'new-details'),
  R35: soon('Debit where only credits are allowed', 'staff'),
  R36: soon('Credit where only debits are allowed', 'staff'),
  R37: late('Check was presented as well', 'staff'),
  R38: late('Payment of the check was stopped', 'stop'),
  R39: soon('Check may not be converted', 'staff'),
  R40: soon('Enrollment returned by a federal agency', 'staff'),
  R41: soon('Enrollment: transaction code is wrong', 'staff'),
  R42: soon('Enrollment: routing number is wrong', 'staff'),
  R43: soon('Enrollment: account number is wrong', 'staff'),
  R44: soon('Enrollment: individual identification is wrong', 'staff'),
  R45: soon('Enrollment: name is wrong', 'staff'),
  R46: soon('Enrollment: payee indicator is wrong', 'staff'),
  R47: soon('Enrollment: duplicate', 'staff'),
  R50: soon('State law does not allow the check’s collection', 'staff'),
  R51: late('Check’s collection was not authorized', 'revoke', 'unauthorized'),
  R52: late('Payment of the collected check was stopped', 'stop'),
  R53: late('Collected check was presented as well', 'staff'),
  R61: between('Return sent to the wrong bank', 'originator'),
  R62: between('Return of a debit that was reversed', 'originator'),
  R63: between('Return with a wrong amount (no longer used)', 'originator'),
  R64: between('Return with a wrong individual identification (no longer used)', 'originator'),
  R65: between('Return with a wrong transaction code (no longer used)', 'originator'),
  R66: between('Return with a wrong company identification (no longer used)', 'originator'),
  R67: between('Return sent twice', 'originator'),
  R68: between('Return sent too late', 'originator'),
  R69: between('Return with wrong fields', 'originator'),
  R70: between('Return that nobody had asked for', 'originator'),
  R71: between('Refusal of a return sent to the wrong bank', 'receiver'),
  R72: between('Refusal of a return sent too late', 'receiver'),
  R73: between('Original return was in time', 'receiver'),
  R74: between('Corrected return', 'receiver'),
  R75: between('Return was no duplicate', 'receiver'),
  R76: between('Return had no errors', 'receiver'),
  R77: between('Refusal of the return of a reversed debit not accepted', 'receiver'),
  R80: between('International entry is coded wrongly', 'gateway'),
  R81: between('Gateway takes no part in international entries', 'gateway'),
  R82: between('Foreign bank is not known', 'gateway'),
  R83: between('Foreign bank cannot settle', 'gateway'),
  R84: between('Not processed by the gateway', 'gateway'),
  R85: between('International entry sent as a domestic one', 'gateway'),
}

/** True if the code is about a return instead of an entry: a dishonored or contested return. */
export const isAboutReturn = (code: string): boolean => /^R(6[1-9]|7[0-7])$/.test(code)
