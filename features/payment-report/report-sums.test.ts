import { beforeAll, describe, expect, it } from 'vitest'
import { COUNT_CAP } from '../../shared/table.ts'
import { type TestPortal, testPortal } from '../../test/harness.ts'

const MAPLE = 'maplegrove.localhost'

let portal: TestPortal
let token = ''

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
})

const report = async (question: object = {}) => {
  const { status, body } = await portal.post(
    MAPLE,
    'muni/return/payment/transactions',
    { pageSize: 1, filters: {}, ...question },
    { token },
  )
  expect(status, body.message).toBe(200)
  return body
}

type Sum = Record<string, number>
type Totals = Record<string, number | Sum>
const add = (a: Totals, b: Totals): Totals =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => {
      const other = b[name] ?? 0
      return [name, typeof value === 'number' ? value + Number(other) : (add(value, other as Sum) as Sum)]
    }),
  )

describe('totals of the payment search', () => {
  it.each([
    ['all days', {}],
    ['some days', { fromDate: '2026-08-14', toDate: '2026-11-03' }],
    ['cards at the counter', { method: 1, location: 4 }],
  ])('add up over all statuses to those of all payments: %s', async (_what, filters) => {
    const all: Totals = (await report({ filters })).totals
    const each: Totals[] = []
    for (const status of [0, 1, 2, 3, 5]) each.push((await report({ filters: { ...filters, status } })).totals)
    expect(each.reduce(add)).toEqual(all)
  })

  it('equal the sum of each successful payment', async () => {
    const { rows } = await portal.owner.query(
      `SELECT sum(net_bill_cents)::bigint AS bill, sum(net_fee_cents)::bigint AS fee, sum(refunded_bill_cents)::bigint AS refunded
       FROM payment_order WHERE company_id = (SELECT id FROM company WHERE subdomain = 'maplegrove') AND status = 1`,
    )
    const { totals, count } = await report({ filters: { status: 1 } })
    expect(count).toBe(COUNT_CAP)
    expect([totals.amountCents, totals.feeCents, totals.refunded.amountCents]).toEqual(
      [rows[0].bill, rows[0].fee, rows[0].refunded].map(Number),
    )
  })

  it('are exact or missing for a search, and complete on request', async () => {
    // Every receipt number starts with `p`, so this search matches all payments.
    const question = { search: 'p' }
    expect(await report(question)).toMatchObject({ count: COUNT_CAP, totals: null })
    expect((await report({ ...question, totals: 'all' })).totals).toEqual((await report()).totals)
    const days = { fromDate: '2026-11-10', toDate: '2026-11-15' }
    const few = await report({ ...question, filters: days })
    expect(few.count).toBeGreaterThan(0)
    expect(few.totals).toEqual((await report({ filters: days })).totals)
  })

  it('are equal along the list and along the index for a frequent name', async () => {
    const { rows } = await portal.owner.query(
      `SELECT split_part(payer_name, ' ', 2) AS name, count(*)::int AS n FROM payment_order
       WHERE company_id = (SELECT id FROM company WHERE subdomain = 'maplegrove') GROUP BY 1 ORDER BY 2 DESC`,
    )
    for (const { name } of [rows[0], rows.at(-1)]) {
      const { count, totals } = await report({ search: name })
      const all = await report({ search: name, totals: 'all' })
      expect([name, count, totals ?? all.totals]).toEqual([name, all.count, all.totals])
    }
  })
})
