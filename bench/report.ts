import { strict as assert } from 'node:assert'
import type pg from 'pg'
import { addDays } from '../shared/dates.ts'
import { csvOfPayments } from './csv.ts'
import { inTurns, p95, type Row, timeRow } from './measure.ts'
import { type BenchPortal, staffHeaders, openPortal, type BenchEnvironment, plain } from './environment.ts'
import { fillWithPayments } from './rows.ts'

/**
 * Times the payment report over 10,000, 100,000 and 1,000,000 payments. A fifth of the payments belong to one company.
 * Compares it with the best equivalent statements on one connection, without session and HTTP. Both use the same row
 * security between companies.
 */
export async function report(environment: BenchEnvironment): Promise<Row[]> {
  const rows: Row[] = []
  for (const payments of [10_000, 100_000, 1_000_000]) rows.push(...(await at(environment, payments)))
  return rows
}

interface Totals {
  amountCents: number
  feeCents: number
}
interface Page {
  next: string | null
  count: number
  totals: Totals
}
export type PageRequester = (question: object) => Promise<Page>

async function at(environment: BenchEnvironment, payments: number): Promise<Row[]> {
  const database = await environment.database()
  await fillWithPayments(database.owner, payments)
  const portal = await openPortal(database, environment.folder)
  const [client, owner] = [await plain(database), await plain(database, 'platform')]
  const headers = await staffHeaders(portal)
  const company = await companyOf(portal)
  const requestPage: PageRequester = (question) =>
    portal.post<Page>('muni/return/payment/transactions', question, headers)
  const today = await todayOf(owner)
  const best = bestOf(client, company)
  const month = { fromDate: addDays(today, -30), toDate: today }
  const quarter = { fromDate: addDays(today, -90), toDate: today }
  const year = addDays(today, -365)
  const { next: cursor } = await requestPage({ filters: { toDate: year } })
  const size = payments.toLocaleString('en-US')
  const compare = async (what: string, question: object, baselineQuestion: Question) =>
    timeRow(
      `report, ${what}, ${size} payments`,
      await inTurns(
        30,
        () => requestPage(question),
        () => best(baselineQuestion),
      ),
      2,
    )
  const rows = [
    await compare('first page of 30 days, count and totals', { filters: month }, month),
    await compare('a page in the middle, count and totals', { filters: {}, cursor }, { before: year }),
    await compare(
      'a page in the middle as the screen turns to it',
      { filters: {}, cursor, totals: false },
      {
        ...{ before: year, sums: false },
      },
    ),
    await compare(
      'part of a name, 90 days, count and totals',
      { filters: quarter, search: 'itak' },
      {
        ...{ ...quarter, terms: ['itak'] },
      },
    ),
    await compare('totals of everything', { filters: {}, pageSize: 1 }, {}),
  ]
  if (payments === 1_000_000)
    rows.push(
      await csvOfPayments(portal, owner, headers, company),
      await searches(owner, company, requestPage, best, today),
    )
  await client.end()
  await owner.end()
  await portal.close()
  await database.drop()
  return rows
}

async function companyOf(portal: BenchPortal): Promise<number> {
  const { company } = await portal.post<{ company: { id: number } }>('return/company/id', { subdomain: 'maplegrove' })
  return company.id
}

async function todayOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ today: string }>(
    `SELECT (now() AT TIME ZONE 'America/New_York')::date::text AS today`,
  )
  return rows[0]?.today ?? ''
}

interface Question {
  fromDate?: string
  toDate?: string
  /** Cursor of a page in the middle of the list. */
  before?: string
  terms?: readonly string[]
  sums?: boolean
}

/** Returns a function that runs the hand-written SQL for a page, its capped count and its totals, with row security. */
function bestOf(client: pg.Client, company: number) {
  const page = `SELECT id, created_at, payer_name, payer_email, reference, method, method_label, location, status, return_code, paid_at,
    bill_cents, fee_cents, total_cents, dispute_open, refunded_cents FROM found_payment_order`
  const midnight = (day: string) => `'${day}'::timestamp AT TIME ZONE 'America/New_York'`
  const sums = (of: string, movementType = 'true') =>
    ['bill', 'fee'].map((half) => `sum(${of.replaceAll('?', half)}) FILTER (WHERE ${movementType})`).join(', ')
  const rest = '?_cents - net_?_cents - refunded_?_cents - returned_?_cents'
  return async ({ fromDate, toDate, before, terms = [], sums: needsSums = true }: Question) => {
    const where = [
      `company_id = ${company}`,
      ...(fromDate ? [`created_at >= ${midnight(fromDate)}`] : []),
      ...(toDate ? [`created_at < ${midnight(addDays(toDate, 1))}`] : []),
      ...terms.map((word) => `search_text LIKE '%${word}%'`),
    ].join(' AND ')
    const beyond = before ? ` AND created_at < ${midnight(before)}` : ''
    await client.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
    await client.query(`${page} WHERE ${where}${beyond} ORDER BY created_at DESC, id DESC LIMIT 11`)
    if (needsSums && terms.length > 0)
      await client.query(
        `SELECT count(*), ${sums('net_?_cents')}, ${sums('refunded_?_cents')}, ${sums('returned_?_cents')}, ${sums(rest, 'status = 5')},
           ${sums(rest, 'status <> 5 AND paid_at IS NULL')} FROM found_payment_order WHERE ${where}`,
      )
    else if (needsSums) {
      const days = [fromDate && `made_on >= '${fromDate}'`, toDate && `made_on <= '${toDate}'`].filter(Boolean)
      await client.query(
        `SELECT count(*) FROM (SELECT 1 FROM found_payment_order WHERE ${where} LIMIT 1000) AS counted`,
      )
      await client.query(
        `SELECT movement_type, sum(bill_cents), sum(fee_cents) FROM payment_day WHERE ${[`company_id = ${company}`, ...days].join(' AND ')} GROUP BY movement_type`,
      )
      await client.query(
        `SELECT status, sum(bill_cents), sum(fee_cents) FROM found_payment_order
         WHERE ${where} AND paid_at IS NULL AND status IN (0, 2, 5) GROUP BY status`,
      )
    }
    await client.query('COMMIT')
  }
}

/**
 * Checks ten searches, each over all days and over some days. The totals must equal a plain SQL sum of the ledger and
 * must not take much longer than it.
 */
async function searches(
  client: pg.Client,
  company: number,
  requestPage: PageRequester,
  best: ReturnType<typeof bestOf>,
  today: string,
): Promise<Row> {
  const { rows: some } = await client.query<{ text: string; day: string }>(
    `SELECT search_text AS text, (created_at AT TIME ZONE 'America/New_York')::date::text AS day FROM payment_order
     WHERE company_id = $1 ORDER BY random() LIMIT 10`,
    [company],
  )
  const questions = some.flatMap(({ text, day }, n) => {
    const [receipt = '', account = '', first = '', last = '', email = ''] = text.split(' ')
    const searchTerms =
      [[last], [first, last], [last.slice(1, 5)], [receipt], [email.slice(0, 9)], [last, account]][n % 6] ?? []
    return [
      { terms: searchTerms },
      { terms: searchTerms, fromDate: addDays(day, -10), toDate: addDays(day, 10) > today ? today : addDays(day, 10) },
    ]
  })
  const queryOf = ({ terms, ...filters }: (typeof questions)[number]) => ({
    search: terms.toReversed().join(' '),
    filters,
  })
  for (const question of questions) {
    const { totals } = await requestPage(queryOf(question))
    assert.deepEqual(
      [totals.amountCents, totals.feeCents],
      await plainSum(client, company, question),
      JSON.stringify(question),
    )
  }
  const of = (iteration: number) => questions[iteration % questions.length] ?? { terms: [] }
  const times = await inTurns(
    5 * questions.length,
    (iteration) => requestPage(queryOf(of(iteration))),
    (iteration) => best(of(iteration)),
    p95,
  )
  return timeRow(
    'ten searches of 1,000,000 payments, with and without dates, totals equal to a plain sum (p95)',
    times,
    2,
  )
}

/** Computes the same total only from payments and ledger, without our other tables. */
async function plainSum(
  client: pg.Client,
  company: number,
  { terms = [], fromDate, toDate }: Question,
): Promise<number[]> {
  const { rows } = await client.query<{ bill: string; fee: string }>(
    `SELECT coalesce(sum(amount_cents) FILTER (WHERE credit_account = 'payable_municipality'), 0)
         - coalesce(sum(amount_cents) FILTER (WHERE debit_account = 'payable_municipality'), 0) AS bill,
       coalesce(sum(amount_cents) FILTER (WHERE credit_account = 'fee_revenue' AND debit_account <> 'absorbed_fee'), 0)
         - coalesce(sum(amount_cents) FILTER (WHERE debit_account = 'fee_revenue' AND credit_account <> 'absorbed_fee'), 0) AS fee
     FROM payment_order o JOIN ledger_transfer t ON t.company_id = o.company_id AND t.order_id = o.id
     WHERE o.company_id = $1 AND (SELECT bool_and(position(word IN o.search_text) > 0) FROM unnest($2::text[]) AS word)
       AND (o.created_at AT TIME ZONE 'America/New_York')::date BETWEEN coalesce($3::date, '-infinity') AND coalesce($4::date, 'infinity')`,
    [company, terms, fromDate, toDate],
  )
  return [Number(rows[0]?.bill), Number(rows[0]?.fee)]
}
