import { afterEach, expect, test } from 'vitest'
import { parserOf, TIME_LIMITS } from './parse.ts'

const parsers = new URL('../test/slow-parsers.ts', import.meta.url)
const loop = parserOf<[], never>(parsers, 'loop')
const pause = parserOf<[number], string>(parsers, 'pause')
const hold = parserOf<[number], number>(parsers, 'hold')
const { processorMs, totalMs } = TIME_LIMITS

afterEach(() => void Object.assign(TIME_LIMITS, { processorMs, totalMs }))

test('ends a parser that uses too much processor time', async () => {
  TIME_LIMITS.processorMs = 300
  await expect(loop('a caller')).rejects.toThrow('This file took too long to read.')
})

test('waits for a parser that gets little processor time', async () => {
  TIME_LIMITS.processorMs = 300
  expect(await pause('a caller', 1500)).toBe('read')
})

test('ends a parser that waits for too long', async () => {
  Object.assign(TIME_LIMITS, { processorMs: 300, totalMs: 600 })
  await expect(pause('a caller', 60_000)).rejects.toThrow('This file took too long to read.')
})

test('reuses an idle thread until it holds much memory', async () => {
  const first = await hold('a caller', 1)
  expect(await hold('a caller', 1)).toBe(first)
  expect(await hold('a caller', 120)).toBe(first)
  expect(await hold('a caller', 1)).not.toBe(first)
})
