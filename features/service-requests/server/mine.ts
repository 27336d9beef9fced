import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { linkToOwnCase } from '../../../server/cases/emails.ts'
import { itemOwnerOf } from '../../../server/ongoing-calls.ts'
import { MAX_OWN, myRequests, openMyRequest } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requests } from './case.ts'
import { followPath } from './followers.ts'
import { publicAddress } from './public-location.ts'
import type { Request } from './row.ts'
import { settingsOf } from './settings.ts'

/** Lists the requests that a resident sent or follows. */
export const myRequestsCall = implement(myRequests, (call) => {
  const { context, company } = call
  const { personId } = signedIn(call)
  return call.reading(async (tx) => {
    const { rows } = await sql<Request & { is_new: boolean }>`
      SELECT r.*, r.last_from = 'staff' AND r.last_message_id > coalesce((
        SELECT c.seen_id FROM case_reader c WHERE c.company_id = r.company_id AND c.subject_kind = ${requests.calls.kind}
          AND c.subject_id = r.id AND c.reader_kind = 'person' AND c.reader_id = 0), 0) AS is_new
      FROM service_request r WHERE r.company_id = ${company.id} AND r.person_id = ${personId}
      ORDER BY r.created_at DESC, r.id DESC LIMIT ${MAX_OWN + 1}`.execute(tx)
    const { rows: followed } = await sql<Request & { follower: number; public_address: string | null }>`
      SELECT r.*, f.id AS follower, ${publicAddress} AS public_address FROM request_follower f
      JOIN service_request r ON r.company_id = f.company_id AND r.id = f.request_id
      WHERE f.company_id = ${company.id} AND f.person_id = ${personId} AND f.stopped_at IS NULL
      ORDER BY f.since DESC, f.id DESC LIMIT ${MAX_OWN}`.execute(tx)
    return {
      requests: rows.slice(0, MAX_OWN).map((row) => ({
        id: row.id,
        number: numberOf(row.id),
        title: row.title,
        location: row.location,
        at: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
        status: row.status,
        isNew: row.is_new,
      })),
      followed: followed.map((row) => ({
        number: numberOf(row.id),
        title: row.title,
        location: row.public_address ?? '',
        at: row.created_at.toISOString(),
        status: row.status,
        path: followPath(context, company.id, row.follower),
      })),
      hasMap: (await settingsOf(tx, company.id)).hasMap,
      more: rows.length > MAX_OWN,
    }
  })
})

export const openMyRequestCall = implement(openMyRequest, (call) =>
  call.inCompany(async (tx) => ({ token: await linkToOwnCase(tx, itemOwnerOf(call), requests, call.body.requestId) })),
)
