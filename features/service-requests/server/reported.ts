import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import { notFound } from '../../../server/errors.ts'
import { walkOf } from '../../../server/list-sql.ts'
import { publicRequests } from '../contract.ts'
import { numberOf, PUBLIC_DAYS, requestStatus } from '../rules.ts'
import { activeCategories } from './categories.ts'
import { onPublicMap, publicAddress } from './public-location.ts'
import { OPEN, type Request } from './row.ts'
import { settingsOf } from './settings.ts'

const PAGE = 25
const DAY = 86_400_000

/** Lists recent requests for the public, with category, location and date. Never shows the requester. */
export const publicRequestsCall = implement(publicRequests, (call) => {
  const { context, company, body } = call
  const cursorPosition = readCursor(body.cursor, isInstant)
  return call.reading(async (tx) => {
    if (!(await settingsOf(tx, company.id)).hasMap) throw notFound('We do not publish reported problems.')
    const since = new Date(context.clock.now().getTime() - PUBLIC_DAYS * DAY)
    const { sqlDirection, beyond } = walkOf('desc', cursorPosition)
    const from = cursorPosition
      ? sql`AND (r.created_at, r.id) ${beyond} (${cursorPosition.key}::timestamptz, ${cursorPosition.id})`
      : sql``
    const stands = { open: sql`AND ${OPEN}`, done: sql`AND r.status = ${sql.lit(requestStatus.completed)}` }
    const { rows } = await sql<Request & { public_address: string | null }>`
      SELECT r.*, ${publicAddress} AS public_address FROM service_request r
      WHERE r.company_id = ${company.id} AND r.created_at >= ${since} AND ${onPublicMap}
        ${body.categoryId === undefined ? sql`` : sql`AND r.category_id = ${body.categoryId}`}
        ${body.stands ? stands[body.stands] : sql``} ${from}
      ORDER BY r.created_at ${sqlDirection}, r.id ${sqlDirection} LIMIT ${PAGE + 1}`.execute(tx)
    const page = pageOf(rows, cursorPosition, PAGE, ({ created_at }) => created_at.toISOString())
    const categories = await activeCategories(tx, company.id)
    return {
      ...page,
      rows: page.rows.map((row) => ({
        id: row.id,
        publicId: row.public_id,
        number: numberOf(row.id),
        title: row.title,
        location: row.public_address ?? '',
        at: row.created_at.toISOString(),
        closedAt: row.closed_at?.toISOString() ?? null,
        status: row.status,
        lat: row.lat,
        lon: row.lon,
      })),
      categories: categories.filter(({ on_map }) => on_map === 1).map(({ id, name }) => ({ id, name })),
    }
  })
})
