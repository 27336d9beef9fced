import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { clientOf, type CompanyId } from '../../server/tenancy.ts'
import { addDays, dateIn } from '../../shared/dates.ts'
import { testClock, testPortal } from '../../test/harness.ts'
import { addTestPlatformStaff, openPaidCompany } from '../../test/company.ts'
import type { LedgerAccount } from '../payments/rules-ledger.ts'
import { post } from '../payments/server/ledger/ledger.ts'
import { verifyOn } from '../payments/server/ledger/verify-ledger.ts'

const ADMIN = 'admin.localhost'
const RUNS = process.env['NIGHTLY'] ? 400 : 15
const TODAY = '2026-11-20'
const month = { fromDate: '2026-10-21', toDate: TODAY }
const year = { fromDate: '2025-11-01', toDate: TODAY }
const clock = testClock('2026-11-20T15:00:00Z')
const portal = await testPortal({ clock })
let token = ''
let companies: { id: CompanyId; name: string; zone: string; orders: number[] }[] = []

beforeAll(async () => {
  const maple = await openPaidCompany(portal, mapleGrove)
  const harbor = await openPaidCompany(portal, harborCity)
  await portal.owner.query(
    `UPDATE company SET timezone_id = (SELECT id FROM timezone WHERE zone = 'Pacific/Honolulu') WHERE id = $1`,
    [harbor],
  )
  await portal.owner.query('SELECT recount_ledger($1)', [harbor])
  await addTestPlatformStaff(portal)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
  const ordersOf = async (id: number) => {
    const { rows } = await portal.owner.query<{ id: number }>(
      'SELECT id FROM payment_order WHERE company_id = $1 AND paid_at IS NOT NULL ORDER BY id LIMIT 20',
      [id],
    )
    return rows.map((row) => Number(row.id))
  }
  companies = [
    { id: maple, name: 'Maple Grove', zone: 'America/New_York', orders: await ordersOf(maple) },
    { id: harbor, name: 'Harbor City', zone: 'Pacific/Honolulu', orders: await ordersOf(harbor) },
  ]
})

const callApi = async (path: string, body: object, by = token) => {
  const response = await portal.post(ADMIN, path, body, { token: by })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body
}
const fees = (filters: object = month, more: object = {}) =>
  callApi('admin/return/fee/report', { filters: { countedBy: 'money', ...filters }, direction: 'asc', ...more })
const profits = (filters: object = month, more: object = {}) =>
  callApi('admin/return/profit/report', { filters, direction: 'asc', ...more })
const csvOf = async (path: string, body: object) => {
  const { url } = await callApi(path, body)
  return String((await portal.get(ADMIN, url)).body)
    .trim()
    .split('\n')
    .map((line) => line.split(','))
}

interface Transfer {
  company_id: number
  debit_account: string
  credit_account: string
  amount_cents: number
  kind: string
  at: Date
  method: number
  absorbed_fee_cents: number
}

/** Loads the ledger, one row per transfer, with its payment. */
async function ledger(): Promise<Transfer[]> {
  const { rows } = await portal.owner.query<Transfer>(
    `SELECT t.*, t.amount_cents::float8 AS amount_cents, o.method, o.absorbed_fee_cents::float8 AS absorbed_fee_cents
     FROM ledger_transfer t JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id`,
  )
  return rows
}

/** Returns the gain of an account from these transfers: credits less debits. */
const gained = (transfers: readonly Transfer[], account: string) =>
  transfers.reduce(
    (sum, { debit_account, credit_account, amount_cents }) =>
      sum + (credit_account === account ? amount_cents : debit_account === account ? -amount_cents : 0),
    0,
  )

/** Computes the fee report from individual transfers in TypeScript, independently of the SQL. */
function counted(transfers: readonly Transfer[]) {
  const absorbs = ({ debit_account, credit_account }: Transfer) =>
    debit_account === 'absorbed_fee' || credit_account === 'absorbed_fee'
  const captured = transfers.filter(({ kind }) => kind.startsWith('capture.'))
  const reversed = transfers.filter(({ kind }) => !kind.startsWith('capture.'))
  const amountCents = gained(transfers, 'payable_municipality')
  const part = (method: number) => {
    const ofMethod = transfers.filter((transfer) => transfer.method === method)
    return {
      payments: ofMethod.filter(({ kind }) => kind === 'capture.bill').length,
      amountCents: gained(ofMethod, 'payable_municipality'),
      feeCents: gained(ofMethod, 'fee_revenue'),
    }
  }
  return {
    payments: captured.filter(({ kind }) => kind === 'capture.bill').length,
    amountCents,
    paidCents: gained(
      captured.filter((transfer) => !absorbs(transfer)),
      'fee_revenue',
    ),
    absorbedCents: gained(captured.filter(absorbs), 'fee_revenue'),
    refundCents: 0 - gained(reversed, 'fee_revenue'),
    feeCents: gained(transfers, 'fee_revenue'),
    totalCents:
      amountCents +
      gained(
        transfers.filter((transfer) => !absorbs(transfer)),
        'fee_revenue',
      ),
    card: part(1),
    echeck: part(2),
  }
}

/** Flattens the figures to one row, as in the report. */
const flat = ({ card, echeck, ...whole }: ReturnType<typeof counted>) => ({
  ...whole,
  ...Object.fromEntries(
    Object.entries({ card, echeck }).flatMap(([method, { payments, amountCents, feeCents }]) => [
      [`${method}Payments`, payments],
      [`${method}AmountCents`, amountCents],
      [`${method}FeeCents`, feeCents],
    ]),
  ),
})

const accounts: [kind: string, debit: LedgerAccount, credit: LedgerAccount][] = [
  ['capture.bill', 'gateway_clearing', 'payable_municipality'],
  ['capture.fee', 'gateway_clearing', 'fee_revenue'],
  ['capture.absorbed', 'absorbed_fee', 'fee_revenue'],
  ['return.bill', 'payable_municipality', 'gateway_clearing'],
  ['return.fee', 'fee_revenue', 'gateway_clearing'],
  ['refund.bill', 'payable_municipality', 'gateway_clearing'],
  ['refund.fee', 'fee_revenue', 'gateway_clearing'],
  ['refund.absorbed', 'fee_revenue', 'absorbed_fee'],
  ['cost.provider', 'provider_cost', 'gateway_clearing'],
]

/** Random event of a payment. Times around midnight are as likely as all other times. */
const happening = fc.record({
  company: fc.nat(1),
  order: fc.nat(19),
  legs: fc.uniqueArray(
    fc.record({ account: fc.nat(accounts.length - 1), cents: fc.integer({ min: 1, max: 250_000 }) }),
    {
      ...{ minLength: 1, maxLength: 4, selector: ({ account }) => account },
    },
  ),
  day: fc.nat(40),
  minute: fc.oneof(fc.constantFrom(0, 1, 239, 240, 299, 300, 301, 599, 600, 1439), fc.nat(1439)),
})
const questions = fc.record({
  from: fc.nat(45),
  days: fc.nat(45),
  absorbFee: fc.constantFrom<'0' | '1' | undefined>(undefined, undefined, '0', '1'),
})

let entries = 0

test(
  `matches the ledger in every figure for random payments (${RUNS} runs)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 6 }), questions, async (happenings, question) => {
        for (const { company, order, legs, day, minute } of happenings) {
          const { id, orders } = companies[company] as (typeof companies)[number]
          const at = new Date(Date.parse(`${addDays(TODAY, -day)}T00:00:00Z`) + minute * 60_000)
          await portal.context.inCompany(id, (tx) =>
            post(
              tx,
              id,
              { orderId: orders[order] ?? 0, source: 'property', sourceRef: `p${entries++}`, at },
              legs.map(({ account, cents }) => {
                const [kind, debit, credit] = accounts[account] as (typeof accounts)[number]
                return { kind, debit, credit, amountCents: cents }
              }),
            ),
          )
        }
        const toDate = addDays(TODAY, -question.from)
        const fromDate = addDays(toDate, -question.days)
        const period = { fromDate, toDate }
        const { absorbFee } = question
        const all = await ledger()
        const own = companies.map((testCompany) => ({
          company: testCompany,
          transfers: all.filter(({ company_id, at }) => {
            const on = dateIn(testCompany.zone, at)
            return company_id === testCompany.id && on >= fromDate && on <= toDate
          }),
        }))
        const narrowed = own.map(({ company, transfers }) => ({
          company,
          transfers: transfers.filter(
            ({ absorbed_fee_cents }) => absorbFee === undefined || absorbed_fee_cents > 0 === (absorbFee === '1'),
          ),
        }))

        const report = await fees({ ...period, absorbFee })
        const expected = narrowed
          .filter(({ transfers }) => transfers.length > 0)
          .map(({ company, transfers }) => ({ name: company.name, ...flat(counted(transfers)) }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        expect(report.rows).toEqual(expected.map((row) => expect.objectContaining(row)))
        expect(report.totals).toEqual(flat(counted(narrowed.flatMap(({ transfers }) => transfers))))
        for (const { company, transfers } of narrowed) {
          const { days, totals } = await callApi('admin/return/fee/days', {
            ...{ companyId: company.id, ...period, absorbFee, countedBy: 'money' },
          })
          const byDay = Map.groupBy(transfers, ({ at }) => dateIn(company.zone, at))
          expect(days).toEqual(
            [...byDay].map(([day, those]) => ({ day, ...counted(those) })).toSorted((a, b) => (a.day < b.day ? -1 : 1)),
          )
          expect(totals).toEqual(counted(transfers))
        }

        const earned = await profits(period)
        const everything = own.flatMap(({ transfers }) => transfers)
        const revenueCents = gained(everything, 'fee_revenue')
        const expenseCents = 0 - gained(everything, 'provider_cost') - gained(everything, 'absorbed_fee')
        expect(earned.totals).toMatchObject({ revenueCents, expenseCents, netCents: revenueCents - expenseCents })
        for (const name of Object.keys(earned.totals))
          expect(earned.rows.reduce((sum: number, row: Record<string, number>) => sum + (row[name] ?? 0), 0)).toBe(
            earned.totals[name],
          )
        const months = await callApi('admin/return/profit/months', period)
        expect(months.totals).toEqual({ revenueCents, expenseCents, netCents: revenueCents - expenseCents })
        for (const { code, kind, totalCents } of months.accounts)
          expect(totalCents).toBe((kind === 'revenue' ? 1 : -1) * gained(everything, code) + 0)
      }),
      { numRuns: RUNS },
    )
  },
  RUNS * 3000,
)

describe('Convenience Fee Report', () => {
  test('assigns an instant to the day in each company’s time zone', async () => {
    const at = new Date('2024-03-02T07:00:00Z')
    for (const { id, orders } of companies)
      await portal.context.inCompany(id, (tx) =>
        post(tx, id, { orderId: orders[0] ?? 0, source: 'midnight', sourceRef: String(id), at }, [
          { kind: 'capture.bill', debit: 'gateway_clearing', credit: 'payable_municipality', amountCents: 100 },
        ]),
      )
    const names = async (day: string) => {
      const { rows } = await fees({ fromDate: day, toDate: day })
      return rows.map(({ name }: { name: string }) => name)
    }
    expect(await names('2024-03-01')).toEqual(['Harbor City'])
    expect(await names('2024-03-02')).toEqual(['Maple Grove'])
  })

  test('filters Absorb by each payment, and shows the current setting', async () => {
    const absorbed = await fees({ ...year, absorbFee: '1' })
    expect(absorbed.rows).toMatchObject([{ name: 'Harbor City', absorbsNow: true }])
    expect(absorbed.totals.absorbedCents).toBeGreaterThan(0)
    await portal.owner.query(`UPDATE fee_rule SET absorb = 0`)
    const after = await fees({ ...year, absorbFee: '1' })
    await portal.owner.query(`UPDATE fee_rule SET absorb = 1 WHERE company_id = $1`, [companies[1]?.id])
    expect(after.rows).toMatchObject([{ name: 'Harbor City', absorbsNow: false }])
    expect(after.totals).toEqual(absorbed.totals)
  })

  test.each(['name', 'amountCents', 'feeCents'] as const)(
    'pages by %s in both directions with constant totals',
    async (sort) => {
      const all = await fees(year, { sort })
      expect(all).toMatchObject({ count: 2, next: null, previous: null })
      const first = await fees(year, { sort, pageSize: 1 })
      const second = await fees(year, { sort, pageSize: 1, cursor: first.next })
      expect([...first.rows, ...second.rows]).toEqual(all.rows)
      expect([first.totals, second.totals, second.next]).toEqual([all.totals, all.totals, null])
      expect((await fees(year, { sort, pageSize: 1, cursor: second.previous })).rows).toEqual(first.rows)
      const reversed = await fees(year, { sort, direction: 'desc' })
      expect(reversed.rows).toEqual(all.rows.toReversed())
      const other = await portal.post(
        ADMIN,
        'admin/return/fee/report',
        { filters: year, sort: sort === 'name' ? 'feeCents' : 'name', cursor: first.next },
        { token },
      )
      expect(other.status, 'a page of another sort').toBe(400)
    },
  )

  test('filters by company and searches by name', async () => {
    expect((await fees({ ...year, companyId: companies[0]?.id })).rows).toMatchObject([{ name: 'Maple Grove' }])
    for (const search of ['bor CI', 'city  HARB'])
      expect((await fees(year, { search })).rows).toMatchObject([{ name: 'Harbor City' }])
    expect(await fees({ fromDate: '2020-01-01', toDate: '2020-02-01' })).toMatchObject({
      ...{ rows: [], count: 0, totals: { payments: 0, amountCents: 0, feeCents: 0 } },
    })
  })

  test('streams a CSV row for each company and writes an audit entry', async () => {
    const { rows } = await fees(year)
    const [head, ...lines] = await csvOf('admin/export/fee/report', {
      ...{ filters: { countedBy: 'money', ...year }, direction: 'asc' },
    })
    expect(head?.slice(0, 4)).toEqual(['ID', 'Company', 'Payments', 'Amount'])
    expect(lines.map(([, name, payments, amount, , , , net]) => [name, payments, amount, net])).toEqual(
      rows.map((row: { name: string; payments: number; amountCents: number; feeCents: number }) => [
        ...[row.name, String(row.payments), (row.amountCents / 100).toFixed(2), (row.feeCents / 100).toFixed(2)],
      ]),
    )
    const { rows: deeds } = await portal.owner.query(`SELECT 1 FROM platform_audit_event WHERE action = 'export.fees'`)
    expect(deeds).toHaveLength(1)
  })
})

describe('Profit and Loss Report', () => {
  test('marks accounts without entries, and answers 404 for an unknown company', async () => {
    const { accounts: reportedAccounts, months } = await callApi('admin/return/profit/months', {
      ...{ fromDate: '2026-01-15', toDate: '2026-03-02', company: companies[0]?.id },
    })
    expect(months).toEqual(['2026-01', '2026-02', '2026-03'])
    expect(reportedAccounts.map(({ code, moved }: { code: string; moved: boolean }) => [code, moved])).toEqual([
      ...[
        ['fee_revenue', true],
        ['provider_cost', false],
        ['absorbed_fee', false],
        ['cash_over_short', false],
      ],
    ])
    const nobody = await portal.post(ADMIN, 'admin/return/profit/months', { ...month, company: 99_999 }, { token })
    expect(nobody.status).toBe(404)
  })

  test('counts an absorbed fee as revenue and expense with no net effect', async () => {
    const { rows } = await profits({ fromDate: '2026-01-01', toDate: '2026-03-31' })
    const harbor = rows.find(({ name }: { name: string }) => name === 'Harbor City')
    expect(harbor.absorbedCents).toBeGreaterThan(0)
    expect(harbor).toMatchObject({ absorbedExpenseCents: harbor.absorbedCents, netCents: harbor.paidCents })
  })

  test('streams CSV by company, month and account with the report’s totals', async () => {
    const { totals } = await profits(year)
    const [head, ...lines] = await csvOf('admin/export/profit/report', { filters: year, direction: 'asc' })
    expect(head).toEqual(['ID', 'Company', 'Month', 'Kind', 'Account', 'Amount'])
    const sum = (kind: string) =>
      lines.reduce((cents, line) => cents + (line[3] === kind ? Math.round(Number(line[5]) * 100) : 0), 0)
    expect([sum('revenue'), sum('expense')]).toEqual([totals.revenueCents, totals.expenseCents])
    const { rows: deeds } = await portal.owner.query(
      `SELECT 1 FROM platform_audit_event WHERE action = 'export.profit'`,
    )
    expect(deeds).toHaveLength(1)
  })
})

describe('both reports', () => {
  test.each([
    ['more than 400 days', { fromDate: '2025-01-01', toDate: TODAY }, 'Choose a period of up to 400 days.'],
    [
      'days in the wrong order',
      { fromDate: TODAY, toDate: '2026-11-01' },
      'The last day is before the first day. Choose the dates again.',
    ],
    [
      'days before there were portals',
      { fromDate: '0000-01-01', toDate: '0000-01-02' },
      'Choose a date from 1900 to 2199.',
    ],
  ])('refuse %s with a message', async (_what, filters, message) => {
    for (const path of ['admin/return/fee/report', 'admin/return/profit/report'])
      expect(await portal.post(ADMIN, path, { filters }, { token })).toMatchObject({ status: 400, body: { message } })
  })

  test('require platform privileges to view and to export', async () => {
    const callCenter = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const paths = [
      'admin/return/fee/report',
      'admin/export/fee/report',
      'admin/return/profit/report',
      'admin/export/profit/report',
    ]
    for (const path of paths)
      expect((await portal.post(ADMIN, path, { filters: month }, { token: callCenter })).status).toBe(403)
    await portal.owner.query(
      `UPDATE platform_person SET privileges = '{"reports_admin": 1}' WHERE email = 'callcenter@mainstreet.example'`,
    )
    const seen = await Promise.all(
      paths.map((path) => portal.post(ADMIN, path, { filters: month }, { token: callCenter })),
    )
    expect(seen.map(({ status }) => status)).toEqual([200, 403, 200, 403])
  })

  test('use the new days after a company’s time zone changes', async () => {
    const [maple] = companies as [(typeof companies)[number]]
    const at = new Date('2026-11-19T05:30:00Z')
    await portal.context.inCompany(maple.id, (tx) =>
      post(tx, maple.id, { orderId: maple.orders[0] ?? 0, source: 'zone', sourceRef: 'z', at }, [
        { kind: 'return.bill', debit: 'payable_municipality', credit: 'bank', amountCents: 1234 },
      ]),
    )
    const { config } = await callApi('admin/return/company/config', { companyId: maple.id })
    const { rows: zones } = await portal.owner.query(`SELECT id FROM timezone WHERE zone = 'Pacific/Honolulu'`)
    const values = { ...config.details, timezone_id: Number(zones[0].id) }
    await callApi('admin/save/company/config', { companyId: maple.id, section: 'details', values })
    const own = (await ledger()).filter(({ company_id }) => company_id === maple.id)
    for (const day of ['2026-11-18', '2026-11-19']) {
      const { totals } = await callApi('admin/return/fee/days', {
        ...{ companyId: maple.id, fromDate: day, toDate: day, countedBy: 'money' },
      })
      expect(totals).toEqual(counted(own.filter((transfer) => dateIn('Pacific/Honolulu', transfer.at) === day)))
    }
    const { findings } = await portal.context.acrossCompanies((tx) => verifyOn(clientOf(tx)))
    const sums = findings.filter(({ holds }) => /^(?:the daily sums of each|the kept)/.test(holds))
    expect(sums.filter(({ violations }) => violations > 0)).toEqual([])
  })
})
