import { describe, expect, it } from 'vitest'
import type { RentalDay } from '../contract.ts'
import { firstUseful, isChosenStep, timeVariant } from './time-variants.ts'

const day = (date: string, ...stands: RentalDay['steps'][number]['is'][]): RentalDay => ({
  day: date,
  closedFor: '',
  steps: stands.map((is, n) => ({ time: `${10 + n}:00`, until: `${11 + n}:00`, is })),
})

describe('the calendar of a rental', () => {
  it('opens on the first day with a free time', () => {
    const days = [day('2026-11-27', 'taken', 'taken'), day('2026-11-28'), day('2026-11-29', 'taken', 'free')]
    expect(firstUseful(days, '2026-11-27')).toBe('2026-11-29')
  })

  it('opens on today if all times are taken', () =>
    expect(firstUseful([day('2026-11-27', 'taken')], '2026-11-27')).toBe('2026-11-27'))

  it.each([
    ['free', false, true],
    ['taken', false, false],
    ['taken', true, true],
    ['past', true, false],
  ] as const)('shows a linked time as chosen only if it is available: %s, waiting %s', (is, waits, expected) => {
    const chosen = { day: '2026-11-29', from: '10:00', until: '12:00' }
    expect(isChosenStep({ time: '10:00', until: '11:00', is }, '2026-11-29', chosen, waits)).toBe(expected)
    expect(isChosenStep({ time: '12:00', until: '13:00', is }, '2026-11-29', chosen, waits)).toBe(false)
  })

  it('shows free times in white, and others in gray, in every theme', () => {
    expect(timeVariant('free')).toContain('bg-white')
    for (const one of ['waitable', 'unavailable'] as const) {
      expect(timeVariant(one)).toMatch(/bg-\[#(\w\w)\1\1\]/)
      expect(timeVariant(one)).not.toMatch(/bg-(?:brand|tint|success|link)/)
    }
  })
})
