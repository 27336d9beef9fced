import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { tenancyOn, type CompanyId } from '../../server/tenancy.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { readWithPdfJs } from '../../test/read-pdf.ts'
import { addTestPlatformStaff, openPaidCompany, openTestCompany } from '../../test/company.ts'
import { post } from '../payments/server/ledger/ledger.ts'

/** Tests the merchant figures for a year of payments with declines, returns, refunds and disputes. */

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const TODAY = '2026-11-20'
const year = { fromDate: '2025-11-21', toDate: TODAY }
const month = { fromDate: '2026-10-21', toDate: TODAY }
const clock = testClock('2026-11-20T15:00:00Z')
const portal = await testPortal({ clock })
let maple: CompanyId
let [admin, staff, harborAdmin] = ['', '', '']

beforeAll(async () => {
  maple = await openPaidCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  await plantTrouble()
  admin = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  staff = await portal.signIn(MAPLE, 'staff@maplegrove.example')
  harborAdmin = await portal.signIn(HARBOR, 'admin@harborcity.example')
})

const of = async (sql: string, ...values: unknown[]) => (await portal.owner.query(sql, values)).rows

/** Adds a few declines, returns and other failures, because a small demo company may have none of them. */
async function plantTrouble(): Promise<void> {
  const paid = await of(
    `SELECT id, method, bill_cents, total_cents, created_at FROM payment_order WHERE company_id = $1 AND method IN (1, 2) AND status = 1
       AND net_bill_cents = bill_cents AND NOT dispute_open AND created_at BETWEEN '2026-10-21 12:00Z' AND '2026-11-19 12:00Z'
     ORDER BY method, id`,
    maple,
  )
  const cards = paid.filter(({ method }) => method === 1)
  expect(cards.length).toBeGreaterThan(2)
  const [declined, won, lost, open, void_] = cards
  await portal.owner.query(
    `INSERT INTO payment_attempt (company_id, order_id, attempt_no, idempotency_key, status, step, provider, provider_account, error_code, created_at, checked_at)
     SELECT $1, o, n, 'planted-' || o || n, 2, 'failed', 'sandbox-history', 'history', code, $3, $3
     FROM (VALUES ($2::bigint, 7, 'insufficient_funds'), ($2, 8, 'insufficient_funds'), ($2, 9, 'something_new')) AS x(o, n, code)`,
    [maple, declined.id, declined.created_at],
  )
  await tenancyOn(portal.db.app)(maple, async (tx) => {
    const entry = (order: { id: number }, ref: string, at: Date) => ({
      ...{ orderId: Number(order.id), source: 'sandbox-history', sourceRef: ref, at },
    })
    for (const [index, order] of [won, lost, open].entries())
      await post(tx, maple, entry(order, `dp_test_${index}`, clock.now()), [
        {
          kind: 'dispute.reserve',
          debit: 'dispute_reserve',
          credit: 'gateway_clearing',
          amountCents: Number(order.total_cents),
        },
      ])
    await post(tx, maple, entry(won, 'dp_test_0', clock.now()), [
      {
        kind: 'dispute_won.reserve',
        debit: 'gateway_clearing',
        credit: 'dispute_reserve',
        amountCents: Number(won.total_cents),
      },
    ])
    await post(tx, maple, entry(lost, 'dp_test_1', clock.now()), [
      {
        kind: 'dispute_lost.bill',
        lineNo: 1,
        debit: 'payable_municipality',
        credit: 'dispute_reserve',
        amountCents: Number(lost.bill_cents),
      },
      {
        kind: 'dispute_lost.fee',
        lineNo: 1,
        debit: 'fee_revenue',
        credit: 'dispute_reserve',
        amountCents: Number(lost.total_cents - lost.bill_cents),
      },
    ])
    await post(tx, maple, entry(void_, 'void_test', clock.now()), [
      {
        kind: 'void.bill',
        lineNo: 1,
        debit: 'payable_municipality',
        credit: 'gateway_clearing',
        amountCents: Number(void_.bill_cents),
      },
      {
        kind: 'void.fee',
        lineNo: 1,
        debit: 'fee_revenue',
        credit: 'gateway_clearing',
        amountCents: Number(void_.total_cents - void_.bill_cents),
      },
    ])
  })
  await portal.owner.query(`UPDATE payment_order SET status = 5 WHERE company_id = $1 AND id = $2`, [maple, void_.id])
  await portal.owner.query(`UPDATE payment_order SET status = 3 WHERE company_id = $1 AND id = $2`, [maple, lost.id])
  const echecks = paid.filter(({ method }) => method === 2)
  await portal.owner.query(
    `UPDATE payment_order SET status = 2, return_code = 'R10' WHERE company_id = $1 AND id = $2`,
    [maple, echecks[0].id],
  )
}

/** Writes an office card payment without a provider into the ledger and its daily totals, as older imports did. */
async function takeCardAtOffice(ref: string, billCents: number): Promise<void> {
  const [paid] = await of(
    `INSERT INTO payment_order (company_id, status, reference, payer_name, payer_email, location, method, pay_type, bill_cents, fee_cents, total_cents,
       fee_quote, created_at, paid_at, search_text, type)
     SELECT company_id, 1, reference, payer_name, payer_email, 5, 1, pay_type, $2, 0, $2, fee_quote, '2026-11-18 15:00Z', '2026-11-18 15:00Z', search_text, type
     FROM payment_order WHERE company_id = $1 ORDER BY id LIMIT 1 RETURNING id`,
    ...[maple, billCents],
  )
  await tenancyOn(portal.db.app)(maple, (tx) =>
    post(
      tx,
      maple,
      { orderId: Number(paid.id), source: 'office', sourceRef: ref, at: new Date('2026-11-18T15:00:00Z') },
      [
        {
          kind: 'capture.bill',
          debit: 'office_cash',
          credit: 'payable_municipality',
          amountCents: billCents,
        },
      ],
    ),
  )
}

const callApi = async (path: string, body: object = {}, { host = MAPLE, token = admin } = {}) => {
  const response = await portal.post(host, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body
}
const overview = (period: object = month, by?: object) => callApi('muni/return/merchant/overview', period, by)
const payments = (filters: object) => callApi('muni/return/payment/transactions', { filters })
const csvOf = async (path: string, body: object): Promise<Record<string, string>[]> => {
  const { url } = await callApi(path, body)
  return parse(String((await portal.get(MAPLE, url)).body), { columns: true, bom: true })
}
const cents = (text: string | undefined) => Math.round(Number(text) * 100)
const sum = (values: readonly number[]) => values.reduce((all, more) => all + more, 0)

describe('merchant overview', () => {
  test.each([
    ['a month', month],
    ['a year', year],
  ])('matches for %s the Payment Transaction Report and ledger exactly', async (_what, period) => {
    const { volume } = await overview(period)
    const { totals } = await payments(period)
    expect(volume.now.payments).toBeGreaterThan(10)
    expect(volume.now.retainedCents).toBe(totals.totalCents)
    expect(volume.now.refundedCents).toBe(totals.refunded.totalCents)
    expect(volume.now.returnedCents).toBe(totals.returned.totalCents)
    expect(volume.now.otherCents).toBe(totals.other.totalCents)
    const [ledger] = await of(
      `SELECT sum(CASE WHEN t.credit_account IN ('payable_municipality', 'fee_revenue') THEN t.amount_cents ELSE -t.amount_cents END)
             FILTER (WHERE t.kind ~ '[.](bill|fee)$')::float8 AS retained,
           sum(t.amount_cents) FILTER (WHERE t.kind IN ('capture.bill', 'capture.fee'))::float8 AS captured
         FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
         WHERE t.company_id = $1 AND (o.created_at AT TIME ZONE 'America/New_York')::date BETWEEN $2 AND $3`,
      ...[maple, period.fromDate, period.toDate],
    )
    expect({ retained: volume.now.retainedCents, captured: volume.now.grossCents }).toEqual(ledger)
  })

  test('equals its sums by method, location, and day or month', async () => {
    for (const period of [month, year]) {
      const { volume, methods, locations, points, fees } = await overview(period)
      for (const parts of [methods, locations])
        for (const figure of ['payments', 'grossCents', 'retainedCents'] as const)
          expect(sum(parts.map((part: (typeof methods)[number]) => part.now[figure]))).toBe(volume.now[figure])
      expect(
        sum(
          points.flatMap((point: (typeof points)[number]) => [point.cardCents, point.echeckCents, point.officeCents]),
        ),
      ).toBe(volume.now.grossCents)
      expect(fees.now.paidCents).toBe(volume.now.feeCents)
      expect(points.length).toBe(period === month ? 31 : 13)
    }
  })

  test('compares with an equally long earlier period and its own overview', async () => {
    const { before, volume, attempts, disputes } = await overview(month)
    expect(before).toEqual({ fromDate: '2026-09-20', toDate: '2026-10-20' })
    const then = await overview(before)
    expect(volume.before).toEqual(then.volume.now)
    expect(attempts.before).toEqual(then.attempts.now)
    expect(disputes.before).toEqual(then.disputes.now)
  })

  test('links each reason, code and state to the stated number of payments', async () => {
    const { reasons, returnCodes, disputes, attempts } = await overview(month)
    expect(reasons.map(({ reason }: { reason: string }) => reason)).toEqual(expect.arrayContaining(['funds', 'other']))
    expect(attempts.now.declined).toBe(sum(reasons.map(({ attempts: times }: { attempts: number }) => times)))
    for (const { reason, payments: many } of reasons)
      expect([reason, (await payments({ ...month, declined: reason })).count]).toEqual([reason, many])
    expect(returnCodes.length).toBeGreaterThan(0)
    for (const { code, payments: many } of returnCodes)
      expect([code, (await payments({ ...month, returned: code })).count]).toEqual([code, many])
    expect(disputes.now).toMatchObject({ won: 1, lost: 1 })
    for (const state of ['open', 'won', 'lost'])
      expect([state, (await payments({ ...month, disputed: state })).count]).toEqual([state, disputes.now[state]])
  })

  test('labels a payment with a lost dispute as chargeback', async () => {
    const { rows } = await payments({ ...month, disputed: 'lost' })
    expect(rows.map((row: { paymentStatus: string }) => row.paymentStatus)).toEqual(['Chargeback'])
    const csv = await csvOf('muni/export/payment/transactions', { filters: { ...month, disputed: 'lost' } })
    expect(csv.map((row) => row['Status'])).toEqual(['Chargeback'])
    const refunded = (await payments({ ...month, status: 3 })).rows
    expect(refunded.map((row: { paymentStatus: string }) => row.paymentStatus)).toContain('Chargeback')
  })

  test('computes return rates from the debits', async () => {
    const { returns, returnCodes } = await overview(month)
    const { debits, unauthorized, administrative, other } = returns.now
    expect(unauthorized).toBeGreaterThan(0)
    expect(unauthorized + administrative + other).toBe(
      sum(returnCodes.map((row: { payments: number }) => row.payments)),
    )
    const [row] = await of(
      `SELECT count(*)::int AS n FROM payment_order WHERE company_id = $1 AND method = 2 AND (paid_at IS NOT NULL OR return_code IS NOT NULL)
         AND (created_at AT TIME ZONE 'America/New_York')::date BETWEEN $2 AND $3`,
      ...[maple, month.fromDate, month.toDate],
    )
    expect(debits).toBe(row.n)
  })

  test('separates payments without a payout from payouts in transit', async () => {
    const empty = (await overview()).payouts
    expect(empty).toMatchObject({ last: [], schedule: null, inTransit: { payouts: 0, cents: 0, next: null } })
    await portal.owner.query(
      `WITH p AS (
         INSERT INTO payout (company_id, provider, provider_ref, trace, paid_at, arrives_on, gross_cents, cost_cents, net_cents, line_count, line_cents, search_text)
         SELECT $1, 'sandbox-history', 'po_1', 'SBX1', '2026-11-19 06:00Z', '2026-11-23', sum(amount_cents), 111, sum(amount_cents) - 111, count(*), sum(amount_cents) - 111, ''
         FROM ledger_transfer WHERE company_id = $1 AND kind LIKE 'capture%' AND debit_account = 'gateway_clearing' AND at BETWEEN '2026-11-01' AND '2026-11-10'
         RETURNING id)
       INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, movement_type, source_ref, amount_cents, cost_cents, at, ledger_cents)
       SELECT $1, p.id, row_number() OVER (), 'sandbox-history', 'm' || source_ref, 'capture', source_ref, sum(amount_cents), 0, min(at), sum(amount_cents)
       FROM ledger_transfer, p WHERE company_id = $1 AND kind LIKE 'capture%' AND debit_account = 'gateway_clearing' AND at BETWEEN '2026-11-01' AND '2026-11-10'
       GROUP BY p.id, source_ref`,
      [maple],
    )
    const { payouts, fees } = await overview()
    const [{ net }] = await of('SELECT net_cents::float8 AS net FROM payout WHERE company_id = $1', maple)
    expect(payouts.inTransit).toEqual({ payouts: 1, cents: net, next: '2026-11-23' })
    expect(payouts.schedule).toEqual({ payouts: 1, minDays: 4, maxDays: 4, weekends: false })
    expect(payouts.held.cents).toBe(empty.held.cents - net - 111)
    expect(payouts.held.by).toBe('2026-11-27')
    expect(fees.now.costCents).toBe(111)
    expect(payouts.late).toEqual({ payouts: 0, cents: 0 })
    await portal.owner.query(`UPDATE payout SET arrives_on = '2026-11-18' WHERE company_id = $1`, [maple])
    const late = (await overview()).payouts
    expect(late).toMatchObject({ inTransit: { payouts: 0, next: null }, late: { payouts: 1, cents: net } })
  })

  test('exports a file with equal totals', async () => {
    const { volume } = await overview(year)
    const rows = await csvOf('muni/export/merchant/overview', year)
    const of = (column: string) => sum(rows.map((row) => cents(row[column])))
    expect(sum(rows.map((row) => Number(row['Payments'])))).toBe(volume.now.payments)
    expect([of('Gross'), of('Net'), of('Refunded'), of('Voided')]).toEqual([
      ...[volume.now.grossCents, volume.now.retainedCents, volume.now.refundedCents, volume.now.voidedCents],
    ])
  })

  test('shows a company its own payments, or zeros if it has none', async () => {
    const { volume, reasons, payouts } = await overview(year, { host: HARBOR, token: harborAdmin })
    expect(volume.now).toMatchObject({ payments: 0, grossCents: 0, retainedCents: 0 })
    expect(reasons).toEqual([])
    expect(payouts).toMatchObject({ last: [], held: { payments: 0, cents: 0, by: null } })
  })
})

describe('Form 1099-K', () => {
  const form = (of = 2026) => callApi('muni/return/form/1099k', { year: of })
  const reportedForm = {
    ...{ filer: 'Sandbox Payments, Inc.', payee: 'Borough of Maple Grove', tinLast4: '4417' },
    ...{ gross: '12,345.67', notPresent: '$12,000', transactions: '150' },
    ...{
      jan: '1,000.5',
      feb: '',
      mar: '',
      apr: '',
      may: '',
      jun: '',
      jul: '',
      aug: '',
      sep: '',
      oct: '',
      nov: '',
      dec: '',
    },
  }

  test('is gross by payment day, without voided payments', async () => {
    const { ledger, echecks, voided } = await form()
    const [row] = await of(
      `SELECT sum(total_cents) FILTER (WHERE method = 1)::float8 AS card, count(*) FILTER (WHERE method = 1)::int AS cards,
         sum(total_cents) FILTER (WHERE method = 1 AND location <> 5)::float8 AS "notPresent", sum(total_cents) FILTER (WHERE method = 2)::float8 AS echeck
       FROM payment_order WHERE company_id = $1 AND paid_at IS NOT NULL AND status <> 5 AND created_at AT TIME ZONE 'America/New_York' >= '2026-01-01'`,
      maple,
    )
    expect(ledger).toMatchObject({ grossCents: row.card, transactions: row.cards, notPresentCents: row.notPresent })
    expect(echecks.grossCents).toBe(row.echeck)
    expect(sum(ledger.monthCents)).toBe(ledger.grossCents)
    expect(ledger.monthCents[11]).toBe(0)
    expect(voided.transactions).toBe(1)
    const { volume } = await overview({ fromDate: '2026-01-01', toDate: TODAY })
    const both = await overview({ fromDate: '2026-01-01', toDate: TODAY })
    const card = both.methods.find(({ method }: { method: number }) => method === 1)
    expect(ledger.grossCents).toBe(card.now.grossCents - card.now.voidedCents)
    expect(volume.now.refundedCents).toBeGreaterThan(0)
  })

  test('saves the reported Form 1099-K amounts for one year only', async () => {
    expect((await form()).reported).toBeNull()
    await callApi('muni/save/form/1099k', { ...reportedForm, year: 2026 })
    const { reported } = await form()
    expect(reported.form).toMatchObject({ gross: '12345.67', notPresent: '12000.00', jan: '1000.50', feb: '0.00' })
    expect(reported.figures).toMatchObject({ grossCents: 1_234_567, notPresentCents: 1_200_000, transactions: 150 })
    expect((await form(2025)).reported).toBeNull()
    await callApi('muni/save/form/1099k', { ...reported.form, transactions: '151', year: 2026, basis: reported.form })
    expect((await form()).reported.figures.transactions).toBe(151)
    const rows = await of(
      `SELECT detail->>'year' AS year FROM audit_event WHERE company_id = $1 AND action = 'payment_form.saved'`,
      maple,
    )
    expect(rows).toEqual([{ year: '2026' }, { year: '2026' }])
  })

  test.each([
    ['an amount that is none', { gross: 'much' }],
    ['no gross amount', { gross: '' }],
    ['half a payment', { transactions: '1.5' }],
    ['a whole taxpayer number', { tinLast4: '123456789' }],
  ])('refuses %s', async (_what, invalid) => {
    const { status } = await portal.post(
      MAPLE,
      'muni/save/form/1099k',
      { ...reportedForm, ...invalid, year: 2024 },
      { token: admin },
    )
    expect(status).toBe(400)
  })

  test('exports a PDF and a file with equal figures and the difference', async () => {
    const { ledger } = await form()
    const { url } = await callApi('muni/print/form/1099k', { year: 2026 })
    const { text } = await readWithPdfJs(
      new Uint8Array((await portal.app.inject({ url, headers: { host: MAPLE } })).rawPayload),
    )
    expect(text).toContain('FiguresforForm1099-K,2026')
    expect(text).toContain((ledger.grossCents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }))
    const rows = await csvOf('muni/export/form/1099k', { year: 2026 })
    expect(rows.map((row) => row['Box']).slice(0, 4)).toEqual(['1a', '1b', '3', '5a'])
    expect(cents(rows[0]?.['Ledger'])).toBe(ledger.grossCents)
    expect(cents(rows[0]?.['Difference'])).toBe(1_234_567 - ledger.grossCents)
    expect(rows[2]?.['Ledger']).toBe(String(ledger.transactions))
  })
})

describe('reports of the processor', () => {
  test('record each access with the person, in a list for administrators', async () => {
    const log = (body: object) => callApi('muni/log/processor/report/access', body, { token: staff })
    await log({ report_type: 'menu_click_processor_reports', processor_id: 'n/a', page_id: 'n/a' })
    await log({ report_type: 'open_report', processor_id: 1, page_id: 'payouts' })
    const { rows } = await callApi('muni/return/processor/report/accesses', { filters: month })
    expect(rows).toMatchObject([
      { how: 'open_report', report: 'Payouts', processor: 'Sandbox' },
      { how: 'menu_click_processor_reports', report: '', processor: '' },
    ])
    expect(new Set(rows.map(({ name }: { name: string }) => name)).size).toBe(1)
    const { status } = await portal.post(
      MAPLE,
      'muni/return/processor/report/accesses',
      { filters: month },
      { token: staff },
    )
    expect(status).toBe(403)
  })

  test('refuse to record an unknown report', async () => {
    const body = { report_type: 'stole_it', processor_id: 'n/a', page_id: 'n/a' }
    expect((await portal.post(MAPLE, 'muni/log/processor/report/access', body, { token: staff })).status).toBe(400)
  })

  test('belong to the company’s own processor', async () => {
    expect(await callApi('muni/return/processor/reports')).toEqual({ processorId: 1, name: 'Sandbox' })
  })
})

describe('a card that the office took without a provider', () => {
  test('is counted apart from those of payment providers', async () => {
    const of = async (method: number) =>
      (await overview(year)).methods.find((row: { method: number }) => row.method === method)?.now.grossCents ?? 0
    const form = () => callApi('muni/return/form/1099k', { year: 2026 })
    const before = { card: await of(1), own: await of(0), total: (await overview(year)).volume.now.grossCents }
    const formBefore = await form()
    await takeCardAtOffice(`office-${randomUUID()}`, 123_45)
    expect(await of(1)).toBe(before.card)
    expect(await of(0)).toBe(before.own + 123_45)
    const after = await overview(year)
    expect(after.volume.now.grossCents).toBe(before.total + 123_45)
    expect(sum(after.points.map((point: { cardCents: number }) => point.cardCents))).toBe(before.card)
    expect((await form()).ledger).toEqual(formBefore.ledger)
    const rows = await csvOf('muni/export/merchant/overview', year)
    const own = rows.filter((row) => row['Method'] === 'Card or eCheck (no payment provider)')
    expect(sum(own.map((row) => cents(row['Gross'])))).toBe(before.own + 123_45)
  })
})
