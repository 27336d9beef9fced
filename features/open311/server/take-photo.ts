import { randomInt } from 'node:crypto'
import { attach, type ReceivedFile, scanFile, type Sender } from '../../../server/attachments/keep.ts'
import { validateFile } from '../../../server/attachments/validate.ts'
import { announceCase, lockCase } from '../../../server/cases/entries.ts'
import { ofEntry, ofOpening, UNSENT } from '../../../server/cases/attach-files.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { outgoing } from '../../../server/outgoing.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { JPEG, PNG } from '../../../shared/file-types.ts'
import { requests } from '../../service-requests/api.ts'

/** Returns the system as the sender of photos that it fetches from other portals. */
export const systemOf = (context: AppContext): Sender => ({
  context,
  session: null,
  requestId: 'open311',
  kind: 'system',
})

/**
 * Fetches a photo from another portal, if its URL is on the public internet. The photo is checked, re-encoded and
 * scanned like an upload. Other file types are not stored.
 * @returns null if the photo cannot be stored
 * @throws if a retry may succeed
 */
export async function takePhoto(context: AppContext, company: CompanyId, url: string): Promise<ReceivedFile | null> {
  if (!URL.canParse(url)) return null
  const { maxBytes } = requests.calls.files
  const fetched = outgoing({ loopback: context.config.open311Loopback, timeoutMs: 15_000, maxBytes })
  const response = await fetched(url)
  if (response.status >= 500 || response.status === 429)
    throw new Error(`a picture could not be fetched: ${response.status}`)
  if (!response.ok) return null
  try {
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '').slice(0, 40)
    return await storePhoto(context, company, { name, content: Buffer.from(await response.arrayBuffer()) })
  } catch (error) {
    if (error instanceof Refusal || error instanceof URIError) return null
    throw error
  }
}

/**
 * Checks, re-encodes, scans and stores a photo, without attaching it to a request. @throws 415 if the file is not a
 * photo
 */
export async function storePhoto(
  context: AppContext,
  company: CompanyId,
  { name, content: sent }: { name: string; content: Buffer },
): Promise<ReceivedFile> {
  const use = requests.calls.files
  const called = /\.(?:jpe?g|png)$/i.test(name) ? name.slice(-40) : 'image'
  const { content, ...checked } = await validateFile(
    { ...use, accepts: [JPEG, PNG], caller: String(company) },
    { name: called, content: sent },
  )
  const call = systemOf(context)
  const state = await scanFile(call, use, company, { name: checked.name, content })
  return { ...checked, ...(await context.files.write(company, content)), use, owner: company, state, call }
}

/** Attaches a photo to a request or a message. */
export const attachTo = (tx: Tx, received: ReceivedFile, owner: { kind: string; id: number }) =>
  attach(tx, { ...received, use: { ...received.use, subject: owner.kind } }, owner.id)

/** Stores a photo that a message can reference later. @returns its id */
export async function attachUnsent(tx: Tx, received: ReceivedFile): Promise<string> {
  const { id } = await attach(tx, { ...received, use: { ...received.use, ...UNSENT } }, randomInt(1, 2 ** 47))
  return id
}

/** Name of the job that fetches photos by their URLs. */
export const IMAGE = 'open311.picture'
export interface ReportedPhoto {
  company: number
  request: number
  /** Id of the message with the photo. Null if the photo belongs to the request itself. */
  entry: number | null
  url: string
}

/**
 * Defines the job that fetches a photo by its URL and attaches it once. If the job fails, the request shows only the
 * URL.
 */
export function definePhotos(context: AppContext): void {
  const work = async ({ company, request, entry, url }: ReportedPhoto): Promise<void> => {
    const companyId = companyIdFrom('job', company)
    const owner = entry === null ? ofOpening(requests, request) : ofEntry(entry)
    const isThere = async (tx: Tx) =>
      (await tx
        .selectFrom('attachment')
        .select('id')
        .where(({ and }) => and({ company_id: companyId, subject_kind: owner.kind, subject_id: owner.id }))
        .executeTakeFirst()) !== undefined
    if (await context.readingCompany(companyId, isThere)) return
    const received = await takePhoto(context, companyId, url)
    if (!received) return
    const isStored = await context.inCompany(companyId, async (tx) => {
      const row = await lockCase(tx, requests, companyId, request)
      if (await isThere(tx)) return false
      await attachTo(tx, received, owner)
      await announceCase(tx, requests, row)
      return true
    })
    if (!isStored) await context.files.remove(received.path)
  }
  context.jobs.define<ReportedPhoto>(IMAGE, work, { retryLimit: 6, retryDelaySeconds: 30, timeoutSeconds: 60 })
}
