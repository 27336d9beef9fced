import fc from 'fast-check'
import { expect, test } from 'vitest'
import { named, ticksFor } from './ticks.ts'

test('puts lines at round numbers around all values and zero', () => {
  expect(ticksFor(0, 870)).toEqual([0, 250, 500, 750, 1000])
  expect(ticksFor(-120, 300)).toEqual([-200, 0, 200, 400])
  expect(ticksFor(0, 3)).toEqual([0, 1, 2, 3])
  expect(ticksFor(0, 0)).toEqual([0, 1])
})

test('creates few, distinct lines without excess for any values', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 0 }), fc.integer({ min: 0, max: 1e12 }), (min, max) => {
      const ticks = ticksFor(min, max)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(new Set(ticks).size).toBe(ticks.length)
      expect(ticks).toContain(0)
      expect(ticks[0]).toBeLessThanOrEqual(min)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
    }),
  )
})

test('labels a few of many points, always the last one', () => {
  expect([...named(3, 6)]).toEqual([0, 1, 2])
  expect([...named(30, 6)]).toEqual([4, 9, 14, 19, 24, 29])
  expect(named(400, 6).size).toBeLessThanOrEqual(6)
})
