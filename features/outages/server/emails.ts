import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { GRACE_DAYS } from '../rules.ts'
import { settingsOf, officeOf } from '../../payments/api.ts'

interface OutageNoticeData {
  provider: string
  since: string
  /** End of the outage. Null if the outage just started. */
  until: string | null
  /** Provider that takes new payments during the outage. Null if no provider does. */
  second: string | null
}

/** Required notice. Without it, the office learns of the outage only from payers. */
const outageNotice = defineNotice<OutageNoticeData>({
  event: 'payment.outage',
  required: true,
  why: ({ name }) => say`You are receiving this email because you manage payments for ${name}.`,
  content: ({ provider, since, until, second }, at) => ({
    subject: until
      ? say`Payments by card and bank account are working again`
      : second
        ? say`${provider} is down: ${second} is taking card and bank account payments`
        : say`Payments by card and bank account are not working`,
    paragraphs: [
      until
        ? say`${provider} was down from ${since} to ${until}.`
        : say`${provider} has not responded since ${since}. The portal checks again every minute.`,
      until
        ? say`The portal will now charge each deferred payment once, or email the payer a link. If it is unclear whether a payment went through, the portal will find out automatically.`
        : second
          ? say`New payments from residents go through ${second}. Payment methods saved with ${provider}, AutoPay and card readers cannot be used until the outage ends.`
          : say`Residents see a notice on every page. They can ask to be charged or reminded when payments work again. You can take cash and checks at the counter.`,
      say`People who tried to pay during the outage will not be charged a late fee until ${GRACE_DAYS} days after it ends.`,
      { label: say`View payment attempts`, url: at.url('/municipality/reports/payment-outages') },
    ],
  }),
})

/**
 * Notifies the office of the start or end of an outage. Outages of a second provider are not announced, because
 * payments go through the first provider.
 */
export async function notifyOutage(
  tx: Tx,
  context: AppContext,
  company: Company,
  outage: { provider: string; since: Date; until: Date | null },
): Promise<void> {
  const settings = await settingsOf(tx, company.id)
  if (settings.provider !== outage.provider) return
  const names = await tx.selectFrom('processor').select(['provider', 'name']).execute()
  const nameOf = (requested: string) => names.find(({ provider }) => provider === requested)?.name ?? requested
  const noticeData = {
    provider: nameOf(outage.provider),
    second: settings.second && nameOf(settings.second.provider),
    since: formatInstant(outage.since, company.timeZone),
    until: outage.until && formatInstant(outage.until, company.timeZone),
  }
  for (const { id, email } of await officeOf(tx, company))
    await notify(tx, context, { at: company, to: email, person: id, notice: outageNotice, data: noticeData })
}

export interface DeferredNoticeData {
  text: 'noted' | 'will_charge' | 'will_remind' | 'pay_now' | 'failed' | 'not_owed' | 'changed' | 'withdrawn'
  /** Payment reference that the payer knows, such as a citation number. */
  reference: string
  totalCents: number
  methodLabel: string
  /** Time of the payment attempt, in the company's time zone. */
  at: string
  /** URL of the payment page. */
  url: string
}

const subjects: Record<DeferredNoticeData['text'], (data: DeferredNoticeData) => string> = {
  noted: ({ reference }) => say`We recorded your payment attempt (reference ${reference})`,
  will_charge: ({ reference }) => say`We will charge you when payments work again (reference ${reference})`,
  will_remind: ({ reference }) => say`We will email you when you can pay (reference ${reference})`,
  pay_now: ({ reference }) => say`You can pay now (reference ${reference})`,
  failed: ({ reference }) => say`Your payment did not go through (reference ${reference})`,
  not_owed: ({ reference }) => say`Nothing was charged: no amount is due (reference ${reference})`,
  changed: ({ reference }) => say`Nothing was charged: review your payment (reference ${reference})`,
  withdrawn: ({ reference }) => say`We will not charge you (reference ${reference})`,
}

const bodies: Record<DeferredNoticeData['text'], (data: DeferredNoticeData) => readonly string[]> = {
  noted: () => [say`Payments are not working right now. Nothing was charged.`],
  will_charge: ({ totalCents, methodLabel }) => [
    say`Payments are not working right now. Nothing has been charged yet.`,
    say`After payments work again, we will charge ${formatCents(totalCents)} to ${methodLabel} once and send you the receipt. Until then, you can withdraw your request.`,
  ],
  will_remind: () => [
    say`Payments are not working right now. Nothing was charged. We will send you a link as soon as you can finish the payment.`,
  ],
  pay_now: () => [say`Payments are working again. Finish the payment here. Nothing has been charged yet.`],
  failed: ({ totalCents, methodLabel }) => [
    say`As you asked, we tried to charge ${formatCents(totalCents)} to ${methodLabel}. The charge was declined, and no money was taken.`,
    say`Please pay another way.`,
  ],
  not_owed: () => [
    say`Payments are working again. You asked us to charge you, but no amount is due. Nothing was charged.`,
  ],
  changed: () => [
    say`Payments are working again, but we could not make the charge that you requested. The amount due changed, or your card or bank account can no longer be charged. Nothing was charged. Review the amount and pay it here.`,
  ],
  withdrawn: () => [
    say`You withdrew your request. Nothing was charged, and nothing will be charged. The amount that you owe is still due.`,
  ],
}

/** Required notice, because it reports on money that the payer asked the portal to charge. */
const deferredPaymentNotice = defineNotice<DeferredNoticeData>({
  event: 'payment.deferred',
  required: true,
  why: ({ name }) => say`You are receiving this email because someone entered this address for a payment to ${name}.`,
  content: (data) => ({
    subject: subjects[data.text](data),
    paragraphs: [
      ...bodies[data.text](data),
      ...(data.text === 'noted' || data.text === 'will_charge' || data.text === 'will_remind'
        ? [
            say`You tried to pay on ${data.at}. We recorded your attempt, so no late fee will be added until ${GRACE_DAYS} days after payments work again.`,
          ]
        : []),
      { label: say`Open the payment`, url: data.url },
    ],
  }),
  text: {
    kind: 'payments',
    content: (data) =>
      data.text === 'pay_now'
        ? say`payments are working again. You can pay now (reference ${data.reference}). See your email.`
        : null,
  },
})

export const notifyDeferredPayment = (
  tx: Tx,
  context: AppContext,
  company: Company,
  { email, person }: { email: string; person: number | null },
  data: DeferredNoticeData,
): Promise<void> =>
  notify(tx, context, {
    at: company,
    to: email,
    notice: deferredPaymentNotice,
    data,
    ...(person !== null && { person }),
  })
