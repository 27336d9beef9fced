import { open } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Attachments, PART_BYTES } from '../../shared/attachments.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { tooLarge } from '../../shared/file-types.ts'
import { say } from '../../shared/messages.ts'
import { PLATFORM } from '../audit.ts'
import { type Call, implement, type Handler, type LargeUpload, type Upload } from '../call.ts'
import { conflict, malformed, notFound, Refusal } from '../errors.ts'
import type { FileOwner } from '../files.ts'
import { networkOf } from '../limits.ts'
import type { Tx } from '../tenancy.ts'
import { lockUntilCommit } from '../named-lock.ts'

/**
 * Lifetimes of an idle upload, in milliseconds. A guest's upload expires sooner, because it belongs to the form that is
 * open on their screen.
 */
const LIVES_MS = 24 * 3_600_000
const GUEST_LIVES_MS = 2 * 3_600_000
/**
 * Limits of pending guest uploads in bytes, for each IP address and for a municipality. Above the municipality's limit,
 * a new upload replaces the oldest upload of the address with the most bytes. This way, many addresses together can't
 * block an honest guest.
 */
export const MAX_GUEST_BYTES = 30_000_000
export const MAX_COMPANY_GUEST_BYTES = 1_000_000_000
/** Maximum number of pending uploads of one sender. A further upload replaces the oldest. */
const MAX_BATCH = 10

const GUEST = 'guest '
/** Returns the company and the owner of an upload. Only the owner can continue or use the upload. */
const uploadOwnerOf = (call: Call, scope: Endpoint['scope']): { company: FileOwner; owner: string } => ({
  company: scope === 'none' ? PLATFORM : call.company.id,
  owner: call.session ? `${call.session.kind} ${call.session.personId}` : `${GUEST}${networkOf(call.address)}`,
})

const isGuest = (owner: string) => owner.startsWith(GUEST)
const livesUntil = ({ context }: Call, owner: string) =>
  new Date(context.clock.now().getTime() + (isGuest(owner) ? GUEST_LIVES_MS : LIVES_MS))

const inScope = <T>(call: Call, company: FileOwner, work: (tx: Tx) => Promise<T>): Promise<T> =>
  company === PLATFORM ? call.context.acrossCompanies(work) : call.context.inCompany(company, work)

const gone = () => notFound('This upload has expired. Choose the file again.')
const goOnAt = (offset: number) => conflict('other_offset', say`Continue the upload at byte ${offset}.`, { offset })

/** Returns the calls that upload attachments of one type in parts. */
export const partCalls = (use: Attachments): Handler[] => [
  implement(use.start, async (call) => {
    const { key, name, bytes } = call.body
    if (bytes > use.maxBytes) throw new Refusal(413, 'too_large', tooLarge(use))
    const { company, owner } = uploadOwnerOf(call, use.start.scope)
    const expires_at = livesUntil(call, owner)
    const offset = await inScope(call, company, async (tx) => {
      const row = await tx
        .insertInto('upload')
        .values({ company_id: company, owner, key, kind: use.kind, name, bytes, expires_at })
        .onConflict((conflict) =>
          conflict
            .columns(['company_id', 'owner', 'key'])
            .doUpdateSet({ expires_at })
            .where('upload.kind', '=', use.kind)
            .where('upload.bytes', '=', bytes),
        )
        .returning('received')
        .executeTakeFirst()
      if (!row) throw conflict('other_file', 'This upload was started with a different file. Choose the file again.')
      await forgetOldest(tx, company, owner, key)
      if (isGuest(owner)) await limitGuests(tx, company, owner, key)
      return row.received
    })
    return { success: true as const, offset }
  }),
  implement(use.sendPart, async (call) => {
    const { key, offset } = call.body
    const { content } = call.file
    if (content.length === 0 || content.length > PART_BYTES)
      throw malformed('This part of the file is empty or too large. Choose the file again.')
    const { company, owner } = uploadOwnerOf(call, use.sendPart.scope)
    const received = await inScope(call, company, async (tx) => {
      const upload = await tx
        .selectFrom('upload')
        .select(['received', 'bytes'])
        .where(({ and }) => and({ company_id: company, owner, key }))
        .where('kind', '=', use.kind)
        .where('expires_at', '>', call.context.clock.now())
        .forUpdate()
        .executeTakeFirst()
      if (!upload) throw gone()
      const next = upload.received + content.length
      if (upload.received !== offset || next > upload.bytes) throw goOnAt(upload.received)
      await tx
        .insertInto('upload_part')
        .values({ company_id: company, owner, key, part_offset: offset, content })
        .execute()
      await tx
        .updateTable('upload')
        .set({ received: next, expires_at: livesUntil(call, owner) })
        .where(({ and }) => and({ company_id: company, owner, key }))
        .execute()
      return next
    })
    return { success: true as const, offset: received }
  }),
]

const forgetOldest = (tx: Tx, company: FileOwner, owner: string, but: string) =>
  tx
    .deleteFrom('upload')
    .where('company_id', '=', company)
    .where('owner', '=', owner)
    .where('key', 'in', (e) =>
      e
        .selectFrom('upload')
        .select('key')
        .where('company_id', '=', company)
        .where('owner', '=', owner)
        .where('key', '!=', but)
        .orderBy('expires_at', 'desc')
        .orderBy('key')
        .offset(MAX_BATCH - 1),
    )
    .execute()

/**
 * Enforces the limits of pending guest uploads. Counts the announced sizes, because a guest may send all announced
 * bytes without another check.
 */
async function limitGuests(tx: Tx, company: FileOwner, owner: string, but: string): Promise<void> {
  await lockUntilCommit(tx, 'upload', company)
  await sql`
    DELETE FROM upload u USING (
      SELECT key, sum(bytes) OVER (ORDER BY key <> ${but}, expires_at DESC, key) AS so_far FROM upload
      WHERE company_id = ${company} AND owner = ${owner}) AS o
    WHERE u.company_id = ${company} AND u.owner = ${owner} AND u.key = o.key AND u.key <> ${but} AND o.so_far > ${MAX_GUEST_BYTES}`.execute(
    tx,
  )
  const guests = sql`SELECT owner, key, expires_at, bytes FROM upload
    WHERE company_id = ${company} AND owner >= ${GUEST} AND owner < ${`${GUEST}~`}`
  for (;;) {
    const { rows } = await sql`
      WITH guest AS (${guests}), most AS (SELECT owner FROM guest GROUP BY owner ORDER BY sum(bytes) DESC, owner LIMIT 1)
      DELETE FROM upload u USING (
        SELECT owner, key FROM guest WHERE owner = (SELECT owner FROM most) AND (owner, key) <> (${owner}, ${but})
        ORDER BY expires_at, key LIMIT 1) AS oldest
      WHERE (SELECT sum(bytes) FROM guest) > ${MAX_COMPANY_GUEST_BYTES} AND u.company_id = ${company} AND u.owner = oldest.owner AND u.key = oldest.key
      RETURNING u.key`.execute(tx)
    if (rows.length === 0) return
  }
}

interface UploadRef {
  scope: Endpoint['scope']
  kind: string
}

/** Finds an upload with all its parts. @throws 404 if unknown, 409 if a part is missing */
async function findWhole(tx: Tx, call: Call, { scope, kind }: UploadRef, key: string) {
  const { company, owner } = uploadOwnerOf(call, scope)
  const upload = await tx
    .selectFrom('upload')
    .select(['name', 'bytes', 'received'])
    .where(({ and }) => and({ company_id: company, owner, key, kind }))
    .executeTakeFirst()
  if (!upload) throw gone()
  if (upload.received !== upload.bytes) throw goOnAt(upload.received)
  const parts = tx
    .selectFrom('upload_part')
    .where(({ and }) => and({ company_id: company, owner, key }))
    .orderBy('part_offset')
  return { ...upload, parts }
}

/** Joins a file that was sent in parts, for the call that uses it. @throws 404 if unknown, 409 if a part is missing */
export const sentInParts = (call: Call, use: UploadRef, key: string): Promise<Upload> =>
  inScope(call, uploadOwnerOf(call, use.scope).company, async (tx) => {
    const { name, parts } = await findWhole(tx, call, use, key)
    const all = await parts.select('content').execute()
    return { name, content: Buffer.concat(all.map(({ content }) => content)) }
  })

/** Joins the parts of a large file on disk, one by one, so that the whole file is never in memory. */
export const writeParts = (call: Call, use: UploadRef, key: string, storedAs: string): Promise<LargeUpload> =>
  inScope(call, uploadOwnerOf(call, use.scope).company, async (tx) => {
    const { name, bytes, parts } = await findWhole(tx, call, use, key)
    const offsets = await parts.select('part_offset').execute()
    const file = await open(storedAs, 'w', 0o600)
    try {
      for (const { part_offset } of offsets) {
        const { content } = await parts
          .where('part_offset', '=', part_offset)
          .select('content')
          .executeTakeFirstOrThrow()
        await file.writeFile(content)
      }
    } finally {
      await file.close()
    }
    return { name, path: storedAs, bytes }
  })

/**
 * Deletes the parts after a call has used their file. If the call refuses the file, the parts stay for another attempt.
 */
export async function forgetParts(call: Call, scope: Endpoint['scope'], key: string): Promise<void> {
  const { company, owner } = uploadOwnerOf(call, scope)
  await inScope(call, company, (tx) =>
    tx
      .deleteFrom('upload')
      .where(({ and }) => and({ company_id: company, owner, key }))
      .execute(),
  )
}
