import { expect, test } from 'vitest'
import { costOf } from './rules.ts'

test('labor is paid by the hour and rounded to the cent', () => {
  expect([costOf('labor', 50, 3333), costOf('labor', 1, 29), costOf('part', 3, 1999)]).toEqual([2778, 0, 5997])
})
