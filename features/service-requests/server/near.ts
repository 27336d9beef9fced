import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { pointOf, resolveLocation } from '../../../server/places/at-point.ts'
import { nearRequests } from '../contract.ts'
import { NEAR_METRES, numberOf } from '../rules.ts'
import { publicAddress } from './public-location.ts'
import { OPEN, type Request } from './row.ts'

const MAX_NEARBY = 5

/**
 * Finds open requests of the same category near the location. If the location has no coordinates, finds requests with
 * the same location text.
 */
export const nearCall = implement(nearRequests, (call) => {
  const { company, body } = call
  return call.reading(async (tx) => {
    const { text, metres } = await resolveLocation(tx, company.id, body.location)
    if (!metres && text === '') return { requests: [] }
    const away = metres ? sql`r.at <-> ${pointOf(metres)}` : sql`0`
    const near = metres
      ? sql`r.at <@ circle(${pointOf(metres)}, ${NEAR_METRES})`
      : sql`r.at IS NULL AND lower(r.location) = lower(${text})`
    const { rows } = await sql<Request & { away: number; public_address: string | null }>`
      SELECT r.*, ${away} AS away, ${publicAddress} AS public_address FROM found_service_request r
      JOIN request_category c ON c.company_id = r.company_id AND c.id = r.category_id
      WHERE r.company_id = ${company.id} AND r.category_id = ${body.categoryId} AND ${OPEN} AND NOT r.is_spam
        AND c.on_map = 1 AND ${near}
      ORDER BY away, r.created_at DESC LIMIT ${MAX_NEARBY}`.execute(tx)
    return {
      requests: rows.map((row) => ({
        publicId: row.public_id,
        number: numberOf(row.id),
        title: row.title,
        location: row.public_address ?? '',
        at: row.created_at.toISOString(),
        status: row.status,
        metres: metres ? Math.round(row.away) : null,
      })),
    }
  })
})
