import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Position } from '../../shared/places.ts'
import { seed } from '../../test/seed.ts'
import { crossingOf } from './crossing.ts'

const orientation = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position) =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
const after = (ring: readonly Position[], at: number) => ring[(at + 1) % ring.length] as Position

/**
 * True if the ring crosses itself. Compares each side with every other side. This slow, simple check verifies the fast
 * one.
 */
const crosses = (ring: readonly Position[]): boolean =>
  ring.some((a, one) =>
    ring.some((c, other) => {
      const [b, d] = [after(ring, one), after(ring, other)]
      return orientation(a, b, c) * orientation(a, b, d) < 0 && orientation(c, d, a) * orientation(c, d, b) < 0
    }),
  )

test('finds a crossing exactly in rings that have one', () => {
  // On a coarse grid, many corners touch other corners and sides.
  const at = fc.integer({ min: 0, max: 6 })
  const rings = fc.array(fc.tuple(at, at), { minLength: 3, maxLength: 12 })
  fc.assert(
    fc.property(rings, (ring) => {
      expect(crossingOf(ring) !== null).toBe(crosses(ring))
    }),
    { numRuns: process.env['NIGHTLY'] ? 200_000 : 3000, seed },
  )
})

const comb = (corners: number): Position[] => [
  ...Array.from({ length: corners }, (_, at): Position => [at * 1e-6, at % 4 < 2 ? 0 : 1]),
  [corners * 1e-6, -1],
  [0, -1],
]
/** Zigzag border with long sides that are close to each other. */
const accordion = (corners: number): Position[] => [
  ...Array.from({ length: corners }, (_, at): Position => [at % 2, at * 1e-6]),
  [2, corners * 1e-6],
  [2, -1],
  [0, -1],
]

test.each([
  ['a comb', comb],
  ['an accordion', accordion],
])('takes n log n steps for %s', (_name, ringOf) => {
  // Number of runs. The tree is balanced at random, so a single run proves little.
  const RUNS = 8
  const stepsOf = (corners: number) => {
    const ring = ringOf(corners)
    let steps = 0
    for (let run = 0; run < RUNS; run += 1) expect(crossingOf(ring, () => (steps += 1))).toBeNull()
    return steps / RUNS
  }
  // With four times as many corners, the sweep needs only a little more than four times as many steps. Comparing all
  // pairs of sides would need sixteen times as many.
  expect(stepsOf(20_000) / stepsOf(5000)).toBeLessThan(7)
  expect(stepsOf(20_000)).toBeLessThan(20_000 * 5 * Math.log2(20_000))
})
