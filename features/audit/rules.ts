import { actionGroups, type AuditAction, auditActions } from '../../shared/audit-actions.ts'

/** Labels of audit actions and their filter groups. */

export type Kind = keyof typeof actionGroups

/** Filter value of the audit log for all kinds except views of personal data. */
export const CHANGES = 'changes'

export const kindNames = Object.keys(actionGroups) as [Kind, ...Kind[]]

/** Returns the label of an action. For an action that no longer exists, returns its stored name as words. */
export function actionLabelOf(action: string): string {
  if (action in auditActions) return auditActions[action as AuditAction]
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** Descriptions of actions by impersonators, for the person's own activity log. */
export const doneByOthers: Partial<Record<AuditAction, string>> = {
  'impersonation.call': 'Staff opened a portal page on your behalf',
  'impersonation.ended': 'Staff stopped using the portal on your behalf',
  'impersonation.entered': 'Staff started using the portal on your behalf',
  'impersonation.refused': 'Staff tried to do something on your behalf that is not allowed',
  'impersonation.started': 'Staff asked to use the portal on your behalf',
}

/** Descriptions of calls by impersonators. A call that is not listed is a public page. */
export const seenByOthers: Readonly<Record<string, string>> = {
  'export/activity/log': 'Staff downloaded your activity log',
  'find/guest/bill': 'Staff looked up a utility bill',
  logout: 'Staff stopped using the portal on your behalf',
  'return/activity/log': 'Staff viewed your activity log',
  'return/guest/checkout': 'Staff viewed a payment',
  'return/profile/sessions': 'Staff viewed your active sessions',
  'return/profile/user': 'Staff viewed your profile',
  'return/support/prefill': 'Staff opened the support form',
  'save/profile/contact': 'Staff changed your contact preferences',
  'save/profile/user': 'Staff updated your profile',
  'send/support/message': 'Staff added a message to a support request',
  'send/support/request': 'Staff submitted a support request',
}

const factNames: Readonly<Record<string, string>> = {
  query: 'Search',
  first: 'First',
  how: 'Method',
  impersonation: 'Session number',
  times: 'Number of times',
  what: 'Requested',
}

/** Returns the label of a detail, for example `Amount cents` for `amountCents`. */
export function factName(name: string): string {
  const plain = name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase()
  return factNames[name] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
