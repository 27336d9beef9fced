import { request } from 'node:http'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { paymentReport } from '../features/payment-report/list.ts'
import { inTurns, rateRow, type Row } from './measure.ts'
import type { BenchPortal } from './environment.ts'

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Starts the portal's HTTP server for downloads and discards the downloaded data. `grown` returns the memory growth in
 * MB.
 */
export async function downloadsOf(portal: BenchPortal, headers: Record<string, string>) {
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as { port: number }
  const before = process.memoryUsage().rss
  let largest = before
  const take = async (path: string, body: object) => {
    const { url } = await portal.post<{ url: string }>(path, body, headers)
    await new Promise<void>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: url, headers: { host: 'maplegrove.localhost' } },
        (response) => {
          response.on('data', () => (largest = Math.max(largest, process.memoryUsage().rss)))
          pipeline(response, nowhere()).then(resolve, reject)
        },
      )
      sent.on('error', reject).end()
    })
  }
  return { take, grown: () => Math.round((largest - before) / 1_000_000) }
}

/** Runs COPY of a query and discards its output. */
export const copied = (client: pg.Client, question: string): Promise<void> =>
  pipeline(client.query(copyTo(`COPY (${question}) TO STDOUT WITH (FORMAT csv, HEADER)`)), nowhere())

/** Measures a CSV download of 100,000 rows, including the download link. Compares it with COPY of the same rows. */
export async function csvOfPayments(
  portal: BenchPortal,
  client: pg.Client,
  headers: Record<string, string>,
  company: number,
): Promise<Row> {
  const { rows } = await client.query<{ day: string }>(
    `SELECT (created_at AT TIME ZONE 'America/New_York')::date::text AS day FROM payment_order WHERE company_id = $1
     ORDER BY created_at DESC, id DESC OFFSET 100000 LIMIT 1`,
    [company],
  )
  const fromDate = rows[0]?.day ?? ''
  const { take, grown } = await downloadsOf(portal, headers)
  const question = `SELECT id, created_at, payer_name, payer_email, reference, method, method_label, location, status, return_code,
    bill_cents, fee_cents, total_cents, refunded_bill_cents, refunded_fee_cents, net_bill_cents, net_fee_cents FROM payment_order
    WHERE company_id = ${company} AND created_at >= '${fromDate}'::date ORDER BY created_at DESC, id DESC`
  const times = await inTurns(
    5,
    () => take(paymentReport.csv?.call.path ?? '', { filters: { fromDate } }),
    () => copied(client, question),
  )
  return rateRow(`CSV of 100,000 payments, rows (memory grew by ${grown()} MB)`, 100_000, times, 0.5)
}
