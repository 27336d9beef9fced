/** What can be done in every kind of case. The log says beside it which one it was: `Support request S1042`. */
const inCases = {
  answered: 'A conversation was answered',
  answers_changed: 'Answers that are kept to use again were changed',
  assigned: 'A conversation was assigned',
  followed_up: 'A message was added to a conversation',
  noted: 'An internal note was added to a conversation',
} as const
type InCase = keyof typeof inCases

/** The words of a kind of case, whose actions begin with `support.`, for the list of all actions. */
const caseActionWords = <Prefix extends string>(prefix: Prefix) =>
  Object.fromEntries(Object.entries(inCases).map(([name, words]) => [`${prefix}.${name}`, words])) as {
    [Name in InCase as `${Prefix}.${Name}`]: (typeof inCases)[Name]
  }

/**
 * Everything that the audit log can say was done, with the words that people read. An action is named here before
 * anything can be written under its name; `actionGroups` groups them by what their names begin with.
 */
export const auditActions = {
  'access.forged_headers': 'A request that did not fit its session was refused',
  'access.refused': 'Somebody asked for what they have no right to',
  'administrator.invited': 'An administrator was invited',
  'attachment.refused': 'The virus scanner refused a file',
  'bills.imported': 'Bills were imported',
  'calendar.completed': 'An item of the calendar was completed',
  'calendar.reopened': 'An item of the calendar was opened again',
  'calendar.started': 'An item of the calendar was started',
  'company.config_saved': 'Settings of the municipality were saved',
  'company.created': 'The municipality was created',
  'department.activated': 'A department was activated',
  'department.created': 'A department was added',
  'department.inactivated': 'A department was inactivated',
  'department.renamed': 'A department was renamed',
  'email.change_asked': 'A change of the email was asked for',
  'email.changed': 'The email was changed',
  'email.confirmation_sent': 'The link to confirm the email was sent again',
  'email.confirmed': 'The email was confirmed',
  'export.activity': 'The activity log was exported',
  'export.analytics': 'Figures of Analytics were exported',
  'export.audit': 'The audit log was exported',
  'export.calendar': 'The master calendar was exported',
  'export.companies': 'The list of companies was exported',
  'export.customers': 'The list of utility customers was exported',
  'export.forms': 'The list of forms was exported',
  'export.fees': 'The Convenience Fee Report was exported',
  'export.parcels': 'The list of parcels was exported',
  'export.payments': 'Payments were exported',
  'export.profit': 'The Profit and Loss Report was exported',
  'export.sign_ins': 'The Login Report was exported',
  'export.staff': 'The list of staff was exported',
  'fields.created': 'A definition of fields was begun',
  'fields.published': 'A version of the fields was published',
  'export.general': 'General payments were exported',
  'form.activated': 'A form was activated',
  'form.added': 'A form was added to the library',
  'form.assigned': 'A form was assigned to the municipality',
  'form.assignments_saved': 'Which municipalities have a form was changed',
  'form.changed': 'A form was changed',
  'form.inactivated': 'A form was inactivated',
  'form.removed': 'A form was removed from the library',
  'form.replaced': 'The file of a form was replaced',
  'form.unassigned': 'A form was taken from the municipality',
  'export.support': 'Support requests were exported',
  'general.changed': 'A payment type was changed',
  'general.closed': 'A payment type was closed',
  'general.created': 'A payment type was begun',
  'general.items_imported': 'Open items were imported',
  'general.link_made': 'A payment link was made',
  'general.opened': 'A payment type was opened for payment',
  'general.stock_added': 'Numbers that are given out were added',
  'impersonation.call': 'Somebody used the portal in this person’s place',
  'impersonation.ended': 'An impersonated session was ended',
  'impersonation.entered': 'An impersonated session began',
  'impersonation.refused': 'Somebody was refused what nobody may do in another’s place',
  'impersonation.started': 'Impersonation was asked for',
  'invitation.accepted': 'An invitation was accepted',
  'parcel.changed': 'A parcel was changed',
  'notices.released': 'An address that rested is written to again',
  'notices.resumed': 'Mails that had been stopped were asked for again',
  'notices.stopped': 'Mails were stopped by the link in one of them',
  'passkey.added': 'A passkey was added',
  'passkey.removed': 'A passkey was removed',
  'passkey.renamed': 'A passkey was renamed',
  'password.changed': 'The password was changed',
  'password.refused': 'A wrong present password was given',
  'password.reset': 'The password was set by a mailed link',
  'password.reset_asked': 'A link to set the password was sent',
  'payment.cancelled': 'A payment was cancelled',
  'payment.captured': 'A payment was taken',
  'payment.chargeback_lost': 'A payment was charged back',
  'payment.corrected': 'A payment was corrected',
  'payment.created': 'A payment was begun',
  'payment.declined': 'A payment was declined',
  'payment.event_repeated': 'An event of the payment provider was tried again',
  'payment.expired': 'A payment was given up',
  'payment.new_attempt': 'A payment was tried again',
  'payment.receipt_printed': 'A receipt was printed',
  'payment.refund_failed': 'A refund failed',
  'payment.refunded': 'A payment was refunded',
  'payment.returned': 'An eCheck was returned',
  'payment.tested': 'A test payment was made',
  'payment.voided': 'A payment was voided',
  'places.imported': 'Places were imported',
  'places.map_removed': 'The map of the municipality was removed',
  'places.map_saved': 'A map of the municipality was saved',
  'profile.contact_saved': 'Contact method and alerts were saved',
  'profile.saved': 'The profile was saved',
  'second_factor.codes_renewed': 'New recovery codes were made',
  'second_factor.disabled': 'The authenticator app was turned off',
  'second_factor.enabled': 'The authenticator app was turned on',
  'second_factor.refused': 'A wrong code was given',
  'sessions.ended': 'Sessions were ended',
  'sign_in_rules.saved': 'Who needs a second factor was changed',
  'sign_in.accepted': 'Signed in',
  'sign_in.refused': 'A sign-in was refused',
  sign_out: 'Signed out',
  'sign_up.accepted': 'Signed up',
  'sign_up.taken': 'Somebody tried to sign up with this email',
  'staff.activated': 'An account was activated',
  'staff.changed': 'An account was changed',
  'staff.deactivated': 'An account was deactivated',
  'staff.factors_reset': 'The second factor of an account was taken off',
  'staff.invited': 'Somebody was invited to the staff',
  'staff.invited_again': 'Somebody was invited to the staff again',
  'staff.locked': 'An account was locked',
  'staff.privileges_changed': 'Privileges were changed',
  'staff.unlocked': 'An account was unlocked',
  'sso.billing_system_saved': 'The hand-off of the billing system was set up',
  'sso.linked': 'An account was linked to single sign-on',
  'sso.provider_saved': 'Single sign-on was set up',
  'sso.tested': 'Single sign-on was tried',
  'sso.unlinked': 'An account was unlinked from single sign-on',
  ...caseActionWords('support'),
  'support.requested': 'A support request was entered',
  'support.status_changed': 'The status of a support request was changed',
  'texts.off': 'Texts were turned off',
  'texts.on': 'A phone was confirmed for texts',
  'texts.resumed': 'Texts were asked for again by START',
  'texts.sandbox': 'A text was written from a phone of the sandbox',
  'texts.stopped': 'Texts were stopped by STOP',
  'view.personal_data': 'Personal data was looked at',
} as const

/** Groups of actions for those who look for something, by what their names begin with. Each action is in one. */
export const actionGroups = {
  sign_in: {
    label: 'Sign-ins and passwords',
    begins: ['sign_', 'password', 'email', 'second_factor', 'passkey', 'session', 'sso'],
  },
  payment: { label: 'Payments', begins: ['payment', 'general.'] },
  profile: { label: 'Profile and account', begins: ['profile', 'account', 'person', 'notices', 'texts'] },
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
export type AuditAction = keyof typeof auditActions

/** What the actions of cases begin with: `support`. */
type CasePrefix = AuditAction extends infer Action
  ? Action extends `${infer Prefix}.answers_changed`
    ? Prefix
    : never
  : never

/** Under which names the deeds of a kind of case stand in the audit log. */
export const caseActions = (prefix: CasePrefix) =>
  ({
    answered: `${prefix}.answered`,
    noted: `${prefix}.noted`,
    assigned: `${prefix}.assigned`,
    followedUp: `${prefix}.followed_up`,
    answersChanged: `${prefix}.answers_changed`,
  }) as const satisfies Record<string, AuditAction>

/** What a row of the audit log can be about, as people read it before its number or name. */
export const subjectKinds = {
  attachment: 'File',
  call: 'Call',
  charge: 'Test charge',
  company: 'Municipality',
  department: 'Department',
  field_set: 'Fields',
  form: 'Form',
  general_charge: 'Charge',
  issuer: 'Issuer',
  parcel: 'Parcel',
  payment: 'Payment',
  payment_event: 'Event of the payment provider',
  payment_type: 'Payment type',
  person: 'Person',
  scheduled_item: 'Calendar item',
  settings: 'Settings',
  support_request: 'Support request',
} as const
export type SubjectKind = keyof typeof subjectKinds
