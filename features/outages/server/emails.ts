import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { GRACE_DAYS } from '../rules.ts'
import { settingsOf, officeOf } from '../../payments/api.ts'

interface OutageNoticeData {
  provider: string
  since: string
  /** Null if the outage just started. */
  until: string | null
  /** Provider that takes new payments during the outage. Null if no provider does. */
  second: string | null
}

/** Required notice. Without it, the office learns of the outage only from payers. */
const outageNews = defineNotice<OutageNoticeData>({
  event: 'payment.outage',
  required: true,
  why: ({ name }) => say`You get this mail because you look after the payments of ${name}.`,
  content: ({ provider, since, until, second }, at) => ({
    subject: until
      ? say`Payments by card and bank account work again`
      : second
        ? say`${provider} is out: ${second} takes payments by card and bank account`
        : say`Payments by card and bank account do not work`,
    paragraphs: [
      until
        ? say`${provider} was out from ${since} to ${until}.`
        : say`${provider} does not answer since ${since}. It is asked again each minute.`,
      until
        ? say`Whoever promised to pay is charged now, once, or has a link by mail. Payments of which nobody knew whether they went through are found out by themselves.`
        : second
          ? say`New payments of residents go through ${second}. What is kept with ${provider}, AutoPay and card readers wait.`
          : say`Residents read so on every page, and can ask to be charged or reminded once it works again. Cash and checks can be taken at the counter.`,
      say`Whoever tried to pay meanwhile gets no late fee until ${GRACE_DAYS} days after it is over.`,
      { label: say`See who tried to pay`, url: at.url('/municipality/reports/payment-outages') },
    ],
  }),
})

/**
 * Notifies the office of the start or end of an outage. The second provider's outages are not announced, because its
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
    await notify(tx, context, { at: company, to: email, person: id, notice: outageNews, data: noticeData })
}

export interface DeferredNoticeData {
  says: 'noted' | 'will_charge' | 'will_remind' | 'pay_now' | 'failed' | 'not_owed' | 'changed' | 'withdrawn'
  /** Reference of the payment, as the payer knows it. */
  reference: string
  totalCents: number
  methodLabel: string
  /** Time of the payment attempt, in the company's time zone. */
  at: string
  /** URL of the payment page. */
  url: string
}

const subjects: Record<DeferredNoticeData['says'], (data: DeferredNoticeData) => string> = {
  noted: ({ reference }) => say`You tried to pay ${reference}: it is written down`,
  will_charge: ({ reference }) => say`We pay ${reference} for you when payments work again`,
  will_remind: ({ reference }) => say`We write when you can pay ${reference}`,
  pay_now: ({ reference }) => say`You can pay ${reference} now`,
  failed: ({ reference }) => say`Your payment of ${reference} did not go through`,
  not_owed: ({ reference }) => say`Nothing was charged: nothing is owed for ${reference}`,
  changed: ({ reference }) => say`Nothing was charged: look at the payment of ${reference}`,
  withdrawn: ({ reference }) => say`We do not charge you for ${reference}`,
}

const bodies: Record<DeferredNoticeData['says'], (data: DeferredNoticeData) => readonly string[]> = {
  noted: () => [say`Payments do not work at the moment. Nothing was charged.`],
  will_charge: ({ totalCents, methodLabel }) => [
    say`Payments do not work at the moment. Nothing was charged yet.`,
    say`Once they work again we charge ${methodLabel} with ${formatCents(totalCents)}, once, and send you the receipt. Until then you can withdraw it.`,
  ],
  will_remind: () => [
    say`Payments do not work at the moment. Nothing was charged. We send you a link as soon as you can finish the payment.`,
  ],
  pay_now: () => [say`Payments work again. Finish the payment here; nothing was charged yet.`],
  failed: ({ totalCents, methodLabel }) => [
    say`As you asked we charged ${methodLabel} with ${formatCents(totalCents)}, and it was refused. No money was taken.`,
    say`Please pay in another way.`,
  ],
  not_owed: () => [
    say`Payments work again, and you had asked us to charge you. Nothing is owed any more, so nothing was charged.`,
  ],
  changed: () => [
    say`Payments work again, and you had asked us to charge you. That could not be done as you asked: another amount is owed by now, or your card or bank account can not be charged any more. So nothing was charged. Look at it and pay it here.`,
  ],
  withdrawn: () => [say`You withdrew it. Nothing was and nothing will be charged. What you owe is still to be paid.`],
}

/** Required notice, because it reports on money that the payer asked the portal to charge. */
const promiseNews = defineNotice<DeferredNoticeData>({
  event: 'payment.promise',
  required: true,
  why: ({ name }) => say`You get this mail because this address was given with a payment to ${name}.`,
  content: (data) => ({
    subject: subjects[data.says](data),
    paragraphs: [
      ...bodies[data.says](data),
      ...(data.says === 'noted' || data.says === 'will_charge' || data.says === 'will_remind'
        ? [
            say`You tried to pay on ${data.at}. That is written down: no late fee is added until ${GRACE_DAYS} days after payments work again.`,
          ]
        : []),
      { label: say`Open the payment`, url: data.url },
    ],
  }),
  text: {
    kind: 'payments',
    content: (data) =>
      data.says === 'pay_now' ? say`payments work again: you can pay ${data.reference} now. See your email.` : null,
  },
})

export const notifyDeferredPayment = (
  tx: Tx,
  context: AppContext,
  company: Company,
  { email, person }: { email: string; person: number | null },
  data: DeferredNoticeData,
): Promise<void> =>
  notify(tx, context, { at: company, to: email, notice: promiseNews, data, ...(person !== null && { person }) })
