import { type AuditAction, auditActions } from '../../shared/audit-actions.ts'

/** How the audit log's actions are grouped for those who look for something, and what they are called. */

/** Groups of actions, by what their names begin with. */
export const kinds = {
  sign_in: {
    label: 'Sign-ins and passwords',
    begins: ['sign_', 'password', 'email', 'second_factor', 'passkey', 'session', 'sso'],
  },
  payment: { label: 'Payments', begins: ['payment'] },
  profile: { label: 'Profile and account', begins: ['profile', 'account', 'person'] },
  impersonation: { label: 'Impersonation', begins: ['impersonat'] },
  staff: { label: 'Staff and privileges', begins: ['staff', 'privilege', 'department', 'invitation', 'administrator'] },
  support: { label: 'Support requests', begins: ['support'] },
  view: { label: 'Looks at personal data', begins: ['view'] },
  export: { label: 'Exports', begins: ['export'] },
  company: { label: 'Municipality', begins: ['company', 'bills'] },
  form: { label: 'Forms and documents', begins: ['form.'] },
  access: { label: 'Refused access', begins: ['access'] },
} as const
export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as [Kind, ...Kind[]]

/** An action in words. One of an older time that is called otherwise now is read as it is written. */
export function wordsOf(action: string): string {
  if (action in auditActions) return auditActions[action as AuditAction]
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
