import { type RawBuilder, sql } from 'kysely'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import {
  recordCreation,
  defineStateStore,
  transition,
  type Transition,
  type TransitionActor,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say, translated } from '../../../shared/messages.ts'
import { ARRIVES_WITHIN_DAYS, type ExceptionKind, exceptionKinds, PAID_OUT_WITHIN_DAYS } from '../rules.ts'
import { type ExceptionState, exceptionStates } from '../states.ts'
import { ledgerOfLine } from './ledger-of-line.ts'
import { hasSeveralProviders, providerName } from './provider-name.ts'

/**
 * Number of days in which the portal searches payouts for a payment. Staff must resolve the payment's exception within
 * this time.
 */
const LOOKED_FOR_DAYS = 45

type CompanyZone = Pick<Company, 'id' | 'timeZone'>

interface Difference {
  kind: ExceptionKind
  subject: string
  about: string
  day: string
  cents: number
}

/**
 * Builds one query for each kind of difference. `subject` identifies the row, so that the portal reports each
 * difference only once.
 */
const differenceQueries = (
  company: CompanyId,
  { today, zone, since }: { today: string; zone: string; since: string },
): Record<ExceptionKind, RawBuilder<unknown>> => {
  const dayOf = (at: RawBuilder<unknown>) => sql`(${at} AT TIME ZONE ${zone})::date`
  // SQL for the words that name the provider. Empty if the company has only one provider.
  const of = (provider: RawBuilder<unknown>) =>
    sql`CASE WHEN ${hasSeveralProviders(company)} THEN ' of ' || ${providerName(provider)} ELSE '' END`
  const lines = (when: RawBuilder<unknown>) => sql`
    SELECT 'line ' || l.payout_id || '/' || l.line_no AS subject, l.movement_type || ' ' || l.source_ref || ' in payout ' || p.trace || ${of(sql`p.provider`)} AS about,
      ${dayOf(sql`p.paid_at`)} AS day, l.amount_cents - l.ledger_cents AS cents
    FROM payout_line l JOIN payout p ON p.company_id = l.company_id AND p.id = l.payout_id
    WHERE l.company_id = ${company} AND l.amount_cents <> l.ledger_cents AND ${when}`
  const from = midnightIn(zone, addDays(today, -LOOKED_FOR_DAYS))
  const startedAt = midnightIn(zone, since)
  const followed = startedAt > from ? startedAt : from
  const until = midnightIn(zone, addDays(today, -PAID_OUT_WITHIN_DAYS))
  return {
    line_unknown: lines(sql`l.ledger_cents = 0`),
    line_differs: lines(sql`l.ledger_cents <> 0`),
    not_paid_out: sql`
      SELECT 'payment ' || min(t.order_id) || ' ' || t.movement_type || ' ' || t.source_ref AS subject, 'P' || min(t.order_id) || ', ' || t.movement_type || ' ' || t.source_ref || ${of(sql`t.source`)} AS about,
        ${dayOf(sql`min(t.at)`)} AS day, sum(t.cents)::bigint AS cents
      FROM (SELECT source, source_ref, split_part(kind, '.', 1) AS movement_type, order_id, at,
          CASE debit_account WHEN 'gateway_clearing' THEN amount_cents ELSE -amount_cents END AS cents
        FROM ledger_transfer
        WHERE company_id = ${company} AND at >= ${followed} AND at < ${until}
          AND 'gateway_clearing' IN (debit_account, credit_account) AND order_id IS NOT NULL) t
      LEFT JOIN payout_line l ON l.company_id = ${company} AND l.source_ref = t.source_ref AND l.movement_type = t.movement_type AND l.provider = t.source
      WHERE l.source_ref IS NULL
      GROUP BY t.source, t.source_ref, t.movement_type HAVING sum(t.cents) <> 0`,
    payout_sum: sql`
      SELECT 'payout ' || id AS subject, 'Payout ' || trace || ${of(sql`payout.provider`)} AS about, ${dayOf(sql`paid_at`)} AS day, line_cents - net_cents AS cents
      FROM payout WHERE company_id = ${company} AND line_cents <> net_cents`,
    deposit_missing: sql`
      SELECT 'payout ' || id AS subject, 'Payout ' || trace || ${of(sql`payout.provider`)} AS about, arrives_on AS day, -net_cents AS cents
      FROM payout WHERE company_id = ${company} AND deposited_cents IS NULL AND arrives_on < ${addDays(today, -ARRIVES_WITHIN_DAYS)}::date`,
    deposit_differs: sql`
      SELECT 'payout ' || id AS subject, 'Payout ' || trace || ${of(sql`payout.provider`)} AS about, deposited_on AS day, deposited_cents - net_cents AS cents
      FROM payout WHERE company_id = ${company} AND deposited_cents <> net_cents`,
    bank_unknown: sql`
      SELECT 'bank_transaction ' || id AS subject, coalesce(nullif(left(description, 120), ''), nullif(reference, ''), 'A line without words') AS about, booked_on AS day, amount_cents AS cents
      FROM bank_transaction WHERE company_id = ${company} AND became = 'open'`,
    statement_gap: sql`
      SELECT 'statement ' || s.id AS subject, 'Account ' || s.account || ', ' || s.file_name AS about, s.from_day AS day, s.opening_cents - b.closing_cents AS cents
      FROM bank_statement s CROSS JOIN LATERAL (SELECT closing_cents FROM bank_statement b
        WHERE b.company_id = ${company} AND b.account = s.account AND b.to_day < s.from_day ORDER BY b.to_day DESC, b.id DESC LIMIT 1) b
      WHERE s.company_id = ${company} AND s.opening_cents <> b.closing_cents`,
    // Compares the remittances of each paid utility bill with its ledger amount, minus refunds. The query first adds up
    // only the movements since the start of the period, to find payments with a difference. It then compares all
    // movements of these payments, because a payment may have started before the period.
    remittance_differs: sql`
      WITH moved AS (
        SELECT t.order_id, sum(CASE 'payable_municipality' WHEN t.credit_account THEN t.amount_cents ELSE -t.amount_cents END) AS cents, min(t.at) AS at
        FROM ledger_transfer t JOIN payment_order_line l ON l.company_id = ${company} AND l.order_id = t.order_id AND l.line_no = t.line_no AND l.kind = 'utility'
        WHERE t.company_id = ${company} AND t.at >= ${followed} AND 'payable_municipality' IN (t.debit_account, t.credit_account) GROUP BY t.order_id),
      told AS (
        SELECT order_id, sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) AS cents, min(at) AS at
        FROM remittance WHERE company_id = ${company} AND at >= ${followed} GROUP BY order_id),
      doubtful AS (
        SELECT order_id, least(moved.at, told.at) AS at FROM moved FULL JOIN told USING (order_id) WHERE coalesce(moved.cents, 0) <> coalesce(told.cents, 0))
      SELECT 'payment ' || d.order_id AS subject, 'P' || d.order_id AS about, ${dayOf(sql`d.at`)} AS day, (t.cents - h.cents)::bigint AS cents
      FROM doubtful d
      CROSS JOIN LATERAL (SELECT coalesce(sum(CASE r.kind WHEN 'credit' THEN r.amount_cents ELSE -r.amount_cents END), 0) AS cents FROM remittance r
        WHERE r.company_id = ${company} AND r.order_id = d.order_id) t
      CROSS JOIN LATERAL (SELECT coalesce(sum(l.settled_cents), 0) AS cents FROM payment_order_line l
        WHERE l.company_id = ${company} AND l.order_id = d.order_id AND l.kind = 'utility') h
      WHERE t.cents <> h.cents`,
  }
}

/**
 * Locks the company, so that only one search runs at a time, until the transaction ends. Code that locks an exception
 * must lock the company first, to avoid a deadlock. Returns the first day of reconciliation, or null.
 */
export async function lockCompany(tx: Tx, company: CompanyId): Promise<string | null> {
  const settings = await tx
    .selectFrom('payment_settings')
    .select('reconciled_since as since')
    .where('company_id', '=', company)
    .forUpdate()
    .executeTakeFirst()
  return settings?.since ?? null
}

/**
 * Searches for differences. Opens new exceptions and clears exceptions without a remaining cause. Does not change
 * decisions by people. Returns the number of opened and cleared exceptions.
 */
export async function updateExceptions(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  companyZone: CompanyZone,
): Promise<{ opened: number; cleared: number }> {
  const now = context.clock.now()
  const { timeZone: zone, id: company } = companyZone
  const since = await lockCompany(tx, company)
  const today = dateIn(zone, now)
  await recheckLines(tx, company)
  const differences = await listDifferences(tx, company, { today, zone, since: since ?? today })
  const existingRows = await tx
    .selectFrom('recon_exception')
    .select(['id', 'kind', 'subject', 'status', 'amount_cents'])
    .where('company_id', '=', company)
    .where(({ or, eb }) =>
      or([
        eb('status', '=', 'open'),
        eb('subject', '=', sql<string>`ANY (${differences.map(({ subject }) => subject)}::text[])`),
      ]),
    )
    .execute()
  const keyOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind}/${subject}`
  const existingByKey = new Map(existingRows.map((row) => [keyOf(row), row]))
  const actor: TransitionActor = {
    as: 'system',
    caller: { session: null, requestId: '', kind: 'system' },
    clock: context.clock,
  }
  let [opened, cleared] = [0, 0]
  for (const one of differences) {
    const before = existingByKey.get(keyOf(one))
    existingByKey.delete(keyOf(one))
    if (!before) {
      await open(tx, company, one, actor)
      opened += 1
    } else if (before.status === 'cleared') {
      await changeRow(tx, 'recon_exception', company, before.id, { amount_cents: one.cents })
      await transition(tx, exceptionStateStore, { scope: company, id: before.id, event: 'find_again', actor })
      opened += 1
    } else if (before.status === 'open' && before.amount_cents !== one.cents)
      await changeRow(tx, 'recon_exception', company, before.id, { amount_cents: one.cents })
  }
  for (const { id, status } of existingByKey.values())
    if (status === 'open') {
      await transition(tx, exceptionStateStore, { scope: company, id, event: 'clear', actor })
      cleared += 1
    }
  return { opened, cleared }
}

/** Links payout lines to ledger entries that were booked later, for example after a late event. */
async function recheckLines(tx: Tx, company: CompanyId): Promise<void> {
  await sql`
    UPDATE payout_line l SET ledger_cents = m.cents, order_id = m.order_id
    FROM (SELECT d.payout_id, d.line_no, m.cents, m.order_id FROM payout_line d
      JOIN payout p ON p.company_id = ${company} AND p.id = d.payout_id
      CROSS JOIN LATERAL ${ledgerOfLine(company, sql`p.provider`, sql`d.source_ref`, sql`d.movement_type`)} m
      WHERE d.company_id = ${company} AND d.amount_cents <> d.ledger_cents AND m.cents IS NOT NULL) m
    WHERE l.company_id = ${company} AND l.payout_id = m.payout_id AND l.line_no = m.line_no AND l.ledger_cents <> m.cents`.execute(
    tx,
  )
}

async function listDifferences(
  tx: Tx,
  company: CompanyId,
  when: { today: string; zone: string; since: string },
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const [kind, question] of Object.entries(differenceQueries(company, when))) {
    const { rows } = await sql<Omit<Difference, 'kind'>>`
      SELECT q.subject, q.about, q.day::text AS day, q.cents FROM (${question}) q ORDER BY q.day, q.subject`.execute(tx)
    differences.push(...rows.map((row) => ({ ...row, kind: kind as ExceptionKind })))
  }
  return differences
}

async function open(
  tx: Tx,
  company: CompanyId,
  { kind, subject, about, day, cents }: Difference,
  actor: TransitionActor,
): Promise<void> {
  const { id } = await tx
    .insertInto('recon_exception')
    .values({
      company_id: company,
      kind,
      subject,
      about,
      on_day: day,
      amount_cents: cents,
      status: 'open',
      opened_at: actor.clock.now(),
      search_text: `${about} ${exceptionKinds[kind]}`.toLowerCase(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordCreation(tx, exceptionStateStore, {
    scope: company,
    id,
    event: 'find',
    actor,
    detail: { kind, about },
  })
}

export interface LockedException {
  id: number
  state: ExceptionState
  name: string
  number: string
}

export const exceptionRows = rowFinderById('recon_exception', () => notFound('This exception was not found.'))

export const lockedException = (row: {
  id: number
  status: ExceptionState
  about: string
  kind: ExceptionKind
}): LockedException => ({
  id: row.id,
  state: row.status,
  name: say`Exception “${`${translated(exceptionKinds[row.kind])}: ${row.about}`}”`,
  number: row.about,
})

type ExceptionTransition = Transition<ExceptionState, EventOf<typeof exceptionStates>, LockedException, undefined>

export const exceptionStateStore = defineStateStore({
  machine: exceptionStates,
  subject: 'recon_exception',
  lock: async (tx, scope, id) => lockedException(await exceptionRows.lock(tx, scope, id)),
  write: (tx, { scope, locked, to, at, reason }: ExceptionTransition) =>
    changeRow(tx, 'recon_exception', scope, locked.id, {
      status: to,
      ended_at: to === 'open' ? null : at,
      reason,
    }),
})
