import type { ReceivedFile } from '../../../server/attachments/keep.ts'
import { addMessage, lockCase } from '../../../server/cases/entries.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { InnerAddress } from '../../../server/outgoing.ts'
import { transition, type TransitionActor } from '../../../server/states.ts'
import { cleanText } from '../../../shared/fields/read.ts'
import { say } from '../../../shared/messages.ts'
import { requests, requestStateStore, replyEmail, type Request } from '../../service-requests/api.ts'
import { numberOf, requestStatus } from '../../service-requests/rules.ts'
import { isOpen } from '../rules.ts'
import { alertStaff } from './alert.ts'
import type { PortalContext } from './client.ts'
import { keep, type SentRequestRow } from './send.ts'
import { attachUnsent, IMAGE, systemOf, takePhoto, type ReportedPhoto } from './take-photo.ts'
import type { PortalUpdate } from './portal-responses.ts'

const MAX_PHOTOS = 5

/**
 * Adds each new update from another portal to the request's timeline, exactly once. Applies the other portal's status
 * if the company allows status changes. The requester gets one email.
 * @returns the number of new updates
 */
export async function apply(
  to: PortalContext,
  sent: SentRequestRow,
  updates: readonly PortalUpdate[],
): Promise<number> {
  const { context, company } = to
  const existingIds = await context.readingCompany(company.id, (tx) => heard(tx, sent))
  const fresh = updates.filter(({ id }) => !existingIds.has(id))
  if (fresh.length === 0) return 0
  const { storedPhotos, lost, late } = await photosFor(to, fresh)
  let isApplied = false
  try {
    return await context.inCompany(company.id, async (tx) => {
      const row = await lockCase(tx, requests, company.id, sent.request_id)
      const before = await heard(tx, sent)
      const still = fresh.filter(({ id }) => !before.has(id))
      if (still.length === 0) return 0
      await tx
        .insertInto('open311_applied_update')
        .values(still.map(({ id }) => ({ company_id: company.id, request_id: sent.request_id, update_id: id })))
        .onConflict((on) => on.doNothing())
        .execute()
      await notify(tx, to, { row, sent, portalUpdates: still, lost, late, photos: storedPhotos })
      isApplied = true
      return still.length
    })
  } finally {
    // Removes files that another call has already stored, or that could not be attached.
    if (!isApplied) for (const { path } of storedPhotos) await context.files.remove(path)
  }
}

const heard = async (tx: Tx, { company_id, request_id }: SentRequestRow): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('open311_applied_update')
    .select('update_id')
    .where(({ and }) => and({ company_id, request_id }))
    .execute()
  return new Set(rows.map(({ update_id }) => update_id))
}

/**
 * Fetches the photos of the updates. A photo that cannot be fetched is replaced by its URL. `late` lists the photos
 * that a retry may fetch.
 */
async function photosFor({ context, company }: PortalContext, updates: readonly PortalUpdate[]) {
  const storedPhotos: ReceivedFile[] = []
  const lost: string[] = []
  const late: string[] = []
  for (const url of new Set(updates.map(({ image }) => image).filter(Boolean))) {
    const received =
      storedPhotos.length < MAX_PHOTOS
        ? await takePhoto(context, company.id, url).catch((error: unknown) => {
            if (!(error instanceof InnerAddress)) late.push(url)
            return null
          })
        : null
    if (received) storedPhotos.push(received)
    else lost.push(url)
  }
  return { storedPhotos, lost, late }
}

interface UpdateInput {
  row: Request
  sent: SentRequestRow
  portalUpdates: readonly PortalUpdate[]
  lost: readonly string[]
  late: readonly string[]
  photos: readonly ReceivedFile[]
}

async function notify(
  tx: Tx,
  to: PortalContext,
  { row, sent, portalUpdates, lost, late, photos }: UpdateInput,
): Promise<void> {
  const { context, company, portal } = to
  const status = portalUpdates.findLast((one) => one.status !== '')?.status ?? ''
  const isChange = status !== '' && status !== sent.portal_status
  const event = isChange && portal.follows_status ? eventBy(row, status) : null
  const texts = new Set([...portalUpdates.map(({ text }) => cleanText(text)), ...lost].filter(Boolean))
  const text = [...texts].join('\n\n').slice(0, 4000)
  const files: string[] = []
  for (const image of photos) files.push(await attachUnsent(tx, image))
  if (text !== '' || files.length > 0) {
    // If the requester cancelled the request, only staff see the update.
    const isFor = requests.noReply(row) === null
    const messageText = text || say`${portal.name} sent a photo.`
    const by = { kind: 'municipality' as const, id: null, name: portal.name }
    const entry = await addMessage(tx, context, requests, row, isFor ? 'reply' : 'note', {
      by,
      text: messageText,
      at: context.clock.now(),
      files,
    })
    // If no photo could be attached now, a job attaches one later.
    const [url] = late
    if (url && files.length === 0) {
      const photo: ReportedPhoto = { company: company.id, request: row.id, entry, url }
      await context.jobs.enqueue(tx, IMAGE, photo)
    }
    if (isFor) {
      const texted = () => say`we replied to your request ${numberOf(row.id)}. The reply is in your email.`
      const createEmail = () => replyEmail(row.id, messageText, event === 'complete')
      await emailPerson(tx, context, requests, company, row, createEmail, { texted })
    }
  }
  if (event) {
    const actor: TransitionActor = { as: 'system', caller: systemOf(context), clock: context.clock }
    await transition(tx, requestStateStore, {
      scope: company.id,
      id: row.id,
      event,
      actor,
      deps: { context, company, recipients: text === '' ? 'everyone' : 'followers' },
    })
  } else if (isChange && !portal.follows_status)
    await alertStaff(
      tx,
      context,
      row,
      status === 'closed' ? say`${portal.name} closed the request.` : say`${portal.name} reopened the request.`,
    )
  if (isChange) await keep(tx, sent, { portal_status: status })
}

/**
 * Returns the event that applies the other portal's status to the request. Null if none applies. A cancelled or invalid
 * request keeps its state.
 */
function eventBy({ status }: Request, portalStatus: 'open' | 'closed'): 'complete' | 'reopen' | null {
  if (portalStatus === 'closed') return isOpen(status) ? 'complete' : null
  return status === requestStatus.completed ? 'reopen' : null
}
