import { sql } from 'kysely'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { outsideCompanies, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt } from '../../shared/dates.ts'
import { deferredPaymentStates, type DeferredPaymentState, type DeferredAction } from './states.ts'

/** Age in days of the outage with payment attempts. */
const DAYS_AGO = 25

/** Results of the demo's payment attempts. Each row uses one account. */
const FATES: readonly { action: DeferredAction; status: DeferredPaymentState }[] = [
  { action: 'charge', status: 'paid' },
  { action: 'charge', status: 'paid' },
  { action: 'charge', status: 'failed' },
  { action: 'charge', status: 'not_owed' },
  { action: 'charge', status: 'changed' },
  { action: 'charge', status: 'withdrawn' },
  { action: 'remind', status: 'reminded' },
  { action: 'remind', status: 'paid' },
  { action: 'note', status: 'noted' },
  { action: 'note', status: 'noted' },
  { action: 'autopay', status: 'noted' },
]

/**
 * Adds two outages to each company: an evening outage some weeks ago with payment attempts, and a shorter, older one.
 */
async function addOutages({ db, clock }: Pick<Demo, 'db' | 'clock'>): Promise<void> {
  await outsideCompanies(db.platform)(async (tx) => {
    const { rows: companies } = await sql<{ id: number; zone: string }>`
      SELECT c.id, z.zone FROM company c JOIN timezone z ON z.id = c.timezone_id
      WHERE EXISTS (SELECT FROM stored_method m WHERE m.company_id = c.id) ORDER BY c.id`.execute(tx)
    for (const { id, zone } of companies) {
      const on = (days: number, time: string) => instantAt(zone, addDays(dateIn(zone, clock.now()), -days), time)
      await outage(tx, id, on(140, '09:12'), on(140, '09:31'))
      const outageId = await outage(tx, id, on(DAYS_AGO, '18:05'), on(DAYS_AGO, '18:47'))
      await addTries(tx, id, outageId, { from: on(DAYS_AGO, '18:07'), endedAt: on(DAYS_AGO, '18:49') })
    }
  })
}

async function outage(tx: Tx, company: number, since: Date, until: Date): Promise<number> {
  const { id } = await tx
    .insertInto('payment_outage')
    .values({ company_id: company, provider: 'sandbox', since, noticed_at: since, calm_since: until, until })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface Times {
  from: Date
  endedAt: Date
}

async function addTries(tx: Tx, company: number, outageId: number, { from, endedAt }: Times): Promise<void> {
  // Without table statistics, nested loops would make these joins take minutes.
  await sql`SET LOCAL enable_nestloop = off`.execute(tx)
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  const { rows } = await sql<{
    payable_id: number
    reference: string
    payer: string
    email: string
    person_id: number
    method_id: number
    method_label: string
    cents: number
  }>`
    WITH chosen AS MATERIALIZED (
      SELECT l.account_id, min(m.id) AS method_id FROM stored_method m
      JOIN linked_account l ON l.company_id = m.company_id AND l.person_id = m.person_id
      JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
      WHERE m.company_id = ${company} AND m.removed_at IS NULL GROUP BY l.account_id, a.account_number
      ORDER BY a.account_number DESC LIMIT ${FATES.length * 3}
    )
    SELECT a.id AS payable_id, a.account_number AS reference, a.customer_name AS payer, p.email, p.id AS person_id, m.id AS method_id,
      m.method_label, b.cents
    FROM chosen JOIN utility_account a ON a.company_id = ${company} AND a.id = chosen.account_id
    JOIN stored_method m ON m.company_id = ${company} AND m.id = chosen.method_id
    JOIN person p ON p.company_id = ${company} AND p.id = m.person_id AND p.email NOT LIKE 'resident@%'
    CROSS JOIN LATERAL (SELECT (SELECT amount_cents FROM utility_bill b WHERE b.company_id = ${company} AND b.account_id = a.id
      AND b.bill_date < ${from} ORDER BY b.bill_date DESC LIMIT 1) AS cents) b
    WHERE b.cents > 0 ORDER BY a.account_number DESC LIMIT ${FATES.length}`.execute(tx)
  for (const [n, { payable_id, cents, ...account }] of rows.entries()) {
    const fate = FATES[n]
    if (!fate) continue
    const charge = fate.action === 'charge'
    const made = new Date(from.getTime() + n * 3 * 60_000 + n * 17_000)
    const { id } = await tx
      .insertInto('deferred_payment')
      .values({
        company_id: company,
        outage_id: outageId,
        ...fate,
        made_at: made,
        reference: account.reference,
        payer_name: account.payer,
        email: account.email,
        person_id: account.person_id,
        checkout_id: null,
        method_id: charge ? account.method_id : null,
        method_label: charge || fate.action === 'autopay' ? account.method_label : '',
        bill_cents: cents,
        total_cents: cents,
        finished_at: fate.status === 'noted' || fate.status === 'reminded' ? null : endedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('deferred_payment_line')
      .values({
        company_id: company,
        deferred_payment_id: id,
        line_no: 1,
        kind: 'utility',
        payable_id,
        amount_cents: cents,
      })
      .execute()
    await writeHistory(tx, company, id, { ...fate, made, endedAt, payer: account.payer })
  }
}

/** Writes the transitions from the initial to the current state. */
async function writeHistory(
  tx: Tx,
  company: number,
  id: number,
  {
    status,
    action,
    made,
    endedAt,
    payer,
  }: { status: DeferredPaymentState; action: DeferredAction; made: Date; endedAt: Date; payer: string },
): Promise<void> {
  const between: Partial<Record<DeferredPaymentState, DeferredPaymentState[]>> = {
    paid: [action === 'charge' ? 'charging' : 'reminded'],
    failed: ['charging'],
  }
  const states =
    status === 'noted' ? [status] : (['waiting', ...(between[status] ?? []), status] as DeferredPaymentState[])
  const eventTo = (from: string, to: DeferredPaymentState) =>
    Object.entries(deferredPaymentStates.steps).find(
      ([, step]) => step.to === to && (step.from as string[]).includes(from),
    )?.[0] ?? (to === 'noted' ? 'note' : 'defer')
  let from = ''
  for (const [n, to] of states.entries()) {
    const isByPayer = (n === 0 && action !== 'autopay') || to === 'withdrawn'
    await tx
      .insertInto('status_history')
      .values({
        ...{
          company_id: company,
          machine: 'deferred_payment',
          subject_id: id,
          seq: n + 1,
          from_state: from,
          to_state: to,
        },
        ...{ event: eventTo(from, to), at: n === 0 ? made : endedAt, actor_kind: isByPayer ? 'guest' : 'system' },
        ...{ actor_id: null, actor_name: isByPayer ? payer : 'Mainstreet', reason: '' },
      })
      .execute()
    from = to
  }
}

export const demo: DemoPart = { after: addOutages }
