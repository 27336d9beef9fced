import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { TestDatabase } from '../../test/databases.ts'
import { testClock, testDatabase } from '../../test/harness.ts'
import { openPaidCompany } from '../../test/company.ts'
import { describeVerified, isSound } from '../../server/verify.ts'
import { verifyLedger, verifyOn } from './server/ledger/verify-ledger.ts'

const databaseReady = Promise.withResolvers<TestDatabase>()
beforeAll(async () => {
  const database = await testDatabase()
  const where = { db: database.pools, clock: testClock() }
  await openPaidCompany(where, mapleGrove)
  await openPaidCompany(where, harborCity)
  await database.owner.query(
    `INSERT INTO provider_event (provider, event_id, received_at, body, applied_at) VALUES ('sandbox', 'evt_1', now(), '{}', now())`,
  )
  await giveSeparateFee(database)
  databaseReady.resolve(database)
})

/** Changes one of Maple Grove's card payments so that it has a separate fee. */
async function giveSeparateFee({ owner }: TestDatabase): Promise<void> {
  await owner.query(
    `WITH chosen AS (SELECT max(t.order_id) AS id FROM ledger_transfer t JOIN payment_order o ON o.id = t.order_id
       WHERE t.company_id = 101 AND t.kind = 'capture.fee' AND o.status = 1 AND o.method = 1 AND o.refunded_cents = 0 AND NOT o.dispute_open),
     line AS (UPDATE payment_order_line l SET fee_mode = 'two_transactions', fee_program = 'service' FROM chosen c WHERE l.order_id = c.id RETURNING l.order_id, l.fee_cents),
     fee AS (INSERT INTO payment_fee (company_id, id, status, amount_cents, since) SELECT 101, order_id, 'charged', fee_cents, now() FROM line),
     attempt AS (INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account, intent_id, created_at, submitted_at, checked_at, part)
       SELECT 101, order_id, attempt_no + 1, idempotency_key || '/fee', 1, step, provider, provider_account, intent_id || '_fee', created_at, submitted_at, checked_at, 'fee'
       FROM payment_attempt a JOIN chosen c ON c.id = a.order_id WHERE a.step = 'succeeded')
     UPDATE ledger_transfer t SET is_fee_part = true, source_ref = source_ref || '_fee', entry_id = nextval('ledger_entry_number')
     FROM chosen c WHERE t.order_id = c.id AND t.kind = 'capture.fee'`,
  )
  await owner.query('SELECT recount_ledger(101)')
}

/** Runs the checks after `sql` changed the rows. Returns the failed checks and the printed report. */
async function verifyAfter(sql: string) {
  const { owner } = await databaseReady.promise
  const client: pg.PoolClient = await owner.connect()
  try {
    await client.query(`BEGIN; ${sql}`)
    const verified = await verifyOn(client)
    const failed = verified.findings.filter((finding) => finding.violations > 0).map(({ holds }) => holds)
    return { violations: failed, printed: describeVerified(verified).join('\n'), sound: isSound(verified) }
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

test('compares no payment with all other payments', async () => {
  const { owner } = await databaseReady.promise
  const client = await owner.connect()
  const plans: string[] = []
  const explained = async (text: string) => {
    if (!/^(?:SELECT|WITH)/.test(text)) return client.query(text)
    const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    return { rows: [] }
  }
  try {
    await client.query('BEGIN')
    await verifyOn({ query: explained } as never)
    const { rows } = await client.query('SELECT count(*) AS payments FROM payment_order')
    const compared = plans.flatMap((plan) =>
      [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].map(([, n]) => Number(n)),
    )
    expect(plans.length).toBeGreaterThan(20)
    expect(rows[0].payments).toBeGreaterThan(300)
    expect(Math.max(0, ...compared)).toBeLessThan(5 * rows[0].payments)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})

const paid = '(SELECT min(id) FROM payment_order WHERE status = 1 AND refunded_cents = 0)'
/** SQL for the id of the payment that has a separate, already charged fee. */
const charged = '(SELECT id FROM payment_fee)'
const steps = `machine = 'order' AND subject_id = ${paid}`
const unpaid = `(SELECT min(id) FROM payment_order o WHERE status = 2 AND NOT EXISTS (SELECT FROM remittance r WHERE r.company_id = o.company_id AND r.order_id = o.id))`

test('finds no errors in the portal’s own data', async () => {
  const { urls } = await databaseReady.promise
  const verified = await verifyLedger(urls.platform)
  expect(verified.findings.filter(({ violations }) => violations > 0)).toEqual([])
  expect(isSound(verified)).toBe(true)
  for (const { looked } of verified.findings) expect(looked).toBeGreaterThan(0)
  expect(verified.companies).toMatchObject([
    { id: 101, name: 'Maple Grove' },
    // Harbor City absorbs its fees.
    { id: 102, name: 'Harbor City', feeCents: 0 },
  ])
  for (const { orders, billCents } of verified.companies) expect(Math.min(orders, billCents)).toBeGreaterThan(200)
})

test('fails if row-level security hides rows', async () => {
  const { urls } = await databaseReady.promise
  await expect(verifyLedger(urls.app)).rejects.toThrow(/row-level security|permission denied/)
})

test.each<[planted: string, holds: string, sql: string]>([
  [
    'a card that no payment provider charged',
    'a payment provider charged all cards',
    `UPDATE payment_attempt SET provider = 'office' WHERE id = (SELECT min(a.id) FROM payment_attempt a
       JOIN payment_order o ON o.company_id = a.company_id AND o.id = a.order_id WHERE a.step = 'succeeded' AND o.method = 1)`,
  ],
  [
    'one entry for two payments',
    'each ledger entry is about one payment',
    `UPDATE ledger_transfer SET entry_id = (SELECT min(entry_id) FROM ledger_transfer WHERE company_id = 101)
     WHERE order_id = (SELECT max(order_id) FROM ledger_transfer WHERE company_id = 101)`,
  ],
  [
    'a transfer to an account that the town does not have',
    'each entry has equal debits and credits',
    `ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_company_id_credit_account_fkey;
     UPDATE ledger_transfer SET credit_account = 'nowhere' WHERE id = (SELECT min(id) FROM ledger_transfer)`,
  ],
  [
    'the same',
    'the trial balance of each company is zero',
    `ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_company_id_debit_account_fkey;
     UPDATE ledger_transfer SET debit_account = 'nowhere' WHERE id = (SELECT min(id) FROM ledger_transfer)`,
  ],
  [
    'a negative amount',
    'each entry has equal debits and credits',
    `ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_amount_cents_check;
     UPDATE ledger_transfer SET amount_cents = -amount_cents WHERE id = (SELECT min(id) FROM ledger_transfer)`,
  ],
  [
    'a transfer that lost its payment',
    'each transfer has its payment',
    `UPDATE ledger_transfer SET order_id = NULL WHERE id = (SELECT min(id) FROM ledger_transfer)`,
  ],
  [
    'a transfer of a payment that is not there',
    'each transfer has its payment',
    `ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_company_id_order_id_fkey,
       DROP CONSTRAINT ledger_transfer_company_id_order_id_line_no_fkey;
     UPDATE ledger_transfer SET order_id = 7 WHERE id = (SELECT min(id) FROM ledger_transfer)`,
  ],
  [
    'a capture that was never posted',
    'each Successful or Refunded payment was captured',
    `DELETE FROM ledger_transfer WHERE order_id = ${paid}`,
  ],
  [
    'money on a declined payment',
    'each Successful or Refunded payment was captured',
    `INSERT INTO ledger_transfer (company_id, entry_id, order_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
     VALUES ((SELECT company_id FROM payment_order WHERE id = ${unpaid}), 0, ${unpaid}, 'gateway_clearing', 'payable_municipality', 100, 'test', 'x', 'capture.bill', now())`,
  ],
  [
    'a cent too much',
    'the ledger balance of each payment',
    `UPDATE ledger_transfer SET amount_cents = amount_cents + 1 WHERE order_id = ${paid} AND kind = 'capture.bill'`,
  ],
  [
    'a refund that was written on the payment and not posted',
    'the ledger balance of each payment',
    `UPDATE payment_order SET refunded_cents = 500 WHERE id = ${paid}`,
  ],
  [
    'a fee that was not posted',
    'the ledger balance of each payment',
    `DELETE FROM ledger_transfer WHERE id = (SELECT min(id) FROM ledger_transfer WHERE kind = 'capture.fee')`,
  ],
  [
    'a fee that the town pays and that was not posted',
    'the ledger balance of each payment',
    `DELETE FROM ledger_transfer WHERE id = (SELECT min(id) FROM ledger_transfer WHERE kind = 'capture.absorbed')`,
  ],
  [
    'a dispute that was forgotten',
    'money set aside for a dispute',
    `INSERT INTO ledger_transfer (company_id, entry_id, order_id, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
     VALUES (101, 0, ${paid}, 'dispute_reserve', 'gateway_clearing', 100, 'test', 'x', 'dispute.reserve', now())`,
  ],
  [
    'a return that was not posted',
    'each successful attempt is captured',
    `UPDATE payment_attempt SET step = 'returned' WHERE order_id = ${paid}`,
  ],
  [
    'a second charge that was not posted',
    'each successful attempt is captured',
    `UPDATE payment_attempt SET step = 'succeeded' WHERE id = (SELECT min(id) FROM payment_attempt WHERE order_id = ${unpaid})`,
  ],
  [
    'a fee of its own that stands nowhere',
    'the state of each separate fee',
    `DELETE FROM payment_fee WHERE id = ${charged}`,
  ],
  [
    'a fee whose charge nobody goes on with',
    'the state of each separate fee',
    `DELETE FROM ledger_transfer WHERE is_fee_part AND order_id = ${charged};
     UPDATE payment_fee SET status = 'waiting', since = now() - interval '2 days' WHERE id = ${charged}`,
  ],
  [
    'a fee that was kept though its bill went back',
    'no separate fee remains',
    `UPDATE payment_order SET status = 3 WHERE id = ${charged}`,
  ],
  [
    'a capture of less than the payment',
    'the ledger balance of each payment',
    `UPDATE ledger_transfer SET amount_cents = amount_cents - 1 WHERE order_id = ${paid} AND kind = 'capture.bill'`,
  ],
  [
    'a success without a successful attempt',
    'each captured payment has a successful attempt',
    `UPDATE payment_attempt SET status = 2 WHERE order_id = ${paid}`,
  ],
  [
    'a remittance that is missing',
    'the settled amount of each line',
    `DELETE FROM remittance WHERE order_id = ${paid}`,
  ],
  [
    'a remittance of another account',
    'the settled amount of each line',
    `UPDATE remittance SET account_id = (SELECT max(id) FROM utility_account WHERE company_id = 101) WHERE order_id = ${paid}`,
  ],
  [
    'a line of which less is settled than came',
    'the settled amounts of a payment’s lines',
    `UPDATE payment_order_line SET settled_cents = settled_cents - 1 WHERE order_id = ${paid}`,
  ],
  [
    'a line of a kind that nobody knows',
    'the settled amount of each line',
    `UPDATE payment_order_line SET kind = 'gone' WHERE order_id = ${paid}`,
  ],
  [
    'a payment without its lines',
    'the lines of each payment add up',
    `DELETE FROM payment_order_line WHERE order_id = ${unpaid}`,
  ],
  [
    'a line that is for more than the payment',
    'the lines of each payment add up',
    `UPDATE payment_order_line SET amount_cents = amount_cents + 1 WHERE order_id = ${unpaid}`,
  ],
  [
    'a line that costs more than the payment',
    'the lines of each payment add up',
    `UPDATE payment_order_line SET fee_cents = fee_cents + 1 WHERE order_id = ${unpaid}`,
  ],
  [
    'a fee that is of no line',
    'the ledger balance of each line',
    `UPDATE ledger_transfer SET line_no = NULL WHERE id = (SELECT min(id) FROM ledger_transfer WHERE kind = 'capture.fee')`,
  ],
  [
    'a transfer that the report does not see',
    'the totals of the report equal',
    `UPDATE ledger_transfer SET order_id = NULL WHERE order_id = ${paid}`,
  ],
  [
    'a status that no step led to',
    'the history of each payment is a path',
    `UPDATE payment_order SET status = 5 WHERE id = ${unpaid}`,
  ],
  [
    'a history with a hole',
    'the history of each payment is a path',
    `DELETE FROM status_history WHERE ${steps} AND seq = 1`,
  ],
  [
    'a step that is in no table',
    'the history of each payment is a path',
    `ALTER TABLE status_history DROP CONSTRAINT status_history_machine_from_state_to_state_event_fkey;
     UPDATE status_history SET event = 'wished' WHERE ${steps} AND seq = 2`,
  ],
  ['a payment without a history', 'the history of each payment is a path', `DELETE FROM status_history WHERE ${steps}`],
  [
    'a history without a payment',
    'the history of each payment is a path',
    `UPDATE status_history SET subject_id = 1 WHERE ${steps} AND seq = 1`,
  ],
  [
    'a payment that keeps a cent more than the ledger',
    'the kept, refunded and returned amounts',
    `UPDATE payment_order SET net_bill_cents = net_bill_cents + 1 WHERE id = ${paid}`,
  ],
  [
    'a day that sums up to a cent less',
    'the daily sums of each company',
    `UPDATE payment_day SET fee_cents = fee_cents - 1 WHERE (company_id, made_on) = (SELECT company_id, min(made_on) FROM payment_day GROUP BY 1 LIMIT 1)`,
  ],
  [
    'a day that was forgotten',
    'the daily sums of each company',
    `DELETE FROM payment_day WHERE (company_id, made_on) = (SELECT company_id, max(made_on) FROM payment_day GROUP BY 1 LIMIT 1)`,
  ],
])('finds %s: %s', async (_planted, holds, sql) => {
  const { violations, printed, sound } = await verifyAfter(sql)
  expect(sound).toBe(false)
  expect(violations.filter((message) => message.startsWith(holds))).toHaveLength(1)
  expect(printed).toMatch(/✗ .* violations, .* checked\)\n {4}company 10[12]: \w/)
})

test.each([
  ['that was given up', `abandoned_at = now(), last_error = 'nobody knows it'`],
  ['that has waited for days', `received_at = now() - interval '2 days'`],
])('finds an event %s', async (_which, is) => {
  const { violations, printed } = await verifyAfter(`UPDATE provider_event SET applied_at = NULL, ${is}`)
  expect(violations).toEqual(['each event of the payment provider was applied, or is less than a day old'])
  expect(printed).toContain('    event evt_1 ')
})
