import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { BYTE_ORDER_MARK, csvTextOf, FORMULA_STARTS } from '../shared/csv.ts'
import { dateIn } from '../shared/dates.ts'
import type { RequestOf, Endpoint } from '../shared/endpoint.ts'
import { type Call, type Download, implement, type Handler, signedIn } from './call.ts'
import { translated } from '../shared/messages.ts'
import { inlined } from './db/literal.ts'
import type { Company } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { countAttempt, defineLimit } from './limits.ts'
import { startStream } from './tenancy.ts'

/** Rate limit for exports by one person in ten minutes, because each export may read all rows of a company. */
const exportsPerPerson = defineLimit('export', {
  max: 30,
  minutes: 10,
  after: 'pause',
  text: 'You have exported 30 files in the last 10 minutes.',
})

interface Export {
  /** Company of the rows. Null for a query over all companies, by a named feature of the administrator portal. */
  company: Company | null
  /** First part of the file name, such as `payments` in `payments-maplegrove-2026-11-21.csv`. */
  subject: string
  /**
   * Period in the file name, so that exports of two different months on the same day get different names. Default: the
   * day of the export.
   */
  period?: { fromDate: string; toDate: string }
  /** SQL query that returns the rows. Its column names become the header. */
  question: RawBuilder<unknown>
  /**
   * True for a file that a program imports, such as accounting software. The file then has no byte order mark, because
   * some programs read the mark as part of the header.
   */
  isForPrograms?: true
}

/**
 * Defines a call that returns a CSV file. Every CSV export uses this function, so that the export limit covers all
 * exports.
 */
export const implementCsv = <E extends Endpoint>(
  endpoint: E,
  load: (call: Call<RequestOf<E>>) => Promise<Export>,
): Handler =>
  implement<Endpoint>(
    endpoint,
    async (call) => csvOf(call.context, await load(call as Call<RequestOf<E>>)),
    // Runs before the browser starts the download, while the page can still show an error message.
    async (call) => {
      const { kind, personId } = signedIn(call)
      await countAttempt(call.context, [exportsPerPerson(`${kind} ${personId}`)])
    },
  )

/**
 * Streams the result of a query over one company's rows directly from COPY, so that memory use stays constant. This
 * process never handles individual rows.
 */
async function csvOf(
  context: AppContext,
  { company, subject, period, question, isForPrograms }: Export,
): Promise<Download> {
  const days = period
    ? [...new Set([period.fromDate, period.toDate])].join('-to-')
    : dateIn(company?.timeZone ?? 'UTC', context.clock.now())
  const name = `${subject}-${company?.subdomain ?? 'platform'}-${days}.csv`
  const text = inlined(question)
  const client = await (company ? context.streams : context.platformStreams).connect()
  let open = true
  const leave = async (failure?: Error) => {
    if (!open) return
    open = false
    if (!failure) await client.query('COMMIT').catch(() => {})
    client.release(failure)
  }
  try {
    await client.query(startStream(company?.id ?? null))
    const stream = client.query(copyTo(`COPY (${text}) TO STDOUT WITH (FORMAT csv, HEADER)`))
    stream.once('end', () => void leave())
    stream.once('error', (error) => void leave(error))
    // If the browser disconnects early, the database connection is still in COPY mode. So the connection is closed
    // instead of returned to the pool.
    stream.once('close', () => void leave(new Error('the download ended early')))
    return {
      name,
      contentType: 'text/csv; charset=utf-8',
      stream: isForPrograms ? stream : Readable.from(withMark(stream)),
    }
  } catch (error) {
    await leave(error instanceof Error ? error : new Error('the export failed'))
    throw error
  }
}

/** Returns a small CSV file from its rows, with the same protection from formulas. */
export const csvFileOf = (name: string, rows: readonly (readonly string[])[]): Download => ({
  name,
  contentType: 'text/csv; charset=utf-8',
  stream: Readable.from([csvTextOf(rows)]),
})

async function* withMark(stream: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK)
  yield* stream as AsyncIterable<Buffer>
}

/** The SQL compares code points, which takes half the time of a pattern. */
const FORMULA = sql.join([...FORMULA_STARTS].map((character) => sql.lit(character.codePointAt(0))))

/**
 * Returns SQL that makes text safe for a CSV file. If a spreadsheet would read the cell as a formula, the SQL adds an
 * apostrophe. It also recognizes full-width signs.
 */
export const csvText = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN ascii(${value}) IN (${FORMULA}) THEN '''' || (${value}) ELSE ${value} END`

/**
 * Returns a safe column name for the header of a CSV. Staff define some of the names, so they could contain formulas.
 */
export const csvHead = (label: string): RawBuilder<unknown> =>
  sql.id(FORMULA_STARTS.includes(label.charAt(0)) ? `'${label}` : label)

/** Returns SQL that converts a column's codes to labels for a CSV. */
export const csvLabels = (
  column: string | RawBuilder<unknown>,
  from: Readonly<Record<string | number, string>>,
): RawBuilder<string> => {
  const value = typeof column === 'string' ? sql.ref(column) : column
  const cases = Object.entries(from).map(([code, label]) =>
    /^\d+$/.test(code)
      ? sql`WHEN ${Number(code)} THEN ${translated(label)}`
      : sql`WHEN ${code} THEN ${translated(label)}`,
  )
  return sql<string>`CASE ${value} ${sql.join(cases, sql` `)} END`
}

/** Returns SQL that converts integer cents, or a sum of cents, to dollars. */
export const csvDollars = (cents: string | RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`((${typeof cents === 'string' ? sql.ref(cents) : cents}) * 0.01)::text`
