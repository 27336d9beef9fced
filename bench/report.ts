import { pipeline } from 'node:stream/promises'
import { Writable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { paymentReportCsv } from '../features/payments/contract.ts'
import { addDays } from '../shared/dates.ts'
import { inTurns, rateRow, type Row, timeRow } from './measure.ts'
import { type BenchPortal, clerk, openPortal, type Place, plain } from './place.ts'
import { fillWithPayments } from './rows.ts'

/**
 * The payment report at 10,000, 100,000 and 1,000,000 payments, against the same questions asked by hand; its totals,
 * and the CSV against COPY alone.
 */
export async function report(place: Place): Promise<Row[]> {
  const rows: Row[] = []
  for (const payments of [10_000, 100_000, 1_000_000]) rows.push(...(await at(place, payments)))
  return rows
}

interface Page {
  next: string | null
}

const today = () => new Date().toISOString().slice(0, 10)

async function at(place: Place, payments: number): Promise<Row[]> {
  const database = await place.database()
  await fillWithPayments(database.owner, payments)
  const portal = await openPortal(database, place.folder)
  const hand = await plain(database)
  const headers = await clerk(portal)
  const company = await companyOf(portal)
  const filters = { fromDate: addDays(today(), -30), toDate: addDays(today(), 1) }
  const ask = (question: object) => portal.post<Page>('muni/return/payment/transactions', question, headers)
  const middle = await middleOf(ask, payments)
  const size = payments.toLocaleString('en-US')
  const largest = payments === 1_000_000
  const rows = [
    timeRow(
      `report, first page of 30 days, ${size} payments`,
      await inTurns(
        30,
        () => ask({ filters }),
        () => byHand(hand, company, { from: filters.fromDate }),
      ),
      2,
    ),
    timeRow(
      `report, a page in the middle, ${size} payments`,
      await inTurns(
        30,
        () => ask({ filters: {}, cursor: middle.cursor, pageSize: 10 }),
        () => byHand(hand, company, { before: middle.before }),
      ),
      2,
    ),
  ]
  if (largest) rows.push(await csv(portal, hand, headers, company))
  await hand.end()
  await portal.close()
  await database.drop()
  return rows
}

async function companyOf(portal: BenchPortal): Promise<number> {
  const { company } = await portal.post<{ company: { id: number } }>('return/company/id', { subdomain: 'maplegrove' })
  return company.id
}

/** A cursor in the middle of Maple Grove's payments, and the moment where it stands. */
async function middleOf(
  ask: (question: object) => Promise<Page>,
  payments: number,
): Promise<{ cursor: string | null; before: string }> {
  const half = Math.floor(payments / 5 / 2)
  const before = new Date(Date.now() - 365 * 86_400_000).toISOString()
  const { next } = await ask({ filters: { toDate: before.slice(0, 10) }, pageSize: Math.min(10, half) })
  return { cursor: next, before }
}

/** What the report asks, as somebody would by hand: a page, a count up to its cap, and the totals. */
async function byHand(
  client: pg.Client,
  company: number,
  { from, before }: { from?: string; before?: string },
): Promise<void> {
  const where = from ? `created_at >= '${from}'::date` : before ? `created_at < '${before}'::timestamptz` : 'true'
  await client.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
  await client.query(
    `SELECT * FROM payment_order WHERE company_id = $1 AND ${where} ORDER BY created_at DESC, id DESC LIMIT 11`,
    [company],
  )
  const counted = before ? 'true' : where
  await client.query(
    `SELECT count(*) FROM (SELECT 1 FROM payment_order WHERE company_id = $1 AND ${counted} LIMIT 1000) AS counted`,
    [company],
  )
  await client.query(
    `SELECT sum(CASE WHEN t.credit_account = 'payable_municipality' THEN t.amount_cents
                     WHEN t.debit_account = 'payable_municipality' THEN -t.amount_cents END),
       sum(CASE WHEN t.credit_account = 'fee_revenue' AND t.debit_account <> 'absorbed_fee' THEN t.amount_cents
                WHEN t.debit_account = 'fee_revenue' AND t.credit_account <> 'absorbed_fee' THEN -t.amount_cents END)
     FROM ledger_transfer t JOIN (SELECT id FROM payment_order WHERE company_id = $1 AND ${counted}) o ON o.id = t.order_id
     WHERE t.company_id = $1`,
    [company],
  )
  await client.query('COMMIT')
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** 100,000 rows as CSV, through the ticket and the portal's stream, against COPY of the same rows. */
async function csv(
  portal: BenchPortal,
  hand: pg.Client,
  headers: Record<string, string>,
  company: number,
): Promise<Row> {
  const { rows } = await hand.query(`SELECT 1`).then(async () => {
    await hand.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
    const found = await hand.query<{ at: string }>(
      `SELECT (created_at AT TIME ZONE 'America/New_York')::date::text AS at FROM payment_order WHERE company_id = $1
       ORDER BY created_at DESC, id DESC OFFSET 100000 LIMIT 1`,
      [company],
    )
    await hand.query('COMMIT')
    return found
  })
  const fromDate = rows[0]?.at ?? today()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as { port: number }
  let largest = 0
  const before = process.memoryUsage().rss
  const ours = async () => {
    const { url } = await portal.post<{ url: string }>(paymentReportCsv.path, { filters: { fromDate } }, headers)
    const { request } = await import('node:http')
    await new Promise<void>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: url, headers: { host: 'maplegrove.localhost' } },
        (answer) => {
          answer.on('data', () => (largest = Math.max(largest, process.memoryUsage().rss)))
          pipeline(answer, nowhere()).then(resolve, reject)
        },
      )
      sent.on('error', reject).end()
    })
  }
  const baseline = async () => {
    await hand.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
    const question = `SELECT id, created_at, payer_name, payer_email, account_number, method, means, location, status, return_code,
      bill_cents, fee_cents, total_cents, refunded_cents FROM payment_order
      WHERE company_id = ${company} AND created_at >= '${fromDate}'::date ORDER BY created_at DESC, id DESC`
    await pipeline(hand.query(copyTo(`COPY (${question}) TO STDOUT WITH (FORMAT csv, HEADER)`)), nowhere())
    await hand.query('COMMIT')
  }
  const times = await inTurns(5, ours, baseline)
  const grown = Math.round((largest - before) / 1_000_000)
  return rateRow(`CSV of 100,000 payments, rows (memory grew by ${grown} MB)`, 100_000, times, 0.5)
}
