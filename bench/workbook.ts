import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { harborCity } from '../database/towns/harbor-city.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { workbookOf } from '../server/write-workbook.ts'
import { openTestCompany } from '../test/company.ts'
import { tenantTables } from '../test/catalog.ts'
import { p95, type Row, timed, timeRow } from './measure.ts'
import type { BenchEnvironment } from './environment.ts'
import { portalProcess } from './portal-process.ts'

export const ROWS = 100_000
const ERRORS = 60
const SECOND = 1000
/** Limits of an import of 100,000 rows. Memory in MB. */
export const LIMITS = { preview: 60 * SECOND, import: 120 * SECOND, undo: 120 * SECOND, memory: 200, delay: 100 }
const PAGE_EVERY_MS = 100
const POLL_MS = 200
const HEAD =
  'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1,service_2,amount_2'

/** Builds a workbook with 60 rows with errors: their ZIP codes lack a digit. */
function workbook(): Buffer {
  const rowOf = (n: number) =>
    `5${n},Customer ${n},${n} Elm Street,Maple Grove,PA,${n % (ROWS / ERRORS) < 1 ? '1701' : '17011'},F${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,${40 + (n % 60)}.25,Sewer,31.10`
  return workbookOf([HEAD, ...Array.from({ length: ROWS }, (_, n) => rowOf(n))].map((line) => line.split(',')))
}

/**
 * Imports a workbook of 100,000 rows in a portal as in production. Corrects the rows with errors, imports them again and
 * undoes both imports. Compares each time with its limit, and another municipality's pages with those before the import.
 * @throws if the tables differ after the undo
 */
export async function workbooks(environment: BenchEnvironment): Promise<Row[]> {
  const file = workbook()
  const portal = await portalProcess(environment, {
    prepare: async ({ pools: db }) =>
      void (await openTestCompany({ db, clock: { now: () => new Date() } }, harborCity)),
  })
  const owner = new pg.Pool({ connectionString: portal.url, max: 1 })
  try {
    const staff = await staffOf(portal.port)
    const watch = watchPages(portal.port)
    await wait(10 * SECOND)
    const alone = watch.take()
    const before = await checksums(owner)
    const memory = watchProcesses(`PPid:\t${portal.pid}`)
    const first = await staff.preview('november.xlsx', file)
    const imported = await staff.import(first.fileId)
    if (first.errorCount !== ERRORS) throw new Error(`${first.errorCount} rows have errors`)
    const corrected = Buffer.from((await staff.errors(first.fileId)).replaceAll(',1701,', ',17011,'))
    const second = await staff.preview('corrections.csv', corrected)
    if (second.errorCount > 0) throw new Error(`${second.errorCount} corrected rows have errors`)
    const again = await staff.import(second.fileId)
    const undo = await timed(async () => {
      await staff.undo(again.importId)
      await staff.undo(imported.importId)
    })
    const grown = memory.stop()
    const among = watch.stop()
    const changed = Object.entries(await checksums(owner)).filter(([name, sum]) => before[name] !== sum)
    if (changed.length > 0) throw new Error(`tables differ after the undo: ${changed.map(([name]) => name).join(', ')}`)
    return [
      timeRow(
        'preview of 100,000 rows of a workbook, against its limit',
        { ours: first.ms, baseline: LIMITS.preview },
        1,
      ),
      timeRow('import of these rows, against its limit', { ours: imported.ms, baseline: LIMITS.import }, 1),
      timeRow('undo of these rows, against its limit', { ours: undo, baseline: LIMITS.undo }, 1),
      {
        what: 'growth of the worker in this time, against its limit',
        ...{ ours: `${grown} MB`, baseline: `${LIMITS.memory} MB`, ratio: grown / LIMITS.memory, goal: { max: 1 } },
      },
      timeRow(
        'p95 of another page in this time, against 100 ms more than alone',
        { ours: among, baseline: alone + LIMITS.delay },
        1,
      ),
    ]
  } finally {
    await owner.end()
    await portal.stop()
  }
}

interface BillingFile {
  state: string
  problem: string
  errorCount: number
  undoableImport: number
}

/** Returns a function that makes calls as a staff member of Maple Grove. */
export async function staffCalls(port: number) {
  const send = async <T>(path: string, body: object, token = ''): Promise<T> => {
    const sent = body instanceof FormData ? new Response(body) : Response.json(body)
    const payload = Buffer.from(await sent.arrayBuffer())
    const headers = { authorization: `Bearer ${token}`, 'content-type': sent.headers.get('content-type') ?? '' }
    const response = await http(port, { path: `/api/v2/${path}`, method: 'POST', headers }, payload)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${response.text.slice(0, 300)}`)
    return JSON.parse(response.text) as T
  }
  const { company } = await send<{ company: { id: number } }>('return/company/id', { subdomain: 'maplegrove' })
  const body = { companyId: company.id, email: 'admin@maplegrove.example', password: DEMO_PASSWORD }
  const { token } = await send<{ token: string }>('login', body)
  return <T>(path: string, input: object) => send<T>(path, input, token)
}

/** Calls of a staff member for billing files. */
async function staffOf(port: number) {
  const post = await staffCalls(port)
  const until = async (fileId: number, state: string): Promise<BillingFile> => {
    for (;;) {
      const file = await post<BillingFile>('muni/return/billing/file', { fileId })
      if (file.state === state) return file
      if (['refused', 'mapping'].includes(file.state)) throw new Error(`the file is ${file.state}: ${file.problem}`)
      await wait(POLL_MS)
    }
  }
  return {
    preview: async (name: string, content: Buffer) => {
      const from = performance.now()
      const form = new FormData()
      form.append('file', new File([new Uint8Array(content)], name))
      const { fileId } = await post<{ fileId: number }>('muni/preview/bills', form)
      const { errorCount } = await until(fileId, 'previewed')
      return { fileId, errorCount, ms: performance.now() - from }
    },
    import: async (fileId: number) => {
      const from = performance.now()
      await post('muni/change/billing/file', { fileId, event: 'import' })
      const { undoableImport: importId } = await until(fileId, 'imported')
      return { importId, ms: performance.now() - from }
    },
    errors: async (fileId: number) => {
      const { url } = await post<{ url: string }>('muni/download/billing/errors', { fileId })
      return (await http(port, { path: url })).text
    },
    undo: (importId: number) => post('muni/undo/import', { importId }),
  }
}

interface HttpInput {
  path: string
  method?: string
  headers?: Record<string, string>
  host?: string
}

async function http(
  port: number,
  { path, method = 'GET', headers = {}, host = 'maplegrove.localhost' }: HttpInput,
  body?: Buffer,
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { ...headers, host } }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Opens a page of another municipality ten times a second, and returns the p95 of the times. */
export function watchPages(port: number): { take(): number; stop(): number } {
  let times: number[] = []
  const load = async () => {
    const from = performance.now()
    const { status } = await http(port, { path: '/', host: 'harborcity.localhost' })
    if (status === 200) times.push(performance.now() - from)
  }
  const watch = setInterval(() => void load(), PAGE_EVERY_MS)
  const take = () => {
    const taken = p95(times)
    times = []
    return taken
  }
  return {
    take,
    stop: () => {
      clearInterval(watch)
      return take()
    },
  }
}

/** Watches the memory of the processes with this line in their status. Returns its growth in MB. */
export function watchProcesses(line: string): { stop(): number } {
  const statusOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8')
    } catch {
      return ''
    }
  }
  const sample = () =>
    readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .map(statusOf)
      .filter((status) => status.includes(`\n${line}\n`))
      .reduce((sum, status) => sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000, 0)
  const start = sample()
  let peak = start
  const watch = setInterval(() => (peak = Math.max(peak, sample())), 250)
  return {
    stop: () => {
      clearInterval(watch)
      return Math.round(peak - start)
    },
  }
}

/**
 * Tables that record the work itself, and tables of jobs for the payment provider, which does not run here. A job counts the
 * daily figures at its own times.
 */
const RECORDS =
  /^(?:audit_|session$|data_import$|import_|billing_file|last_change$|download_token$|attachment$|upload|view_log$|idempotency_key$|email_outbox$|payment_outage$|provider_onboarding$|daily_figure$|figure_progress$)/

async function checksums(owner: pg.Pool): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const name of await tenantTables(owner)) {
    if (RECORDS.test(name)) continue
    const some = name === 'status_history' ? `WHERE machine NOT IN ('billing_file', 'provider_onboarding')` : ''
    const { rows } = await owner.query<{ sum: string }>(
      `SELECT coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '') AS sum FROM ${name} t ${some}`,
    )
    sums[name] = createHash('sha256')
      .update(rows[0]?.sum ?? '')
      .digest('hex')
  }
  return sums
}
