import type { Position } from '../../shared/places.ts'
import { say } from '../../shared/messages.ts'
import { isNear, type Plane } from '../../shared/plane.ts'
import { RowError } from '../row-error.ts'
import { crossingOf } from './crossing.ts'

/** GeoJSON polygon: a list of rings of positions. The first ring is the border, and the others are holes. */
export type Polygon = Position[][]

/** GeoJSON shape. For an unsupported type, `point`, `lines` and `polygons` are all missing. */
export interface Geometry {
  type: string
  point?: Position
  lines?: Position[][]
  polygons?: Polygon[]
}

/** Maximum number of corners of a shape, over all of its rings. */
const MAX_CORNERS = 100_000

/**
 * Reads a position in degrees. If a `plane` is passed, the position must be near the company.
 * @throws RowError if the position is invalid or too far away
 */
export function positionOf(value: unknown, plane: Plane | null): Position {
  const [lon, lat] = Array.isArray(value) ? value : []
  if (typeof lon !== 'number' || typeof lat !== 'number' || !Number.isFinite(lon) || !Number.isFinite(lat))
    throw new RowError(say`A position must be two numbers.`)
  if (Math.abs(lon) > 180 || Math.abs(lat) > 85)
    throw new RowError(
      say`The position ${lon}, ${lat} is not in degrees of longitude and latitude. Export the file as WGS 84 (EPSG:4326).`,
    )
  const metres = plane?.metresOf({ lat, lon })
  if (metres && !isNear(metres)) {
    const away = Math.round(Math.hypot(metres.x, metres.y) / 1000).toLocaleString('en-US')
    throw new RowError(
      say`The position ${lat}, ${lon} is ${away} km from the municipality. Check if latitude and longitude are swapped.`,
    )
  }
  return [lon, lat]
}

/**
 * Reads the polygons of an area. If a `plane` is passed, they must be near the company.
 * @throws RowError if the area is invalid or too far away
 */
export function polygonsOf({ type, polygons }: Geometry, plane: Plane | null): Polygon[] {
  if (!polygons) throw new RowError(say`The shape is a ${type}. An area must be a Polygon or a MultiPolygon.`)
  for (const polygon of polygons) for (const ring of polygon) for (const corner of ring) positionOf(corner, plane)
  return polygons
}

/**
 * Reads a GeoJSON geometry with positions in degrees. Runs in the parser's thread. Refuses borders that cross
 * themselves, and omits the repeated last corner.
 * @throws RowError if the geometry is invalid
 */
export function readGeometry(value: object): Geometry {
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  const geometry: Geometry = { type: String(typeof type === 'string' ? type : typeof type).slice(0, 40) }
  const count = { corners: 0 }
  if (type === 'Point') geometry.point = positionOf(coordinates, null)
  if (type === 'LineString') geometry.lines = [lineOf(coordinates, count)]
  if (type === 'MultiLineString') geometry.lines = listOf(coordinates).map((line) => lineOf(line, count))
  if (type === 'Polygon') geometry.polygons = [polygonOf(coordinates, count)]
  if (type === 'MultiPolygon') geometry.polygons = listOf(coordinates).map((rings) => polygonOf(rings, count))
  if (geometry.polygons?.length === 0) throw new RowError(say`The area has no boundary.`)
  return geometry
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Adds the number of positions to `counted`. @throws RowError if the limit is exceeded */
function countIn(counted: { corners: number }, positions: readonly unknown[]): void {
  counted.corners += positions.length
  const formatted = counted.corners.toLocaleString('en-US')
  if (counted.corners > MAX_CORNERS)
    throw new RowError(
      say`A shape has ${formatted} corners. Simplify it to ${MAX_CORNERS.toLocaleString('en-US')} or fewer.`,
    )
}

function lineOf(line: unknown, counted: { corners: number }): Position[] {
  const positions = listOf(line)
  if (positions.length < 2) throw new RowError(say`A line has fewer than two positions.`)
  countIn(counted, positions)
  return positions.map((position) => positionOf(position, null))
}

function polygonOf(rings: unknown, counted: { corners: number }): Polygon {
  const all = listOf(rings)
  if (all.length === 0) throw new RowError(say`A polygon has no boundary.`)
  return all.map((ring) => ringOf(ring, counted))
}

function ringOf(ring: unknown, counted: { corners: number }): Position[] {
  if (!Array.isArray(ring)) throw new RowError(say`A boundary must be a list of positions.`)
  countIn(counted, ring)
  const corners: Position[] = []
  for (const value of ring) {
    const corner = positionOf(value, null)
    if (!isSame(corner, corners.at(-1))) corners.push(corner)
  }
  if (corners.length > 1 && isSame(corners[0], corners.at(-1))) corners.pop()
  if (corners.length < 3) throw new RowError(say`A boundary has fewer than three corners.`)
  const crossing = crossingOf(corners)
  if (crossing)
    throw new RowError(
      say`A boundary crosses itself near ${crossing[1].toFixed(5)}, ${crossing[0].toFixed(5)}. Correct it, so that the area inside is clear.`,
    )
  return corners
}

const isSame = (a: Position | undefined, b: Position | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1]

/** Returns the center of an area, computed from the border of its largest polygon. */
export function middleOf(polygons: readonly Polygon[]): Position {
  const weighed = polygons.map(([border = []]) => {
    const [first = [0, 0] as Position] = border
    let [area, lon, lat] = [0, 0, 0]
    for (const [at, [ax, ay]] of border.entries()) {
      const [bx, by] = border[(at + 1) % border.length] ?? first
      const part = (ax - first[0]) * (by - first[1]) - (bx - first[0]) * (ay - first[1])
      area += part
      lon += part * (ax + bx - 2 * first[0])
      lat += part * (ay + by - 2 * first[1])
    }
    const middle: Position = area === 0 ? first : [first[0] + lon / (3 * area), first[1] + lat / (3 * area)]
    return { middle, area: Math.abs(area) }
  })
  return weighed.toSorted((a, b) => b.area - a.area)[0]?.middle ?? [0, 0]
}

/** Formats a ring as a PostgreSQL polygon in meters. */
export const shapeText = (ring: readonly Position[], plane: Plane): string =>
  `(${ring
    .map(([lon, lat]) => plane.metresOf({ lat, lon }))
    .map(({ x, y }) => `(${x},${y})`)
    .join(',')})`
