import fc from 'fast-check'
import { expect, test } from 'vitest'
import { named, ticksFor } from './ticks.ts'

test('lines stand at round numbers that hold every value, and zero', () => {
  expect(ticksFor(0, 870)).toEqual([0, 250, 500, 750, 1000])
  expect(ticksFor(-120, 300)).toEqual([-200, 0, 200, 400])
  expect(ticksFor(0, 3)).toEqual([0, 1, 2, 3])
  expect(ticksFor(0, 0)).toEqual([0, 1])
})

test('whatever the values are: few lines, none twice, nothing beyond them', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 0 }), fc.integer({ min: 0, max: 1e12 }), (least, most) => {
      const ticks = ticksFor(least, most)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(new Set(ticks).size).toBe(ticks.length)
      expect(ticks).toContain(0)
      expect(ticks[0]).toBeLessThanOrEqual(least)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
    }),
  )
})

test('of many points a few are named, the last one always', () => {
  expect([...named(3, 6)]).toEqual([0, 1, 2])
  expect([...named(30, 6)]).toEqual([4, 9, 14, 19, 24, 29])
  expect(named(400, 6).size).toBeLessThanOrEqual(6)
})
