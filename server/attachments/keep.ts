import { sql } from 'kysely'
import type { Attachments } from '../../shared/attachments.ts'
import type { RequestOf, Endpoint } from '../../shared/endpoint.ts'
import { plural, say } from '../../shared/messages.ts'
import { auditCompanyOrPlatform, type Actor, PLATFORM } from '../audit.ts'
import { type Call, type Download, implement, type Handler } from '../call.ts'
import { conflict, notFound, Refusal, rejected } from '../errors.ts'
import type { FileOwner } from '../files.ts'
import type { AppContext } from '../app-context.ts'
import { countAttempt, defineAddressLimit } from '../limits.ts'
import type { Tx } from '../tenancy.ts'
import { lockUntilCommit } from '../named-lock.ts'
import { validateFile, type CheckedFile } from './validate.ts'
import { type Content, ScannerAway, type ScanResult } from './scanner.ts'

const DAY_MS = 86_400_000

/**
 * Unit of the upload limit for guests, in bytes. Each IP address can upload 150 MB a day. Files that are never used
 * count too.
 */
const BYTES_OF_ONE = 100_000
const guestBytes = defineAddressLimit('guest-file-bytes', {
  max: 1500,
  minutes: 1440,
  after: 'pause',
  text: 'Too many large files were uploaded from your internet connection today.',
})
/**
 * Maximum total size, in bytes, of one municipality's guest files that no message refers to yet. Above the limit, a new
 * file replaces the oldest files.
 */
const UNSENT_BYTES = 2_000_000_000

const INFECTED = 'The virus scanner found a problem and rejected this file. Choose another file.'
const TOO_LARGE = 'This file is too large for the virus scanner. Choose a smaller file.'
const NOT_CHECKED = 'Files cannot be checked for viruses right now. Try again in a few minutes.'

/** Sender of a file: a call, or the portal itself, for example when it imports billing files. */
export type Sender = Actor & { context: AppContext }

/** File that passed its checks and is stored, but has no database row yet. `attach` adds the row. */
export interface ReceivedFile extends Omit<CheckedFile, 'content' | 'contentType'> {
  use: Pick<Attachments, 'kind' | 'subject' | 'maxFiles' | 'keepDays'>
  contentType: string
  owner: FileOwner
  path: string
  bytes: number
  sha256: Buffer
  state: 'clean' | 'waiting'
  call: Sender
}

/**
 * Checks, scans and stores a file, then runs `work`, which attaches the file. If `work` fails, removes the file. If the
 * scanner is unavailable, stores the file for a later scan. `keepsPosition` means that the person agreed to store the
 * photo's location.
 */
export async function receiveFile<T>(
  call: Call,
  use: Attachments,
  owner: FileOwner,
  work: (received: ReceivedFile) => Promise<T>,
  { keepsPosition = false } = {},
): Promise<T> {
  const { context, file } = call
  if (!call.session)
    await countAttempt(context, [
      { ...guestBytes(call.address), weight: Math.ceil(file.content.length / BYTES_OF_ONE) },
    ])
  const storesPosition = use.needsPosition === true && keepsPosition
  const { content, ...checked } = await validateFile(
    { ...use, keepsPosition: storesPosition, caller: String(owner) },
    file,
  )
  const state = await scanFile(call, use, owner, { name: checked.name, content })
  const { path, bytes, sha256 } = await context.files.write(owner, content)
  try {
    return await work({ ...checked, use, owner, path, bytes, sha256, state, call })
  } catch (error) {
    await context.files.remove(path)
    throw error
  }
}

/**
 * Scans a file for viruses. If the scanner is unavailable, the file waits for a later scan, or is refused if `use`
 * needs an immediate scan. Files above the scanner's limit (`StreamMaxLength` of clamd) are refused, because the
 * scanner can't check the complete file.
 * @throws 422 if the file is infected, 413 if it is too large, 503 if it can't wait for the scanner
 */
export async function scanFile(
  call: Sender,
  use: Pick<Attachments, 'kind' | 'needsImmediateScan'>,
  owner: FileOwner,
  { name, content }: { name: string; content: Content },
): Promise<'clean' | 'waiting'> {
  const scanResult = await scanContent(call.context, content)
  if (scanResult === 'away' && use.needsImmediateScan) throw new Refusal(503, 'scanner_away', NOT_CHECKED)
  if (scanResult === 'away') return 'waiting'
  if ('tooLarge' in scanResult) throw new Refusal(413, 'too_large', TOO_LARGE)
  if ('clean' in scanResult) return 'clean'
  await auditRefusal(call, use, owner, { name, finding: scanResult.finding })
  throw rejected(INFECTED, { file: INFECTED })
}

async function scanContent({ scanner, log }: AppContext, content: Content): Promise<ScanResult | 'away'> {
  try {
    return await scanner.scan(content)
  } catch (error) {
    if (!(error instanceof ScannerAway)) throw error
    log.warn({ err: error }, 'a file waits for the virus scanner')
    return 'away'
  }
}

/** Audits a refused file. Uses a separate transaction, because the caller's transaction rolls back. */
const auditRefusal = (
  call: Sender,
  use: Pick<Attachments, 'kind'>,
  owner: FileOwner,
  { name, finding }: { name: string; finding: string },
) =>
  call.context.acrossCompanies((tx) =>
    auditCompanyOrPlatform(tx, call.context.clock, owner === PLATFORM ? null : owner, call, {
      action: 'attachment.refused',
      detail: { kind: use.kind, file: name, finding },
    }),
  )

/**
 * Attaches a received file to a subject by adding its database row. Locks the subject's files until the transaction
 * ends.
 * @returns Id and position of the file
 * @throws 422 if the subject has too many files
 */
export async function attach(tx: Tx, received: ReceivedFile, subjectId: number): Promise<{ id: string; nth: number }> {
  const { use, owner, call, name, contentType, bytes, sha256, path, preview, state, takenAt } = received
  const now = call.context.clock.now()
  await lockUntilCommit(tx, 'attachment', owner, use.subject, subjectId)
  const { last, count } = await ofSubject(tx, use, owner, subjectId)
    .select((e) => [e.fn.max('nth').as('last'), e.fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  if (Number(count) >= use.maxFiles) throw tooManyFiles(use, count)
  if (use.keepDays && !call.session && call.kind !== 'system') await limitUnsent(tx, owner, bytes, now)
  return tx
    .insertInto('attachment')
    .values({
      company_id: owner,
      kind: use.kind,
      subject_kind: use.subject,
      subject_id: subjectId,
      nth: Number(last ?? 0) + 1,
      name,
      content_type: contentType,
      bytes,
      sha256,
      path,
      preview,
      state,
      taken_lat: takenAt?.lat ?? null,
      taken_lon: takenAt?.lon ?? null,
      created_at: now,
      created_by_kind: call.session?.kind ?? call.kind ?? 'guest',
      created_by: call.session?.personId ?? null,
      scanned_at: state === 'clean' ? now : null,
      expires_at: use.keepDays ? new Date(now.getTime() + use.keepDays * DAY_MS) : null,
    })
    .returning(['id', 'nth'])
    .executeTakeFirstOrThrow()
}

/**
 * Expires the oldest guest files that no message refers to, to make room for the new one. The retention job deletes
 * expired files.
 */
async function limitUnsent(tx: Tx, owner: FileOwner, bytes: number, now: Date): Promise<void> {
  await lockUntilCommit(tx, 'attachment', owner, 'guests')
  await sql`
    UPDATE attachment a SET expires_at = ${now} FROM (
      SELECT id, sum(bytes) OVER (ORDER BY created_at DESC, id) AS so_far FROM attachment
      WHERE company_id = ${owner} AND created_by_kind = 'guest' AND expires_at > ${now} AND subject_kind LIKE '%unsent') AS o
    WHERE a.company_id = ${owner} AND a.id = o.id AND o.so_far > ${UNSENT_BYTES - bytes}`.execute(tx)
}

const ofSubject = (tx: Tx, use: Pick<Attachments, 'kind' | 'subject'>, owner: FileOwner, subjectId: number) =>
  tx
    .selectFrom('attachment')
    .where('company_id', '=', owner)
    .where('subject_kind', '=', use.subject)
    .where('subject_id', '=', subjectId)
    .where('kind', '=', use.kind)

const tooManyFiles = ({ maxFiles }: Pick<Attachments, 'maxFiles'>, count: number) =>
  rejected(say`You can attach up to ${plural(maxFiles, 'one file', '# files')} here. Files already attached: ${count}.`)

/** Builds the response of a call that accepts a file (`uploadedFile` in shared/attachments.ts). */
export const uploadResponse = (id: string, received: ReceivedFile) => ({
  success: true as const,
  file_id: id,
  path: previewOf(received) ?? '',
  name: received.name,
})

/**
 * Moves the files of a subject to another subject.
 * @throws 422 if the new subject would exceed its maximum number of files
 */
export async function moveFiles(
  tx: Tx,
  { from, id: fromId }: { from: Attachments; id: number },
  { to, id: toId }: { to: Attachments; id: number },
  owner: FileOwner,
): Promise<void> {
  await lockUntilCommit(tx, 'attachment', owner, to.subject, toId)
  const { last, count } = await ofSubject(tx, to, owner, toId)
    .select((e) => [e.fn.max('nth').as('last'), e.fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  const files = await ofSubject(tx, from, owner, fromId).select('id').orderBy('nth').execute()
  if (Number(count) + files.length > to.maxFiles) throw tooManyFiles(to, count)
  for (const [n, { id }] of files.entries())
    await tx
      .updateTable('attachment')
      .set({ kind: to.kind, subject_kind: to.subject, subject_id: toId, nth: Number(last ?? 0) + 1 + n })
      .where('company_id', '=', owner)
      .where('id', '=', id)
      .execute()
}

/** Deletes the rows of all files of a subject. @returns the paths to remove from the store after the commit */
export const detachAll = (tx: Tx, use: Attachments, owner: FileOwner, subjectId: number) =>
  tx
    .deleteFrom('attachment')
    .where('company_id', '=', owner)
    .where('subject_kind', '=', use.subject)
    .where('subject_id', '=', subjectId)
    .where('kind', '=', use.kind)
    .returning('path')
    .execute()

/**
 * Removes files from the store after their rows were deleted. If a removal fails, the log records the failure. The
 * leftover file does no harm.
 */
export async function removeFiles({ files, log }: AppContext, rows: readonly { path: string | null }[]): Promise<void> {
  for (const { path } of rows)
    if (path !== null)
      await files
        .remove(path)
        .catch((error: unknown) => log.warn({ err: error, path }, 'a removed file stays in the store'))
}

/** Finds one file of a subject. @throws 404 if it does not exist */
export async function findFile(
  tx: Tx,
  use: Pick<Attachments, 'kind' | 'subject'>,
  owner: FileOwner,
  subjectId: number,
  nth: number,
) {
  const file = await ofSubject(tx, use, owner, subjectId)
    .where('nth', '=', nth)
    .select(['path', 'name', 'content_type', 'state', 'preview'])
    .executeTakeFirst()
  if (!file) throw notFound('This file was not found.')
  return file
}
type StoredFile = Awaited<ReturnType<typeof findFile>>

/** Finds a file by its id, for a caller that has checked access. @throws 404 if it does not exist */
export async function findFileById(tx: Tx, use: Attachments, owner: number, id: string): Promise<StoredFile> {
  const file = await tx
    .selectFrom('attachment')
    .where('company_id', '=', owner)
    .where('kind', '=', use.kind)
    .where('id', '=', id)
    .select(['path', 'name', 'content_type', 'state', 'preview'])
    .executeTakeFirst()
  if (!file) throw notFound('This file was not found.')
  return file
}

/** Returns the path of a file. @throws 409 while the scan is pending, 404 if the file was refused */
export function expectReady({ state, path, name }: StoredFile): string {
  if (state === 'waiting')
    throw conflict('not_checked', say`${name} is still being checked for viruses. Try again in a few minutes.`)
  if (path === null) throw notFound(say`The virus scanner rejected ${name}, so the file is not available.`)
  return path
}

/** Returns the file as a browser download. @throws as `expectReady` */
export function downloadOf({ files }: AppContext, storedFile: StoredFile): Download {
  const path = expectReady(storedFile)
  const { name, content_type } = storedFile
  return { name, contentType: content_type, stream: files.read(path) }
}

/**
 * Defines a call that downloads one file. If the file is not ready, refuses the call before issuing the download token,
 * so that the person can still read the reason.
 */
export const fileCall = <E extends Endpoint>(
  endpoint: E,
  find: (call: Call<RequestOf<E>>) => Promise<StoredFile>,
): Handler =>
  implement<Endpoint>(
    endpoint,
    async (call) => downloadOf(call.context, await find(call as Call<RequestOf<E>>)),
    async (call) => void expectReady(await find(call as Call<RequestOf<E>>)),
  )

/** Returns the thumbnail as a data URL. Null if the file is not scanned or has no thumbnail. */
export const previewOf = ({ state, preview }: Pick<StoredFile, 'state' | 'preview'>): string | null =>
  state === 'clean' && preview ? `data:image/jpeg;base64,${preview.toString('base64')}` : null
