import { createHash } from 'node:crypto'
import { say } from '../../../shared/messages.ts'
import { apply } from './apply.ts'
import { callPortal, NoResponse, whereIs, type PortalContext } from './client.ts'
import { keep, type SentRequestRow } from './send.ts'
import { statusOf, textAt, type PortalUpdate, timeOf, updatesIn } from './portal-responses.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/**
 * Consecutive queries overlap by this time, because server clocks differ. Updates that were already imported are
 * recognized by their number.
 */
const OVERLAP = HOUR
const MAX_DAYS = 89
/** A response with this many rows is incomplete, so the next query continues where the response ends. */
const FULL = 1000
const BATCH_SIZE = 25
const MAX_WAIT_MINUTES = 60

/** Fetches the updates that are due for requests sent to the portal. */
export async function follow(to: PortalContext): Promise<void> {
  if (to.portal.has_updates) await readUpdates(to)
  else await readRequests(to)
}

const changePortal = ({ context, company, portal }: PortalContext, change: Partial<PortalContext['portal']>) =>
  context.inCompany(company.id, (tx) =>
    tx
      .updateTable('open311_portal')
      .set({
        ...(change.updates_until && { updates_until: change.updates_until }),
        ...(change.next_check_at && { next_check_at: change.next_check_at }),
        ...(change.wait_minutes && { wait_minutes: change.wait_minutes }),
        ...(change.problem !== undefined && { problem: change.problem }),
      })
      .where(({ and }) => and({ company_id: company.id, id: portal.id }))
      .execute(),
  )

/** Fetches all updates of a period with Open311's update extension. Each update has a number. */
async function readUpdates(to: PortalContext): Promise<void> {
  const { context, portal } = to
  const now = context.clock.now()
  if (portal.next_check_at > now || !(await followed(to))) return
  const until = Math.min(now.getTime(), portal.updates_until.getTime() + MAX_DAYS * DAY)
  const query = {
    start_date: new Date(
      Math.max(portal.updates_until.getTime() - OVERLAP, now.getTime() - MAX_DAYS * DAY),
    ).toISOString(),
    end_date: new Date(until + MINUTE).toISOString(),
  }
  let problem = ''
  let updateCount = 0
  let reached = until
  try {
    const reply = await callPortal(context, whereIs(context, portal), 'servicerequestupdates', { query })
    if (reply.status >= 300)
      throw new NoResponse(reply.fault || say`The server returned an error (${reply.status}).`, true)
    const updates = updatesIn(reply.rows)
    for (const [portal_request_id, portalUpdates] of Map.groupBy(updates, ({ request }) => request)) {
      const sent = await byTheirId(to, portal_request_id)
      if (sent) updateCount += await apply(to, sent, portalUpdates)
    }
    const last = updates.at(-1)?.at
    if (reply.rows.length >= FULL && last)
      reached = Math.min(until, Math.max(last.getTime(), portal.updates_until.getTime() + 1))
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    problem = error.message
    reached = portal.updates_until.getTime()
  }
  const wait_minutes = updateCount > 0 ? 2 : Math.min(MAX_WAIT_MINUTES, portal.wait_minutes * 2)
  const hasMore = reached < until && problem === ''
  const next_check_at = new Date(now.getTime() + (hasMore ? 0 : wait_minutes * MINUTE))
  await changePortal(to, { updates_until: new Date(reached), next_check_at, wait_minutes, problem })
}

const followed = async ({ context, company, portal }: PortalContext): Promise<boolean> => {
  const one = await context.readingCompany(company.id, (tx) =>
    tx
      .selectFrom('open311_sent_request')
      .select('request_id')
      .where(({ and }) => and({ company_id: company.id, portal_id: portal.id, state: 'sent' }))
      .executeTakeFirst(),
  )
  return one !== undefined
}

const byTheirId = (
  { context, company, portal }: PortalContext,
  portal_request_id: string,
): Promise<SentRequestRow | undefined> =>
  context.readingCompany(company.id, (tx) =>
    tx
      .selectFrom('open311_sent_request')
      .selectAll()
      .where(({ and }) => and({ company_id: company.id, portal_id: portal.id, portal_request_id, state: 'sent' }))
      .executeTakeFirst(),
  )

/** For portals without the update extension: fetches each request separately, at growing intervals. */
async function readRequests(to: PortalContext): Promise<void> {
  const { context, company, portal } = to
  const due = await context.readingCompany(company.id, (tx) =>
    tx
      .selectFrom('open311_sent_request')
      .selectAll()
      .where(({ and }) => and({ company_id: company.id, portal_id: portal.id, state: 'sent' }))
      .where('next_at', '<=', context.clock.now())
      .orderBy('next_at')
      .limit(BATCH_SIZE)
      .execute(),
  )
  for (const sent of due)
    try {
      await readRequest(to, sent)
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      await scheduleNextQuery(to, sent, sent.portal_status_text)
      await changePortal(to, { problem: error.message })
      return
    }
}

async function readRequest(to: PortalContext, sent: SentRequestRow): Promise<void> {
  const { context, portal } = to
  const reply = await callPortal(
    context,
    whereIs(context, portal),
    `requests/${encodeURIComponent(sent.portal_request_id)}`,
  )
  const [row] = reply.status < 300 ? reply.rows : []
  if (!row) return scheduleNextQuery(to, sent, sent.portal_status_text)
  const status = statusOf(textAt(row, 'status'))
  const text = textAt(row, 'status_notes')
  const contentHash = createHash('sha256').update(`${status} ${text}`).digest('base64url').slice(0, 22)
  const update: PortalUpdate = {
    // These updates have no number, so the id consists of the time and a hash of the content. If the same text appears
    // again later, it counts as a new update.
    id: `${textAt(row, 'updated_datetime', 40)} ${contentHash}`,
    request: sent.portal_request_id,
    status,
    at: timeOf(textAt(row, 'updated_datetime')),
    text,
    image: '',
  }
  const isFirst = sent.status_checked_at === null && status === 'open'
  const isSame = status === sent.portal_status && text === sent.portal_status_text
  const updateCount = isFirst || isSame ? 0 : await apply(to, sent, [update])
  await scheduleNextQuery(to, sent, updateCount > 0 || isFirst ? text : sent.portal_status_text, updateCount > 0)
  if (portal.problem !== '') await changePortal(to, { problem: '' })
}

/** Stores the time of the next query: after 15 minutes, then doubled each time, at most one day. */
const scheduleNextQuery = (
  { context, company }: PortalContext,
  sent: SentRequestRow,
  portalMessage: string,
  hasUpdate = false,
) =>
  context.inCompany(company.id, async (tx) => {
    const now = context.clock.now()
    const tries = hasUpdate ? 0 : sent.tries
    await keep(tx, sent, {
      tries: tries + 1,
      next_at: new Date(now.getTime() + Math.min(15 * MINUTE * 2 ** tries, DAY)),
    })
    await tx
      .updateTable('open311_sent_request')
      .set({ status_checked_at: now, portal_status_text: portalMessage.slice(0, 4000) })
      .where(({ and }) => and({ company_id: sent.company_id, request_id: sent.request_id }))
      .execute()
  })
