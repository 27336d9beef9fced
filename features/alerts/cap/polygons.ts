import { planeAt } from '../../../shared/plane.ts'
import type { Position } from '../../../shared/places.ts'

/** Receivers of CAP cut polygons with more corners than that, or refuse them. */
export const MAX_CORNERS = 100
/** Of more than that only the hull is kept: each step looks at all of them. */
const MAX_CHECKED = 8000
/** A hull with more corners than that gets a border with so many sides around it. */
const DIRECTIONS = 64
/** Each corner that goes may add no more than this share of the whole area, while there are few enough. */
const UNSEEN = 1e-4

interface Corner {
  x: number
  y: number
  before: Corner
  after: Corner
  isGone: boolean
}

type Metres = Pick<Corner, 'x' | 'y'>

/** How the ring changes by one step: a corner goes, or a side goes and its neighbours meet at a new corner. */
interface PolygonChange {
  added: number
  /** The corners that go. */
  gone: Corner[]
  /** The corner that comes instead, where one does. */
  meets: Metres | null
}

const cross = (a: Metres, b: Metres, c: Metres): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

/**
 * A border with fewer corners that covers the whole of what it was: nobody who was inside is outside. Each step adds a little and
 * takes nothing away: where the border bends inwards its corner is cut off, and where two corners bend outwards the sides
 * beside them are drawn on until they meet. The step that adds least comes first; one by which the border would cross
 * itself is left out.
 * @param corners without the one that repeats the first, of a border that doesn't cross itself
 */
export function simplified(corners: readonly Position[], most = MAX_CORNERS): Position[] {
  const [first] = corners
  if (!first || corners.length <= 4) return [...corners]
  const plane = planeAt({ lon: first[0], lat: first[1] })
  const all = corners.map(([lon, lat]) => plane.metresOf({ lon, lat }))
  const hull = all.length > MAX_CHECKED ? hullOf(all) : all
  const metres = hull.length > MAX_CHECKED ? aroundOf(hull) : hull
  const twice = areaTwice(metres)
  // Counter-clockwise, so that a corner bends inwards where the border turns to the right.
  const ring = ringOf(twice < 0 ? metres.toReversed() : metres)
  let left = metres.length
  const unseen = (Math.abs(twice) / 2) * UNSEEN
  let start = ring
  for (;;) {
    const steps = stepsOf(start).toSorted((a, b) => a.added - b.added)
    // A round of steps that don't touch each other, the cheapest first: each is judged by the border as it is then.
    const touched = new Set<Corner>()
    let taken = 0
    for (const step of steps) {
      if (left <= 4 || (left <= most && step.added > 2 * unseen)) break
      if (step.gone.some((corner) => [corner.before, corner, corner.after].some((one) => touched.has(one)))) continue
      // Among many corners the dear steps wait until the cheap ones of the next round are known.
      if (taken > 0 && taken >= Math.max(1, (left - most) / 2)) break
      const near = take(step)
      if (!near) continue
      near.forEach((corner) => touched.add(corner))
      step.gone.forEach((corner) => touched.add(corner))
      const [alive = start] = near
      start = alive
      left -= 1
      taken += 1
    }
    if (taken === 0) break
  }
  return cornersOf(start).map((corner) => {
    const { lon, lat } = plane.degreesOf(corner)
    return [lon, lat]
  })
}

/** A border of few sides around all corners, whatever it looks like. */
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

/** Simplifies several borders, in a thread: each step looks at all corners. */
export const simplifiedAll = (borders: readonly (readonly Position[])[]): Position[][] =>
  borders.map((border) => simplified(border))

const areaTwice = (ring: readonly Metres[]): number =>
  ring.reduce((sum, a, at) => {
    const b = ring[(at + 1) % ring.length] ?? a
    return sum + a.x * b.y - b.x * a.y
  }, 0)

/** The smallest border around all of them that bends outwards alone. */
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

/** A border with one side in each of some directions, each as near as it may be to cover all corners of a hull. */
function aroundOf(hull: readonly Metres[]): Metres[] {
  const sides = Array.from({ length: DIRECTIONS }, (_, nth) => {
    const [x, y] = [Math.cos((2 * Math.PI * nth) / DIRECTIONS), Math.sin((2 * Math.PI * nth) / DIRECTIONS)]
    const far = hull.reduce((most, corner) => Math.max(most, corner.x * x + corner.y * y), -Infinity)
    // A millimeter more, so that no corner lies outside by rounding.
    return { x, y, far: far + 0.001 }
  })
  const turn = Math.sin((2 * Math.PI) / DIRECTIONS)
  return sides.map((a, nth) => {
    const b = sides[(nth + 1) % DIRECTIONS] ?? a
    return { x: (a.far * b.y - b.far * a.y) / turn, y: (b.far * a.x - a.far * b.x) / turn }
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
    // The side from this corner to the next one goes, where both bend outwards.
    if (cross(corner, after, after.after) <= 0) return []
    const meets = meetingOf(before, corner, after, after.after)
    return meets ? [{ added: Math.abs(cross(corner, meets, after)), gone: [corner, after], meets }] : []
  })

/** Where the line from a through b and that from d through c meet, beyond b and c; null where they don't. */
function meetingOf(a: Metres, b: Metres, c: Metres, d: Metres): Metres | null {
  const [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, c.x - d.x, c.y - d.y]
  const slant = ux * vy - uy * vx
  if (Math.abs(slant) < 1e-9) return null
  const along = ((d.x - a.x) * vy - (d.y - a.y) * vx) / slant
  const other = ((d.x - a.x) * uy - (d.y - a.y) * ux) / slant
  return along > 1 && other > 1 ? { x: a.x + along * ux, y: a.y + along * uy } : null
}

/** Takes a step, unless the border would cross or touch itself. @returns the corners beside it, null where it was left out */
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
  // The sides that stay.
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

/** Two sides that have a point in common. Most are far apart, which is known soonest. */
const meet = (a: Metres, b: Metres, c: Metres, d: Metres): boolean =>
  Math.max(Math.min(a.x, b.x), Math.min(c.x, d.x)) <= Math.min(Math.max(a.x, b.x), Math.max(c.x, d.x)) &&
  Math.max(Math.min(a.y, b.y), Math.min(c.y, d.y)) <= Math.min(Math.max(a.y, b.y), Math.max(c.y, d.y)) &&
  side(cross(a, b, c)) * side(cross(a, b, d)) <= 0 &&
  side(cross(c, d, a)) * side(cross(c, d, b)) <= 0

/** A corner that lies on a side. */
const isOn = (a: Metres, b: Metres, corner: Metres): boolean =>
  side(cross(a, b, corner)) === 0 &&
  corner.x >= Math.min(a.x, b.x) &&
  corner.x <= Math.max(a.x, b.x) &&
  corner.y >= Math.min(a.y, b.y) &&
  corner.y <= Math.max(a.y, b.y)
