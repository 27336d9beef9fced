import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { plural, say } from '../../../shared/words.ts'
import { type Action, defineNotice, type NoticeSender } from '../../../server/notices/notice.ts'
import { accountPath, billPath, formatQuantity, SHARING } from '../rules.ts'
import type { ShareKind } from '../contract.ts'

interface BillNoticeData {
  account: number
  /** Nickname of the account, or its number. */
  name: string
  number: string
  amountCents: number
  dueDate: string
}

/** Notice that replaces the paper bill. People can stop it only by switching to paper bills. */
export const newBill = defineNotice<BillNoticeData>({
  event: 'utility.bill',
  required: true,
  why: ({ name }) => say`You get this mail because the bills of this account at ${name} come without paper.`,
  content: ({ account, name, number, amountCents, dueDate }, at) => ({
    subject: say`Your utility bill of ${formatCents(amountCents)} from ${at.name}`,
    paragraphs: [
      say`The bill ${number} for your utility account ${name} is here. It comes to ${formatCents(amountCents)} and is due on ${formatDate(dueDate)}.`,
      { label: say`See the bill`, says: say`See the bill: `, url: at.url(billPath(account, number)) },
      {
        label: say`The account`,
        says: say`Pay it, or ask for paper again: `,
        url: at.url(accountPath(account)),
        small: true,
      },
    ],
  }),
})

interface UsageNoticeData {
  account: number
  name: string
  why: 'limit' | 'away'
  used: number
  unit: string
  days: number
  until: string
  limit: number | null
  /** Person who asked for the email, if it is not the recipient. Otherwise null. */
  requestedBy: string | null
}

function usageMessage({ name, why, used, unit, days, until, limit }: UsageNoticeData): string {
  const usageText = say`On ${formatDate(until)} the meter of ${name} showed ${formatQuantity(used)} ${unit} used in ${plural(days, '# day', '# days')}.`
  return why === 'away'
    ? say`${usageText} Nobody should be there in these days.`
    : say`${usageText} You asked to be told of more than ${formatQuantity(limit ?? 0)}.`
}

const advice = (): string =>
  say`If nothing explains it, look for a leak: turn off everything that uses water and look at the meter after an hour. If it moved, call us.`

/** Text that names the requester of the alert and links to its settings. The second recipient does not get the link. */
const ending = ({ requestedBy, account }: UsageNoticeData, at: NoticeSender): (string | Action)[] => [
  advice(),
  requestedBy === null
    ? {
        label: say`See the use`,
        says: say`See the use, or change when you are told: `,
        url: at.url(accountPath(account)),
      }
    : say`${requestedBy} asked us to tell you too.`,
]

export const unusualUseNotice = defineNotice<UsageNoticeData>({
  event: 'utility.use',
  required: false,
  called: 'alerts of use',
  waitSeconds: 120,
  why: ({ name }) => say`You get this mail because alerts of use are on for a utility account at ${name}.`,
  content: (data, at) => ({
    subject: data.why === 'away' ? say`Use while you are away: ${data.name}` : say`More use than you set: ${data.name}`,
    paragraphs: [usageMessage(data), ...ending(data, at)],
  }),
  together: (all, at) => ({
    subject: say`${plural(all.length, '# alert', '# alerts')} of use on your utility accounts`,
    paragraphs: [...all.map(usageMessage), ...all.slice(0, 1).flatMap((data) => ending(data, at))],
  }),
})

interface ShutoffNoticeData {
  account: number
  name: string
  state: 'scheduled' | 'off' | 'restored'
  on: string
  amountCents: number | null
  /** Phone number to call about the shutoff. */
  phone: string
}

function shutoffSentences({ name, state, on, amountCents, phone }: ShutoffNoticeData): string[] {
  if (state === 'restored')
    return [say`Service at your utility account ${name} is no longer shut off, nor is it to be.`]
  const amount = amountCents === null ? say`what is past due` : formatCents(amountCents)
  const call = say`If you can not pay it now, or think this is a mistake, call us: ${formatPhone(phone)}.`
  return state === 'scheduled'
    ? [
        say`Service at your utility account ${name} is to be shut off on ${formatDate(on)}. Pay ${amount} before that day, and it stays on.`,
        call,
      ]
    : [
        say`Service at your utility account ${name} was shut off on ${formatDate(on)}. Pay ${amount} and call us, so that it is turned on again.`,
        call,
      ]
}

/** Notice of a shutoff. People cannot unsubscribe from it, because it is critical. */
export const shutoffNotice = defineNotice<ShutoffNoticeData>({
  event: 'utility.shutoff',
  required: true,
  why: ({ name }) => say`You get this mail because you linked this utility account at ${name}.`,
  content: (data, at) => ({
    subject:
      data.state === 'scheduled'
        ? say`Service is to be shut off on ${formatDate(data.on)}: ${data.name}`
        : data.state === 'off'
          ? say`Service is shut off: ${data.name}`
          : say`Service is not shut off any more: ${data.name}`,
    paragraphs: [
      ...shutoffSentences(data),
      {
        label: data.state === 'restored' ? say`The account` : say`Pay now`,
        says: say`Your account: `,
        url: at.url(accountPath(data.account)),
      },
    ],
  }),
})

interface ShareNoticeData {
  kind: ShareKind
  address: string
  code: string
}

/** Required notice, because a person asked to send this email and it contains the code. */
export const shareOffered = defineNotice<ShareNoticeData>({
  event: 'utility.share',
  required: true,
  why: ({ name }) => say`You get this mail because somebody who has a utility account at ${name} entered your address.`,
  content: ({ kind, address, code }, at) => ({
    subject:
      kind === 'history'
        ? say`The history of use of ${address} is offered to you`
        : say`You are asked to watch over the utility account of ${address}`,
    paragraphs: [
      kind === 'history'
        ? say`Whoever had the utility account of ${address} before offers you to see what was used there.`
        : say`Whoever has the utility account of ${address} offers you to see whether it is behind with its bills, or is to be shut off.`,
      say`Nothing is shown before you accept it. Sign in with this email, and enter the code ${code}.`,
      { label: say`See what is offered`, says: say`See what is offered: `, url: at.url(SHARING) },
      say`If you do not know what this is about, leave it alone: the offer ends by itself after 30 days.`,
    ],
  }),
})

/** Options of notices to watchers. Both people agreed to the watch, and either can end it on the same screen. */
const watching = {
  required: false as const,
  called: 'news of accounts that you watch over',
  waitSeconds: 120,
  why: ({ name }: { name: string }) =>
    say`You get this mail because you agreed to watch over a utility account at ${name}.`,
}
const toSharing = (at: NoticeSender): Action => ({
  label: say`See what is shared`,
  says: say`See where it stands, or end it: `,
  url: at.url(SHARING),
})

interface WatchedBehind {
  address: string
  pastDueCents: number
}
const behind = ({ address, pastDueCents }: WatchedBehind): string =>
  say`${formatCents(pastDueCents)} is past due on the utility account of ${address}.`

export const watchedBehind = defineNotice<WatchedBehind>({
  ...watching,
  event: 'utility.watch',
  content: (data, at) => ({
    subject: say`The utility account of ${data.address} is behind`,
    paragraphs: [behind(data), toSharing(at)],
  }),
  together: (all, at) => ({
    subject: say`${plural(all.length, '# account', '# accounts')} that you watch over fell behind`,
    paragraphs: [...all.map(behind), toSharing(at)],
  }),
})

type WatchedShutoff = Pick<ShutoffNoticeData, 'state' | 'on'> & { address: string }
const shutoffOf = ({ address, state, on }: WatchedShutoff): string =>
  state === 'scheduled'
    ? say`Service at ${address} is to be shut off on ${formatDate(on)}, unless what is past due is paid before.`
    : state === 'off'
      ? say`Service at ${address} was shut off on ${formatDate(on)}.`
      : say`Service at ${address} is no longer shut off, nor is it to be.`

export const watchedShutoff = defineNotice<WatchedShutoff>({
  ...watching,
  event: 'utility.watch_shutoff',
  content: (data, at) => ({
    subject: say`Shut-off of service at ${data.address}`,
    paragraphs: [shutoffOf(data), toSharing(at)],
  }),
  together: (all, at) => ({
    subject: say`Shut-offs of service at accounts that you watch over`,
    paragraphs: [...all.map(shutoffOf), toSharing(at)],
  }),
})
