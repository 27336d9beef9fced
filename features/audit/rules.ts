import { type AuditAction, auditActions } from '../../shared/audit-actions.ts'

/** How the audit log's actions are grouped for those who look for something, and what they are called. */

/** Groups of actions, by what their names begin with. */
export const kinds = {
  sign_in: {
    label: 'Sign-ins and passwords',
    begins: ['sign_', 'password', 'email', 'second_factor', 'passkey', 'session', 'sso'],
  },
  payment: { label: 'Payments', begins: ['payment'] },
  profile: { label: 'Profile and account', begins: ['profile', 'account', 'person', 'notices'] },
  impersonation: { label: 'Impersonation', begins: ['impersonat'] },
  staff: { label: 'Staff and privileges', begins: ['staff', 'privilege', 'department', 'invitation', 'administrator'] },
  support: { label: 'Support requests', begins: ['support'] },
  view: { label: 'Looks at personal data', begins: ['view'] },
  export: { label: 'Exports', begins: ['export'] },
  company: { label: 'Municipality', begins: ['company', 'bills', 'calendar'] },
  form: { label: 'Forms and documents', begins: ['form.', 'fields.'] },
  places: { label: 'Places and parcels', begins: ['places', 'parcel'] },
  access: { label: 'Refused access', begins: ['access', 'attachment.'] },
} as const
export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as [Kind, ...Kind[]]

/** An action in words. One of an older time that is called otherwise now is read as it is written. */
export function wordsOf(action: string): string {
  if (action in auditActions) return auditActions[action as AuditAction]
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** What others did in somebody's place, as that person reads it in their own activity log. */
export const doneByOthers: Partial<Record<AuditAction, string>> = {
  'impersonation.call': 'Staff opened a page of the portal in your place',
  'impersonation.ended': 'Staff stopped using the portal in your place',
  'impersonation.entered': 'Staff began to use the portal in your place',
  'impersonation.refused': 'Staff were refused what nobody may do in your place',
  'impersonation.started': 'Staff asked to use the portal in your place',
}

/** What staff saw or did by a call in somebody's place. What is not here is a page that everybody sees. */
export const seenByOthers: Readonly<Record<string, string>> = {
  'export/activity/log': 'Staff saved your activity log as a file',
  'find/guest/bill': 'Staff looked up a utility bill',
  logout: 'Staff stopped using the portal in your place',
  'return/activity/log': 'Staff looked at your activity log',
  'return/guest/checkout': 'Staff looked at a payment',
  'return/profile/sessions': 'Staff looked at where you are signed in',
  'return/profile/user': 'Staff looked at your profile',
  'return/support/prefill': 'Staff opened the support form',
  'save/profile/contact': 'Staff changed how you are reached',
  'save/profile/user': 'Staff saved your profile',
  'send/support/message': 'Staff wrote in a support request',
  'send/support/request': 'Staff entered a support request',
}

const factNames: Readonly<Record<string, string>> = {
  asked: 'Looked for',
  first: 'For the first time',
  how: 'How',
  impersonation: 'Session number',
  times: 'How often',
  what: 'Asked for',
}

/** A fact's name as people read it: `amountCents` is `Amount cents`. */
export function factName(name: string): string {
  const plain = name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase()
  return factNames[name] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
