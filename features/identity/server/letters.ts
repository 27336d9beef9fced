import { escapeHtml } from '../../../server/html.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { OtherWay } from '../contract.ts'
import type { Door } from './doors.ts'

/**
 * The mails about accounts. None greets by name: an account's name may be the words of somebody who does not own the
 * address.
 */
interface Letter {
  subject: string
  /** Plain text; a paragraph that is an address of ours becomes a link. */
  paragraphs: string[]
}

const NOT_YOU = 'If this was not you, do nothing: nothing changes.'

export const confirmLetter = (door: Door, link: string): Letter => ({
  subject: `Confirm your email for ${door.name}`,
  paragraphs: [
    `This address was given for an account with ${door.name}. Open this link within 7 days to confirm that it is yours:`,
    link,
    'If this was not you, do nothing: without the link the address counts for nothing.',
  ],
})

export const takenLetter = (door: Door): Letter => ({
  subject: `You have an account with ${door.name} already`,
  paragraphs: [
    `Somebody tried to make an account with ${door.name} for this address. It has one already, so nothing was made or changed.`,
    'If it was you, sign in here, or set a new password if you forgot yours:',
    door.url(door.company ? '/sign-in' : '/admin/sign-in'),
    ...(door.company ? [door.url('/reset-password')] : []),
    NOT_YOU,
  ],
})

export const resetLetter = (door: Door, link: string): Letter => ({
  subject: `Set a new password for ${door.name}`,
  paragraphs: [
    `A new password was asked for, for your account with ${door.name}. Open this link within an hour to choose one; it works once:`,
    link,
    `${NOT_YOU} Your password stays as it is.`,
  ],
})

interface Ended {
  others: readonly OtherWay[]
  changeEnded: boolean
}

export const passwordChangedLetter = (door: Door, { others, changeEnded }: Ended): Letter => ({
  subject: `Your password for ${door.name} was changed`,
  paragraphs: [
    `The password of your account with ${door.name} was changed, and your other sessions were ended.`,
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
    door.url(door.company ? '/reset-password' : '/admin/sign-in?forgot=1'),
  ],
})

const waysParagraph = (says: string, ways: readonly OtherWay[]): string[] =>
  ways.length === 0 ? [] : [`${says} ${ways.map(wayWords).join(', ')}.`]

const wayWords = ({ kind, name }: OtherWay): string =>
  kind === 'app' ? 'your authenticator app' : kind === 'passkey' ? `the passkey “${name}”` : `signing in with ${name}`

/** What a mail says of a new way in, so that its owner stands for it: then a new password leaves it alone. */
export const standForIt = (link: string): string[] => [
  'If it was you, open this link within 7 days. It then also stays when you set a new password:',
  link,
]

export const changeEmailLetter = (door: Door, link: string): Letter => ({
  subject: `Confirm your new email for ${door.name}`,
  paragraphs: [
    `This address was given as the new one of an account with ${door.name}. Open this link within 7 days to make it so:`,
    link,
    'Until then the old address stays. If this was not you, do nothing.',
  ],
})

export const emailTakenLetter = (door: Door): Letter => ({
  subject: `You have an account with ${door.name} already`,
  paragraphs: [
    `Somebody wanted to move their account with ${door.name} to this address. It has an account of its own already, so nothing was changed.`,
    NOT_YOU,
  ],
})

export const emailChangingLetter = (door: Door, email: string): Letter => ({
  subject: `Your email for ${door.name} is about to change`,
  paragraphs: [
    `The email of your account with ${door.name} is to become ${hidden(email)}. It changes when the link that we sent there is opened.`,
    'If this was not you, somebody knows your password: set a new one now, which also takes back the change.',
    door.url(door.company ? '/reset-password' : '/admin/sign-in?forgot=1'),
  ],
})

export const emailChangedLetter = (door: Door, email: string): Letter => ({
  subject: `Your email for ${door.name} was changed`,
  paragraphs: [
    `The email of your account with ${door.name} is ${hidden(email)} from now on; you sign in with it.`,
    door.company
      ? `If this was not you, call ${door.name}${door.company.phone ? ` at ${door.company.phone}` : ''}.`
      : 'If this was not you, tell a super administrator.',
  ],
})

/** `n***@example.org`: enough for its owner to know it. */
const hidden = (email: string): string => email.replace(/^(.).*@/, '$1***@')

export async function sendLetter(tx: Tx, door: Door, to: string, { subject, paragraphs }: Letter): Promise<void> {
  const { company } = door
  const all = [
    ...paragraphs,
    company ? `${company.name}, ${company.address1}, ${company.city}, ${company.state} ${company.zipcode}` : door.name,
  ]
  await door.mail(tx, {
    to,
    subject,
    text: all.join('\n\n'),
    html: all.map((text) => `<p>${text.startsWith(door.url('/')) ? linkTo(text) : escapeHtml(text)}</p>`).join('\n'),
  })
}

const linkTo = (url: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
