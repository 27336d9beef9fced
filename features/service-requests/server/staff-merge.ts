import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { addMessage, announceCase, authorOf, findCase, lockCase } from '../../../server/cases/entries.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { duplicates, mergeRequest, NO_NUMBER, separateRequest } from '../contract-staff.ts'
import { idIn, numberOf, openRequests } from '../rules.ts'
import { requests, requestStateStore } from './case.ts'
import { otherRequestView } from './show-staff-request.ts'
import { expectOpen } from './staff-steps.ts'
import { mergedEmail } from './emails.ts'
import type { Request } from './row.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { litList } from '../../../server/list-sql.ts'

/** Search radius for duplicates in meters, and the maximum number of duplicates to show. */
const NEAR_METRES = 250
const MAX_MERGED = 10

/** Lists open requests that may be duplicates: those of the same category nearby, and those from the same person. */
export const duplicatesCall = implement(duplicates, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const row = await findCase(tx, requests, company.id, body.subjectId)
    const here = row.at ? sql`point(${row.at.x}::float8, ${row.at.y}::float8)` : null
    const near = here
      ? sql`r.at <@ circle(${here}, ${NEAR_METRES}::float8) AND r.category_id = ${row.category_id}`
      : sql`false`
    const same = row.email === '' ? sql`false` : sql`lower(r.email) = lower(${row.email})`
    const { rows } = await sql<Request & { metres: number | null; followers: number }>`
      SELECT r.*, ${here ? sql`round(r.at <-> ${here})::int` : sql`NULL::int`} AS metres,
        (SELECT count(*)::int FROM request_follower f WHERE f.company_id = r.company_id AND f.request_id = r.id
          AND f.verified_at IS NOT NULL AND f.stopped_at IS NULL) AS followers
      FROM service_request r WHERE r.company_id = ${company.id} AND r.status IN (${litList(openRequests)}) AND r.id <> ${row.id}
        AND ((${near}) OR ${same})
      ORDER BY metres NULLS LAST, r.created_at LIMIT ${MAX_MERGED}`.execute(tx)
    return { requests: rows.map((one) => ({ ...otherRequestView(one), metres: one.metres, followers: one.followers })) }
  }),
)

/** Locks both requests of a merge. Locks the lower id first, as all code does, to prevent deadlocks. */
async function lockBoth(tx: Tx, { company }: Call, id: number, into: number): Promise<[Request, Request]> {
  const [first, second] = [Math.min(id, into), Math.max(id, into)]
  const low = await lockCase(tx, requests, company.id, first)
  const high = await lockCase(tx, requests, company.id, second)
  return id === first ? [low, high] : [high, low]
}

/** Closes a request as a duplicate. Its requester and followers then receive the notices about the other request. */
export const mergeRequestCall = implement(mergeRequest, (call) => {
  const { context, company, body } = call
  return call.inCompany(async (tx) => {
    const intoId = idIn(body.into)
    if (intoId === null) throw rejected(NO_NUMBER, { into: NO_NUMBER })
    const self = say`You cannot merge a request into itself. Choose another one.`
    if (intoId === body.subjectId) throw rejected(self, { into: self })
    const [row, into] = await lockBoth(tx, call, body.subjectId, intoId)
    const [number, intoNumber] = [numberOf(row.id), numberOf(into.id)]
    expectOpen(row)
    expectOpen(into)
    await transition(tx, requestStateStore, {
      scope: company.id,
      id: row.id,
      event: 'merge',
      actor: actorOf(call),
      detail: { into: intoNumber },
      deps: { context, company },
    })
    await changeRow(tx, 'service_request', company.id, row.id, { merged_into: into.id })
    // Requests that were merged into this one get the new target, so that merges never form a chain.
    await tx
      .updateTable('service_request')
      .set({ merged_into: into.id })
      .where('company_id', '=', company.id)
      .where('merged_into', '=', row.id)
      .execute()
    await bringFollowers(tx, call, row, into)
    const text = say`This problem was already reported as request ${intoNumber}. You will get updates on that request.`
    const entry = { by: authorOf(call, requests), text, at: context.clock.now(), files: [] }
    await addMessage(tx, context, requests, row, 'reply', entry)
    await emailPerson(tx, context, requests, company, row, () => mergedEmail(row.id, into.id))
    await announceCase(tx, requests, into)
    return { success: true as const, message: say`${number} and its followers were merged into ${intoNumber}.` }
  })
})

/**
 * Makes the requester and all followers of `row` follow `into`. No one follows a request twice, and requesters do not
 * follow their own request. Followers who came from an earlier merge stay linked to their original request.
 */
async function bringFollowers(tx: Tx, { context }: Call, row: Request, into: Request): Promise<void> {
  const now = context.clock.now()
  await sql`
    INSERT INTO request_follower (company_id, request_id, email, person_id, since, verified_at, came_from)
    SELECT DISTINCT ON (lower(c.email)) ${into.company_id}::int, ${into.id}::bigint, c.email, c.person_id, ${now}::timestamptz,
      c.verified_at, c.came_from FROM (
      SELECT ${row.email}::text AS email, ${row.person_id}::bigint AS person_id, ${now}::timestamptz AS verified_at,
        ${row.id}::bigint AS came_from
      UNION ALL
      SELECT f.email, f.person_id, f.verified_at, coalesce(f.came_from, f.request_id) FROM request_follower f
      WHERE f.company_id = ${row.company_id} AND f.request_id = ${row.id} AND f.stopped_at IS NULL) c
    WHERE c.email <> '' AND lower(c.email) <> lower(${into.email})
    ORDER BY lower(c.email), c.verified_at NULLS LAST
    ON CONFLICT (company_id, request_id, lower(email)) DO UPDATE SET stopped_at = NULL
      WHERE request_follower.came_from = excluded.came_from`.execute(tx)
}

/** Undoes a merge. The request reopens. Its requester and followers then receive notices only about this request. */
export const separateRequestCall = implement(separateRequest, (call) => {
  const { context, company, body } = call
  return call.inCompany(async (tx) => {
    const seen = await findCase(tx, requests, company.id, body.subjectId)
    const number = numberOf(seen.id)
    if (seen.merged_into === null) throw conflict('wrong_status', say`${number} is not merged into another request.`)
    const [row, into] = await lockBoth(tx, call, seen.id, seen.merged_into)
    if (row.merged_into !== into.id)
      throw conflict('changed', say`Someone else changed ${number}. Review it, then try again.`)
    await tx
      .updateTable('service_request')
      .set({ merged_into: null })
      .where('company_id', '=', company.id)
      .where('id', '=', row.id)
      .execute()
    await tx
      .updateTable('request_follower')
      .set({ stopped_at: context.clock.now() })
      .where('company_id', '=', company.id)
      .where('request_id', '=', into.id)
      .where('came_from', '=', row.id)
      .where('stopped_at', 'is', null)
      .execute()
    await transition(tx, requestStateStore, {
      scope: company.id,
      id: row.id,
      event: 'separate',
      actor: actorOf(call),
      deps: { context, company },
    })
    await announceCase(tx, requests, into)
    return { success: true as const, message: say`${number} is open again as a separate request.` }
  })
})
