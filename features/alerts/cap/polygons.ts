import { planeAt } from '../../../shared/plane.ts'
import type { Position } from '../../../shared/places.ts'

/** Maximum number of corners. Receivers of CAP truncate or refuse polygons with more corners. */
export const MAX_CORNERS = 100
/** Above this number of corners, only the convex hull is simplified, because each step checks all corners. */
const MAX_CHECKED = 8000
/** Number of sides of the border that replaces a hull with too many corners. */
const DIRECTIONS = 64
/** Once the border has few enough corners, removing another corner may add at most this fraction of the total area. */
const UNSEEN = 1e-4

interface Corner {
  x: number
  y: number
  before: Corner
  after: Corner
  isGone: boolean
}

type Metres = Pick<Corner, 'x' | 'y'>

/**
 * One simplification step. It removes a corner, or removes a side and extends the neighboring sides until they meet at
 * a new corner.
 */
interface PolygonChange {
  added: number
  /** Removed corners. */
  gone: Corner[]
  /** New corner in place of the removed ones. Null if the step adds none. */
  meets: Metres | null
}

const cross = (a: Metres, b: Metres, c: Metres): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

/**
 * Simplifies a border to fewer corners that still contain the whole original area. Each step removes an inward corner,
 * or extends the sides next to two outward corners until they meet. The smallest step is first, and steps that make the
 * border cross itself are skipped.
 * @param corners without the repetition of the first, of a border that does not cross itself
 */
export function simplified(corners: readonly Position[], max = MAX_CORNERS): Position[] {
  const [first] = corners
  if (!first || corners.length <= 4) return [...corners]
  const plane = planeAt({ lon: first[0], lat: first[1] })
  const all = corners.map(([lon, lat]) => plane.metresOf({ lon, lat }))
  const hull = all.length > MAX_CHECKED ? hullOf(all) : all
  const metres = hull.length > MAX_CHECKED ? aroundOf(hull) : hull
  const twice = areaTwice(metres)
  // The ring is counter-clockwise, so that a right turn is an inward corner.
  const ring = ringOf(twice < 0 ? metres.toReversed() : metres)
  let left = metres.length
  const unseen = (Math.abs(twice) / 2) * UNSEEN
  let start = ring
  for (;;) {
    const steps = stepsOf(start).toSorted((a, b) => a.added - b.added)
    // Applies independent steps, smallest first. Each step is checked against the current border.
    const touched = new Set<Corner>()
    let removed = 0
    for (const step of steps) {
      if (left <= 4 || (left <= max && step.added > 2 * unseen)) break
      if (step.gone.some((corner) => [corner.before, corner, corner.after].some((one) => touched.has(one)))) continue
      // If many corners remain, large steps wait for the next iteration, which may have smaller steps.
      if (removed > 0 && removed >= Math.max(1, (left - max) / 2)) break
      const near = take(step)
      if (!near) continue
      near.forEach((corner) => touched.add(corner))
      step.gone.forEach((corner) => touched.add(corner))
      const [alive = start] = near
      start = alive
      left -= 1
      removed += 1
    }
    if (removed === 0) break
  }
  return cornersOf(start).map((corner) => {
    const { lon, lat } = plane.degreesOf(corner)
    return [lon, lat]
  })
}

/** Returns a border with few sides around all corners. Works for any shape. */
export function roughly(corners: readonly Position[]): Position[] {
  const [first] = corners
  if (!first || corners.length <= 4) return [...corners]
  const plane = planeAt({ lon: first[0], lat: first[1] })
  const around = aroundOf(hullOf(corners.map(([lon, lat]) => plane.metresOf({ lon, lat }))))
  return around.map((corner): Position => {
    const { lon, lat } = plane.degreesOf(corner)
    return [lon, lat]
  })
}

/** Simplifies several borders. Runs in a separate thread, because each step checks all corners. */
export const simplifiedAll = (borders: readonly (readonly Position[])[]): Position[][] =>
  borders.map((border) => simplified(border))

const areaTwice = (ring: readonly Metres[]): number =>
  ring.reduce((sum, a, at) => {
    const b = ring[(at + 1) % ring.length] ?? a
    return sum + a.x * b.y - b.x * a.y
  }, 0)

/** Returns the convex hull of the points. */
function hullOf(points: readonly Metres[]): Metres[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y)
  const half = (along: readonly Metres[]): Metres[] => {
    const chain: Metres[] = []
    for (const point of along) {
      while (chain.length > 1 && cross(chain.at(-2) as Metres, chain.at(-1) as Metres, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

/** Returns a border with one side in each of `DIRECTIONS` directions, as tight as possible around a hull. */
function aroundOf(hull: readonly Metres[]): Metres[] {
  const sides = Array.from({ length: DIRECTIONS }, (_, index) => {
    const [x, y] = [Math.cos((2 * Math.PI * index) / DIRECTIONS), Math.sin((2 * Math.PI * index) / DIRECTIONS)]
    const far = hull.reduce((farthest, corner) => Math.max(farthest, corner.x * x + corner.y * y), -Infinity)
    // Adds one millimeter, so that rounding excludes no corner.
    return { x, y, far: far + 0.001 }
  })
  const sine = Math.sin((2 * Math.PI) / DIRECTIONS)
  return sides.map((a, index) => {
    const b = sides[(index + 1) % DIRECTIONS] ?? a
    return { x: (a.far * b.y - b.far * a.y) / sine, y: (b.far * a.x - a.far * b.x) / sine }
  })
}

function ringOf(corners: readonly Metres[]): Corner {
  const ring = corners.map(({ x, y }) => ({ x, y, isGone: false }) as Corner)
  for (const [at, corner] of ring.entries()) {
    corner.before = ring.at(at - 1) as Corner
    corner.after = ring[(at + 1) % ring.length] as Corner
  }
  return ring[0] as Corner
}

function cornersOf(start: Corner): Corner[] {
  const corners: Corner[] = []
  let at = start
  do {
    corners.push(at)
    at = at.after
  } while (at !== start)
  return corners
}

const stepsOf = (start: Corner): PolygonChange[] =>
  cornersOf(start).flatMap((corner): PolygonChange[] => {
    const { before, after } = corner
    const bend = cross(before, corner, after)
    if (bend <= 0) return [{ added: -bend, gone: [corner], meets: null }]
    // Removes the side from this corner to the next one, if both are outward corners.
    if (cross(corner, after, after.after) <= 0) return []
    const meets = meetingOf(before, corner, after, after.after)
    return meets ? [{ added: Math.abs(cross(corner, meets, after)), gone: [corner, after], meets }] : []
  })

/** Returns the point where the extended lines a–b and d–c meet, beyond b and c. Null if they do not meet there. */
function meetingOf(a: Metres, b: Metres, c: Metres, d: Metres): Metres | null {
  const [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, c.x - d.x, c.y - d.y]
  const slant = ux * vy - uy * vx
  if (Math.abs(slant) < 1e-9) return null
  const along = ((d.x - a.x) * vy - (d.y - a.y) * vx) / slant
  const other = ((d.x - a.x) * uy - (d.y - a.y) * ux) / slant
  return along > 1 && other > 1 ? { x: a.x + along * ux, y: a.y + along * uy } : null
}

/**
 * Applies a step, unless the border would cross or touch itself.
 * @returns the neighboring corners, or null if the step was skipped
 */
function take({ gone, meets }: PolygonChange): Corner[] | null {
  const [first] = gone
  const last = gone.at(-1)
  if (!first || !last || gone.some(({ isGone }) => isGone)) return null
  const [before, after] = [first.before, last.after]
  const sides: [Metres, Metres][] = meets
    ? [
        [before, meets],
        [meets, after],
      ]
    : [[before, after]]
  // Compares the new sides with all sides that stay.
  for (let at = after; at !== before; at = at.after)
    for (const [from, to] of sides) {
      const next = at.after
      const shared = at === to ? next : next === from ? at : null
      if (shared ? isOn(from, to, shared) || isOn(at, next, at === to ? from : to) : meet(from, to, at, next))
        return null
    }
  for (const corner of gone) corner.isGone = true
  if (meets) {
    const corner: Corner = { ...meets, before, after, isGone: false }
    before.after = corner
    after.before = corner
    return [corner, before, after]
  }
  before.after = after
  after.before = before
  return [before, after]
}

const side = (value: number): number => Math.sign(Math.abs(value) < 1e-9 ? 0 : value)

/** True if two sides have a common point. The bounding boxes are compared first, because most sides are far apart. */
const meet = (a: Metres, b: Metres, c: Metres, d: Metres): boolean =>
  Math.max(Math.min(a.x, b.x), Math.min(c.x, d.x)) <= Math.min(Math.max(a.x, b.x), Math.max(c.x, d.x)) &&
  Math.max(Math.min(a.y, b.y), Math.min(c.y, d.y)) <= Math.min(Math.max(a.y, b.y), Math.max(c.y, d.y)) &&
  side(cross(a, b, c)) * side(cross(a, b, d)) <= 0 &&
  side(cross(c, d, a)) * side(cross(c, d, b)) <= 0

/** True if a corner is on a side. */
const isOn = (a: Metres, b: Metres, corner: Metres): boolean =>
  side(cross(a, b, corner)) === 0 &&
  corner.x >= Math.min(a.x, b.x) &&
  corner.x <= Math.max(a.x, b.x) &&
  corner.y >= Math.min(a.y, b.y) &&
  corner.y <= Math.max(a.y, b.y)
