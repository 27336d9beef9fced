import { accountNotice, newPassword } from '../../../server/accounts/emails.ts'
import type { SignInMethod } from '../contract.ts'
import { say } from '../../../shared/words.ts'

const NOT_YOU = 'If this was not you, do nothing: nothing changes.'

export const accountExistsNotice = accountNotice<object>('email_taken_at_sign_up', (_, at) => ({
  subject: say`You have an account with ${at.name} already`,
  paragraphs: [
    say`Somebody tried to make an account with ${at.name} for this address. It has one already, so nothing was made or changed.`,
    say`If it was you, sign in here, or set a new password if you forgot yours:`,
    { label: say`Sign in`, url: at.url(at.company ? '/sign-in' : '/admin/sign-in') },
    ...(at.company ? [newPassword(at)] : []),
    NOT_YOU,
  ],
}))

export const resetNotice = accountNotice<{ link: string }>('reset_password', ({ link }, at) => ({
  subject: say`Set a new password for ${at.name}`,
  paragraphs: [
    say`A new password was asked for, for your account with ${at.name}. Open this link within an hour to choose one; it works once:`,
    { label: say`Set a new password`, url: link },
    say`If this was not you, do nothing: nothing changes. Your password stays as it is.`,
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
      say`The password of your account with ${at.name} was changed, and your other sessions were ended.`,
      ...(changeEnded ? [say`A change of your email that waited for its link was taken back.`] : []),
      ...waysParagraph(
        say`These were added since you last opened a link that we mailed you, so we took them back. If they were yours, add them again:`,
        others.filter(({ stays }) => !stays),
      ),
      ...waysParagraph(
        say`Beside your password, these sign you in:`,
        others.filter(({ stays }) => stays),
      ),
      say`If this was not you, set a new password now:`,
      newPassword(at),
    ],
  }),
)

const waysParagraph = (intro: string, ways: readonly SignInMethod[]): string[] =>
  ways.length === 0 ? [] : [`${intro} ${ways.map(methodText).join(', ')}.`]

const methodText = ({ kind, name }: SignInMethod): string =>
  kind === 'app'
    ? say`your authenticator app`
    : kind === 'passkey'
      ? say`the passkey “${name}”`
      : say`signing in with ${name}`

export const changeEmailNotice = accountNotice<{ link: string }>('confirm_new_email', ({ link }, at) => ({
  subject: say`Confirm your new email for ${at.name}`,
  paragraphs: [
    say`This address was given as the new one of an account with ${at.name}. Open this link within 7 days to make it so:`,
    { label: say`Confirm your new email`, url: link },
    say`Until then the old address stays. If this was not you, do nothing.`,
  ],
}))

export const newEmailExistsNotice = accountNotice<object>('new_email_taken', (_, at) => ({
  subject: say`You have an account with ${at.name} already`,
  paragraphs: [
    say`Somebody wanted to move their account with ${at.name} to this address. It has an account of its own already, so nothing was changed.`,
    NOT_YOU,
  ],
}))

export const emailChangingNotice = accountNotice<{ email: string }>('email_changing', ({ email }, at) => ({
  subject: say`Your email for ${at.name} is about to change`,
  paragraphs: [
    say`The email of your account with ${at.name} is to become ${hidden(email)}. It changes when the link that we sent there is opened.`,
    say`If this was not you, somebody knows your password: set a new one now, which also takes back the change.`,
    newPassword(at),
  ],
}))

export const emailChangedNotice = accountNotice<{ email: string }>('email_changed', ({ email }, at) => ({
  subject: say`Your email for ${at.name} was changed`,
  paragraphs: [
    say`The email of your account with ${at.name} is ${hidden(email)} from now on; you sign in with it.`,
    at.company ? callThem(at.name, at.company.phone) : say`If this was not you, tell a super administrator.`,
  ],
}))

const callThem = (name: string, phone: string | null) =>
  phone ? say`If this was not you, call ${name} at ${phone}.` : say`If this was not you, call ${name}.`

/** Masks an email as `n***@example.org`, so that only its owner recognizes it. */
const hidden = (email: string): string => email.replace(/^(.).*@/, '$1***@')
