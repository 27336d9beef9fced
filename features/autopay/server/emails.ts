import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say, translated } from '../../../shared/words.ts'
import type { NoticeEvent } from '../../../shared/notice-events.ts'
import { defineNotice, type EmailTemplate, type NoticeSender } from '../../../server/notices/notice.ts'
import { type EndReason, endReasons } from '../rules.ts'

const SETTINGS = '/profile/payment-methods'

/** Link to the screen that changes AutoPay and payment methods. */
const toSettings = (at: NoticeSender, label: string) => ({ label, says: say`${label}: `, url: at.url(SETTINGS) })

/** Payers must learn of charges made without them, so they can't unsubscribe from these notices. */
const autopayNotice = <Data>(event: NoticeEvent, text: (data: Data, at: NoticeSender) => EmailTemplate) =>
  defineNotice<Data>({
    event,
    required: true,
    why: ({ name }) => say`You get this mail because a payment method of yours is kept for payments to ${name}.`,
    content: text,
  })

interface AccountNoticeData {
  reference: string
}

/** Written copy of the authorization for the payer. */
export const enrolled = autopayNotice<AccountNoticeData & { terms: string; mandate: string; next: string }>(
  'autopay.enrolled',
  ({ reference, terms, mandate, next }, at) => ({
    subject: say`AutoPay is on for account ${reference}`,
    paragraphs: [
      say`Bills of account ${reference} are paid to ${at.name} by themselves from now on: ${terms}.`,
      next,
      say`You agreed to this:`,
      mandate,
      toSettings(at, say`Pause, change or end AutoPay`),
    ],
  }),
)

export interface PlannedChargeData extends AccountNoticeData {
  cents: number
  on: string
  dueDate: string
  methodLabel: string
}

export const chargeText = ({ cents, on, dueDate, methodLabel }: Omit<PlannedChargeData, 'reference'>): string =>
  say`${formatCents(cents)} will be taken from ${methodLabel} on ${formatDate(on)}, plus the town's fee where it has one. The bill is due on ${formatDate(dueDate)}.`

export const upcoming = autopayNotice<PlannedChargeData>('autopay.upcoming', ({ reference, ...planned }, at) => ({
  subject: say`AutoPay: ${formatCents(planned.cents)} on ${formatDate(planned.on)} for account ${reference}`,
  paragraphs: [
    say`The next payment of account ${reference} is coming.`,
    chargeText(planned),
    say`Where less is owed by then, less is taken; never more than this.`,
    toSettings(at, say`Leave this payment out, pause or change AutoPay`),
  ],
}))

export type NotCharged = 'over_cap' | 'over_limit' | 'elsewhere' | 'refused'

const whyNot: Record<NotCharged, () => string> = {
  over_cap: () => say`It is above the limit that you set for AutoPay.`,
  over_limit: () => say`It is above the largest payment that can be made online.`,
  elsewhere: () =>
    say`The municipality uses another payment service now, which does not have your card or bank account: add it again, and choose it for AutoPay.`,
  refused: () => say`The payment could not be made.`,
}

export const notCharged = autopayNotice<AccountNoticeData & { cents: number; dueDate: string; why: NotCharged }>(
  'autopay.not_charged',
  ({ reference, cents, dueDate, why }, at) => ({
    subject: say`AutoPay does not pay this bill of account ${reference}`,
    paragraphs: [
      say`${formatCents(cents)} is due on account ${reference} on ${formatDate(dueDate)}, and AutoPay does not take it. ${whyNot[why]()}`,
      say`Nothing was charged. Please pay the bill yourself, so that it is not late.`,
      toSettings(at, why === 'elsewhere' ? say`Add a card or bank account` : say`Change the limit of AutoPay`),
    ],
  }),
)

export const declined = autopayNotice<AccountNoticeData & { cents: number; methodLabel: string; again: string | null }>(
  'autopay.declined',
  ({ reference, cents, methodLabel, again }, at) => ({
    subject: say`AutoPay: a payment of account ${reference} did not go through`,
    paragraphs: [
      say`We asked for ${formatCents(cents)} from ${methodLabel} for account ${reference}, and it was refused.`,
      again
        ? say`AutoPay tries again on ${formatDate(again)}, for the same amount. Until then you can choose another card or bank account, or pay the bill yourself.`
        : say`It is not tried again. Please pay the bill yourself.`,
      toSettings(at, say`Choose another card or bank account`),
    ],
  }),
)

/** Advice to the payer, by end reason. */
const whatNow: Record<EndReason, () => string> = {
  resident: () => say`You can turn it on again at any time.`,
  staff: () => say`If you have questions, ask the municipality.`,
  unlinked: () => say`The account is not linked to yours any more.`,
  moved: () => say`You moved out, and the time for the final bill is over. What is still owed is yours to pay.`,
  method_removed: () => say`Choose another card or bank account to turn it on again.`,
  card_declined: () => say`Choose another card or bank account to turn it on again.`,
  card_refused: () => say`Its bank says that this card must not be charged again. Add another card or a bank account.`,
  no_funds: () => say`Once there is enough in the account, or with another one, you can turn AutoPay on again.`,
  bank_details: () =>
    say`Your bank could not find or debit this account. Please enter its details anew, or use another.`,
  not_authorized: () =>
    say`Your bank says that this debit was not authorized. It will not be asked again; to use AutoPay, agree to it anew.`,
}

export const removed = autopayNotice<
  AccountNoticeData & { reason: EndReason; methodLabel: string; cents: number | null; code: string }
>('autopay.removed', ({ reference, reason, methodLabel, cents, code }, at) => ({
  subject: say`AutoPay is off for account ${reference}`,
  paragraphs: [
    say`Bills of account ${reference} are no longer paid by themselves. Reason: ${translated(endReasons[reason])}${code ? ` (${code})` : ''}.`,
    cents === null
      ? say`It had paid by ${methodLabel}.`
      : say`${formatCents(cents)} could not be taken from ${methodLabel} and is still owed. Please pay it yourself.`,
    whatNow[reason](),
    toSettings(at, say`Payment methods and AutoPay`),
  ],
}))

/** Notice of a pause or end by staff, with their reason. */
export const byStaff = autopayNotice<AccountNoticeData & { ended: boolean; reason: string; methodLabel: string }>(
  'autopay.by_staff',
  ({ reference, ended, reason, methodLabel }, at) => ({
    subject: ended ? say`AutoPay is off for account ${reference}` : say`AutoPay is paused for account ${reference}`,
    paragraphs: [
      ended
        ? say`${at.name} ended AutoPay of account ${reference}. Nothing is taken from ${methodLabel} any more, and bills are yours to pay.`
        : say`${at.name} paused AutoPay of account ${reference}. Until you resume it nothing is taken from ${methodLabel}, and bills are yours to pay.`,
      say`The reason that was given: ${reason}`,
      toSettings(at, say`Payment methods and AutoPay`),
    ],
  }),
)

export const cardExpires = autopayNotice<{ methodLabel: string; expires: string; pays: readonly string[] }>(
  'autopay.card_expires',
  ({ methodLabel, expires, pays }, at) => ({
    subject: say`Your card expires: ${methodLabel}`,
    paragraphs: [
      say`${methodLabel} expires on ${formatDate(expires)}.`,
      pays.length > 0
        ? say`AutoPay pays by it for ${pays.join(', ')}. Add the new card and choose it there, so that no bill stays unpaid.`
        : say`Add the new card to go on paying by it.`,
      toSettings(at, say`Add a card`),
    ],
  }),
)
