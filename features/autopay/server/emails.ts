import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import type { NoticeEvent } from '../../../shared/notice-events.ts'
import { defineNotice, type EmailTemplate, type NoticeSender } from '../../../server/notices/notice.ts'
import { type EndReason, endReasons } from '../rules.ts'

const SETTINGS = '/profile/payment-methods'

/** Link to the screen with AutoPay and payment methods. */
const toSettings = (at: NoticeSender, label: string) => ({ label, text: say`${label}: `, url: at.url(SETTINGS) })

/**
 * Defines a required AutoPay notice. Payers can't unsubscribe, because they must learn of charges that they did not
 * start.
 */
const autopayNotice = <Data>(event: NoticeEvent, text: (data: Data, at: NoticeSender) => EmailTemplate) =>
  defineNotice<Data>({
    event,
    required: true,
    why: ({ name }) =>
      say`You are receiving this email because you have a saved payment method for payments to ${name}.`,
    content: text,
  })

interface AccountNoticeData {
  reference: string
}

/** Notice with a copy of the authorization for the payer. */
export const enrolled = autopayNotice<AccountNoticeData & { terms: string; mandate: string; next: string }>(
  'autopay.enrolled',
  ({ reference, terms, mandate, next }, at) => ({
    subject: say`AutoPay is on for account ${reference}`,
    paragraphs: [
      say`AutoPay will now pay your ${at.name} bills for account ${reference} automatically. Your settings: ${terms}.`,
      next,
      say`You agreed to this authorization:`,
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
  say`We will charge ${formatCents(cents)} to ${methodLabel} on ${formatDate(on)}, plus any fee. The bill is due on ${formatDate(dueDate)}.`

export const upcoming = autopayNotice<PlannedChargeData>('autopay.upcoming', ({ reference, ...planned }, at) => ({
  subject: say`AutoPay: ${formatCents(planned.cents)} on ${formatDate(planned.on)} for account ${reference}`,
  paragraphs: [
    say`The next payment for account ${reference} is coming up.`,
    chargeText(planned),
    say`If you owe less on the payment day, we will charge less. We will never charge more.`,
    toSettings(at, say`Skip this payment, or pause or change AutoPay`),
  ],
}))

export type NotCharged = 'over_cap' | 'over_limit' | 'elsewhere' | 'refused'

const whyNot: Record<NotCharged, () => string> = {
  over_cap: () => say`The amount is above the limit that you set for AutoPay.`,
  over_limit: () => say`The amount is above the maximum online payment.`,
  elsewhere: () =>
    say`We now use another payment provider, which does not have your card or bank account. Add your card or bank account again and choose it for AutoPay.`,
  refused: () => say`The payment could not be made.`,
}

const toDo = (why: NotCharged) => {
  if (why === 'elsewhere') return say`Add a card or bank account`
  return why === 'over_cap' ? say`Change the AutoPay limit` : say`Payment methods and AutoPay`
}

export const notCharged = autopayNotice<AccountNoticeData & { cents: number; dueDate: string; why: NotCharged }>(
  'autopay.not_charged',
  ({ reference, cents, dueDate, why }, at) => ({
    subject: say`AutoPay will not pay this bill for account ${reference}`,
    paragraphs: [
      say`${formatCents(cents)} is due on account ${reference} on ${formatDate(dueDate)}, and AutoPay will not pay it. ${whyNot[why]()}`,
      say`Nothing was charged. Please pay the bill yourself to avoid a late payment.`,
      toSettings(at, toDo(why)),
    ],
  }),
)

export const declined = autopayNotice<AccountNoticeData & { cents: number; methodLabel: string; again: string | null }>(
  'autopay.declined',
  ({ reference, cents, methodLabel, again }, at) => ({
    subject: say`AutoPay: a payment for account ${reference} did not go through`,
    paragraphs: [
      say`We tried to charge ${formatCents(cents)} to ${methodLabel} for account ${reference}, but the payment was declined.`,
      again
        ? say`AutoPay will try again on ${formatDate(again)} for the same amount. Until then, you can choose another card or bank account, or pay the bill yourself.`
        : say`AutoPay will not try again. Please pay the bill yourself.`,
      toSettings(at, say`Choose another card or bank account`),
    ],
  }),
)

/** Advice to the payer, by end reason. */
const whatNow: Record<EndReason, () => string> = {
  resident: () => say`You can turn on AutoPay again at any time.`,
  staff: () => say`If you have questions, contact us.`,
  unlinked: () => say`The account is no longer linked to your profile.`,
  moved: () =>
    say`You moved out, and the period for charging your final bill has ended. Please pay any remaining amount yourself.`,
  method_removed: () => say`Choose another card or bank account to turn on AutoPay again.`,
  card_declined: () => say`Choose another card or bank account to turn on AutoPay again.`,
  card_refused: () =>
    say`The bank that issued this card does not allow further charges. Add another card or a bank account.`,
  no_funds: () =>
    say`You can turn on AutoPay again when your bank account has enough money. You can also use another bank account or a card.`,
  bank_details: () =>
    say`Your bank could not find or debit this bank account. Please enter its details again, or use another bank account.`,
  not_authorized: () =>
    say`Your bank says that this debit was not authorized. We will not try again. To use AutoPay, agree to the authorization again.`,
}

export const removed = autopayNotice<
  AccountNoticeData & { reason: EndReason; methodLabel: string; cents: number | null; code: string }
>('autopay.removed', ({ reference, reason, methodLabel, cents, code }, at) => ({
  subject: say`AutoPay is off for account ${reference}`,
  paragraphs: [
    say`AutoPay no longer pays bills for account ${reference}. Reason: ${translated(endReasons[reason])}${/^R\d\d$/.test(code) ? ` (${code})` : ''}.`,
    cents === null
      ? say`The payment method was ${methodLabel}.`
      : say`We could not charge ${formatCents(cents)} to ${methodLabel}, and the amount is still due. Please pay the amount yourself.`,
    whatNow[reason](),
    toSettings(at, say`Payment methods and AutoPay`),
  ],
}))

/** Notice that staff paused or ended AutoPay, with their reason. */
export const byStaff = autopayNotice<AccountNoticeData & { ended: boolean; reason: string; methodLabel: string }>(
  'autopay.by_staff',
  ({ reference, ended, reason, methodLabel }, at) => ({
    subject: ended ? say`AutoPay is off for account ${reference}` : say`AutoPay is paused for account ${reference}`,
    paragraphs: [
      ended
        ? say`${at.name} ended AutoPay for account ${reference}. We will no longer charge ${methodLabel}. Please pay your bills yourself.`
        : say`${at.name} paused AutoPay for account ${reference}. Until you resume it, we will not charge ${methodLabel}. Please pay your bills yourself.`,
      say`Reason: ${reason}`,
      toSettings(at, say`Payment methods and AutoPay`),
    ],
  }),
)

export const cardExpires = autopayNotice<{ methodLabel: string; expires: string; pays: readonly string[] }>(
  'autopay.card_expires',
  ({ methodLabel, expires, pays }, at) => ({
    subject: say`Your card expires soon: ${methodLabel}`,
    paragraphs: [
      say`${methodLabel} expires on ${formatDate(expires)}.`,
      pays.length > 0
        ? say`AutoPay uses this card for ${plural(pays.length, 'account', 'accounts')} ${pays.join(', ')}. Add the new card and choose it for AutoPay so that no bill goes unpaid.`
        : say`Add your new card so that you can continue to pay with a saved card.`,
      toSettings(at, say`Add a card`),
    ],
  }),
)
