import { randomInt } from 'node:crypto'
import { attach, type ReceivedFile, scanned, type Sender } from '../../../server/attachments/keep.ts'
import { judgeFile } from '../../../server/attachments/judge.ts'
import { announceCase, lockCase } from '../../../server/cases/entries.ts'
import { ofEntry, ofOpening, UNSENT } from '../../../server/cases/give-files.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { outgoing } from '../../../server/outgoing.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { JPEG, PNG } from '../../../shared/file-types.ts'
import { requests } from '../../service-requests/server/case.ts'

/** The house itself, which fetches what another portal says. */
export const systemOf = (context: AppContext): Sender => ({
  context,
  session: null,
  requestId: 'open311',
  kind: 'system',
})

/**
 * Fetches a picture of another portal, where its address leads to the internet: judged, drawn anew and scanned as one that
 * somebody sends. Nothing of what is not a picture is kept.
 * @returns null where there is none that can be kept @throws where it may come at another try
 */
export async function takePicture(context: AppContext, company: CompanyId, url: string): Promise<ReceivedFile | null> {
  if (!URL.canParse(url)) return null
  const { mostBytes } = requests.calls.files
  const fetched = outgoing({ loopback: context.config.open311Loopback, timeoutMs: 15_000, mostBytes })
  const answer = await fetched(url)
  if (answer.status >= 500 || answer.status === 429) throw new Error(`a picture could not be fetched: ${answer.status}`)
  if (!answer.ok) return null
  try {
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '').slice(0, 40)
    return await keepPicture(context, company, { name, content: Buffer.from(await answer.arrayBuffer()) })
  } catch (error) {
    if (error instanceof Refusal || error instanceof URIError) return null
    throw error
  }
}

/** Judges, draws anew, scans and stores a picture that belongs to nothing yet. @throws 415 where it is none */
export async function keepPicture(
  context: AppContext,
  company: CompanyId,
  { name, content: sent }: { name: string; content: Buffer },
): Promise<ReceivedFile> {
  const use = requests.calls.files
  const called = /\.(?:jpe?g|png)$/i.test(name) ? name.slice(-40) : 'picture'
  const { content, ...judged } = await judgeFile(
    { ...use, accepts: [JPEG, PNG], caller: String(company) },
    { name: called, content: sent },
  )
  const call = systemOf(context)
  const state = await scanned(call, use, company, { name: judged.name, content })
  return { ...judged, ...(await context.files.write(company, content)), use, owner: company, state, call }
}

/** Puts a picture beside the words of a request or of a message. */
export const attachTo = (tx: Tx, received: ReceivedFile, owner: { kind: string; id: number }) =>
  attach(tx, { ...received, use: { ...received.use, subject: owner.kind } }, owner.id)

/** Puts a picture where a message can name it. @returns its id */
export async function attachUnsent(tx: Tx, received: ReceivedFile): Promise<string> {
  const { id } = await attach(tx, { ...received, use: { ...received.use, ...UNSENT } }, randomInt(1, 2 ** 47))
  return id
}

/** The job that fetches what a program told of. */
export const PICTURE = 'open311.picture'
export interface ReportedPhoto {
  company: number
  request: number
  /** Null: the request itself. */
  entry: number | null
  url: string
}

/** A picture that was told of by its address comes beside the words, once; where it can't be had the address is all there is. */
export function definePictures(context: AppContext): void {
  const work = async ({ company, request, entry, url }: ReportedPhoto): Promise<void> => {
    const town = companyIdFrom('job', company)
    const owner = entry === null ? ofOpening(requests, request) : ofEntry(entry)
    const isThere = async (tx: Tx) =>
      (await tx
        .selectFrom('attachment')
        .select('id')
        .where(({ and }) => and({ company_id: town, subject_kind: owner.kind, subject_id: owner.id }))
        .executeTakeFirst()) !== undefined
    if (await context.readingCompany(town, isThere)) return
    const received = await takePicture(context, town, url)
    if (!received) return
    const isKept = await context.inCompany(town, async (tx) => {
      const row = await lockCase(tx, requests, town, request)
      if (await isThere(tx)) return false
      await attachTo(tx, received, owner)
      await announceCase(tx, requests, row)
      return true
    })
    if (!isKept) await context.files.remove(received.path)
  }
  context.jobs.define<ReportedPhoto>(PICTURE, work, { retryLimit: 6, retryDelaySeconds: 30, timeoutSeconds: 60 })
}
