/** Everything that somebody is told of, as staff read it in their list of notices. A notice is named here before it is declared. */
export const noticeEvents = {
  'account.confirm_email': 'Confirm an email',
  'account.confirm_new_email': 'Confirm a new email',
  'account.email_changed': 'Email changed',
  'account.email_changing': 'Email is being changed',
  'account.email_taken_at_sign_up': 'Account exists already',
  'account.factors_changed': 'Ways to sign in changed',
  'account.identity_linked': 'Single sign-on linked',
  'account.staff_invited': 'Invitation',
  'account.new_email_taken': 'New email is taken',
  'account.password_changed': 'Password changed',
  'account.reset_password': 'Set a new password',
  'case.news': 'News for the staff',
  'case.to_person': 'Answer to a request',
  'parking.late': 'Parking ticket is not paid',
  'payment.on_its_way': 'eCheck on its way',
  'payment.receipt': 'Receipt',
  'payment.returned': 'eCheck returned',
  'texts.code': 'Code for texts',
  'texts.welcome': 'Texts are on',
} as const
export type NoticeEvent = keyof typeof noticeEvents
