import { expect } from 'vitest'
import { addCompanies } from '../../bench/rows.ts'
import { databaseBefore } from '../../test/harness.ts'
import { lineText } from '../utility-accounts/rules.ts'
import { nightly } from '../../test/nightly.ts'

const bill = [
  { service: 'Water', description: 'Meter 7', quantity: 4200.5, unit: 'gallons', amountCents: 9000 },
  { service: '', description: 'Adjustment', quantity: null, unit: '', amountCents: 1000 },
]

nightly('orders from before there were lines get theirs, and what was remitted belongs to them', async () => {
  const { owner, pending, moveOn } = await databaseBefore('_order_lines.sql')
  await addCompanies(owner, { first: 7, count: 1, name: 'Town', subdomain: 'town' })
  const order = `INSERT INTO payment_order (company_id, id, status, kind, account_id, checkout_id, account_number, payer_name, payer_email, location,
      method, pay_type, bill_cents, fee_cents, total_cents, fee_quote, created_at, search_text, kept_bill_cents, bill_lines, bill_number, owed_before_cents)
    VALUES (7, $1, $2, 'utility', 4, 9, 'A4', 'Ada Quill', 'a@example.com', 4, 1, 1, 10000, 305, 10305, '{"program": "service"}', now(), '', $3, $4, $5, $6)`
  const client = await owner.connect()
  await client.query(`SET row_security = off;
    INSERT INTO utility_account (company_id, id, account_number, customer_name, service_address, city, state, zipcode)
    VALUES (7, 4, 'A4', 'Ada Quill', '12 Elm Street', 'Somewhere', 'PA', '17011');
    INSERT INTO guest_checkout (company_id, id, token_hash, account_id, created_at, expires_at) VALUES (7, 9, 'x', 4, now(), now())`)
  await client.query(order, [101, 1, 10_000, JSON.stringify(bill), 'B1', 12_000])
  await client.query(order, [102, 2, 0, '[]', null, null])
  await client.query(`INSERT INTO remittance (company_id, account_id, order_id, source, source_ref, kind, amount_cents, at)
    VALUES (7, 4, 101, 'sandbox', 'pi_1', 'credit', 10000, now())`)
  client.release()

  expect((await moveOn()).length).toBe(pending)
  const { rows } = await owner.query('SELECT * FROM payment_order_line ORDER BY order_id')
  const line = {
    company_id: 7,
    line_no: 1,
    kind: 'utility',
    payable_id: 4,
    amount_cents: 10_000,
    fee_cents: 305,
    absorbed_fee_cents: 0,
    gl_account: 'UTILITIES',
    fee_program: 'service',
    fee_mode: 'single',
    title: 'Utility bill payment',
  }
  const details = [
    { name: 'account', value: 'A4' },
    { name: 'address', value: '12 Elm Street, Somewhere, PA 17011' },
  ]
  const items = [
    { text: 'Water, 4,200.5 gallons', note: 'Meter 7', amountCents: 9000 },
    { text: 'Adjustment', note: '', amountCents: 1000 },
  ]
  expect(items.map(({ text }) => text)).toEqual(bill.map(lineText))
  const billFact = { name: 'bill', value: 'B1' }
  expect(rows).toEqual([
    { ...line, order_id: 101, settled_cents: 10_000, facts: [...details, billFact], items, owed_before_cents: 12_000 },
    { ...line, order_id: 102, settled_cents: 0, facts: details, items: [], owed_before_cents: null },
  ])
  const others = await owner.query(`
    SELECT (SELECT jsonb_agg(DISTINCT reference || ' ' || type) FROM payment_order) AS orders, (SELECT payables FROM guest_checkout) AS payables,
      (SELECT line_no FROM remittance) AS line_no`)
  expect(others.rows[0]).toEqual({ orders: ['A4 Utility'], payables: [{ no: 1, kind: 'utility', id: 4 }], line_no: 1 })
})
