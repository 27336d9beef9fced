import { expect } from 'vitest'
import { sharesOf } from '../../features/payments/rules.ts'
import { orderStates } from '../../features/payments/states.ts'
import type { Movement } from '../../features/payments/server/provider.ts'
import { hashSecret } from '../../server/sessions.ts'
import type { ProviderModel } from '../provider-model.ts'
import type { Run } from './run.ts'
import { ENROLLED, THINGS, TICKET } from './steps.ts'
import { TOWN } from './town.ts'

/** What must be true of a run once nothing is under way any more (the list of invariants of the ledger and the orders). */

interface Line {
  kind: string
  id: number
  amount: number
  fee: number
  settled: number
  /** What the thing that it pays says of it. */
  told: number
  bill: number
  revenue: number
}

interface Refund {
  kind: 'refund' | 'void'
  status: string
  cents: number
  reason: string
}

interface Order {
  id: number
  status: number
  location: number
  bill_cents: number
  fee_cents: number
  total_cents: number
  refunded_cents: number
  dispute_open: boolean
  /** Taken at the counter, where no provider has ever heard of it. */
  at_office: boolean
  /** In their order. */
  lines: Line[]
  token_hash: Buffer | null
  clearing: number
  cash: number
  revenue: number
  receivable: number
  reserve: number
  remitted: number
  attempts: number[]
  intents: (string | null)[]
  live: number
  refunds: Refund[]
  steps: [from: string, to: string, event: string][]
  audited: string[]
  alerts: string[]
}

/** The refunds that staff ask for have steps of their own, which are told of the payment as well. */
const ORDER_ACTIONS = Object.values(orderStates.steps).map(({ audit }) => audit)

/** What accounts of the ledger hold of an order `o`: debits less credits. */
const balance = (...accounts: string[]) => `
  (SELECT coalesce(sum(amount_cents * (debit_account = ANY('{${accounts.join(',')}}'))::int
     - amount_cents * (credit_account = ANY('{${accounts.join(',')}}'))::int), 0)::bigint
   FROM ledger_transfer t WHERE t.company_id = o.company_id AND t.order_id = o.id)`

/** The same of a line `l`, as credit. */
const balanceOfLine = (account: string) => `
  (SELECT coalesce(sum(CASE '${account}' WHEN debit_account THEN -amount_cents WHEN credit_account THEN amount_cents ELSE 0 END), 0)::bigint
   FROM ledger_transfer t WHERE t.company_id = l.company_id AND t.order_id = l.order_id AND t.line_no = l.line_no)`

/** What each kind says that was paid of it by a line `l`. */
const toldOf = (table: string, id: string) => `
  (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::bigint FROM ${table} r
   WHERE r.company_id = l.company_id AND (r.order_id, r.line_no, r.${id}) = (l.order_id, l.line_no, l.payable_id))`

async function ordersOf({ town, things }: Run): Promise<Order[]> {
  const { rows } = await town.portal.owner.query<Order>(
    `SELECT o.id, o.status, o.location, o.bill_cents, o.fee_cents, o.total_cents, o.refunded_cents, o.dispute_open, g.token_hash,
       (SELECT jsonb_agg(jsonb_build_object('kind', l.kind, 'id', l.payable_id, 'amount', l.amount_cents, 'fee', l.fee_cents,
          'settled', l.settled_cents, 'bill', ${balanceOfLine('payable_municipality')}, 'revenue', ${balanceOfLine('fee_revenue')},
          'told', CASE l.kind WHEN 'utility' THEN ${toldOf('remittance', 'account_id')}
            WHEN 'general' THEN ${toldOf('general_settlement', 'charge_id')}
            WHEN 'parking' THEN ${toldOf('parking_receipt', 'ticket_id')} END) ORDER BY l.line_no)
        FROM payment_order_line l WHERE l.company_id = o.company_id AND l.order_id = o.id) AS lines,
       ${balance('gateway_clearing')} AS clearing, ${balance('office_cash', 'bank')} AS cash, -${balance('fee_revenue')} AS revenue,
       ${balance('returns_receivable')} AS receivable, ${balance('dispute_reserve')} AS reserve,
       -${balance('payable_municipality')} AS remitted, a.*,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'status', status, 'cents', amount_cents, 'reason', reason)), '[]')
        FROM payment_refund r WHERE r.company_id = o.company_id AND r.order_id = o.id) AS refunds,
       (SELECT jsonb_agg(jsonb_build_array(from_state, to_state, event) ORDER BY seq) FROM status_history h
        WHERE h.company_id = o.company_id AND h.machine = 'order' AND h.subject_id = o.id) AS steps,
       ARRAY(SELECT action FROM audit_event e WHERE e.company_id = o.company_id AND (e.subject_kind, e.subject) = ('payment', o.id::text)
         AND action = ANY($4) ORDER BY e.id) AS audited,
       ARRAY(SELECT code FROM payment_alert a WHERE a.company_id = o.company_id AND a.order_id = o.id) AS alerts
     FROM payment_order o LEFT JOIN guest_checkout g ON g.company_id = o.company_id AND g.id = o.checkout_id
     CROSS JOIN LATERAL (SELECT array_agg(id) AS attempts, array_agg(intent_id) AS intents, count(*) FILTER (WHERE status = 0)::int AS live,
       bool_or(provider = 'office') AS at_office FROM payment_attempt a WHERE a.company_id = o.company_id AND a.order_id = o.id) a
     WHERE o.company_id = $1 AND o.id IN (SELECT l.order_id FROM payment_order_line l
       JOIN unnest($2::text[], $3::bigint[]) AS mine(kind, id) ON l.kind = mine.kind AND l.payable_id = mine.id WHERE l.company_id = $1)
     ORDER BY o.id`,
    [town.company, things.map(({ kind }) => kind), things.map(({ id }) => id), ORDER_ACTIONS],
  )
  return rows
}

/** What came of a payment by those who hold its money. */
interface Truth {
  captures: number
  refunded: number
  returned: boolean
  voided: boolean
  /** What is left of it, when nothing is set aside. */
  left: number
  setAside: number
}

/** What the provider says that it did with these charges, in all. */
function truthOf(provider: ProviderModel, { intents }: Order): Truth {
  const of = (way: Movement['way']) =>
    provider.movements
      .filter((movement) => movement.way === way && intents.includes(movement.intentId))
      .map(({ object, objectId, amountCents }) =>
        way === 'dispute_lost' && object === 'dispute'
          ? (provider.disputes.get(objectId)?.amountCents ?? 0)
          : Math.abs(amountCents),
      )
  const sum = (way: Movement['way']) => of(way).reduce((all, cents) => all + cents, 0)
  const refunded = sum('refund') - sum('refund_failed')
  return {
    captures: of('capture').length,
    refunded,
    returned: sum('return') > 0,
    voided: sum('void') > 0,
    left: sum('capture') - refunded - sum('return') - sum('dispute_lost') - sum('void'),
    setAside: sum('dispute') - sum('dispute_won') - sum('dispute_lost'),
  }
}

/** What was taken at the counter is there, until staff give it back. */
function truthAtOffice({ total_cents, refunds }: Order): Truth {
  const done = (kind: Refund['kind']) =>
    refunds.reduce((sum, one) => sum + (one.kind === kind && one.status === 'done' ? one.cents : 0), 0)
  const [refunded, voided] = [done('refund'), done('void')]
  return {
    captures: 1,
    refunded,
    returned: false,
    voided: voided > 0,
    left: total_cents - refunded - voided,
    setAside: 0,
  }
}

const statusOf = ({ captures, left, voided, returned }: Truth): number => {
  if (captures === 0) return 2
  if (left > 0) return 1
  if (voided) return 5
  return returned ? 2 : 3
}

function expectOrder(run: Run, order: Order): void {
  const truth = order.at_office ? truthAtOffice(order) : truthOf(run.provider, order)
  const { captures, refunded, left, setAside } = truth
  const kept = Math.max(left, 0)
  expect(captures, 'at most one net capture an order').toBeLessThanOrEqual(1)
  expect(order.clearing, 'clearing equals the provider’s truth').toBe(order.at_office ? 0 : left - setAside)
  expect(order.cash, 'and so does the cash in the drawer').toBe(order.at_office ? left : 0)
  expect(order.live, 'nothing is under way').toBe(0)
  expect(order.status, 'the state agrees with the provider').toBe(statusOf(truth))
  expect(order.refunded_cents).toBe(refunded)
  expect(order.refunded_cents).toBeLessThanOrEqual(order.total_cents)
  expect(order.remitted + order.revenue, 'what was remitted and the fee are what is held').toBe(kept)
  if (kept === 0) expect(order.revenue, 'the fee is given back with the rest').toBe(0)
  expect(order.receivable, 'what went back twice is owed by the payer').toBe(kept - left)
  if (left < 0) expect(order.alerts, 'and staff are told').toContain('owed_by_payer')
  expect(order.alerts, 'nothing is taken for a second charge').not.toContain('captured_twice')
  expect(order.reserve, 'what is disputed is set aside').toBe(setAside)
  expect(order.dispute_open).toBe(setAside > 0)
  expectLines(run, order, kept)
  let at = ''
  for (const [from, to] of order.steps) {
    expect(from, 'each step of the history begins where the last one ended').toBe(at)
    at = to
  }
  expect(at).toBe(String(order.status))
  expect(order.audited, 'the audit log has each step once').toEqual(
    order.steps.map(([, , event]) => `payment.${event}`),
  )
}

function expectLines(run: Run, order: Order, kept: number): void {
  const sum = (of: 'amount' | 'fee') => order.lines.reduce((all, line) => all + line[of], 0)
  expect(sum('amount'), 'the lines add up to what the payment is for').toBe(order.bill_cents)
  expect(sum('fee'), 'and so do their fees').toBe(order.fee_cents)
  for (const id of order.intents)
    expect(
      run.provider.charges.get(id ?? '')?.intent.amountCents ?? order.total_cents,
      'which is what is charged',
    ).toBe(sum('amount') + sum('fee'))
  const quotes = order.lines.map(({ amount, fee }) => ({
    billCents: amount,
    feeCents: fee,
    absorbedFeeCents: 0,
    totalCents: amount + fee,
  }))
  expect(
    order.lines.map(({ settled, bill, revenue }) => [settled, bill, revenue]),
    'each line is settled by its share of what is held, and the ledger says so of each',
  ).toEqual(sharesOf(quotes, kept).lines.map(({ billCents, feeCents }) => [billCents, billCents, feeCents]))
  for (const { token, kind, id, after } of run.removed)
    if (order.id > after && order.token_hash?.equals(hashSecret(token)))
      expect(order.lines, 'what was removed is not charged').not.toContainEqual(expect.objectContaining({ kind, id }))
  for (const { told, settled } of order.lines) expect(told, 'and what it pays was told exactly that').toBe(settled)
}

/** What staff gave back went back once, and not before a second person approved it. */
function expectRefunds({ provider, reasons }: Run, orders: readonly Order[]): void {
  const refunds = orders.flatMap((order) => order.refunds.map((refund) => ({ ...refund, order })))
  for (const { kind, status, reason, order } of refunds) {
    expect(reasons).toContain(reason)
    expect(status, 'no refund stays on its way').not.toBe('sending')
    if (order.at_office) continue
    const sent =
      kind === 'void'
        ? provider.movements.filter(({ way, intentId }) => way === 'void' && order.intents.includes(intentId)).length
        : provider.reasons.filter((one) => one === reason).length
    const may = status === 'done' ? [1] : status === 'failed' ? [0, 1] : [0]
    expect(may, `a ${kind} that is ${status} went back so many times`).toContain(sent)
  }
}

/** AutoPay charged what it told or less, and knows what came of it. */
async function expectAutopay({ town, autopayId, provider }: Run, orders: readonly Order[]): Promise<void> {
  const { rows } = await town.portal.owner.query<{ state: string; told_cents: number }>(
    'SELECT state, told_cents FROM autopay_charge WHERE company_id = $1 AND autopay_id = $2',
    [town.company, autopayId],
  )
  const [charge, ...others] = rows
  expect(others, 'a bill has one charge').toEqual([])
  const made = orders.filter(({ location }) => location === 6)
  for (const { bill_cents } of made) expect(bill_cents).toBeLessThanOrEqual(charge?.told_cents ?? 0)
  const paid = made.filter((order) => {
    const { captures, returned } = truthOf(provider, order)
    return captures > 0 && !returned
  })
  expect(paid.length, 'one bill is paid once').toBeLessThanOrEqual(1)
  expect(charge?.state === 'paid', 'a charge is paid when its payer’s bank paid').toBe(paid.length === 1)
  expect(charge?.state, 'and none is under way').not.toBe('charging')
}

/** A ticket stands as its money and its contest say, and asked for nothing while it was contested. */
async function expectTicket({ town, ticket, contested }: Run, orders: readonly Order[]): Promise<void> {
  const { rows } = await town.portal.owner.query<
    Record<'fine_cents' | 'late_cents' | 'paid_cents', number> & { status: string }
  >('SELECT status, fine_cents, late_cents, paid_cents FROM parking_ticket WHERE company_id = $1 AND id = $2', [
    town.company,
    ticket.id,
  ])
  const { status, fine_cents, late_cents, paid_cents } = rows[0] ?? expect.fail('the ticket is there')
  const mine = orders.filter(({ lines }) => lines.some(({ kind }) => kind === 'parking'))
  const told = mine.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'parking')).map((line) => line.told)
  expect(paid_cents).toBe(told.reduce((sum, cents) => sum + cents, 0))
  if (status === 'open' || status === 'paid')
    expect(status, 'a ticket is paid when nothing is left of it').toBe(
      paid_cents >= fine_cents + late_cents ? 'paid' : 'open',
    )
  for (const { from, to, lateCents } of contested) {
    const begun = mine.flatMap(({ attempts }) => attempts).filter((id) => id > from && id <= to)
    expect(begun, 'nobody begins to pay what is contested').toEqual([])
    if (to === Infinity) expect(late_cents, 'and no fee is added').toBe(lateCents)
  }
}

/** A number is given out once: to somebody who paid, or staff are told. */
async function expectNumbers({ town, things }: Run, orders: readonly Order[]): Promise<void> {
  const { rows } = await town.portal.owner.query<{ id: number; number: string | null; has: string | null }>(
    `SELECT c.id, c.stock_number AS number, s.number AS has FROM general_charge c
     LEFT JOIN payment_stock s ON s.company_id = c.company_id AND s.charge_id = c.id
     WHERE c.company_id = $1 AND c.id = ANY($2) AND c.is_numbered AND c.paid_at IS NOT NULL`,
    [town.company, things.map(({ id }) => id)],
  )
  const given = rows.flatMap(({ has }) => has ?? [])
  expect(new Set(given).size, 'no two have the same number').toBe(given.length)
  for (const { id, number, has } of rows) {
    expect(number, 'whoever paid has the number that the receipt says').toBe(has)
    const alerts = orders.filter(({ lines }) => lines.some((line) => line.kind === 'general' && line.id === id))
    if (has === null)
      expect(
        alerts.flatMap((order) => order.alerts),
        'or staff are told',
      ).toContain('stock')
  }
}

export async function expectTruth(run: Run): Promise<void> {
  const { town, provider } = run
  const orders = await ordersOf(run)
  const known = new Set(orders.flatMap(({ intents }) => intents))
  for (const [id, { intent }] of provider.charges)
    if (!known.has(id))
      expect(['requires_confirmation', 'canceled'], 'a charge that we do not know never took money').toContain(
        intent.status,
      )
  for (const order of orders) expectOrder(run, order)
  const atOffice = orders.filter(({ at_office }) => at_office).map(({ id }) => id)
  expect(atOffice, 'what the counter said was taken is there').toEqual(expect.arrayContaining([...run.taken]))
  expectRefunds(run, orders)
  await expectAutopay(run, orders)
  await expectTicket(run, orders)
  await expectNumbers(run, orders)
  await expectNoOverpayment(run, orders)
  const { rows } = await town.portal.owner.query(
    `SELECT count(*)::int AS n FROM ledger_transfer t WHERE t.company_id = $1 AND t.order_id = ANY($2)
     GROUP BY t.source, t.source_ref, t.kind, t.line_no HAVING count(*) > 1`,
    [town.company, orders.map(({ id }) => id)],
  )
  expect(rows, 'no transfer stands twice').toEqual([])
  for (const { last } of run.tabs) {
    const answered = last && run.answers.get(last.key)
    if (!last || answered === undefined || answered === null) continue
    const headers = { 'idempotency-key': last.key }
    const again = await town.portal.post(TOWN, 'pay/guest/bill', last.body, { headers })
    expect(JSON.stringify(again.body), 'the same key gets the same answer, for good').toBe(answered)
  }
}

/** More than is owed is taken of nobody, but in cash for an account, where the rest is a credit. */
async function expectNoOverpayment(run: Run, orders: readonly Order[]): Promise<void> {
  // A refund that failed is paid again, also where the bill was paid anew meanwhile.
  if (run.provider.movements.some(({ way }) => way === 'refund_failed')) return
  for (const [n, thing] of run.things.entries()) {
    const counted = orders.filter(({ at_office }) => !at_office || thing.kind !== 'utility')
    const paid = counted
      .flatMap(({ lines }) => lines.filter(({ kind, id }) => kind === thing.kind && id === thing.id))
      .reduce((sum, { told }) => sum + told, 0)
    const fees = n === TICKET ? await lateFeesOf(run) : 0
    expect(paid, 'nothing is paid more than it owes').toBeLessThanOrEqual(thing.owed + fees)
  }
}

async function lateFeesOf({ town, ticket }: Run): Promise<number> {
  const { rows } = await town.portal.owner.query<{ late_cents: number }>(
    'SELECT late_cents FROM parking_ticket WHERE company_id = $1 AND id = $2',
    [town.company, ticket.id],
  )
  return rows[0]?.late_cents ?? 0
}
