import { sql } from 'kysely'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { defineNotice } from '../../../../server/notices/notice.ts'
import { notify } from '../../../../server/notices/notify.ts'
import { companyIdFrom, type Tx } from '../../../../server/tenancy.ts'
import { formatCents } from '../../../../shared/money.ts'
import { roles } from '../../../../shared/privileges.ts'
import { plural, say } from '../../../../shared/messages.ts'
import { type Location, locations, methodLabel, receiptNumber } from '../../rules.ts'

/** Minimum age of a reported payment, in milliseconds. Newer rows may still be uncommitted. */
const MIN_AGE_MS = 60_000
/** Maximum number of payments listed in one email. The email states how many more came in. */
const MAX_LISTED = 50

interface PaymentRow {
  id: number
  payer: string
  reference: string
  method: number
  location: number
  cents: number
}

interface PaymentsNoticeData {
  payments: readonly PaymentRow[]
  count: number
  cents: number
}

const lineOf = ({ id, payer, reference, method, location, cents }: PaymentRow) =>
  [
    `${receiptNumber(id)}: ${formatCents(cents)}`,
    payer,
    reference,
    `${methodLabel(method)}, ${locations[location as Location] ?? ''}`,
  ]
    .filter(Boolean)
    .join(' · ')

const emailOf = ({ payments, count, cents }: PaymentsNoticeData) => ({
  subject: say`${formatCents(cents)} received: ${plural(count, '# payment', '# payments')}`,
  paragraphs: [
    payments.map(lineOf).join('\n'),
    ...(count > payments.length ? [say`And ${count - payments.length} more. See the Payment Transaction Report.`] : []),
  ],
})

const paymentsCame = defineNotice<PaymentsNoticeData>({
  event: 'payment.office',
  required: false,
  called: 'emails about each payment',
  waitSeconds: 120,
  why: ({ name }) => say`You are receiving this email because ${name} notifies its office of each payment.`,
  content: emailOf,
  together: (all) =>
    emailOf({
      payments: all.flatMap(({ payments }) => payments).slice(0, MAX_LISTED),
      count: all.reduce((sum, { count }) => sum + count, 0),
      cents: all.reduce((sum, { cents }) => sum + cents, 0),
    }),
})

/**
 * Emails new payments to each company with `receive_payment_emails`. Each payment contact gets one email. If the
 * company has no contacts, its administrators get the email. No payment waits for these emails.
 */
export async function notifyOffices(context: AppContext): Promise<void> {
  const until = new Date(context.clock.now().getTime() - MIN_AGE_MS)
  const companies = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_settings')
      .select('company_id')
      .where('receive_payment_emails', '=', 1)
      .orderBy('company_id')
      .execute(),
  )
  for (const { company_id } of companies) {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company_id))
    if (companyRecord)
      await context.inCompany(companyRecord.id, (tx) => notifyOffice(tx, context, companyRecord, until))
  }
}

async function notifyOffice(tx: Tx, context: AppContext, companyRecord: Company, until: Date): Promise<void> {
  const { rows } = await sql<{ before: Date | null }>`
    UPDATE payment_settings s SET office_notified_until = ${until}
    FROM (SELECT office_notified_until AS before FROM payment_settings WHERE company_id = ${companyRecord.id} FOR UPDATE) b
    WHERE s.company_id = ${companyRecord.id} AND (b.before IS NULL OR b.before < ${until}) RETURNING b.before`.execute(
    tx,
  )
  const before = rows[0]?.before
  if (!before) return
  const { rows: payments } = await sql<PaymentRow & { count: number; sum: number }>`
    SELECT o.id, o.payer_name AS payer, o.reference, o.method, o.location, o.total_cents AS cents,
      (count(*) OVER ())::int AS count, (sum(o.total_cents) OVER ())::bigint AS sum
    FROM payment_order o
    WHERE o.company_id = ${companyRecord.id} AND o.id IN (SELECT t.order_id FROM ledger_transfer t
      WHERE t.company_id = ${companyRecord.id} AND t.at > ${before} AND t.at <= ${until} AND t.kind = 'capture.bill')
    ORDER BY o.id LIMIT ${MAX_LISTED}`.execute(tx)
  const [first] = payments
  if (!first) return
  const noticeData = {
    payments: payments.map(({ count: _count, sum: _sum, ...payment }) => payment),
    count: first.count,
    cents: first.sum,
  }
  for (const { id, email } of await officeOf(tx, companyRecord)) {
    await notify(tx, context, { at: companyRecord, to: email, person: id, notice: paymentsCame, data: noticeData })
  }
}

/** Returns the payment email recipients: the payment contacts, or the administrators if none exist. */
export async function officeOf(tx: Tx, companyRecord: Company): Promise<{ id: number; email: string }[]> {
  const people = () =>
    tx
      .selectFrom('person')
      .select(['id', 'email'])
      .where('company_id', '=', companyRecord.id)
      .where('is_active', '=', 1)
  const contacts = await people()
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('payment_settings')
          .select(sql<number>`unnest(ARRAY[primary_contact, secondary_contact])`.as('id'))
          .where('company_id', '=', companyRecord.id),
      ),
    )
    .orderBy('id')
    .execute()
  return contacts.length > 0
    ? contacts
    : people().where('role_id', '=', roles.municipalityAdmin).orderBy('id').execute()
}
