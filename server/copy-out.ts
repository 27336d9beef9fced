import type { Readable } from 'node:stream'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { inlined } from './db/literal.ts'
import type { House } from './house.ts'
import type { CompanyId } from './tenancy.ts'

/** A question's answer as CSV, straight from COPY: the rows never pass through this process one by one, and memory stays flat. */
export async function copyOut(house: House, company: CompanyId, question: RawBuilder<unknown>): Promise<Readable> {
  const text = inlined(question)
  const client = await house.streams.connect()
  let open = true
  const leave = async (broken?: Error) => {
    if (!open) return
    open = false
    if (!broken) await client.query('COMMIT').catch(() => {})
    client.release(broken)
  }
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL app.company_id = '${Number(company)}'`)
    const stream = client.query(copyTo(`COPY (${text}) TO STDOUT WITH (FORMAT csv, HEADER)`))
    stream.once('end', () => void leave())
    // A browser that leaves in the middle leaves the connection in the middle of a COPY: it is closed, not reused.
    stream.once('close', () => void leave(new Error('the download ended early')))
    return stream as Readable
  } catch (error) {
    await leave(error instanceof Error ? error : new Error('the export failed'))
    throw error
  }
}

/** A cell that a spreadsheet would take for a formula is disarmed by an apostrophe. */
export const csvText = (column: RawBuilder<unknown>) =>
  sql`CASE WHEN ${column} ~ '^[=+@\\t\\r-]' THEN '''' || ${column} ELSE ${column} END`
