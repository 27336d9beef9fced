import { expect, test } from 'vitest'
import { againAfterMs, calmMs, carryOut, outBy } from './rules.ts'

const NOW = 1_000_000
const calls = (account: string, silentAt: number[], respondedAt: number | null = null) => ({
  account,
  respondedAt,
  silentAt: silentAt.map((ago) => NOW - ago),
})

test('starts an outage at the first of three unanswered calls', () => {
  expect(outBy([calls('', [1000, 2000]), calls('a', [30_000])], NOW)).toEqual({ since: NOW - 30_000, accounts: null })
  expect(outBy([calls('', [1000, 2000])], NOW)).toBeNull()
  expect(outBy([calls('', [1000, 2000, 61_000])], NOW)).toBeNull()
  expect(outBy([], NOW)).toBeNull()
})

test('limits the outage to one company, or includes all if several fail', () => {
  expect(outBy([calls('a', [1000, 2000, 3000])], NOW)).toEqual({ since: NOW - 3000, accounts: ['a'] })
  expect(outBy([calls('a', [1000, 2000]), calls('b', [3000])], NOW)).toEqual({ since: NOW - 3000, accounts: null })
})

test('excludes providers that answered others in the meantime', () => {
  const responding = calls('c', [], NOW - 500)
  expect(outBy([calls('a', [1000, 2000]), calls('b', [3000]), responding], NOW)).toBeNull()
  expect(outBy([calls('a', [1000, 2000, 3000]), calls('b', [3000]), responding], NOW)).toEqual({
    since: NOW - 3000,
    accounts: ['a'],
  })
  // Provider account c responded before the first unanswered call, so its response does not count.
  expect(outBy([calls('a', [1000, 2000]), calls('b', [3000]), calls('c', [], NOW - 4000)], NOW)?.accounts).toBeNull()
})

test('requires longer calm after each relapse', () => {
  expect([0, 1, 2, 3, 9].map(calmMs)).toEqual([1, 5, 15, 30, 30].map((minutes) => minutes * 60_000))
  expect([0, 1, 2, 20].map(againAfterMs)).toEqual([5, 10, 20, 360].map((minutes) => minutes * 60_000))
})

test('charges a deferred payment, delays an unclear one or drops it', () => {
  const openItem = (cents: number, owedCents: number, pendingCents = 0) => ({ cents, owedCents, pendingCents })
  expect(carryOut({ items: [openItem(100, 100), openItem(50, 80)] })).toBe('charge')
  expect(carryOut({ items: [openItem(100, 100, 100)] })).toBe('later')
  expect(carryOut({ items: [openItem(100, 0), openItem(50, 50, 50)] })).toBe('later')
  expect(carryOut({ items: [openItem(100, 0), openItem(50, 0)] })).toBe('not_owed')
  expect(carryOut({ items: [openItem(100, 0), openItem(50, 50)] })).toBe('changed')
  expect(carryOut({ items: [openItem(100, 99)] })).toBe('changed')
})
