import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '../../shared/dates.ts'
import { type Limits, refuseTerms, type Rhythm, rhythms, scheduleOf, scheduleStatusOf, type Terms } from './rules.ts'

const TODAY = '2026-11-22'
const anyTerms = fc
  .record({
    totalCents: fc.integer({ min: 2, max: 5_000_000 }),
    first: fc.option(fc.integer({ min: 1, max: 5_000_000 })),
    count: fc.integer({ min: 2, max: 36 }),
    ahead: fc.integer({ min: 0, max: 62 }),
    every: fc.constantFrom(...(Object.keys(rhythms) as Rhythm[])),
  })
  .map(({ first, ahead, ...terms }): Terms => ({ ...terms, firstCents: first, firstOn: addDays(TODAY, ahead) }))
const asStaff = (owedCents: number) => ({ owedCents, today: TODAY, limits: null })

describe('arrangement', () => {
  test('adds up to the exact total on rising days for any terms', () => {
    let accepted = 0
    fc.assert(
      fc.property(anyTerms, (terms) => {
        if (refuseTerms(terms, asStaff(terms.totalCents))) return
        accepted += 1
        const schedule = scheduleOf(terms)
        expect(schedule).toHaveLength(terms.count)
        expect(schedule.reduce((sum, { cents }) => sum + cents, 0)).toBe(terms.totalCents)
        expect(schedule[0]).toMatchObject({ no: 1, dueOn: terms.firstOn })
        if (terms.firstCents !== null) expect(schedule[0]?.cents).toBe(terms.firstCents)
        for (const [n, { cents, dueOn }] of schedule.entries()) {
          expect(cents).toBeGreaterThan(0)
          const before = schedule[n - 1]
          if (before) expect(daysBetween(before.dueOn, dueOn)).toBeGreaterThanOrEqual(7)
          if (before) expect(daysBetween(before.dueOn, dueOn)).toBeLessThanOrEqual(31)
        }
      }),
    )
    expect(accepted).toBeGreaterThan(20)
  })

  test('uses the last day of short months and crosses the year', () => {
    const days = scheduleOf({ totalCents: 100_01, firstCents: null, count: 5, firstOn: '2026-10-31', every: 'month' })
    expect(days.map(({ dueOn }) => dueOn)).toEqual([
      '2026-10-31',
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
    ])
    expect(days.map(({ cents }) => cents)).toEqual([2000, 2000, 2000, 2000, 2001])
  })

  test('limits residents and names the field of each violation', () => {
    const limits: Limits = { maxInstallments: 4, maxDays: 100, minFirstPercent: 25, minCents: 50_00 }
    const usual: Terms = { totalCents: 100_00, firstCents: null, count: 4, firstOn: TODAY, every: 'month' }
    const field = (change: Partial<Terms>, appliedLimits: Limits | null = limits) =>
      refuseTerms({ ...usual, ...change }, { owedCents: 100_00, today: TODAY, limits: appliedLimits })?.field ?? null
    expect(field({})).toBe(null)
    expect(field({ totalCents: 100_01 })).toBe('totalCents')
    expect(field({ totalCents: 49_99 })).toBe('totalCents')
    expect(field({ count: 5 })).toBe('count')
    expect(field({ firstCents: 24_99 })).toBe('firstCents')
    expect(field({ firstCents: 100_00 })).toBe('firstCents')
    expect(field({ firstOn: addDays(TODAY, -1) })).toBe('firstOn')
    expect(field({ firstOn: addDays(TODAY, 30) })).toBe('count')
    expect(field({ count: 12, firstCents: 1 }, null)).toBe(null)
    expect(field({ firstCents: 99_99 }, null)).toBe('firstCents')
  })
})

describe('arrangement status', () => {
  test('applies payments to the oldest installment without losing a cent', () => {
    fc.assert(
      fc.property(
        anyTerms,
        fc.nat(6_000_000),
        fc.integer({ min: -10, max: 1200 }),
        fc.nat(60),
        (terms, paid, day, grace) => {
          if (refuseTerms(terms, asStaff(terms.totalCents))) return
          const schedule = scheduleOf(terms)
          const today = addDays(TODAY, day)
          const stands = scheduleStatusOf(schedule, paid, today, grace)
          expect(stands.remainingCents).toBe(Math.max(0, terms.totalCents - paid))
          const firstOpen = stands.open.findIndex(({ openCents }) => openCents > 0)
          for (const [n, { cents, openCents }] of stands.open.entries())
            expect(openCents).toBe(firstOpen < 0 || n < firstOpen ? 0 : n === firstOpen ? openCents : cents)
          const due = schedule.filter(({ dueOn }) => dueOn < today).reduce((sum, { cents }) => sum + cents, 0)
          expect(stands.overdueCents).toBe(Math.max(0, due - paid))
          const late = schedule
            .filter(({ dueOn }) => addDays(dueOn, grace) < today)
            .reduce((sum, { cents }) => sum + cents, 0)
          expect(stands.defaulted).toBe(paid < late)
        },
      ),
    )
  })

  test('makes an installment late only after its last day of grace', () => {
    const schedule = scheduleOf({ totalCents: 100_00, firstCents: null, count: 2, firstOn: TODAY, every: 'month' })
    expect(scheduleStatusOf(schedule, 0, addDays(TODAY, 5), 5).defaulted).toBe(false)
    expect(scheduleStatusOf(schedule, 0, addDays(TODAY, 6), 5)).toMatchObject({ defaulted: true, overdueCents: 50_00 })
    expect(scheduleStatusOf(schedule, 50_00, addDays(TODAY, 6), 5)).toMatchObject({ defaulted: false, overdueCents: 0 })
  })
})
