import { describe, expect, test } from 'vitest'
import { idIn, idOf, numberOf } from './rules.ts'

describe('numbers', () => {
  test.each([
    [1, 'R-2026-000001'],
    [123, 'R-2026-000123'],
    [999_999, 'R-2026-999999'],
    [1_234_567, 'R-2026-1234567'],
  ])('formats number %i of a year as %s and parses it', (no, number) => {
    expect(numberOf(idOf(2026, no))).toBe(number)
    for (const typed of [number, number.toLowerCase(), ` ${number} `, `2026-${no}`, `R 2026 ${no}`])
      expect(idIn(typed), typed).toBe(idOf(2026, no))
  })
  test.each(['', 'R-', '123', 'R-26-1', 'S1042', 'R-2026-00000000x', 'R-2026-12345678'])('rejects %j', (text) => {
    expect(idIn(text)).toBeNull()
  })
})
