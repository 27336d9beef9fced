import type { Position } from '../../shared/places.ts'

/**
 * Side of a ring, from its western to its eastern end. The tree contains the sides that the sweep line crosses, from
 * south to north.
 */
interface Side {
  index: number
  west: Position
  east: Position
  south: Side | null
  north: Side | null
  priority: number
  parent: Side | null
  lower: Side | null
  upper: Side | null
}

interface Event {
  at: Position
  side: Side
  ends: boolean
}

/** Returns the direction of the turn from a via b to c. Positive for a left turn. */
const orientation = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

const compare = (a: Position, b: Position): number => a[0] - b[0] || a[1] - b[1]

const cross = (one: Side, other: Side): boolean =>
  orientation(one.west, one.east, other.west) * orientation(one.west, one.east, other.east) < 0 &&
  orientation(other.west, other.east, one.west) * orientation(other.west, other.east, one.east) < 0

/**
 * Finds a point where two sides of a ring cross. Null if none do. Sides that only touch do not count. A line sweeps
 * from west to east and compares only neighbors (Shamos and Hoey), so n corners take n log n steps.
 * @param count called for each step, for tests
 */
export function crossingOf(corners: readonly Position[], count: () => void = () => {}): Position | null {
  const sides = corners
    .map((from, index): Side => {
      const to = corners[(index + 1) % corners.length] ?? from
      const [west, east] = compare(from, to) <= 0 ? [from, to] : [to, from]
      const none = { south: null, north: null, parent: null, lower: null, upper: null }
      return { index, west, east, priority: Math.random(), ...none }
    })
    .filter(({ west, east }) => compare(west, east) !== 0)
  const events = sides
    .flatMap((side): Event[] => [
      { at: side.west, side, ends: false },
      { at: side.east, side, ends: true },
    ])
    // At each point, the sweep removes the sides that end there before it adds the sides that start there.
    .toSorted((a, b) => compare(a.at, b.at) || Number(b.ends) - Number(a.ends))
  const sweep = new Sweep(count)
  for (const { side, ends } of events) {
    const { south, north } = ends ? side : sweep.insert(side)
    if (ends) {
      sweep.remove(side)
      if (south && north && cross(south, north)) return south.west
    } else if ((south && cross(south, side)) || (north && cross(north, side))) return side.west
  }
  return null
}

/** Sides that the sweep line crosses, in a tree with links between neighbors. Random priorities balance the tree. */
class Sweep {
  readonly #count: () => void
  #root: Side | null = null

  constructor(count: () => void) {
    this.#count = count
  }

  insert(side: Side): Side {
    let parent: Side | null = null
    let isUpper = false
    for (let at = this.#root; at; at = isUpper ? at.upper : at.lower) {
      this.#count()
      parent = at
      isUpper = this.#isNorth(side, at)
    }
    side.parent = parent
    if (!parent) this.#root = side
    else if (isUpper) {
      parent.upper = side
      side.south = parent
      side.north = parent.north
    } else {
      parent.lower = side
      side.north = parent
      side.south = parent.south
    }
    if (side.south) side.south.north = side
    if (side.north) side.north.south = side
    while (side.parent && side.parent.priority < side.priority) this.#rise(side)
    return side
  }

  remove(side: Side): void {
    for (let child = heavier(side); child; child = heavier(side)) this.#rise(child)
    this.#replace(side, null)
    if (side.south) side.south.north = side.north
    if (side.north) side.north.south = side.south
  }

  /** True if a new side is north of another side at the sweep line. */
  #isNorth(side: Side, at: Side): boolean {
    const where = orientation(at.west, at.east, side.west) || orientation(at.west, at.east, side.east)
    return where === 0 ? side.index > at.index : where > 0
  }

  #replace(side: Side, by: Side | null): void {
    const { parent } = side
    if (!parent) this.#root = by
    else if (parent.upper === side) parent.upper = by
    else parent.lower = by
    if (by) by.parent = parent
  }

  /** Rotates a side above its parent in the tree, without changing the order. */
  #rise(side: Side): void {
    this.#count()
    const { parent } = side
    if (!parent) return
    this.#replace(parent, side)
    const isUpper = parent.upper === side
    const inner = isUpper ? side.lower : side.upper
    if (isUpper) {
      parent.upper = inner
      side.lower = parent
    } else {
      parent.lower = inner
      side.upper = parent
    }
    if (inner) inner.parent = parent
    parent.parent = side
  }
}

const heavier = ({ lower, upper }: Side): Side | null =>
  lower && upper ? (lower.priority > upper.priority ? lower : upper) : (lower ?? upper)
