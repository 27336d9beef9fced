import { accountNotice, newPassword } from '../../../server/accounts/emails.ts'
import type { SignInMethod } from '../contract.ts'
import { say } from '../../../shared/messages.ts'

const NOT_YOU = 'If this was not you, you can ignore this email. Nothing will change.'

export const accountExistsNotice = accountNotice<object>('email_taken_at_sign_up', (_, at) => ({
  subject: say`You already have an account with ${at.name}`,
  paragraphs: [
    say`Someone tried to create an account with ${at.name} using this email address. The address already has an account, so nothing was changed.`,
    say`If it was you, sign in here, or set a new password if you forgot yours:`,
    { label: say`Sign in`, url: at.url(at.company ? '/sign-in' : '/admin/sign-in') },
    ...(at.company ? [newPassword(at)] : []),
    NOT_YOU,
  ],
}))

export const resetNotice = accountNotice<{ link: string }>('reset_password', ({ link }, at) => ({
  subject: say`Set a new password for ${at.name}`,
  paragraphs: [
    say`You asked to reset your password for ${at.name}. Open this link within one hour. The link works only once:`,
    { label: say`Set a new password`, url: link },
    say`If this was not you, you can ignore this email. Your password stays the same.`,
  ],
}))

interface EndedSessions {
  others: readonly SignInMethod[]
  changeEnded: boolean
}

export const passwordChangedNotice = accountNotice<EndedSessions>(
  'password_changed',
  ({ others, changeEnded }, at) => ({
    subject: say`Your password for ${at.name} was changed`,
    paragraphs: [
      say`Your password for ${at.name} was changed, and your other sessions were ended.`,
      ...(changeEnded ? [say`Your pending email change was cancelled.`] : []),
      ...methodsParagraph(
        say`We removed these sign-in methods because they were added after you last opened a link that we emailed you. If they were yours, add them again:`,
        others.filter(({ stays }) => !stays),
      ),
      ...methodsParagraph(
        say`In addition to your password, you can still use these sign-in methods:`,
        others.filter(({ stays }) => stays),
      ),
      say`If this was not you, set a new password now:`,
      newPassword(at),
    ],
  }),
)

const methodsParagraph = (intro: string, methods: readonly SignInMethod[]): string[] =>
  methods.length === 0 ? [] : [`${intro} ${methods.map(methodText).join(', ')}.`]

const methodText = ({ kind, name }: SignInMethod): string =>
  kind === 'app'
    ? say`your authenticator app`
    : kind === 'passkey'
      ? say`the passkey “${name}”`
      : say`sign-in with ${name}`

export const changeEmailNotice = accountNotice<{ link: string }>('confirm_new_email', ({ link }, at) => ({
  subject: say`Confirm your new email for ${at.name}`,
  paragraphs: [
    say`Someone entered this address as the new email for an account with ${at.name}. Open this link within 7 days to confirm the change:`,
    { label: say`Confirm your new email`, url: link },
    say`Until then, the current address will stay in use. If this was not you, you can ignore this email.`,
  ],
}))

export const newEmailExistsNotice = accountNotice<object>('new_email_taken', (_, at) => ({
  subject: say`You already have an account with ${at.name}`,
  paragraphs: [
    say`Someone tried to change the email for their account with ${at.name} to this address. The address already has an account, so nothing was changed.`,
    NOT_YOU,
  ],
}))

export const emailChangingNotice = accountNotice<{ email: string }>('email_changing', ({ email }, at) => ({
  subject: say`Your email for ${at.name} is about to change`,
  paragraphs: [
    say`Someone asked to change the email for your account with ${at.name} to ${hidden(email)}. The email will change when someone opens the link that we sent to the new address.`,
    say`If this was not you, someone knows your password. Set a new password now. This also cancels the change.`,
    newPassword(at),
  ],
}))

export const emailChangedNotice = accountNotice<{ email: string }>('email_changed', ({ email }, at) => ({
  subject: say`Your email for ${at.name} was changed`,
  paragraphs: [
    say`The email for your account with ${at.name} is now ${hidden(email)}. Use it to sign in.`,
    at.company ? callThem(at.name, at.company.phone) : say`If this was not you, contact a super administrator.`,
  ],
}))

const callThem = (name: string, phone: string | null) =>
  phone ? say`If this was not you, call ${name} at ${phone}.` : say`If this was not you, call ${name}.`

/** Masks an email as `n***@example.org`, so that only its owner recognizes it. */
const hidden = (email: string): string => email.replace(/^(.).*@/, '$1***@')
