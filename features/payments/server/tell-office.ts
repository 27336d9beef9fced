import { sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { roles } from '../../../shared/privileges.ts'
import { plural, say } from '../../../shared/words.ts'
import { type Location, locations, methodLabel, receiptNumber } from '../rules.ts'

/** What is written at this moment may be committed a little later: it is told the next time. */
const SETTLES_MS = 60_000
/** One mail names so many; of the rest it says how many there are. */
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

const letterOf = ({ payments, count, cents }: PaymentsNoticeData) => ({
  subject: say`${formatCents(cents)} came in: ${plural(count, '# payment', '# payments')}`,
  paragraphs: [
    payments.map(lineOf).join('\n'),
    ...(count > payments.length ? [say`And ${count - payments.length} more: see the Payment report.`] : []),
  ],
})

const paymentsCame = defineNotice<PaymentsNoticeData>({
  event: 'payment.office',
  required: false,
  called: 'mails of each payment',
  waitSeconds: 120,
  why: ({ name }) => say`You get this mail because ${name} wants its office told of each payment.`,
  words: letterOf,
  together: (all) =>
    letterOf({
      payments: all.flatMap(({ payments }) => payments).slice(0, MAX_LISTED),
      count: all.reduce((sum, { count }) => sum + count, 0),
      cents: all.reduce((sum, { cents }) => sum + cents, 0),
    }),
})

/**
 * Tells each town that wants it (`receive_payment_emails`) what came in since it was told before: one mail to each contact of
 * its payments or, where it named none, to its administrators. No payment waits for that.
 */
export async function tellOffices(context: AppContext): Promise<void> {
  const until = new Date(context.clock.now().getTime() - SETTLES_MS)
  const towns = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_settings')
      .select('company_id')
      .where('receive_payment_emails', '=', 1)
      .orderBy('company_id')
      .execute(),
  )
  for (const { company_id } of towns) {
    const town = await context.hosts.byId(companyIdFrom('job', company_id))
    if (town) await context.inCompany(town.id, (tx) => tellOffice(tx, context, town, until))
  }
}

async function tellOffice(tx: Tx, context: AppContext, town: Company, until: Date): Promise<void> {
  const { rows } = await sql<{ before: Date | null }>`
    UPDATE payment_settings s SET office_told_until = ${until}
    FROM (SELECT office_told_until AS before FROM payment_settings WHERE company_id = ${town.id} FOR UPDATE) b
    WHERE s.company_id = ${town.id} AND (b.before IS NULL OR b.before < ${until}) RETURNING b.before`.execute(tx)
  const before = rows[0]?.before
  if (!before) return
  const { rows: payments } = await sql<PaymentRow & { count: number; sum: number }>`
    SELECT o.id, o.payer_name AS payer, o.reference, o.method, o.location, o.total_cents AS cents,
      (count(*) OVER ())::int AS count, (sum(o.total_cents) OVER ())::bigint AS sum
    FROM payment_order o
    WHERE o.company_id = ${town.id} AND o.id IN (SELECT t.order_id FROM ledger_transfer t
      WHERE t.company_id = ${town.id} AND t.at > ${before} AND t.at <= ${until} AND t.kind = 'capture.bill')
    ORDER BY o.id LIMIT ${MAX_LISTED}`.execute(tx)
  const [first] = payments
  if (!first) return
  const facts = {
    payments: payments.map(({ count: _count, sum: _sum, ...payment }) => payment),
    count: first.count,
    cents: first.sum,
  }
  for (const { id, email } of await officeOf(tx, town)) {
    await notify(tx, context, { at: town, to: email, person: id, notice: paymentsCame, facts })
  }
}

/** Whom the office hears of its payments by: the contacts of them or, where it named none, its administrators. */
export async function officeOf(tx: Tx, town: Company): Promise<{ id: number; email: string }[]> {
  const people = () =>
    tx.selectFrom('person').select(['id', 'email']).where('company_id', '=', town.id).where('is_active', '=', 1)
  const contacts = await people()
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('payment_settings')
          .select(sql<number>`unnest(ARRAY[primary_contact, secondary_contact])`.as('id'))
          .where('company_id', '=', town.id),
      ),
    )
    .orderBy('id')
    .execute()
  return contacts.length > 0
    ? contacts
    : people().where('role_id', '=', roles.municipalityAdmin).orderBy('id').execute()
}
