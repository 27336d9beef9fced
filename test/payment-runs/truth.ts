import { expect } from 'vitest'
import { feeRefund, sharesOf } from '../../features/payments/rules.ts'
import { hashSecret } from '../../server/sessions.ts'
import { type Order, ordersOf, statusOf, totalIn, type ExpectedState, truthAtOffice, truthOf } from './orders.ts'
import type { Run } from './run.ts'
import { TICKET } from './steps.ts'
import { HOST } from './company.ts'

/** Checks the invariants of the ledger and the orders after a run has finished. */

function expectOrder(run: Run, order: Order): void {
  const truth = order.at_office ? truthAtOffice(order) : truthOf(run.provider, order)
  const fee = truthOf(run.provider, order, 'fee')
  const [refunded, left, setAside] = (['refunded', 'left', 'setAside'] as const).map((of) => truth[of] + fee[of]) as [
    number,
    number,
    number,
  ]
  const [remainingOfBill, remainingOfFee] = [Math.max(truth.left, 0), Math.max(fee.left, 0)]
  const remaining = remainingOfBill + remainingOfFee
  expect(truth.captures, 'at most one net capture an order').toBeLessThanOrEqual(1)
  expectFee(order, truth, fee)
  expect(order.clearing, 'clearing equals the provider’s truth').toBe(order.at_office ? 0 : left - setAside)
  expect(order.cash, 'and so does the cash in the drawer').toBe(order.at_office ? left : 0)
  expect(order.live, 'nothing is under way').toBe(0)
  expect(order.status, 'the state agrees with the provider').toBe(statusOf(truth))
  expect(order.refunded_cents).toBe(refunded)
  expect(order.refunded_cents).toBeLessThanOrEqual(order.total_cents)
  expect(order.remitted + order.revenue, 'what was remitted and the fee are what is held').toBe(remaining)
  if (remaining === 0 || (remainingOfBill === 0 && isFeeRefunded(run, order)))
    expect(order.revenue, 'the fee is given back with the rest').toBe(0)
  expect(order.receivable, 'what went back twice is owed by the payer').toBe(remaining - left)
  if (truth.left < 0 || fee.left < 0) expect(order.alerts, 'and staff are told').toContain('owed_by_payer')
  expect(order.alerts, 'nothing is taken for a second charge').not.toContain('captured_twice')
  expect(order.reserve, 'what is disputed is set aside').toBe(setAside)
  expect(order.dispute_open).toBe(setAside > 0)
  expectLines(run, order, remainingOfBill, remainingOfFee)
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

/**
 * True if the fee must be refunded with its bill. False if the refund of the fee failed, or if the bank rejected a
 * refund of the order.
 */
const isFeeRefunded = ({ provider }: Run, order: Order): boolean =>
  !order.refunds.some(({ ofFee, status }) => ofFee && status === 'failed') &&
  !provider.movements.some(
    ({ movementType, intentId }) => movementType === 'refund_failed' && order.intents.includes(intentId),
  )

/**
 * Checks that a separate fee was charged at most once, after its bill. Also checks that the fee's status matches its
 * charge.
 */
function expectFee({ lines, fee_status, alerts }: Order, bill: ExpectedState, fee: ExpectedState): void {
  const isSeparate = lines.some(({ hasSeparateFee, fee: cents }) => hasSeparateFee && cents > 0)
  expect(fee.captures, 'a fee is charged once').toBeLessThanOrEqual(isSeparate ? 1 : 0)
  expect(fee_status !== null, 'and stands somewhere when its bill was paid').toBe(isSeparate && bill.captures > 0)
  if (fee_status === null) return
  expect(fee_status === 'charged', 'where its charge does').toBe(fee.captures > 0)
  expect(fee_status, 'and is not under way').not.toBe('waiting')
  if (fee_status === 'owed') {
    expect(alerts, 'staff are told of one that is owed').toContain('fee_owed')
    expect(bill.left, 'which is of a bill that is paid').toBeGreaterThan(0)
  }
}

function expectLines(run: Run, order: Order, remaining: number, remainingOfFee: number): void {
  const sum = (of: 'amount' | 'fee') => order.lines.reduce((all, line) => all + line[of], 0)
  expect(sum('amount'), 'the lines add up to what the payment is for').toBe(order.bill_cents)
  expect(sum('fee'), 'and so do their fees').toBe(order.fee_cents)
  for (const [n, id] of order.intents.entries()) {
    const total = totalIn(order.parts[n] ?? 'bill', order)
    expect(run.provider.charges.get(id ?? '')?.intent.amountCents ?? total, 'which is what is charged').toBe(total)
  }
  const quotes = order.lines.map(({ amount, fee, hasSeparateFee }) => ({
    billCents: amount,
    feeCents: hasSeparateFee ? 0 : fee,
    absorbedFeeCents: 0,
    totalCents: amount + (hasSeparateFee ? 0 : fee),
  }))
  const refunded = order.lines.map(({ no }) =>
    order.refunds
      .filter(({ kind, ofFee, status, line }) => kind === 'refund' && !ofFee && status === 'done' && line === no)
      .reduce((sum, { cents }) => sum + cents, 0),
  )
  const shares = sharesOf(quotes, remaining, refunded).lines
  expect(
    order.lines.map(({ settled, bill }) => [settled, bill]),
    'each line is settled by its share of what is held, and the ledger says so of each',
  ).toEqual(shares.map(({ billCents }) => [billCents, billCents]))
  const together = shares.reduce((all, { feeCents }) => all + feeCents, 0)
  const revenue = order.lines.reduce((all, line) => all + line.revenue, 0)
  expect(revenue, 'and what is held of its fees').toBe(together + remainingOfFee)
  if (order.fee_status === null)
    expect(order.lines.map((line) => line.revenue)).toEqual(shares.map(({ feeCents }) => feeCents))
  else if (isFeeRefunded(run, order))
    expect(remainingOfFee, 'a fee of its own goes back in proportion to its bill').toBeLessThanOrEqual(
      order.lines.reduce(
        (all, { amount, fee, hasSeparateFee }, n) =>
          all + (hasSeparateFee ? fee - feeRefund(fee, amount, amount - (shares[n]?.billCents ?? 0)) : 0),
        0,
      ),
    )
  for (const { token, kind, id, after, until } of run.removed)
    if (order.id > after && order.id <= until && order.token_hash?.equals(hashSecret(token)))
      expect(order.lines, 'what was removed is not charged').not.toContainEqual(expect.objectContaining({ kind, id }))
  for (const { recorded, settled } of order.lines)
    expect(recorded, 'and what it pays was told exactly that').toBe(settled)
}

/** Checks that each refund by staff happened once, after its approval. */
function expectRefunds({ provider, reasons }: Run, orders: readonly Order[]): void {
  for (const { refunds, at_office, intents } of orders) {
    for (const { status, reason, ofFee } of refunds) {
      if (!ofFee) expect(reasons).toContain(reason)
      expect(status, 'no refund is still being sent').not.toBe('sending')
    }
    if (at_office) continue
    const voided = provider.movements.filter(
      ({ movementType, intentId }) => movementType === 'void' && intents.includes(intentId),
    )
    const voids = refunds.filter(({ kind, status }) => kind === 'void' && status === 'done')
    expect(voided.length, 'what is void was voided at the provider').toBe(voids.length)
    for (const { status, reason } of refunds.filter(({ kind, ofFee }) => kind === 'refund' && !ofFee)) {
      const sent = provider.reasons.filter((one) => one === reason).length
      const may = status === 'done' ? [1] : status === 'failed' ? [0, 1] : [0]
      expect(may, `a refund that is ${status} went back so many times`).toContain(sent)
    }
  }
}

/** Checks that AutoPay charged no more than the announced amount, and recorded the result. */
async function expectAutopay(
  { company: runCompany, autopayId, provider }: Run,
  orders: readonly Order[],
): Promise<void> {
  const { rows } = await runCompany.portal.owner.query<{ state: string; notified_cents: number }>(
    'SELECT state, notified_cents FROM autopay_charge WHERE company_id = $1 AND autopay_id = $2',
    [runCompany.company, autopayId],
  )
  const [charge, ...others] = rows
  expect(others, 'a bill has one charge').toEqual([])
  const made = orders.filter(({ location }) => location === 6)
  for (const { bill_cents } of made) expect(bill_cents).toBeLessThanOrEqual(charge?.notified_cents ?? 0)
  const paid = made.filter((order) => {
    const { captures, returned } = truthOf(provider, order)
    return captures > 0 && !returned
  })
  expect(paid.length, 'one bill is paid once').toBeLessThanOrEqual(1)
  expect(charge?.state === 'paid', 'a charge is paid when its payer’s bank paid').toBe(paid.length === 1)
  expect(charge?.state, 'and none is under way').not.toBe('charging')
}

/**
 * Checks that the state of a ticket matches its payments and contest. No payment may start while the ticket is
 * contested.
 */
async function expectTicket({ company: runCompany, ticket, contested }: Run, orders: readonly Order[]): Promise<void> {
  const { rows } = await runCompany.portal.owner.query<
    Record<'fine_cents' | 'late_cents' | 'paid_cents', number> & { status: string }
  >('SELECT status, fine_cents, late_cents, paid_cents FROM parking_ticket WHERE company_id = $1 AND id = $2', [
    runCompany.company,
    ticket.id,
  ])
  const { status, fine_cents, late_cents, paid_cents } = rows[0] ?? expect.fail('the ticket is there')
  const own = orders.filter(({ lines }) => lines.some(({ kind }) => kind === 'parking'))
  const notified = own
    .flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'parking'))
    .map((line) => line.recorded)
  expect(paid_cents).toBe(notified.reduce((sum, cents) => sum + cents, 0))
  if (status === 'open' || status === 'paid')
    expect(status, 'a ticket is paid when nothing is left of it').toBe(
      paid_cents >= fine_cents + late_cents ? 'paid' : 'open',
    )
  for (const { from, to, lateCents } of contested) {
    const started = own.flatMap(({ attempts }) => attempts).filter((id) => id > from && id <= to)
    expect(started, 'nobody begins to pay what is contested').toEqual([])
    if (to === Infinity) expect(late_cents, 'and no fee is added').toBe(lateCents)
  }
}

/**
 * Checks that no two items have the same number, and that each paid item has its number recorded. If a paid item
 * received no number, staff must be notified.
 */
async function expectNumbers({ company: runCompany, items }: Run, orders: readonly Order[]): Promise<void> {
  const { rows } = await runCompany.portal.owner.query<{ id: number; number: string | null; has: string | null }>(
    `SELECT c.id, c.stock_number AS number, s.number AS has FROM general_charge c
     LEFT JOIN payment_stock s ON s.company_id = c.company_id AND s.charge_id = c.id
     WHERE c.company_id = $1 AND c.id = ANY($2) AND c.is_numbered AND c.paid_at IS NOT NULL`,
    [runCompany.company, items.map(({ id }) => id)],
  )
  const issued = rows.flatMap(({ has }) => has ?? [])
  expect(new Set(issued).size, 'no two have the same number').toBe(issued.length)
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
  const { company: runCompany, provider } = run
  const orders = await ordersOf(run)
  const intentIds = new Set(orders.flatMap(({ intents }) => intents))
  for (const [id, { intent }] of provider.charges)
    if (!intentIds.has(id))
      expect(['requires_confirmation', 'canceled'], 'a charge that we do not know never took money').toContain(
        intent.status,
      )
  for (const order of orders) expectOrder(run, order)
  const atOffice = orders.filter(({ at_office }) => at_office).map(({ id }) => id)
  expect(atOffice, 'what the counter said was taken is there').toEqual(expect.arrayContaining([...run.counterOrders]))
  expectRefunds(run, orders)
  await expectAutopay(run, orders)
  await expectTicket(run, orders)
  await expectNumbers(run, orders)
  await expectNoOverpayment(run, orders)
  const { rows } = await runCompany.portal.owner.query(
    `SELECT count(*)::int AS n FROM ledger_transfer t WHERE t.company_id = $1 AND t.order_id = ANY($2)
     GROUP BY t.source, t.source_ref, t.kind, t.line_no HAVING count(*) > 1`,
    [runCompany.company, orders.map(({ id }) => id)],
  )
  expect(rows, 'no transfer stands twice').toEqual([])
  for (const { last } of run.tabs) {
    const firstResponse = last && run.responses.get(last.key)
    if (!last || firstResponse === undefined || firstResponse === null) continue
    const headers = { 'idempotency-key': last.key }
    const again = await runCompany.portal.post(HOST, 'pay/guest/bill', last.body, { headers })
    expect(JSON.stringify(again.body), 'the same key gets the same answer, for good').toBe(firstResponse)
  }
}

/**
 * Checks that no payment exceeds the amount due for an item. The exception is cash for a utility account, where the
 * excess becomes a credit.
 */
async function expectNoOverpayment(run: Run, orders: readonly Order[]): Promise<void> {
  // If a refund fails, the order counts as paid again. In the meantime, the payer may have paid the bill a second time.
  if (run.provider.movements.some(({ movementType }) => movementType === 'refund_failed')) return
  for (const [n, item] of run.items.entries()) {
    const counted = orders.filter(({ at_office }) => !at_office || item.kind !== 'utility')
    const paid = counted
      .flatMap(({ lines }) => lines.filter(({ kind, id }) => kind === item.kind && id === item.id))
      .reduce((sum, { recorded }) => sum + recorded, 0)
    const fees = n === TICKET ? await lateFeesOf(run) : 0
    expect(paid, 'nothing is paid more than it owes').toBeLessThanOrEqual(item.owed + fees)
  }
}

async function lateFeesOf({ company: runCompany, ticket }: Run): Promise<number> {
  const { rows } = await runCompany.portal.owner.query<{ late_cents: number }>(
    'SELECT late_cents FROM parking_ticket WHERE company_id = $1 AND id = $2',
    [runCompany.company, ticket.id],
  )
  return rows[0]?.late_cents ?? 0
}
