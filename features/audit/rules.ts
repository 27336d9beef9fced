/** What the audit log's actions are called, and how they are grouped for those who look for something. */

/** Groups of actions, by what their names begin with. */
export const kinds = {
  sign_in: { label: 'Sign-ins and passwords', begins: ['sign_', 'password', 'email', 'second_factor', 'session'] },
  payment: { label: 'Payments', begins: ['payment'] },
  profile: { label: 'Profile and account', begins: ['profile', 'account', 'person'] },
  impersonation: { label: 'Impersonation', begins: ['impersonat'] },
  staff: { label: 'Staff and privileges', begins: ['staff', 'privilege', 'department', 'invitation', 'administrator'] },
  export: { label: 'Exports', begins: ['export'] },
  company: { label: 'Municipality', begins: ['company', 'bills'] },
  access: { label: 'Refused access', begins: ['access'] },
} as const
export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as [Kind, ...Kind[]]

const words: Record<string, string> = {
  'access.forged_headers': 'A call with false headers was refused',
  'access.refused': 'A call was refused',
  'administrator.invited': 'An administrator was invited',
  'bills.imported': 'Bills were imported',
  'company.created': 'The municipality was created',
  'company.config_saved': 'Settings of the municipality were saved',
  'export.activity': 'The activity was exported',
  'export.audit': 'The audit log was exported',
  'export.payments': 'Payments were exported',
  'invitation.accepted': 'An invitation was accepted',
  'payment.captured': 'A payment was taken',
  'payment.created': 'A payment was begun',
  'payment.declined': 'A payment was declined',
  'payment.receipt_printed': 'A receipt was printed',
  'payment.refunded': 'A payment was refunded',
  'payment.returned': 'An eCheck was returned',
  'sign_in.accepted': 'Signed in',
  'sign_in.refused': 'A sign-in was refused',
  sign_out: 'Signed out',
}

/** An action in words. One that has none yet is read as it is written: `order.moved_on` is "Order moved on". */
export function wordsOf(action: string): string {
  const plain = action.replaceAll(/[._]/g, ' ')
  return words[action] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
