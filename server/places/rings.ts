import type { Position } from '../../shared/places.ts'
import { say } from '../../shared/words.ts'
import type { Plane } from '../../shared/plane.ts'
import { isNear } from './at-point.ts'
import { WrongRow } from '../imports.ts'

/** Of GeoJSON: rings of positions, the border first and then its holes. */
export type Polygon = Position[][]

export interface Geometry {
  type: string
  coordinates: unknown
}

const MOST_CORNERS = 100_000

/** A position that is in degrees and near the town. @throws WrongRow */
export function positionOf(value: unknown, plane: Plane | null): Position {
  const [lon, lat] = Array.isArray(value) ? value : []
  if (typeof lon !== 'number' || typeof lat !== 'number' || !Number.isFinite(lon) || !Number.isFinite(lat))
    throw new WrongRow(say`A position is not two numbers.`)
  if (Math.abs(lon) > 180 || Math.abs(lat) > 85)
    throw new WrongRow(
      say`The position ${lon}, ${lat} is not in degrees of longitude and latitude. Export the file as WGS 84 (EPSG:4326).`,
    )
  const metres = plane?.metresOf({ lat, lon })
  if (metres && !isNear(metres)) {
    const away = Math.round(Math.hypot(metres.x, metres.y) / 1000).toLocaleString('en-US')
    throw new WrongRow(
      say`The position ${lat}, ${lon} is ${away} km away from the town. Are latitude and longitude changed about?`,
    )
  }
  return [lon, lat]
}

/** The polygons of a geometry, each ring without its last corner, which repeats the first. @throws WrongRow */
export function polygonsOf({ type, coordinates }: Geometry, plane: Plane | null): Polygon[] {
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : null
  if (!Array.isArray(polygons)) throw new WrongRow(say`It is a ${type}, and an area is a Polygon or a MultiPolygon.`)
  const read = polygons.map((rings) => {
    if (!Array.isArray(rings) || rings.length === 0) throw new WrongRow(say`It has a polygon without a border.`)
    return rings.map((ring) => ringOf(ring, plane))
  })
  if (read.length === 0) throw new WrongRow(say`It has no border.`)
  return read
}

function ringOf(ring: unknown, plane: Plane | null): Position[] {
  if (!Array.isArray(ring)) throw new WrongRow(say`A border is not a list of positions.`)
  if (ring.length > MOST_CORNERS)
    throw new WrongRow(
      say`A border has ${ring.length.toLocaleString('en-US')} corners. Simplify it to at most ${MOST_CORNERS.toLocaleString('en-US')}.`,
    )
  const corners: Position[] = []
  for (const value of ring) {
    const corner = positionOf(value, plane)
    if (!isSame(corner, corners.at(-1))) corners.push(corner)
  }
  if (corners.length > 1 && isSame(corners[0], corners.at(-1))) corners.pop()
  if (corners.length < 3) throw new WrongRow(say`A border has fewer than three corners.`)
  const crossing = crossingOf(corners)
  if (crossing)
    throw new WrongRow(
      say`A border crosses itself near ${crossing[1].toFixed(5)}, ${crossing[0].toFixed(5)}, so that nobody can say what is inside.`,
    )
  return corners
}

const isSame = (a: Position | undefined, b: Position | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1]

type Edge = readonly [from: Position, to: Position]

/** Where two sides of a ring cross, or null. Sides are met from west to east, each held against those it overlaps. */
export function crossingOf(corners: readonly Position[]): Position | null {
  const edges = corners
    .map((from, at): Edge => [from, corners[(at + 1) % corners.length] ?? from])
    .map((edge) => ({ edge, west: Math.min(edge[0][0], edge[1][0]), east: Math.max(edge[0][0], edge[1][0]) }))
    .toSorted((a, b) => a.west - b.west)
  let open: typeof edges = []
  for (const next of edges) {
    open = open.filter(({ east }) => east >= next.west)
    for (const { edge } of open) if (cross(edge, next.edge)) return edge[0]
    open.push(next)
  }
  return null
}

/** On which side of a side a corner lies; 0: in line with it. */
const sideOf = ([[ax, ay], [bx, by]]: Edge, [x, y]: Position) => Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax))

const cross = (one: Edge, other: Edge): boolean =>
  sideOf(one, other[0]) * sideOf(one, other[1]) < 0 && sideOf(other, one[0]) * sideOf(other, one[1]) < 0

/** The middle of an area: of its largest polygon, by its border. */
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

/** A ring in metres, as PostgreSQL writes a polygon. */
export const shapeText = (ring: readonly Position[], plane: Plane): string =>
  `(${ring
    .map(([lon, lat]) => plane.metresOf({ lat, lon }))
    .map(({ x, y }) => `(${x},${y})`)
    .join(',')})`
