import { expect, test } from 'vitest'
import { costOf } from './rules.ts'

test('rounds hourly labor costs to the cent', () => {
  expect([costOf('labor', 50, 3333), costOf('labor', 1, 29), costOf('part', 3, 1999)]).toEqual([2778, 0, 5997])
})
