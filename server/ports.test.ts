import { expect, test } from 'vitest'
import { freePort } from './ports.ts'

test('returns each port only once per process, for any random numbers', async () => {
  let calls = 0
  const repeats = () => Math.floor(calls++ / 3)
  const ports = await Promise.all([1, 2, 3, 4, 5].map(() => freePort(repeats)))
  expect(new Set(ports).size).toBe(ports.length)
})

test('skips the port of its range that browsers and fetch refuse', async () => {
  let next = 79
  expect(await freePort(() => next++)).toBeLessThan(10_080)
  next = 80
  expect(await freePort(() => next++)).toBeGreaterThan(10_080)
})
