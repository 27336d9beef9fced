import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { defineNotice } from '../../../../server/notices/notice.ts'
import { notify } from '../../../../server/notices/notify.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { formatInstant } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/words.ts'
import { GRACE_DAYS } from '../../rules-outage.ts'
import { settingsOf } from '../settings.ts'
import { officeOf } from '../tell-office.ts'

interface OutageNoticeData {
  provider: string
  since: string
  /** Null: it began. */
  until: string | null
  /** The provider that takes new payments meanwhile; null where none does. */
  second: string | null
}

/** Required: its office would hear of it from those who can't pay. */
const outageNews = defineNotice<OutageNoticeData>({
  event: 'payment.outage',
  required: true,
  why: ({ name }) => say`You get this mail because you look after the payments of ${name}.`,
  words: ({ provider, since, until, second }, at) => ({
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

/** Tells the office that it began or ended. Of the second provider nobody hears: its payments go through the first. */
export async function tellOfOutage(
  tx: Tx,
  context: AppContext,
  town: Company,
  outage: { provider: string; since: Date; until: Date | null },
): Promise<void> {
  const settings = await settingsOf(tx, town.id)
  if (settings.provider !== outage.provider) return
  const names = await tx.selectFrom('processor').select(['provider', 'name']).execute()
  const nameOf = (wanted: string) => names.find(({ provider }) => provider === wanted)?.name ?? wanted
  const facts = {
    provider: nameOf(outage.provider),
    second: settings.second && nameOf(settings.second.provider),
    since: formatInstant(outage.since, town.timeZone),
    until: outage.until && formatInstant(outage.until, town.timeZone),
  }
  for (const { id, email } of await officeOf(tx, town))
    await notify(tx, context, { at: town, to: email, person: id, notice: outageNews, facts })
}

export interface DeferredNoticeData {
  says: 'noted' | 'will_charge' | 'will_remind' | 'pay_now' | 'failed' | 'not_owed' | 'changed' | 'withdrawn'
  /** What it pays, as its payer knows it. */
  reference: string
  totalCents: number
  means: string
  /** When they tried to pay, in the town's time. */
  at: string
  /** The page of the payment. */
  url: string
}

const subjects: Record<DeferredNoticeData['says'], (facts: DeferredNoticeData) => string> = {
  noted: ({ reference }) => say`You tried to pay ${reference}: it is written down`,
  will_charge: ({ reference }) => say`We pay ${reference} for you when payments work again`,
  will_remind: ({ reference }) => say`We write when you can pay ${reference}`,
  pay_now: ({ reference }) => say`You can pay ${reference} now`,
  failed: ({ reference }) => say`Your payment of ${reference} did not go through`,
  not_owed: ({ reference }) => say`Nothing was charged: nothing is owed for ${reference}`,
  changed: ({ reference }) => say`Nothing was charged: look at the payment of ${reference}`,
  withdrawn: ({ reference }) => say`We do not charge you for ${reference}`,
}

const bodies: Record<DeferredNoticeData['says'], (facts: DeferredNoticeData) => readonly string[]> = {
  noted: () => [say`Payments do not work at the moment. Nothing was charged.`],
  will_charge: ({ totalCents, means }) => [
    say`Payments do not work at the moment. Nothing was charged yet.`,
    say`Once they work again we charge ${means} with ${formatCents(totalCents)}, once, and send you the receipt. Until then you can withdraw it.`,
  ],
  will_remind: () => [
    say`Payments do not work at the moment. Nothing was charged. We send you a link as soon as you can finish the payment.`,
  ],
  pay_now: () => [say`Payments work again. Finish the payment here; nothing was charged yet.`],
  failed: ({ totalCents, means }) => [
    say`As you asked we charged ${means} with ${formatCents(totalCents)}, and it was refused. No money was taken.`,
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

/** What somebody asked to be done with their money is told them without fail. */
const promiseNews = defineNotice<DeferredNoticeData>({
  event: 'payment.promise',
  required: true,
  why: ({ name }) => say`You get this mail because this address was given with a payment to ${name}.`,
  words: (facts) => ({
    subject: subjects[facts.says](facts),
    paragraphs: [
      ...bodies[facts.says](facts),
      ...(facts.says === 'noted' || facts.says === 'will_charge' || facts.says === 'will_remind'
        ? [
            say`You tried to pay on ${facts.at}. That is written down: no late fee is added until ${GRACE_DAYS} days after payments work again.`,
          ]
        : []),
      { label: say`Open the payment`, url: facts.url },
    ],
  }),
  text: {
    kind: 'payments',
    words: (facts) =>
      facts.says === 'pay_now' ? say`payments work again: you can pay ${facts.reference} now. See your email.` : null,
  },
})

export const tellOfPromise = (
  tx: Tx,
  context: AppContext,
  town: Company,
  { email, person }: { email: string; person: number | null },
  facts: DeferredNoticeData,
): Promise<void> =>
  notify(tx, context, { at: town, to: email, notice: promiseNews, facts, ...(person !== null && { person }) })
