import { sql } from 'kysely'
import type { AddressResult, LocationValue } from '../../shared/places.ts'
import type { Point } from '../db/column-types.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { isNear, type Metres, type Origin, planeAt } from '../../shared/plane.ts'
import { addressColumns, type AddressRow, addressSpelledOut, toAddressResult } from './search.ts'

/** Reads the origin of the company's coordinate system, in degrees. Null if the company has no geographic data yet. */
export async function originOf(tx: Tx, company: CompanyId): Promise<Origin | null> {
  const row = await tx
    .selectFrom('company_map')
    .select(['origin_lat as lat', 'origin_lon as lon'])
    .where('company_id', '=', company)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Converts a point in degrees to meters from the company's origin. Null if the company has no origin, or the point is
 * too far away.
 */
export async function metresAt(tx: Tx, company: CompanyId, point: Origin): Promise<Metres | null> {
  const origin = await originOf(tx, company)
  const metres = origin && planeAt(origin).metresOf(point)
  return metres && isNear(metres) ? metres : null
}

/**
 * Returns a point in meters as SQL. The point can't be passed as an object parameter, because the driver sends objects
 * as JSON.
 */
export const pointOf = ({ x, y }: Metres) => sql<Point>`point(${x}::float8, ${y}::float8)`

/** Finds the address nearest to a point, with the distance in meters. */
export async function nearestAddress(
  tx: Tx,
  company: CompanyId,
  at: Metres,
): Promise<(AddressResult & { away: number }) | null> {
  const { rows } = await sql<AddressRow & { away: number }>`
    SELECT ${addressColumns}, a.away FROM (
      SELECT *, at <-> ${pointOf(at)} AS away FROM found_address WHERE company_id = ${company}
      ORDER BY at <-> ${pointOf(at)} LIMIT 1) a
    JOIN found_street s ON s.company_id = ${company} AND s.id = a.street_id`.execute(tx)
  const [row] = rows
  return row ? { ...toAddressResult(row), away: row.away } : null
}

/**
 * Finds the zones that contain a point. A zone contains the point if one of its parts has it inside the border and
 * outside the holes.
 */
export async function zonesAt(tx: Tx, company: CompanyId, at: Metres) {
  const { rows } = await sql<{ id: number; kind: string; name: string }>`
    SELECT z.id, z.kind, z.name FROM zone z
    WHERE z.company_id = ${company} AND EXISTS (
      SELECT FROM zone_ring b
      WHERE b.company_id = ${company} AND b.zone_id = z.id AND b.ring = 0 AND b.shape @> ${pointOf(at)} AND NOT EXISTS (
        SELECT FROM zone_ring h
        WHERE h.company_id = ${company} AND h.zone_id = z.id AND h.part = b.part AND h.ring > 0 AND h.shape @> ${pointOf(at)}))
    ORDER BY z.kind, z.name`.execute(tx)
  return rows
}

/**
 * Finds the addresses in a zone, in no particular order. Looks up the border of each part in the spatial index, then
 * excludes addresses in its holes. Queries each part separately, because a join would unpack the border for each
 * address.
 */
export async function addressesIn(tx: Tx, company: CompanyId, zone: number): Promise<number[]> {
  const parts = await tx
    .selectFrom('zone_ring')
    .select('part')
    .where(({ and }) => and({ company_id: company, zone_id: zone, ring: 0 }))
    .execute()
  const results = await Promise.all(
    parts.map(({ part }) => {
      const rings = sql`zone_ring r WHERE r.company_id = ${company} AND r.zone_id = ${zone} AND r.part = ${part}`
      return sql<{ id: number }>`
        SELECT a.id FROM found_address a
        WHERE a.company_id = ${company} AND a.at <@ (SELECT polygon(path(r.shape)) FROM ${rings} AND r.ring = 0)
          AND NOT EXISTS (SELECT FROM ${rings} AND r.ring > 0 AND r.shape @> a.at)`.execute(tx)
    }),
  )
  return [...new Set(results.flatMap(({ rows }) => rows.map(({ id }) => id)))]
}

/**
 * Validates a location from a browser. A known address is identified by its id, and a pin by its degrees. The browser's
 * meters are never used. An unknown or distant location stays as text only.
 */
export async function resolveLocation(
  tx: Tx,
  company: CompanyId,
  { text, addressId, lat, lon }: LocationValue,
): Promise<LocationValue> {
  const textOnly: LocationValue = { text, addressId: null, lat: null, lon: null, metres: null }
  if (addressId !== null) {
    const { rows } = await sql<AddressRow>`
      SELECT ${addressColumns} FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
      WHERE a.company_id = ${company} AND a.id = ${addressId}`.execute(tx)
    const [row] = rows
    if (row)
      return {
        text: text || toAddressResult(row).text,
        addressId,
        lat: row.lat,
        lon: row.lon,
        metres: { x: row.x, y: row.y },
      }
  }
  const metres = lat === null || lon === null ? null : await metresAt(tx, company, { lat, lon })
  return metres ? { ...textOnly, lat, lon, metres } : textOnly
}

/**
 * Validates a location as `resolveLocation` does. If the result has only a text, and that text spells out exactly one
 * address of the company, returns that address.
 */
export async function resolveTyped(tx: Tx, company: CompanyId, sent: LocationValue): Promise<LocationValue> {
  const location = await resolveLocation(tx, company, sent)
  if (location.addressId !== null || location.lat !== null || location.text === '') return location
  const match = await addressSpelledOut(tx, company, location.text)
  if (!match) return location
  const { id, text, lat, lon, metres } = match
  return { text, addressId: id, lat, lon, metres }
}
