import { expect, test } from 'vitest'
import { againAfterMs, calmMs, carryOut, outBy } from './rules-outage.ts'

const NOW = 1_000_000
const calls = (account: string, silentAt: number[], answeredAt: number | null = null) => ({
  account,
  answeredAt,
  silentAt: silentAt.map((ago) => NOW - ago),
})

test('three calls within a minute that nobody answered are an outage, from the first of them on', () => {
  expect(outBy([calls('', [1000, 2000]), calls('a', [30_000])], NOW)).toEqual({ since: NOW - 30_000, accounts: null })
  expect(outBy([calls('', [1000, 2000])], NOW)).toBeNull()
  expect(outBy([calls('', [1000, 2000, 61_000])], NOW)).toBeNull()
  expect(outBy([], NOW)).toBeNull()
})

test('the calls of one town alone are that town’s outage, and those of several the provider’s', () => {
  expect(outBy([calls('a', [1000, 2000, 3000])], NOW)).toEqual({ since: NOW - 3000, accounts: ['a'] })
  expect(outBy([calls('a', [1000, 2000]), calls('b', [3000])], NOW)).toEqual({ since: NOW - 3000, accounts: null })
})

test('a provider that answered others meanwhile is not out for all', () => {
  const answered = calls('c', [], NOW - 500)
  expect(outBy([calls('a', [1000, 2000]), calls('b', [3000]), answered], NOW)).toBeNull()
  expect(outBy([calls('a', [1000, 2000, 3000]), calls('b', [3000]), answered], NOW)).toEqual({
    since: NOW - 3000,
    accounts: ['a'],
  })
  // Before the first of them.
  expect(outBy([calls('a', [1000, 2000]), calls('b', [3000]), calls('c', [], NOW - 4000)], NOW)?.accounts).toBeNull()
})

test('what comes and goes has to be calm for longer and longer', () => {
  expect([0, 1, 2, 3, 9].map(calmMs)).toEqual([1, 5, 15, 30, 30].map((minutes) => minutes * 60_000))
  expect([0, 1, 2, 20].map(againAfterMs)).toEqual([5, 10, 20, 360].map((minutes) => minutes * 60_000))
})

test('a promise is carried out as it was made, waits for what is unclear, or is not carried out at all', () => {
  const thing = (cents: number, owedCents: number, pendingCents = 0) => ({ cents, owedCents, pendingCents })
  expect(carryOut({ things: [thing(100, 100), thing(50, 80)] })).toBe('charge')
  expect(carryOut({ things: [thing(100, 100, 100)] })).toBe('later')
  expect(carryOut({ things: [thing(100, 0), thing(50, 50, 50)] })).toBe('later')
  expect(carryOut({ things: [thing(100, 0), thing(50, 0)] })).toBe('not_owed')
  expect(carryOut({ things: [thing(100, 0), thing(50, 50)] })).toBe('changed')
  expect(carryOut({ things: [thing(100, 99)] })).toBe('changed')
})
