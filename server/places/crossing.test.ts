import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Position } from '../../shared/places.ts'
import { seed } from '../../test/seed.ts'
import { crossingOf } from './crossing.ts'

const turn = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position) =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
const after = (ring: readonly Position[], at: number) => ring[(at + 1) % ring.length] as Position

/** Compares each side with each other one. */
const crosses = (ring: readonly Position[]): boolean =>
  ring.some((a, one) =>
    ring.some((c, other) => {
      const [b, d] = [after(ring, one), after(ring, other)]
      return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
    }),
  )

test('finds a crossing in any ring that has one, and in no other', () => {
  // On a coarse grid corners fall on each other and on sides.
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
/** Long sides beside each other, which all begin at the same place. */
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
  // The balance of the tree is random, so a single run says little.
  const RUNS = 8
  const stepsOf = (corners: number) => {
    const ring = ringOf(corners)
    let steps = 0
    for (let run = 0; run < RUNS; run += 1) expect(crossingOf(ring, () => (steps += 1))).toBeNull()
    return steps / RUNS
  }
  // Four times the corners take a little more than four times the steps, where each with each would take sixteen times.
  expect(stepsOf(20_000) / stepsOf(5000)).toBeLessThan(7)
  expect(stepsOf(20_000)).toBeLessThan(20_000 * 5 * Math.log2(20_000))
})
