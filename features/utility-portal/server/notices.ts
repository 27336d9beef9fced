import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { plural, say } from '../../../shared/messages.ts'
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
  why: ({ name }) => say`You are receiving this email because your account with ${name} has paperless billing.`,
  content: ({ account, name, number, amountCents, dueDate }, at) => ({
    subject: say`Your ${formatCents(amountCents)} utility bill from ${at.name}`,
    paragraphs: [
      say`Bill ${number} for your utility account ${name} is ready. The amount is ${formatCents(amountCents)}, due on ${formatDate(dueDate)}.`,
      { label: say`View bill`, text: say`View bill: `, url: at.url(billPath(account, number)) },
      {
        label: say`View account`,
        text: say`Pay the bill, or switch to printed bills: `,
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
  /** Name of the person who requested the email, if that person is not the recipient. Otherwise null. */
  requestedBy: string | null
}

function usageMessage({ name, why, used, unit, days, until, limit }: UsageNoticeData): string {
  const usageText = say`On ${formatDate(until)}, the meter for ${name} showed ${formatQuantity(used)} ${unit} of usage over ${plural(days, '# day', '# days')}.`
  return why === 'away'
    ? say`${usageText} No one was expected to be at this address on those days.`
    : say`${usageText} The alert limit is ${formatQuantity(limit ?? 0)}.`
}

const advice = (): string =>
  say`If you cannot explain this usage, look for a leak. Turn off all water and check the meter after an hour. If the meter moved, call us.`

/**
 * Returns the last paragraphs of a usage alert. The person who set the alert gets a link to its settings. A second
 * recipient gets the name of the person who requested the email.
 */
const ending = ({ requestedBy, account }: UsageNoticeData, at: NoticeSender): (string | Action)[] => [
  advice(),
  requestedBy === null
    ? {
        label: say`View usage`,
        text: say`View usage, or change your alerts: `,
        url: at.url(accountPath(account)),
      }
    : say`${requestedBy} asked us to notify you too.`,
]

export const unusualUseNotice = defineNotice<UsageNoticeData>({
  event: 'utility.use',
  required: false,
  called: 'usage alerts',
  waitSeconds: 120,
  why: ({ name }) => say`You are receiving this email because usage alerts are on for a utility account with ${name}.`,
  content: (data, at) => ({
    subject:
      data.why === 'away' ? say`Usage while you are away: ${data.name}` : say`Usage above your limit: ${data.name}`,
    paragraphs: [usageMessage(data), ...ending(data, at)],
  }),
  together: (all, at) => ({
    subject: say`${plural(all.length, '# usage alert', '# usage alerts')} for your utility accounts`,
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
    return [
      say`The shutoff for your utility account ${name} has been resolved. Service will stay on or will be turned back on.`,
    ]
  const amount = amountCents === null ? say`the past due amount` : formatCents(amountCents)
  const call = say`If you cannot pay now, or think this is a mistake, call us: ${formatPhone(phone)}.`
  return state === 'scheduled'
    ? [
        say`Service for your utility account ${name} will be shut off on ${formatDate(on)}. Pay ${amount} before that day to keep the service on.`,
        call,
      ]
    : [
        say`Service for your utility account ${name} was shut off on ${formatDate(on)}. Pay ${amount} and call us to have the service turned on again.`,
        call,
      ]
}

/** Notice of a shutoff. People cannot unsubscribe from it, because it is critical. */
export const shutoffNotice = defineNotice<ShutoffNoticeData>({
  event: 'utility.shutoff',
  required: true,
  why: ({ name }) =>
    say`You are receiving this email because this utility account is linked to your account with ${name}.`,
  content: (data, at) => ({
    subject:
      data.state === 'scheduled'
        ? say`Service will be shut off on ${formatDate(data.on)}: ${data.name}`
        : data.state === 'off'
          ? say`Service was shut off: ${data.name}`
          : say`Shutoff resolved: ${data.name}`,
    paragraphs: [
      ...shutoffSentences(data),
      {
        label: data.state === 'restored' ? say`View account` : say`Pay now`,
        text: say`Your account: `,
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

/**
 * Notice with the code of an offer. People cannot unsubscribe from it, because another person asked the portal to send
 * it.
 */
export const shareOffered = defineNotice<ShareNoticeData>({
  event: 'utility.share',
  required: true,
  why: ({ name }) =>
    say`You are receiving this email because a utility customer of ${name} entered your email address.`,
  content: ({ kind, address, code }, at) => ({
    subject:
      kind === 'history'
        ? say`Offer to share the usage history for ${address}`
        : say`Offer to share the account status for ${address}`,
    paragraphs: [
      kind === 'history'
        ? say`A utility customer offers to share the usage history for ${address} with you.`
        : say`A utility customer offers to share the account status for ${address} with you. You would see if the account is past due or scheduled for shutoff.`,
      say`You will not see this information until you accept the offer. Sign in with the email address that received this message and enter the code ${code}.`,
      { label: say`View offer`, text: say`View offer: `, url: at.url(SHARING) },
      say`If you do not know what this is about, you can ignore this email. The offer expires after 30 days.`,
    ],
  }),
})

/**
 * Options shared by all notices to watchers. Both people agreed to the watch, and either can end it on the sharing
 * screen.
 */
const watching = {
  required: false as const,
  called: 'account status updates',
  waitSeconds: 120,
  why: ({ name }: { name: string }) =>
    say`You are receiving this email because you accepted account status updates for a utility account with ${name}.`,
}
const toSharing = (at: NoticeSender): Action => ({
  label: say`View account status`,
  text: say`View the account status, or end sharing: `,
  url: at.url(SHARING),
})

interface WatchedPastDueNoticeData {
  address: string
  pastDueCents: number
}
const pastDueLine = ({ address, pastDueCents }: WatchedPastDueNoticeData): string =>
  say`${formatCents(pastDueCents)} is past due on the utility account at ${address}.`

export const watchedPastDue = defineNotice<WatchedPastDueNoticeData>({
  ...watching,
  event: 'utility.watch',
  content: (data, at) => ({
    subject: say`The utility account at ${data.address} is past due`,
    paragraphs: [pastDueLine(data), toSharing(at)],
  }),
  together: (all, at) => ({
    subject: say`${plural(all.length, '# account shared with you is past due', '# accounts shared with you are past due')}`,
    paragraphs: [...all.map(pastDueLine), toSharing(at)],
  }),
})

type WatchedShutoff = Pick<ShutoffNoticeData, 'state' | 'on'> & { address: string }
const shutoffOf = ({ address, state, on }: WatchedShutoff): string =>
  state === 'scheduled'
    ? say`Service at ${address} will be shut off on ${formatDate(on)} unless the past due amount is paid first.`
    : state === 'off'
      ? say`Service at ${address} was shut off on ${formatDate(on)}.`
      : say`The shutoff at ${address} has been resolved. Service will stay on or will be turned back on.`

export const watchedShutoff = defineNotice<WatchedShutoff>({
  ...watching,
  event: 'utility.watch_shutoff',
  content: (data, at) => ({
    subject: say`Service shutoff at ${data.address}`,
    paragraphs: [shutoffOf(data), toSharing(at)],
  }),
  together: (all, at) => ({
    subject: say`Service shutoffs for accounts shared with you`,
    paragraphs: [...all.map(shutoffOf), toSharing(at)],
  }),
})
