import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { tenancyOn, type CompanyId } from '../../server/tenancy.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { readWithPdfJs } from '../../test/read-pdf.ts'
import { openPaidCompany } from '../../test/company.ts'
import { post } from '../payments/server/ledger/ledger.ts'

/** Tests the yearly statement of a resident's own payments with their current net amounts. */

const MAPLE = 'maplegrove.localhost'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })
let maple: CompanyId
let person = 0
let [resident, newcomer] = ['', '']

interface PaidItem {
  title: string
  reference: string
  amountCents: number
  feeCents: number
  lines: {
    paymentId: number
    day: string
    reference: string
    amountCents: number
    feeCents: number
    refundCents: number
  }[]
}

beforeAll(async () => {
  maple = await openPaidCompany(portal, mapleGrove)
  const [{ id }] = await of(`SELECT id FROM person WHERE email = 'resident@maplegrove.example'`)
  person = Number(id)
  resident = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  newcomer = await portal.signIn(MAPLE, 'newcomer@maplegrove.example')
  // Assigns every third demo payment to the resident, so that the test does not depend on the demo data.
  await portal.owner.query(
    `UPDATE payment_order SET person_id = CASE WHEN id % 3 = 0 THEN $2::bigint END WHERE company_id = $1`,
    [maple, person],
  )
})

const of = async (sql: string, ...values: unknown[]) => (await portal.owner.query(sql, values)).rows
const paid = async (year?: number, token = resident) => {
  const { status, body } = await portal.post(MAPLE, 'return/paid/in/year', year === undefined ? {} : { year }, {
    token,
  })
  expect(status).toBe(200)
  return body
}
const netSums = `SELECT coalesce(sum(net_bill_cents), 0)::float8 AS bill, coalesce(sum(net_fee_cents), 0)::float8 AS fee, count(*) FILTER (WHERE net_bill_cents + net_fee_cents > 0)::int AS n
  FROM payment_order WHERE company_id = $1 AND person_id = $2 AND extract(year FROM paid_at AT TIME ZONE 'America/New_York') = $3`

test.each([2026, 2025])('lists each payment of %i with its net ledger amounts and totals', async (year) => {
  const { items, amountCents, feeCents, years } = await paid(year)
  const [row] = await of(netSums, maple, person, year)
  expect(row.n).toBeGreaterThan(0)
  expect({ bill: amountCents, fee: feeCents }).toEqual({ bill: row.bill, fee: row.fee })
  const lines = items.flatMap((item: PaidItem) => item.lines)
  expect(lines.length).toBe(row.n)
  for (const { lines: some, ...item } of items as PaidItem[]) {
    expect(some.reduce((sum, line) => sum + line.amountCents, 0)).toBe(item.amountCents)
    for (const { day, reference } of some) {
      expect(day.slice(0, 4)).toBe(String(year))
      expect(item.reference || reference).toMatch(/^Account \d+$/)
    }
  }
  expect(years[0]).toBe(2026)
})

test('groups single payments in one table with their references', async () => {
  const orders = await of(
    `SELECT min(o.id)::float8 AS id FROM payment_order o JOIN payment_order_line l ON l.company_id = o.company_id AND l.order_id = o.id
     WHERE o.company_id = $1 AND o.person_id IS NULL AND o.net_bill_cents > 0 AND extract(year FROM o.paid_at) = 2025 GROUP BY l.payable_id LIMIT 2`,
    maple,
  )
  await portal.owner.query(
    `UPDATE payment_order SET person_id = (SELECT id FROM person WHERE email = 'newcomer@maplegrove.example') WHERE company_id = $1 AND id = ANY ($2)`,
    [maple, orders.map(({ id }) => id)],
  )
  const { items } = (await paid(2025, newcomer)) as { items: PaidItem[] }
  expect(items).toHaveLength(1)
  expect(items[0]?.reference).toBe('')
  expect(new Set(items[0]?.lines.map(({ reference }) => reference)).size).toBe(2)
})

test('uses the current year by default', async () => {
  expect((await paid()).year).toBe(2026)
  expect(await paid(2026)).toEqual(await paid())
})

test('subtracts refunds immediately and leaves out fully refunded payments', async () => {
  const before = await paid(2026)
  const [one, two] = before.items.flatMap((item: PaidItem) => item.lines) as PaidItem['lines']
  if (!one || !two) throw new Error('there are payments')
  await tenancyOn(portal.db.app)(maple, async (tx) => {
    const entry = (ref: string, orderId: number) => ({
      ...{ orderId, source: 'sandbox-history', sourceRef: ref, at: portal.clock.now() },
    })
    await post(tx, maple, entry('re_one', one.paymentId), [
      {
        kind: 'refund.bill',
        lineNo: 1,
        debit: 'payable_municipality',
        credit: 'gateway_clearing',
        amountCents: one.amountCents,
      },
      { kind: 'refund.fee', lineNo: 1, debit: 'fee_revenue', credit: 'gateway_clearing', amountCents: one.feeCents },
    ])
    await post(tx, maple, entry('re_two', two.paymentId), [
      { kind: 'refund.bill', lineNo: 1, debit: 'payable_municipality', credit: 'gateway_clearing', amountCents: 500 },
    ])
  })
  const after = await paid(2026)
  expect(after.refunded).toBe(before.refunded + 1)
  expect(after.amountCents + after.feeCents).toBe(
    before.amountCents + before.feeCents - one.amountCents - one.feeCents - 500,
  )
  const lines = after.items.flatMap((item: PaidItem) => item.lines) as PaidItem['lines']
  expect(lines.some(({ paymentId }) => paymentId === one.paymentId)).toBe(false)
  expect(lines.find(({ paymentId }) => paymentId === two.paymentId)?.refundCents).toBe(two.refundCents + 500)
})

test('shows an empty year to a resident without payments', async () => {
  expect(await paid(2026, newcomer)).toMatchObject({ items: [], amountCents: 0, feeCents: 0, refunded: 0 })
})

test('refuses guests and staff', async () => {
  const staff = await portal.signIn(MAPLE, 'staff@maplegrove.example')
  for (const path of ['return/paid/in/year', 'print/paid/in/year'])
    expect([
      (await portal.post(MAPLE, path, { year: 2026 })).status,
      (await portal.post(MAPLE, path, { year: 2026 }, { token: staff })).status,
    ]).toEqual([401, 403])
})

test('prints an equal PDF and audits the printing', async () => {
  const { items, amountCents } = await paid(2026)
  const { body } = await portal.post(MAPLE, 'print/paid/in/year', { year: 2026 }, { token: resident })
  const { text } = await readWithPdfJs(
    new Uint8Array((await portal.app.inject({ url: body.url, headers: { host: MAPLE } })).rawPayload),
  )
  const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  expect(text).toContain('Paymentsin2026')
  for (const expectedText of [
    dollars(amountCents),
    items[0].reference || items[0].lines[0].reference,
    `P${items[0].lines[0].paymentId}`,
  ])
    expect(text).toContain(expectedText.replaceAll(' ', ''))
  const rows = await of(
    `SELECT detail FROM audit_event WHERE company_id = $1 AND action = 'payment_statement.printed'`,
    maple,
  )
  expect(rows.at(-1)).toEqual({ detail: { year: 2026 } })
})
