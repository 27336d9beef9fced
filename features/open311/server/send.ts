import { type Selectable, sql } from 'kysely'
import { lockCase } from '../../../server/cases/entries.ts'
import { originOf } from '../../../server/config.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { splitLastFirst } from '../../../shared/person-names.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests, OPEN, type Request } from '../../service-requests/api.ts'
import { isOpen } from '../rules.ts'
import { withMedia } from './report.ts'
import { againAt, alertStaff, isExpired, leaseUntil } from './alert.ts'
import { type PortalResponse, callPortal, NoResponse, refusedWith, whereIs, type PortalContext } from './client.ts'
import { photoUrl, photosOf } from './photos.ts'
import { textAt } from './portal-responses.ts'
import { answersFor } from './portal-questions.ts'

export type SentRequestRow = Selectable<Schema['open311_sent_request']>

const DAY = 86_400_000
const HOUR = 3_600_000
/**
 * Maximum age, in days, of a request that is sent for the first time. Requesters no longer expect older requests to be
 * forwarded.
 */
const NEW_DAYS = 7
const BATCH_SIZE = 25
const MAX_TEXT_LENGTH = 4000

/**
 * Queues new requests in the categories that go to the portal. Requests that arrived through Open311 are not forwarded,
 * to prevent loops.
 */
export const findNew = ({ context, company, portal }: PortalContext): Promise<unknown> =>
  context.inCompany(company.id, (tx) => {
    const now = context.clock.now()
    return sql`
      INSERT INTO open311_sent_request (company_id, request_id, portal_id, service_code, state, began_at, next_at)
      SELECT r.company_id, r.id, t.portal_id, t.service_code, 'waiting', ${now}::timestamptz, ${now}::timestamptz
      FROM open311_route t JOIN service_request r ON r.company_id = t.company_id AND r.category_id = t.category_id
      WHERE t.company_id = ${company.id} AND t.portal_id = ${portal.id}
        AND r.created_at >= greatest(t.since, ${new Date(now.getTime() - NEW_DAYS * DAY)}::timestamptz)
        AND ${OPEN} AND r.came_by NOT IN ('open311', 'import')
      ON CONFLICT DO NOTHING`.execute(tx)
  })

/**
 * Sends due requests, oldest first.
 * @returns false if the other portal is currently unreachable
 */
export async function sendDue(to: PortalContext): Promise<boolean> {
  const { context, company, portal } = to
  const due = await context.readingCompany(company.id, (tx) =>
    tx
      .selectFrom('open311_sent_request')
      .select('request_id')
      .where(({ and }) => and({ company_id: company.id, portal_id: portal.id }))
      .where('state', 'in', ['waiting', 'token'])
      .where('next_at', '<=', context.clock.now())
      .orderBy('next_at')
      .limit(BATCH_SIZE)
      .execute(),
  )
  for (const { request_id } of due) if (!(await sendOne(to, request_id))) return false
  return true
}

/**
 * Reserves a request for this process and records the attempt before sending. Returns null if there is nothing to send
 * now.
 */
function take({ context, company, portal }: PortalContext, id: number) {
  return context.inCompany(company.id, async (tx) => {
    const now = context.clock.now()
    const row = await lockCase(tx, requests, company.id, id)
    const sent = await tx
      .selectFrom('open311_sent_request')
      .selectAll()
      .where(({ and }) => and({ company_id: company.id, request_id: id, portal_id: portal.id }))
      .where('state', 'in', ['waiting', 'token'])
      .where('next_at', '<=', now)
      .executeTakeFirst()
    if (!sent) return null
    if (sent.state === 'waiting' && sent.attempted_at === null && !isOpen(row.status)) {
      await keep(tx, sent, { state: 'abandoned', problem: say`The request was closed before it was sent.` })
      return null
    }
    // Waits up to one hour for photos that have not been scanned yet.
    if (sent.state === 'waiting' && (await waitsForPhoto(tx, sent, now))) {
      await keep(tx, sent, { next_at: leaseUntil(now) })
      return null
    }
    await keep(tx, sent, {
      next_at: leaseUntil(now),
      tries: sent.tries + 1,
      ...(sent.state === 'waiting' && { attempted_at: sent.attempted_at ?? now }),
    })
    return { row, sent: { ...sent, tries: sent.tries + 1 } }
  })
}

async function waitsForPhoto(
  tx: Tx,
  { company_id, request_id, began_at }: SentRequestRow,
  now: Date,
): Promise<boolean> {
  if (now.getTime() - began_at.getTime() > HOUR) return false
  const unscanned = await tx
    .selectFrom('attachment')
    .select('id')
    .where(({ and }) =>
      and({ company_id, subject_kind: requests.calls.kind, subject_id: request_id, state: 'waiting' }),
    )
    .executeTakeFirst()
  return unscanned !== undefined
}

type Change = Partial<
  Pick<
    SentRequestRow,
    | 'state'
    | 'began_at'
    | 'attempted_at'
    | 'next_at'
    | 'tries'
    | 'token'
    | 'portal_request_id'
    | 'portal_status'
    | 'problem'
  >
>
export const keep = (
  tx: Tx,
  { company_id, request_id }: Pick<SentRequestRow, 'company_id' | 'request_id'>,
  change: Change,
) =>
  tx
    .updateTable('open311_sent_request')
    .set(change)
    .where(({ and }) => and({ company_id, request_id }))
    .execute()

async function sendOne(to: PortalContext, id: number): Promise<boolean> {
  const started = await take(to, id)
  if (!started) return true
  const { row, sent } = started
  try {
    if (sent.state === 'token') await readToken(to, sent)
    else if (sent.attempted_at === null || !(await resolveEarlierAttempt(to, row, sent))) await post(to, row, sent)
    return true
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    await tryLater(to, sent, error)
    return false
  }
}

/**
 * Returns the sentence that identifies our request on the other portal. The standard has no field for the sender's
 * request number.
 */
const markOf = ({ context, company }: PortalContext, id: number): string =>
  say`Sent from ${new URL(originOf(context.config, company.subdomain)).host} as ${numberOf(id)}.`

/**
 * Checks whether an earlier attempt without a response arrived. If the other portal cannot list its requests, staff
 * decide.
 * @returns true if the request must not be sent again
 */
async function resolveEarlierAttempt(to: PortalContext, row: Request, sent: SentRequestRow): Promise<boolean> {
  const { context, portal } = to
  const [requestedAt, now] = [sent.attempted_at ?? sent.began_at, context.clock.now()]
  const query = {
    service_code: sent.service_code,
    start_date: new Date(requestedAt.getTime() - HOUR).toISOString(),
    end_date: new Date(now.getTime() + HOUR).toISOString(),
  }
  const reply = await callPortal(context, whereIs(context, portal), 'requests', { query })
  if (reply.status >= 300) {
    await refuse(
      to,
      sent,
      say`Ask the portal’s staff whether the request arrived. The portal’s list of requests could not be read: ${refusedWith(reply)}`,
    )
    return true
  }
  const mark = markOf(to, row.id)
  const portalRow = reply.rows.find((one) => textAt(one, 'description', 10_000).includes(mark))
  if (!portalRow) return false
  await accept(to, sent, { portal_request_id: textAt(portalRow, 'service_request_id', 200) })
  return true
}

async function post(to: PortalContext, row: Request, sent: SentRequestRow): Promise<void> {
  const { context, portal } = to
  const form = await formOf(to, row, sent)
  const reply = await callPortal(context, whereIs(context, portal), 'requests', { form })
  await applyResponse(to, sent, reply)
}

async function applyResponse(to: PortalContext, sent: SentRequestRow, reply: PortalResponse): Promise<void> {
  if (reply.status >= 300) return refuse(to, sent, refusedWith(reply))
  const [first] = reply.rows
  const [portal_request_id, token] = [textAt(first, 'service_request_id', 200), textAt(first, 'token', 200)]
  if (portal_request_id === '' && token === '')
    throw new NoResponse(say`The portal’s response did not include a request number.`, true)
  await accept(to, sent, portal_request_id === '' ? { token } : { portal_request_id })
}

async function readToken(to: PortalContext, sent: SentRequestRow): Promise<void> {
  const { context, portal } = to
  const reply = await callPortal(context, whereIs(context, portal), `tokens/${encodeURIComponent(sent.token)}`)
  const portal_request_id = textAt(reply.rows[0], 'service_request_id', 200)
  // At first, a token has no request number. Some servers return 404 until the number exists.
  if (reply.status < 300 && portal_request_id !== '') return accept(to, sent, { portal_request_id })
  return tryLater(to, sent, new NoResponse(say`The portal has not assigned a request number yet.`, true))
}

const accept = (
  { context, company }: PortalContext,
  sent: SentRequestRow,
  { portal_request_id = '', token = '' }: { portal_request_id?: string; token?: string },
) =>
  context.inCompany(company.id, async (tx) => {
    await keep(tx, sent, {
      state: portal_request_id === '' ? 'token' : 'sent',
      ...{ attempted_at: null, tries: 0, problem: '', token: token || sent.token, portal_request_id },
      ...(portal_request_id !== '' && { portal_status: 'open' }),
      next_at: againAt(context.clock.now(), 1),
    })
  })

/** Stops automatic sending and notifies staff of the reason. Staff may retry. */
const refuse = (to: PortalContext, sent: SentRequestRow, why: string) => returnToStaff(to, sent, 'refused', why)

function returnToStaff(
  { context, company, portal }: PortalContext,
  sent: SentRequestRow,
  state: 'refused' | 'abandoned',
  why: string,
): Promise<void> {
  return context.inCompany(company.id, async (tx) => {
    const row = await lockCase(tx, requests, company.id, sent.request_id)
    // If the result of an earlier attempt is unknown, the attempt time stays. The next attempt then first checks
    // whether the request arrived.
    const isUnknown = state === 'abandoned' || sent.attempted_at !== null
    await keep(tx, sent, { state, problem: why, ...(!isUnknown && { attempted_at: null }) })
    const text =
      state === 'refused'
        ? say`The request has a problem at ${portal.name}: ${why}`
        : say`Sending to ${portal.name} stopped after several days without a response. ${why}`
    await alertStaff(tx, context, row, text)
  })
}

async function tryLater(to: PortalContext, sent: SentRequestRow, error: NoResponse): Promise<void> {
  const { context, company } = to
  const now = context.clock.now()
  if (isExpired(now, sent.began_at)) return returnToStaff(to, sent, 'abandoned', error.message)
  await context.inCompany(company.id, async (tx) => {
    await keep(tx, sent, {
      next_at: againAt(now, sent.tries),
      problem: error.message,
      // Neither this attempt nor an earlier one left this server, so the attempt time is cleared.
      ...(!error.sent && sent.attempted_at === null && { attempted_at: null }),
    })
  })
}

/**
 * Builds the form for the other portal: category, location and photos. Includes the requester's contact details if the
 * company allows it.
 */
async function formOf(to: PortalContext, row: Request, sent: SentRequestRow): Promise<URLSearchParams> {
  const { context, company, portal } = to
  const portalAnswers = await answersFor(to, row, sent.service_code)
  const files = await context.readingCompany(company.id, (tx) => photosOf(tx, company, 'request', [row.id]))
  const urls = (files.get(row.id) ?? []).map((file) => photoUrl(context, company, `portal-${portal.id}`, file))
  const [first, ...others] = urls
  const ending = [...portalAnswers.descriptionLines, ...others, markOf(to, row.id)].join('\n')
  const bodyText = (row.description || row.title).slice(0, Math.max(0, MAX_TEXT_LENGTH - ending.length - 2))
  const parts = row.name.trim().split(/\s+/)
  const name = splitLastFirst(row.name) ?? { first: parts.slice(0, -1).join(' '), last: parts.at(-1) }
  const formFields: Record<string, string | undefined> = {
    service_code: sent.service_code,
    description: withMedia(bodyText, ending).slice(-MAX_TEXT_LENGTH),
    address_string: row.location,
    ...(row.lat !== null && row.lon !== null && { lat: String(row.lat), long: String(row.lon) }),
    media_url: first,
    ...(portal.sends_contact && {
      email: row.email,
      phone: row.phone,
      first_name: name.first,
      last_name: name.last,
    }),
  }
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(formFields)) if (value) form.set(name, value)
  for (const [name, value] of portalAnswers.attributes) form.append(name, value)
  return form
}
