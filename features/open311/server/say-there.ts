import { type Selectable, sql } from 'kysely'
import { lockCase } from '../../../server/cases/entries.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests } from '../../service-requests/server/case.ts'
import { isOpen } from '../rules.ts'
import { againAt, alertStaff, isGivenUp, leaseUntil } from './alert.ts'
import { ask, NoAnswer, refusedWith, whereIs, type PortalContext } from './client.ts'
import { pictureUrl, picturesOf } from './pictures.ts'
import { withMedia } from './report.ts'
import { textAt } from './their-answers.ts'

type SentCommentRow = Selectable<Schema['open311_said']>
const BATCH_SIZE = 25

/** What whoever asked wrote since, of requests that are there. Entries of one request are written one after the other. */
export const findSaid = ({ context, company, portal }: PortalContext): Promise<void> =>
  context.inCompany(company.id, async (tx) => {
    const now = context.clock.now()
    const { rows } = await sql<{ request_id: number; until: number; before: number }>`
      SELECT s.request_id, r.last_message_id AS until, s.said_until AS before FROM open311_sent s
      JOIN service_request r ON r.company_id = s.company_id AND r.id = s.request_id
      WHERE s.company_id = ${company.id} AND s.portal_id = ${portal.id} AND s.state = 'sent' AND r.last_message_id > s.said_until
      ORDER BY s.request_id LIMIT 200 FOR NO KEY UPDATE OF s SKIP LOCKED`.execute(tx)
    for (const { request_id, until, before } of rows) {
      await sql`
        INSERT INTO open311_said (company_id, entry_id, request_id, state, began_at, next_at)
        SELECT company_id, id, ${request_id}, 'waiting', ${now}::timestamptz, ${now}::timestamptz FROM case_entry
        WHERE company_id = ${company.id} AND subject_kind = ${requests.calls.kind} AND subject_id = ${request_id}
          AND id > ${before} AND id <= ${until} AND kind = 'message' AND visibility = 'everyone'
        ON CONFLICT DO NOTHING`.execute(tx)
      await tx
        .updateTable('open311_sent')
        .set({ said_until: until })
        .where(({ and }) => and({ company_id: company.id, request_id }))
        .execute()
    }
  })

/** Tells the other portal what is due. @returns false where it can't be asked at the moment */
export async function sayDue(to: PortalContext): Promise<boolean> {
  const { context, company, portal } = to
  const { rows } = await context.readingCompany(company.id, (tx) =>
    sql<{ entry_id: number }>`
      SELECT m.entry_id FROM open311_sent s JOIN open311_said m ON m.company_id = s.company_id AND m.request_id = s.request_id
      WHERE s.company_id = ${company.id} AND s.portal_id = ${portal.id} AND m.state = 'waiting' AND m.next_at <= ${context.clock.now()}
      ORDER BY m.entry_id LIMIT ${BATCH_SIZE}`.execute(tx),
  )
  for (const { entry_id } of rows) if (!(await sayOne(to, entry_id))) return false
  return true
}

async function sayOne(to: PortalContext, entry: number): Promise<boolean> {
  const { context, company, portal } = to
  const now = context.clock.now()
  const said = await context.inCompany(company.id, (tx) =>
    tx
      .updateTable('open311_said')
      .set((e) => ({ next_at: leaseUntil(now), tries: e('tries', '+', 1) }))
      .where(({ and }) => and({ company_id: company.id, entry_id: entry, state: 'waiting' }))
      .where('next_at', '<=', now)
      .returningAll()
      .executeTakeFirst(),
  )
  if (!said) return true
  if (!portal.has_updates) {
    await end(to, said, 'refused', say`It takes no updates by Open311. Tell it by another way.`)
    return true
  }
  try {
    const form = await context.readingCompany(company.id, (tx) => formOf(tx, to, said))
    const answer = await ask(context, whereIs(context, portal), 'servicerequestupdates', { form })
    if (answer.status >= 300) await end(to, said, 'refused', refusedWith(answer))
    else await end(to, said, 'sent', '', textAt(answer.rows[0], 'update_id', 200))
    return true
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    if (isGivenUp(now, said.began_at)) await end(to, said, 'given_up', error.message)
    else await change(to, said, { next_at: againAt(now, said.tries) })
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
      .updateTable('open311_said')
      .set(to)
      .where(({ and }) => and({ company_id: company.id, entry_id }))
      .execute(),
  )

const end = (
  { context, company, portal }: PortalContext,
  said: SentCommentRow,
  state: 'sent' | 'refused' | 'given_up',
  why: string,
  theirs = '',
) =>
  context.inCompany(company.id, async (tx) => {
    const row = await lockCase(tx, requests, company.id, said.request_id)
    await tx
      .updateTable('open311_said')
      .set({ state })
      .where(({ and }) => and({ company_id: company.id, entry_id: said.entry_id }))
      .execute()
    // Servers tell of what we told them under a number of theirs: it is known here already.
    if (theirs !== '')
      await tx
        .insertInto('open311_heard')
        .values({ company_id: company.id, request_id: said.request_id, update_id: theirs })
        .onConflict((on) => on.doNothing())
        .execute()
    if (state !== 'sent')
      await alertStaff(tx, context, row, say`A message of the requester did not reach ${portal.name}: ${why}`)
  })

/** A message of whoever asked as an update, under a number by which it is written there once. */
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
  const { their_id, status, name, email } = await tx
    .selectFrom('open311_sent as s')
    .innerJoin('service_request as r', (on) =>
      on.onRef('r.company_id', '=', 's.company_id').onRef('r.id', '=', 's.request_id'),
    )
    .select(['s.their_id', 'r.status', 'r.name', 'r.email'])
    .where('s.company_id', '=', company.id)
    .where('s.request_id', '=', request_id)
    .executeTakeFirstOrThrow()
  const files = (await picturesOf(tx, company, 'case_entry', [entry_id])).get(entry_id) ?? []
  const [first = '', ...others] = files.map((file) => pictureUrl(context, company, `portal-${portal.id}`, file))
  const update_id = `${company.subdomain}-${numberOf(request_id)}-${entry_id}`
  return new URLSearchParams({
    ...{ update_id, service_request_id: their_id, updated_datetime: entry.at.toISOString() },
    status: isOpen(status) ? 'OPEN' : 'CLOSED',
    description: withMedia(entry.text, others.join('\n')).slice(0, 4000),
    ...(first !== '' && { media_url: first }),
    ...(portal.sends_contact && { last_name: name, email }),
  })
}
