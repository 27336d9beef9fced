import { expect, test } from 'vitest'
import { freePort } from './ports.ts'

test('returns each port only once per process, for any random numbers', async () => {
  let calls = 0
  const repeats = () => Math.floor(calls++ / 3)
  const ports = await Promise.all([1, 2, 3, 4, 5].map(() => freePort(repeats)))
  expect(new Set(ports).size).toBe(ports.length)
})
