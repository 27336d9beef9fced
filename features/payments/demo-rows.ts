import { sql } from 'kysely'
import type { LineDetail, LineItem } from '../../server/db/column-types.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { NEW } from '../../shared/machine.ts'
import { type FeeBook, feeTermsFor } from './rules-fees.ts'
import { type Location, type Method, type OfficeMethod, orderStatus, type Part, type Quote } from './rules.ts'
import { recountLedger } from './server/ledger/ledger.ts'

interface DemoHistoryRow {
  from: number | typeof NEW
  to: number
  event: string
  at: Date
}
/** Returns the transitions of an order that was created at `at` and paid at `paidAt`. */
export const paidSteps = (at: Date, paidAt: Date): DemoHistoryRow[] => [
  { from: NEW, to: orderStatus.pending, event: 'created', at },
  { from: orderStatus.pending, to: orderStatus.success, event: 'captured', at: paidAt },
]
export interface Attempt {
  status: number
  step: string
  ref: string
  error: string | null
  at: Date
  part?: Part
}
export interface Leg {
  kind: string
  debit: string
  credit: string
  amount: number
  ref: string
  at: Date
  ofFee?: boolean
}

/** Past payment with the data for all its tables. */
export interface DemoOrder {
  /** Kind of the paid item. `number` is the item's number in the feature that bills it. */
  kind: string
  type: string
  number: string
  glAccount: string
  title: string
  details: LineDetail[]
  items: LineItem[]
  at: Date
  status: number
  location: number
  method: Method | OfficeMethod
  payType: number
  quote: Quote
  payerName: string
  payerEmail: string
  person: string | null
  methodLabel: string
  provider: string
  refunded: number
  returnCode: string | null
  disputed: boolean
  paidAt: Date | null
  steps: DemoHistoryRow[]
  attempts: Attempt[]
  transfers: Leg[]
  /** Separate fee: its status, and the reason if staff waived it. */
  separateFee?: { status: 'charged' | 'owed' | 'waived'; reason: string }
}

/**
 * Returns the data of a separate fee that is charged after its bill: attempt, ledger entries and status. A declined fee
 * is owed until staff waive it.
 */
export function separateFeeOf(
  feeCents: number,
  { ref, at, status, reason }: { ref: string; at: Date; status: 'charged' | 'owed' | 'waived'; reason: string },
): Pick<DemoOrder, 'attempts' | 'transfers'> & { separateFee: NonNullable<DemoOrder['separateFee']> } {
  const isPaid = status === 'charged'
  const leg = { kind: 'capture.fee', debit: 'gateway_clearing', credit: 'fee_revenue', amount: feeCents, ref, at }
  return {
    separateFee: { status, reason },
    attempts: [
      {
        ...{ status: isPaid ? 1 : 2, step: isPaid ? 'succeeded' : 'failed', ref, at, part: 'fee' },
        error: isPaid ? null : 'insufficient_funds',
      },
    ],
    transfers: isPaid ? [{ ...leg, ofFee: true }] : [],
  }
}

/** Returns the ledger entries of a capture or a refund. */
export function legsOf(
  movementType: 'capture' | 'refund',
  quote: Quote,
  office: boolean,
  ref: string,
  at: Date,
): Leg[] {
  const cash = office ? 'office_cash' : 'gateway_clearing'
  const forth = [
    { part: 'bill', from: cash, to: 'payable_municipality', amount: quote.billCents },
    { part: 'fee', from: cash, to: 'fee_revenue', amount: quote.feeCents },
    { part: 'absorbed', from: 'absorbed_fee', to: 'fee_revenue', amount: quote.absorbedFeeCents },
  ]
  return forth
    .filter(({ amount }) => amount > 0)
    .map(({ part, from, to, amount }) => {
      const [debit, credit] = movementType === 'capture' ? [from, to] : [to, from]
      return { kind: `${movementType}.${part}`, debit, credit, amount, ref, at }
    })
}

const BATCH = 1500

/**
 * Writes the history in bulk, with one statement for each batch of orders and their dependent rows. `payables` maps
 * item numbers to ids. After all history is written, `countHistory` computes the ledger totals once.
 */
export async function writeHistory(
  tx: Tx,
  company: CompanyId,
  fees: FeeBook,
  orders: readonly DemoOrder[],
  payables: ReadonlyMap<string, number>,
): Promise<void> {
  // Without table statistics, nested loops would make the joins of a batch take minutes.
  await sql`SET LOCAL enable_nestloop = off`.execute(tx)
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  const people = await peopleOf(tx, company, orders)
  for (let at = 0; at < orders.length; at += BATCH)
    await writeBatch(tx, company, fees, orders.slice(at, at + BATCH), { payables, people })
}

/** Computes the ledger totals of a company after its history is written. */
export const countHistory = (tx: Tx, company: CompanyId): Promise<void> => recountLedger(tx, company)

interface Ids {
  payables: ReadonlyMap<string, number>
  people: ReadonlyMap<string, number>
}

/** Loads people by email in one query, because row-level security prevents the use of the index on `lower(email)`. */
async function peopleOf(tx: Tx, company: CompanyId, orders: readonly DemoOrder[]): Promise<Ids['people']> {
  const emails = new Set(orders.map((order) => order.person))
  const people = await tx.selectFrom('person').select(['id', 'email']).where('company_id', '=', company).execute()
  return new Map(
    people.flatMap(({ id, email }) => (emails.has(email.toLowerCase()) ? [[email.toLowerCase(), id]] : [])),
  )
}

/**
 * Computes captured, refunded and returned amounts in the same way as the ledger totals, so that a recount changes
 * nothing.
 */
function movedOf({ transfers }: DemoOrder) {
  const cents = (requestedKind: string) =>
    transfers.reduce((sum, { kind, amount }) => sum + (kind === requestedKind ? amount : 0), 0)
  const [refundedBill, refundedFee] = [cents('refund.bill'), cents('refund.fee')]
  const [returnedBill, returnedFee] = [cents('return.bill'), cents('return.fee')]
  const netBill = cents('capture.bill') - refundedBill - returnedBill
  const netFee = cents('capture.fee') - refundedFee - returnedFee
  return { retainedBill: netBill, retainedFee: netFee, refundedBill, refundedFee, returnedBill, returnedFee }
}

/** Returns the fee terms that applied on the day of the payment, with the quote. */
function frozen(fees: FeeBook, { at, kind, method, location }: Omit<DemoOrder, 'quote'>, quote: Quote) {
  const terms = feeTermsFor(fees, { on: dayOf(at), kind, method, location: location as Location })
  return { program: terms.program, mode: terms.mode, fee_quote: { terms: [terms], ...quote } }
}

/**
 * Returns the day of a demo payment in UTC, which decides its fee. For the demo, the difference from the company's time
 * zone does not matter.
 */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

async function writeBatch(
  tx: Tx,
  company: CompanyId,
  fees: FeeBook,
  orders: readonly DemoOrder[],
  { payables, people }: Ids,
): Promise<void> {
  const rows = orders.map(({ quote, ...order }) => ({
    ...order,
    ...quote,
    ...movedOf({ quote, ...order }),
    ...frozen(fees, order, quote),
    payable_id: payables.get(order.number),
    person_id: order.person === null ? null : (people.get(order.person) ?? null),
  }))
  await sql`
    WITH o AS MATERIALIZED (
      SELECT nextval('payment_order_id_seq') AS id, x.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(
        kind text, type text, number text, "glAccount" text, title text, details jsonb, items jsonb, payable_id bigint, at timestamptz, status int, location int, method int, "payType" int, "billCents" bigint, "feeCents" bigint,
        "absorbedFeeCents" bigint, "totalCents" bigint, fee_quote jsonb, program text, mode text, "separateFee" jsonb, "payerName" text, "payerEmail" text, person_id bigint, "methodLabel" text,
        provider text, refunded bigint, "returnCode" text, disputed boolean, "paidAt" timestamptz, steps jsonb,
        attempts jsonb, transfers jsonb, "retainedBill" bigint, "retainedFee" bigint, "refundedBill" bigint, "refundedFee" bigint,
        "returnedBill" bigint, "returnedFee" bigint)
    ), written AS (
      INSERT INTO payment_order (company_id, id, status, type, person_id, reference, payer_name, payer_email, location,
        method, pay_type, bill_cents, fee_cents, absorbed_fee_cents, total_cents, refunded_cents, fee_quote, method_label,
        return_code, dispute_open, created_at, paid_at, net_bill_cents, net_fee_cents, refunded_bill_cents, refunded_fee_cents,
        returned_bill_cents, returned_fee_cents, search_text)
      SELECT ${company}::int, id, status, type, person_id, number, "payerName", "payerEmail", location, method, "payType",
        "billCents", "feeCents", "absorbedFeeCents", "totalCents", refunded, fee_quote, "methodLabel", "returnCode", disputed, at, "paidAt",
        "retainedBill", "retainedFee", "refundedBill", "refundedFee", "returnedBill", "returnedFee",
        lower(concat_ws(' ', 'P' || id, number, "payerName", "payerEmail"))
      FROM o
    ), line AS (
      INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents, absorbed_fee_cents,
        settled_cents, gl_account, fee_program, fee_mode, title, details, items)
      SELECT ${company}::int, o.id, 1, o.kind, o.payable_id, o."billCents", o."feeCents", o."absorbedFeeCents", o."retainedBill", o."glAccount", o.program, o.mode, o.title, o.details, o.items
      FROM o
    ), history AS (
      INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
      SELECT ${company}::int, 'order', o.id, s.seq, s.step->>'from', s.step->>'to', s.step->>'event', (s.step->>'at')::timestamptz,
        who.kind, CASE who.kind WHEN 'citizen' THEN o.person_id END,
        CASE who.kind WHEN 'citizen' THEN o."payerName" WHEN 'guest' THEN 'Guest' ELSE 'Mainstreet' END
      FROM o CROSS JOIN LATERAL jsonb_array_elements(o.steps) WITH ORDINALITY AS s(step, seq)
        CROSS JOIN LATERAL (SELECT CASE WHEN s.step->>'event' NOT IN ('created', 'new_attempt', 'cancelled') THEN 'system'
          WHEN o.person_id IS NULL THEN 'guest' ELSE 'citizen' END AS kind) AS who
    ), tried AS (
      INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account,
        intent_id, error_code, created_at, submitted_at, checked_at, part)
      SELECT ${company}::int, o.id, t.no, t.try->>'ref', (t.try->>'status')::int, t.try->>'step', o.provider, 'history',
        t.try->>'ref', t.try->>'error', (t.try->>'at')::timestamptz, (t.try->>'at')::timestamptz, (t.try->>'at')::timestamptz, coalesce(t.try->>'part', 'bill')
      FROM o CROSS JOIN LATERAL jsonb_array_elements(o.attempts) WITH ORDINALITY AS t(try, no)
    ), fee AS (
      INSERT INTO payment_fee (company_id, id, status, amount_cents, since)
      SELECT ${company}::int, o.id, o."separateFee"->>'status', o."feeCents", o."paidAt" FROM o WHERE o."separateFee" IS NOT NULL
    ), fees AS (
      INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
      SELECT ${company}::int, 'fee', o.id, s.seq, s.before, s.after, s.event, o."paidAt", CASE s.event WHEN 'waive' THEN 'municipality' ELSE 'system' END,
        CASE s.event WHEN 'waive' THEN 'Carol Whitaker' ELSE 'Mainstreet' END, CASE s.event WHEN 'waive' THEN o."separateFee"->>'reason' ELSE '' END
      FROM o CROSS JOIN (VALUES (1, '', 'waiting', 'start', '{charged,owed,waived}'::text[]), (2, 'waiting', 'charged', 'charge', '{charged}'),
        (2, 'waiting', 'owed', 'fail', '{owed,waived}'), (3, 'owed', 'waived', 'waive', '{waived}')) AS s(seq, before, after, event, of_those)
      WHERE o."separateFee"->>'status' = ANY(s.of_those)
    ), alert AS (
      INSERT INTO payment_alert (company_id, order_id, code, message, at)
      SELECT ${company}::int, o.id, 'fee_owed', 'The bill is paid, and its fee could not be charged. Charge the fee again, or waive it.', o."paidAt"
      FROM o WHERE o."separateFee"->>'status' = 'owed'
    ), leg AS MATERIALIZED (
      SELECT o.id AS order_id, o.provider, l.leg FROM o CROSS JOIN LATERAL jsonb_array_elements(o.transfers) AS l(leg)
    ), entry AS MATERIALIZED (
      SELECT ref, nextval('ledger_entry_number') AS id FROM (SELECT DISTINCT leg.leg->>'ref' AS ref FROM leg) AS refs
    )
    INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at, is_fee_part)
    SELECT ${company}::int, entry.id, leg.order_id, CASE WHEN leg.leg->>'kind' ~ '[.](bill|fee|absorbed)$' THEN 1 END, leg.leg->>'debit', leg.leg->>'credit', (leg.leg->>'amount')::bigint, leg.provider, entry.ref,
      leg.leg->>'kind', (leg.leg->>'at')::timestamptz, coalesce((leg.leg->>'ofFee')::boolean, false)
    FROM leg JOIN entry ON entry.ref = leg.leg->>'ref'`.execute(tx)
}
