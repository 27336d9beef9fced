import { accountNotice, newPassword } from '../../../server/accounts/letters.ts'
import type { OtherWay } from '../contract.ts'

const NOT_YOU = 'If this was not you, do nothing: nothing changes.'

export const takenNotice = accountNotice<object>('email_taken_at_sign_up', (_, at) => ({
  subject: `You have an account with ${at.name} already`,
  paragraphs: [
    `Somebody tried to make an account with ${at.name} for this address. It has one already, so nothing was made or changed.`,
    'If it was you, sign in here, or set a new password if you forgot yours:',
    { label: 'Sign in', url: at.url(at.company ? '/sign-in' : '/admin/sign-in') },
    ...(at.company ? [newPassword(at)] : []),
    NOT_YOU,
  ],
}))

export const resetNotice = accountNotice<{ link: string }>('reset_password', ({ link }, at) => ({
  subject: `Set a new password for ${at.name}`,
  paragraphs: [
    `A new password was asked for, for your account with ${at.name}. Open this link within an hour to choose one; it works once:`,
    { label: 'Set a new password', url: link },
    `${NOT_YOU} Your password stays as it is.`,
  ],
}))

interface Ended {
  others: readonly OtherWay[]
  changeEnded: boolean
}

export const passwordChangedNotice = accountNotice<Ended>('password_changed', ({ others, changeEnded }, at) => ({
  subject: `Your password for ${at.name} was changed`,
  paragraphs: [
    `The password of your account with ${at.name} was changed, and your other sessions were ended.`,
    ...(changeEnded ? ['A change of your email that waited for its link was taken back.'] : []),
    ...waysParagraph(
      'These were added since you last opened a link that we mailed you, so we took them back. If they were yours, add them again:',
      others.filter(({ stays }) => !stays),
    ),
    ...waysParagraph(
      'Beside your password, these sign you in:',
      others.filter(({ stays }) => stays),
    ),
    'If this was not you, set a new password now:',
    newPassword(at),
  ],
}))

const waysParagraph = (says: string, ways: readonly OtherWay[]): string[] =>
  ways.length === 0 ? [] : [`${says} ${ways.map(wayWords).join(', ')}.`]

const wayWords = ({ kind, name }: OtherWay): string =>
  kind === 'app' ? 'your authenticator app' : kind === 'passkey' ? `the passkey “${name}”` : `signing in with ${name}`

export const changeEmailNotice = accountNotice<{ link: string }>('confirm_new_email', ({ link }, at) => ({
  subject: `Confirm your new email for ${at.name}`,
  paragraphs: [
    `This address was given as the new one of an account with ${at.name}. Open this link within 7 days to make it so:`,
    { label: 'Confirm your new email', url: link },
    'Until then the old address stays. If this was not you, do nothing.',
  ],
}))

export const emailTakenNotice = accountNotice<object>('new_email_taken', (_, at) => ({
  subject: `You have an account with ${at.name} already`,
  paragraphs: [
    `Somebody wanted to move their account with ${at.name} to this address. It has an account of its own already, so nothing was changed.`,
    NOT_YOU,
  ],
}))

export const emailChangingNotice = accountNotice<{ email: string }>('email_changing', ({ email }, at) => ({
  subject: `Your email for ${at.name} is about to change`,
  paragraphs: [
    `The email of your account with ${at.name} is to become ${hidden(email)}. It changes when the link that we sent there is opened.`,
    'If this was not you, somebody knows your password: set a new one now, which also takes back the change.',
    newPassword(at),
  ],
}))

export const emailChangedNotice = accountNotice<{ email: string }>('email_changed', ({ email }, at) => ({
  subject: `Your email for ${at.name} was changed`,
  paragraphs: [
    `The email of your account with ${at.name} is ${hidden(email)} from now on; you sign in with it.`,
    at.company
      ? `If this was not you, call ${at.name}${at.company.phone ? ` at ${at.company.phone}` : ''}.`
      : 'If this was not you, tell a super administrator.',
  ],
}))

/** `n***@example.org`: enough for its owner to know it. */
const hidden = (email: string): string => email.replace(/^(.).*@/, '$1***@')
