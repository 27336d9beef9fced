import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'
import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../../server/call.ts'
import { notFound } from '../../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../../server/limits.ts'
import type { RequestOf } from '../../../../shared/endpoint.ts'
import { dateIn } from '../../../../shared/dates.ts'
import { MAX_ZIPPED, zipSubmissions } from '../../contract-documents.ts'
import { numberOf, submissionStatus } from '../../rules.ts'
import type { Submission } from '../row.ts'
import { copyOf, render } from './print.ts'

/**
 * Number of submissions per transaction. Each batch has its own transaction, because the browser may pause between
 * batches.
 */
const BATCH_SIZE = 20
const zipsPerPerson = defineLimit('form-zips', { max: 20, after: 'pause' })

type ZipSubmissionsContext = Call<RequestOf<typeof zipSubmissions>>

const conditionOf = ({ body: { of } }: ZipSubmissionsContext) =>
  'ids' in of ? sql`s.id = ANY(${of.ids}::bigint[])` : sql`s.type_id = ${of.typeId}`

/** Reads the submissions in batches, oldest first. */
async function* submissionsOf(call: ZipSubmissionsContext) {
  const { id: company } = call.company
  for (let after = 0, left = MAX_ZIPPED; left > 0; left -= BATCH_SIZE) {
    // oxlint-disable-next-line no-await-in-loop -- reads the next batch only after the browser has received the last one
    const some = await call.reading(async (tx) => {
      const { rows } = await sql<Submission>`
        SELECT s.* FROM form_submission s WHERE s.company_id = ${company} AND s.status <> ${sql.lit(submissionStatus.draft)} AND s.id > ${after} AND ${conditionOf(call)}
        ORDER BY s.id LIMIT ${BATCH_SIZE}`.execute(tx)
      const printed = []
      // oxlint-disable-next-line no-await-in-loop -- a connection runs one query at a time
      for (const row of rows) printed.push({ id: row.id, of: await copyOf(tx, call, row) })
      return printed
    })
    yield* some
    const last = some.at(-1)
    if (!last || some.length < BATCH_SIZE) return
    after = last.id
  }
}

/**
 * Streams the zip in pieces on demand, so that memory holds only a few documents. Entries are stored uncompressed,
 * because PDFs are already compressed.
 */
async function* zipped(call: ZipSubmissionsContext): AsyncGenerator<Uint8Array> {
  const { company, context } = call
  let ready: Uint8Array[] = []
  let failed: Error | null = null
  const zip = new Zip((error, piece) => {
    if (error) failed = error
    else ready.push(piece)
  })
  for await (const { id, of } of submissionsOf(call)) {
    const file = new ZipPassThrough(`${numberOf(id)}.pdf`)
    file.mtime = context.clock.now()
    zip.add(file)
    file.push(await render(`${company.id}/zip ${signedIn(call).personId}`, company, of, context.clock.now()), true)
    if (failed) throw failed
    yield* ready
    ready = []
  }
  zip.end()
  yield* ready
}

export const zipSubmissionsCall = implement(
  zipSubmissions,
  async (call) => {
    const { company, context } = call
    await call.inCompany((tx) => call.audit(tx, { action: 'export.submissions', detail: { zip: call.body.of } }))
    const name = `form-submissions-${dateIn(company.timeZone, context.clock.now())}.zip`
    return { name, contentType: 'application/zip', stream: Readable.from(zipped(call), { objectMode: false }) }
  },
  // Checks the request before issuing the download token, because a started download can't report errors.
  async (call) => {
    await countAttempt(call.context, [zipsPerPerson(`${call.company.id}/${signedIn(call).personId}`)])
    const { rows } = await call.reading((tx) =>
      sql`SELECT FROM form_submission s WHERE s.company_id = ${call.company.id} AND s.status <> ${sql.lit(submissionStatus.draft)} AND ${conditionOf(call)} LIMIT 1`.execute(
        tx,
      ),
    )
    if (rows.length === 0) throw notFound('No submissions match. Choose other submissions to download.')
  },
)
