import { sql } from 'kysely'
import { findAddresses, findNearest, type Position, returnCompanyMap } from '../../shared/places.ts'
import { type Call, implement } from '../call.ts'
import { countAttempt, defineAddressLimit } from '../limits.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { metresAt, nearestAddress, originOf, zonesAt } from './at-point.ts'
import { tilesPath } from './map-file.ts'
import { planeAt } from '../../shared/plane.ts'
import { searchAddresses } from './search.ts'

/** Rate limit for address searches. A person who types an address sends a few searches, but a scraper sends many. */
const searchLimit = defineAddressLimit('place-search', { max: 600, after: 'pause' })

/** Counts address searches by guests, by IP address. Searches by signed-in people do not count. */
async function countGuest({ context, session, address, company }: Call): Promise<void> {
  if (!session) await countAttempt(context, [searchLimit(address, company.id)])
}

const findAddressesCall = implement(findAddresses, async (call) => {
  await countGuest(call)
  return { matches: await call.inCompany((tx) => searchAddresses(tx, call.company.id, call.body.search)) }
})

const findNearestCall = implement(findNearest, async (call) => {
  await countGuest(call)
  return call.inCompany(async (tx) => {
    const metres = await metresAt(tx, call.company.id, call.body)
    if (!metres) return { metres: null, nearest: null, zones: [] }
    const [nearest, zones] = await Promise.all([
      nearestAddress(tx, call.company.id, metres),
      zonesAt(tx, call.company.id, metres),
    ])
    return { metres, nearest, zones }
  })
})

const companyMapCall = implement(returnCompanyMap, async (call) => {
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const { extent, file_id } = await extentOf(tx, company)
    if (!extent) return { extent, tiles: null, streets: [], zones: [] }
    const zones = await tx
      .selectFrom('zone')
      .select(['id', 'kind', 'name', 'outline'])
      .where('company_id', '=', company)
      .orderBy('kind')
      .orderBy('name')
      .execute()
    return {
      extent,
      tiles: file_id === null ? null : tilesPath(company, file_id),
      streets: file_id === null ? await streetsOf(tx, company) : [],
      zones,
    }
  })
})

/**
 * Returns the area that all addresses cover, and the map file. If the company has no addresses, returns a square around
 * its origin. Null for a company without geographic data.
 */
async function extentOf(tx: Tx, company: CompanyId) {
  const map = await tx.selectFrom('company_map').select('file_id').where('company_id', '=', company).executeTakeFirst()
  const origin = await originOf(tx, company)
  if (!map || !origin) return { extent: null, file_id: null }
  const { rows } = await sql<{ x0: number | null; y0: number; x1: number; y1: number }>`
    SELECT min((at)[0]) AS x0, min((at)[1]) AS y0, max((at)[0]) AS x1, max((at)[1]) AS y1
    FROM address WHERE company_id = ${company}`.execute(tx)
  const [bounds] = rows
  // If the company has no addresses, uses a square of about one mile around the origin.
  const box = bounds && bounds.x0 !== null ? { ...bounds, x0: bounds.x0 } : { x0: -800, y0: -800, x1: 800, y1: 800 }
  const plane = planeAt(origin)
  const [low, high] = [plane.degreesOf({ x: box.x0, y: box.y0 }), plane.degreesOf({ x: box.x1, y: box.y1 })]
  return {
    extent: { south: low.lat, west: low.lon, north: high.lat, east: high.lon },
    file_id: map.file_id,
  }
}

const streetsOf = (tx: Tx, company: CompanyId): Promise<{ name: string; lines: Position[][] }[]> =>
  tx
    .selectFrom('street')
    .select(['name', 'lines'])
    .where('company_id', '=', company)
    .where(sql<boolean>`lines <> '[]'`)
    .orderBy('name')
    .execute()

export const placeCalls = [findAddressesCall, findNearestCall, companyMapCall]
