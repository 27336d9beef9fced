import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { NoticeEvent } from '../../../shared/notice-events.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice, type EmailTemplate, type NoticeSender } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { allPayables } from '../../payments/api.ts'
import type { Installment } from '../rules.ts'
import type { Arrangement, ArrangementWithSchedule } from './arrangements.ts'

const toPlan = (at: NoticeSender, label: string) => ({
  label,
  text: say`${label}: `,
  url: at.url('/payment-arrangements'),
})

/** Required notices, because a payer can't opt out of notices about agreed payments. */
const planNotice = <Data>(event: NoticeEvent, text: (data: Data, at: NoticeSender) => EmailTemplate) =>
  defineNotice<Data>({
    event,
    required: true,
    why: ({ name }) => say`You are receiving this email because your account with ${name} has a payment arrangement.`,
    content: text,
  })

interface ArrangementNoticeData {
  reference: string
  totalCents: number
  schedule: readonly Installment[]
  /** Text of the agreement. Empty before the payer agrees. */
  agreementText?: string
  reason?: string
}

export const noticeDataOf = ({ reference, total_cents: totalCents, schedule }: ArrangementWithSchedule) => ({
  reference,
  totalCents,
  schedule,
})

const lines = (schedule: readonly Installment[]): string =>
  schedule.map(({ dueOn, cents }) => `${formatDate(dueOn)}: ${formatCents(cents)}`).join('\n')

export const proposed = planNotice<ArrangementNoticeData>(
  'arrangement.proposed',
  ({ reference, totalCents, schedule }, at) => ({
    subject: say`${at.name} proposed a payment arrangement for account ${reference}`,
    paragraphs: [
      say`You can pay the ${formatCents(totalCents)} owed on account ${reference} in ${schedule.length} installments:`,
      lines(schedule),
      say`The arrangement starts after you agree to it.`,
      toPlan(at, say`Review the arrangement`),
    ],
  }),
)

export const agreed = planNotice<ArrangementNoticeData>(
  'arrangement.agreed',
  ({ reference, totalCents, schedule, agreementText = '' }, at) => ({
    subject: say`Your payment arrangement for account ${reference}`,
    paragraphs: [
      say`You agreed to pay ${formatCents(totalCents)} on account ${reference} in ${schedule.length} installments:`,
      lines(schedule),
      say`Agreement:`,
      agreementText,
      toPlan(at, say`View the arrangement`),
    ],
  }),
)

export const defaulted = planNotice<ArrangementNoticeData & { overdueCents: number }>(
  'arrangement.defaulted',
  ({ reference, overdueCents }, at) => ({
    subject: say`The payment arrangement for account ${reference} is in default`,
    paragraphs: [
      say`${formatCents(overdueCents)} on account ${reference} is past due, and the grace period has ended.`,
      say`Pay the past due amount now to reinstate the arrangement. Otherwise, the full amount owed is due.`,
      toPlan(at, say`View and pay the past due amount`),
    ],
  }),
)

export const finished = planNotice<ArrangementNoticeData & { ended: boolean }>(
  'arrangement.finished',
  ({ reference, ended, reason = '' }, at) => ({
    subject: ended
      ? say`The payment arrangement for account ${reference} has ended`
      : say`The payment arrangement for account ${reference} is paid in full`,
    paragraphs: ended
      ? [
          say`${at.name} ended the payment arrangement for account ${reference}. The full amount owed on the account is due.`,
          say`Reason: ${reason}`,
        ]
      : [say`All installments are paid. Thank you.`],
  }),
)

/** Notifies the person who agreed. Before the agreement, notifies each resident who has linked the account. */
export async function notifyPayers<Data>(
  tx: Tx,
  context: AppContext,
  company: Company,
  { kind, payable_id, person_id }: Pick<Arrangement, 'kind' | 'payable_id' | 'person_id'>,
  notice: ReturnType<typeof defineNotice<Data>>,
  data: Data,
): Promise<void> {
  const recurs = allPayables().find((payable) => payable.kind === kind)?.recurs
  const people = person_id === null ? ((await recurs?.listLinkedPeople(tx, company.id, payable_id)) ?? []) : [person_id]
  if (people.length === 0) return
  const readers = await tx
    .selectFrom('person')
    .select(['id', 'email'])
    .where('company_id', '=', company.id)
    .where('id', 'in', people)
    .orderBy('id')
    .execute()
  for (const { id, email } of readers) await notify(tx, context, { at: company, to: email, person: id, notice, data })
}
