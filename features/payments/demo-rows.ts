import { sql } from 'kysely'
import type { BillLine } from '../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import type { FeeRules, Method, Quote } from './rules.ts'
import { recountLedger } from './server/ledger.ts'

interface Step {
  from: number
  to: number
  event: string
  at: Date
}
export interface Attempt {
  status: number
  step: string
  ref: string
  error: string | null
  at: Date
}
export interface Leg {
  kind: string
  debit: string
  credit: string
  amount: number
  ref: string
  at: Date
}

/** A payment of the past with everything that its tables say of it. */
export interface DemoOrder {
  account: string
  at: Date
  status: number
  location: number
  method: Method
  payType: number
  quote: Quote
  payerName: string
  payerEmail: string
  person: string | null
  means: string
  provider: string
  lines: BillLine[]
  refunded: number
  returnCode: string | null
  disputed: boolean
  paidAt: Date | null
  steps: Step[]
  attempts: Attempt[]
  transfers: Leg[]
  remittances: { kind: 'credit' | 'reversal'; amount: number; ref: string; at: Date }[]
}

const BATCH = 1500

/** Writes the history, set-based: each batch of orders with all that hangs from them is one statement. */
export async function writeHistory(
  tx: Tx,
  company: CompanyId,
  fees: FeeRules,
  orders: readonly DemoOrder[],
): Promise<void> {
  // Nothing is known yet of how many rows there are, and row by row the joins within a batch would take minutes.
  await sql`SET LOCAL enable_nestloop = off`.execute(tx)
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  const known = await idsOf(tx, company, orders)
  for (let at = 0; at < orders.length; at += BATCH)
    await writeBatch(tx, company, fees, orders.slice(at, at + BATCH), known)
  await sql`
    UPDATE payment_order SET search_text = lower(concat_ws(' ', 'P' || id, account_number, payer_name, payer_email))
    WHERE company_id = ${company} AND search_text = ''`.execute(tx)
  await recountLedger(tx, company)
}

interface Ids {
  accounts: ReadonlyMap<string, number>
  people: ReadonlyMap<string, number>
}

/** The accounts by number and the people by email, asked for once: row-level security keeps `lower(email)` out of the index. */
async function idsOf(tx: Tx, company: CompanyId, orders: readonly DemoOrder[]): Promise<Ids> {
  const emails = new Set(orders.map((order) => order.person))
  const accounts = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number'])
    .where('company_id', '=', company)
    .execute()
  const people = await tx.selectFrom('person').select(['id', 'email']).where('company_id', '=', company).execute()
  return {
    accounts: new Map(accounts.map(({ id, account_number }) => [account_number, id])),
    people: new Map(
      people.flatMap(({ id, email }) => (emails.has(email.toLowerCase()) ? [[email.toLowerCase(), id]] : [])),
    ),
  }
}

async function writeBatch(
  tx: Tx,
  company: CompanyId,
  fees: FeeRules,
  orders: readonly DemoOrder[],
  { accounts, people }: Ids,
): Promise<void> {
  const rows = orders.map(({ quote, ...order }) => ({
    ...order,
    ...quote,
    fee_quote: { ...fees, ...quote },
    account_id: accounts.get(order.account),
    person_id: order.person === null ? null : (people.get(order.person) ?? null),
  }))
  await sql`
    WITH x AS MATERIALIZED (
      SELECT x.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(
        account text, at timestamptz, status int, location int, method int, "payType" int, "billCents" bigint, "feeCents" bigint,
        "absorbedFeeCents" bigint, "totalCents" bigint, fee_quote jsonb, "payerName" text, "payerEmail" text, account_id bigint, person_id bigint, means text,
        provider text, lines jsonb, refunded bigint, "returnCode" text, disputed boolean, "paidAt" timestamptz, steps jsonb,
        attempts jsonb, transfers jsonb, remittances jsonb)
    ), written AS (
      INSERT INTO payment_order (company_id, status, kind, account_id, person_id, account_number, payer_name, payer_email, location,
        method, pay_type, bill_cents, fee_cents, absorbed_fee_cents, total_cents, refunded_cents, fee_quote, bill_lines, means,
        return_code, dispute_open, created_at, paid_at, search_text)
      SELECT ${company}::int, status, 'utility', account_id, person_id, account, "payerName", "payerEmail", location, method, "payType",
        "billCents", "feeCents", "absorbedFeeCents", "totalCents", refunded, fee_quote, lines, means, "returnCode", disputed, at, "paidAt", ''
      FROM x ORDER BY at
      RETURNING id, account_id, created_at
    ), o AS MATERIALIZED (
      SELECT x.*, written.id FROM x JOIN written ON written.account_id = x.account_id AND written.created_at = x.at
    ), history AS (
      INSERT INTO order_status_history (company_id, order_id, seq, from_status, to_status, event, at)
      SELECT ${company}::int, o.id, s.seq, (s.step->>'from')::int, (s.step->>'to')::int, s.step->>'event', (s.step->>'at')::timestamptz
      FROM o CROSS JOIN LATERAL jsonb_array_elements(o.steps) WITH ORDINALITY AS s(step, seq)
    ), tried AS (
      INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account,
        intent_id, error_code, created_at, submitted_at, checked_at)
      SELECT ${company}::int, o.id, t.no, t.try->>'ref', (t.try->>'status')::int, t.try->>'step', o.provider, 'history',
        t.try->>'ref', t.try->>'error', (t.try->>'at')::timestamptz, (t.try->>'at')::timestamptz, (t.try->>'at')::timestamptz
      FROM o CROSS JOIN LATERAL jsonb_array_elements(o.attempts) WITH ORDINALITY AS t(try, no)
    ), leg AS MATERIALIZED (
      SELECT o.id AS order_id, o.provider, l.leg FROM o CROSS JOIN LATERAL jsonb_array_elements(o.transfers) AS l(leg)
    ), entry AS MATERIALIZED (
      SELECT ref, nextval('ledger_entry_number') AS id FROM (SELECT DISTINCT leg.leg->>'ref' AS ref FROM leg) AS refs
    ), posted AS (
      INSERT INTO ledger_transfer (company_id, entry_id, order_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
      SELECT ${company}::int, entry.id, leg.order_id, leg.leg->>'debit', leg.leg->>'credit', (leg.leg->>'amount')::bigint, leg.provider, entry.ref,
        leg.leg->>'kind', (leg.leg->>'at')::timestamptz
      FROM leg JOIN entry ON entry.ref = leg.leg->>'ref'
    )
    INSERT INTO remittance (company_id, account_id, order_id, source, source_ref, kind, amount_cents, at)
    SELECT ${company}::int, o.account_id, o.id, o.provider, r.told->>'ref', r.told->>'kind', (r.told->>'amount')::bigint, (r.told->>'at')::timestamptz
    FROM o CROSS JOIN LATERAL jsonb_array_elements(o.remittances) AS r(told)`.execute(tx)
}
