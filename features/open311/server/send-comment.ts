import { type Selectable, sql } from 'kysely'
import { lockCase } from '../../../server/cases/entries.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests } from '../../service-requests/api.ts'
import { isOpen } from '../rules.ts'
import { againAt, alertStaff, isExpired, leaseUntil } from './alert.ts'
import { callPortal, NoResponse, refusedWith, whereIs, type PortalContext } from './client.ts'
import { photoUrl, photosOf } from './photos.ts'
import { withMedia } from './report.ts'
import { textAt } from './portal-responses.ts'

type SentCommentRow = Selectable<Schema['open311_sent_comment']>
const BATCH_SIZE = 25

/**
 * Queues new messages that requesters added to requests already sent to the portal. The messages of one request are
 * sent one after another.
 */
export const queueComments = ({ context, company, portal }: PortalContext): Promise<void> =>
  context.inCompany(company.id, async (tx) => {
    const now = context.clock.now()
    const { rows } = await sql<{ request_id: number; until: number; before: number }>`
      SELECT s.request_id, r.last_message_id AS until, s.last_checked_entry_id AS before FROM open311_sent_request s
      JOIN service_request r ON r.company_id = s.company_id AND r.id = s.request_id
      WHERE s.company_id = ${company.id} AND s.portal_id = ${portal.id} AND s.state = 'sent' AND r.last_message_id > s.last_checked_entry_id
      ORDER BY s.request_id LIMIT 200 FOR NO KEY UPDATE OF s SKIP LOCKED`.execute(tx)
    for (const { request_id, until, before } of rows) {
      await sql`
        INSERT INTO open311_sent_comment (company_id, entry_id, request_id, state, began_at, next_at)
        SELECT company_id, id, ${request_id}, 'waiting', ${now}::timestamptz, ${now}::timestamptz FROM case_entry
        WHERE company_id = ${company.id} AND subject_kind = ${requests.calls.kind} AND subject_id = ${request_id}
          AND id > ${before} AND id <= ${until} AND kind = 'message' AND visibility = 'everyone'
        ON CONFLICT DO NOTHING`.execute(tx)
      await tx
        .updateTable('open311_sent_request')
        .set({ last_checked_entry_id: until })
        .where(({ and }) => and({ company_id: company.id, request_id }))
        .execute()
    }
  })

/**
 * Sends due messages to the other portal.
 * @returns false if the portal is currently unreachable
 */
export async function sendDueComments(to: PortalContext): Promise<boolean> {
  const { context, company, portal } = to
  const { rows } = await context.readingCompany(company.id, (tx) =>
    sql<{ entry_id: number }>`
      SELECT m.entry_id FROM open311_sent_request s JOIN open311_sent_comment m ON m.company_id = s.company_id AND m.request_id = s.request_id
      WHERE s.company_id = ${company.id} AND s.portal_id = ${portal.id} AND m.state = 'waiting' AND m.next_at <= ${context.clock.now()}
      ORDER BY m.entry_id LIMIT ${BATCH_SIZE}`.execute(tx),
  )
  for (const { entry_id } of rows) if (!(await sendComment(to, entry_id))) return false
  return true
}

async function sendComment(to: PortalContext, entry: number): Promise<boolean> {
  const { context, company, portal } = to
  const now = context.clock.now()
  const comment = await context.inCompany(company.id, (tx) =>
    tx
      .updateTable('open311_sent_comment')
      .set((e) => ({ next_at: leaseUntil(now), tries: e('tries', '+', 1) }))
      .where(({ and }) => and({ company_id: company.id, entry_id: entry, state: 'waiting' }))
      .where('next_at', '<=', now)
      .returningAll()
      .executeTakeFirst(),
  )
  if (!comment) return true
  if (!portal.has_updates) {
    await end(
      to,
      comment,
      'refused',
      say`The portal does not accept updates through Open311. Contact its staff another way.`,
    )
    return true
  }
  try {
    const form = await context.readingCompany(company.id, (tx) => formOf(tx, to, comment))
    const response = await callPortal(context, whereIs(context, portal), 'servicerequestupdates', { form })
    if (response.status >= 300) await end(to, comment, 'refused', refusedWith(response))
    else await end(to, comment, 'sent', '', textAt(response.rows[0], 'update_id', 200))
    return true
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    if (isExpired(now, comment.began_at)) await end(to, comment, 'abandoned', error.message)
    else await change(to, comment, { next_at: againAt(now, comment.tries) })
    return false
  }
}

const change = (
  { context, company }: PortalContext,
  { entry_id }: SentCommentRow,
  to: Partial<Pick<SentCommentRow, 'state' | 'next_at'>>,
) =>
  context.inCompany(company.id, (tx) =>
    tx
      .updateTable('open311_sent_comment')
      .set(to)
      .where(({ and }) => and({ company_id: company.id, entry_id }))
      .execute(),
  )

const end = (
  { context, company, portal }: PortalContext,
  comment: SentCommentRow,
  state: 'sent' | 'refused' | 'abandoned',
  why: string,
  portalCommentId = '',
) =>
  context.inCompany(company.id, async (tx) => {
    const row = await lockCase(tx, requests, company.id, comment.request_id)
    await tx
      .updateTable('open311_sent_comment')
      .set({ state })
      .where(({ and }) => and({ company_id: company.id, entry_id: comment.entry_id }))
      .execute()
    // Servers return our messages under their own ids. Storing the id prevents importing the message as a new update.
    if (portalCommentId !== '')
      await tx
        .insertInto('open311_applied_update')
        .values({ company_id: company.id, request_id: comment.request_id, update_id: portalCommentId })
        .onConflict((on) => on.doNothing())
        .execute()
    if (state !== 'sent')
      await alertStaff(tx, context, row, say`A message from the requester did not reach ${portal.name}: ${why}`)
  })

/**
 * Builds the update for a requester's message. With the unique `update_id`, the other portal can recognize repeated
 * updates.
 */
async function formOf(
  tx: Tx,
  { context, company, portal }: PortalContext,
  { entry_id, request_id }: SentCommentRow,
): Promise<URLSearchParams> {
  const entry = await tx
    .selectFrom('case_entry')
    .select(['text', 'at'])
    .where(({ and }) => and({ company_id: company.id, id: entry_id }))
    .executeTakeFirstOrThrow()
  const { portal_request_id, status, name, email } = await tx
    .selectFrom('open311_sent_request as s')
    .innerJoin('service_request as r', (on) =>
      on.onRef('r.company_id', '=', 's.company_id').onRef('r.id', '=', 's.request_id'),
    )
    .select(['s.portal_request_id', 'r.status', 'r.name', 'r.email'])
    .where('s.company_id', '=', company.id)
    .where('s.request_id', '=', request_id)
    .executeTakeFirstOrThrow()
  const files = (await photosOf(tx, company, 'case_entry', [entry_id])).get(entry_id) ?? []
  const [first = '', ...others] = files.map((file) => photoUrl(context, company, `portal-${portal.id}`, file))
  const update_id = `${company.subdomain}-${numberOf(request_id)}-${entry_id}`
  return new URLSearchParams({
    ...{ update_id, service_request_id: portal_request_id, updated_datetime: entry.at.toISOString() },
    status: isOpen(status) ? 'OPEN' : 'CLOSED',
    description: withMedia(entry.text, others.join('\n')).slice(0, 4000),
    ...(first !== '' && { media_url: first }),
    ...(portal.sends_contact && { last_name: name, email }),
  })
}
