import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { dateIn } from '../shared/dates.ts'
import type { RequestOf, Endpoint } from '../shared/endpoint.ts'
import { type Call, type Download, implement, type Handler, signedIn } from './call.ts'
import { translated } from '../shared/words.ts'
import { inlined } from './db/literal.ts'
import type { Company } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { countTry, defineLimit } from './limits.ts'
import { beginStream } from './tenancy.ts'

/** So many files one person makes in ten minutes: each may walk through all of a town's rows. */
const exportsPerPerson = defineLimit('export', {
  most: 30,
  minutes: 10,
  after: 'pause',
  says: 'You have exported 30 files within 10 minutes.',
})

/** What a file is made of. */
interface Export {
  /** Without a company it is a query over all towns, of a named feature of the administrator portal. */
  company: Company | null
  /** Begins the file's name: `payments-maplegrove-2026-11-21.csv`. */
  subject: string
  /** Its days, where it is of some: two months exported on one day are two names. Else the day on which it is made. */
  period?: { fromDate: string; toDate: string }
  /** The columns' names are the head. */
  question: RawBuilder<unknown>
  /** True for a file that a program imports, such as accounting software: some take the byte order mark for a part of the head. */
  isForPrograms?: true
}

/** Excel reads a CSV without it as Windows-1252, and shows `JosÃ©`. */
const BYTE_ORDER_MARK = '\uFEFF'

/** A call that answers a CSV file. There is no other way to one, so that all of them are limited here. */
export const implementCsv = <E extends Endpoint>(
  endpoint: E,
  ask: (call: Call<RequestOf<E>>) => Promise<Export>,
): Handler =>
  implement<Endpoint>(
    endpoint,
    async (call) => csvOf(call.context, await ask(call as Call<RequestOf<E>>)),
    // Before the browser leaves for the file, where a refusal can still be read.
    async (call) => {
      const { kind, personId } = signedIn(call)
      await countTry(call.context, [exportsPerPerson(`${kind} ${personId}`)])
    },
  )

/**
 * A query over one town's rows as a file, straight from COPY: the rows never pass through this process one by one, and
 * memory stays flat.
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
  const leave = async (broken?: Error) => {
    if (!open) return
    open = false
    if (!broken) await client.query('COMMIT').catch(() => {})
    client.release(broken)
  }
  try {
    await client.query(beginStream(company?.id ?? null))
    const stream = client.query(copyTo(`COPY (${text}) TO STDOUT WITH (FORMAT csv, HEADER)`))
    stream.once('end', () => void leave())
    stream.once('error', (error) => void leave(error))
    // A browser that leaves in the middle leaves the connection in the middle of a COPY: it is closed, not reused.
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

async function* withMark(stream: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK)
  yield* stream as AsyncIterable<Buffer>
}

/** How a formula begins, by its first character: a comparison of numbers takes half the time of a pattern. */
const FORMULA_STARTS = '=+-@\t\r\n＝＋－＠'
const FORMULA = sql.join([...FORMULA_STARTS].map((character) => sql.lit(character.codePointAt(0))))

/** A text for a CSV: a cell that a spreadsheet would take for a formula, by full-width signs too, is disarmed by an apostrophe. */
export const csvText = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN ascii(${value}) IN (${FORMULA}) THEN '''' || (${value}) ELSE ${value} END`

/** Name of a column for the head of a CSV, disarmed like a cell: staff define some of them. */
export const csvHead = (label: string): RawBuilder<unknown> =>
  sql.id(FORMULA_STARTS.includes(label.charAt(0)) ? `'${label}` : label)

/** A column's codes as their labels, for a CSV. */
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

/** A column of integer cents, or a sum of them, as dollars. */
export const csvDollars = (cents: string | RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`((${typeof cents === 'string' ? sql.ref(cents) : cents}) * 0.01)::text`
