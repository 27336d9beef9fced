import { actionGroups, type AuditAction, auditActions } from '../../shared/audit-actions.ts'

/** Labels of audit actions and their filter groups. */

export type Kind = keyof typeof actionGroups

/** Filter value of the audit log for all kinds except views of personal data. */
export const CHANGES = 'changes'

export const kindNames = Object.keys(actionGroups) as [Kind, ...Kind[]]

/** Returns the label of an action. An action that no longer exists is shown by its stored name. */
export function actionLabelOf(action: string): string {
  if (action in auditActions) return auditActions[action as AuditAction]
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** Descriptions of actions by impersonators, as the person reads them in their own activity log. */
export const doneByOthers: Partial<Record<AuditAction, string>> = {
  'impersonation.call': 'Staff opened a page of the portal in your place',
  'impersonation.ended': 'Staff stopped using the portal in your place',
  'impersonation.entered': 'Staff began to use the portal in your place',
  'impersonation.refused': 'Staff were refused what nobody may do in your place',
  'impersonation.started': 'Staff asked to use the portal in your place',
}

/** Descriptions of calls by impersonators. Calls that are missing here are public pages. */
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
  query: 'Looked for',
  first: 'For the first time',
  how: 'How',
  impersonation: 'Session number',
  times: 'How often',
  what: 'Asked for',
}

/** Returns the label of a detail: `amountCents` is `Amount cents`. */
export function factName(name: string): string {
  const plain = name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase()
  return factNames[name] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
