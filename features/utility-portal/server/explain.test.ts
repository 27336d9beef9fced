import { describe, expect, test } from 'vitest'
import type { BillLine } from '../../../server/db/column-types.ts'
import { type BillExplanation, explain } from './explain.ts'

const [BASE, RATE] = [1250, 685]
const water = (used: number, rate = RATE): BillLine => ({
  ...{ service: 'Water', description: 'Base charge and use', unit: 'thousand gallons' },
  ...{ quantity: used, amountCents: BASE + Math.round(rate * used) },
})
const sewer = (used: number): BillLine => ({
  ...{ service: 'Sewer', description: 'Base charge and use', unit: 'thousand gallons' },
  ...{ quantity: used, amountCents: 1400 + Math.round(740 * used) },
})
const flat = (service: string, amountCents: number): BillLine => ({
  ...{ service, description: '', quantity: null, unit: '', amountCents },
})
const bill = (
  used: number,
  changes: Partial<BillExplanation> & { rate?: number; more?: BillLine[] } = {},
): BillExplanation => {
  const { rate, more = [], ...rest } = changes
  const lines = [water(used, rate), sewer(used), flat('Refuse and recycling', 2275), ...more]
  return { lines, days: 30, kind: 'actual', ...rest }
}
const earlier = [bill(4.9), bill(5.6), bill(5.1), bill(6.2)]
const total = ({ lines }: BillExplanation) => lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

const cases: [name: string, now: BillExplanation, before: BillExplanation, kind: string, text: RegExp][] = [
  [
    'a leak',
    bill(13.4),
    bill(5.2),
    'leak',
    /You used 13\.4 thousand gallons\. Your usage on the previous bill was 5\.2\. .*leak/,
  ],
  ['a higher rate', bill(5.2, { rate: 790 }), bill(5.2), 'rate', /rate for Water went up/],
  [
    'a longer cycle',
    bill(5.95, { days: 35 }),
    bill(5.1),
    'days',
    /covers 35 days\. The previous bill covered 30 days\./,
  ],
  ['a corrected estimate', bill(7.4), bill(3.1, { kind: 'estimated' }), 'estimate', /was an estimate/],
  ['a credit that ended', bill(5.2), bill(5.2, { more: [flat('Leak adjustment', -1800)] }), 'credit', /had a credit/],
  ['a new service', bill(5.2, { more: [flat('Stormwater', 743)] }), bill(5.2), 'service', /New on this bill: Storm/],
]

describe('reasons for a higher bill', () => {
  test.each(cases)('%s', (_name, now, before, kind, text) => {
    const reasons = explain(now, before, earlier)
    expect(reasons[0]).toMatchObject({ kind, text: expect.stringMatching(text) })
    expect(reasons[0]?.cents).toBeGreaterThan(0)
    expect(reasons.reduce((sum, { cents }) => sum + cents, 0)).toBe(total(now) - total(before))
  })

  test('separates several causes that add up to the difference', () => {
    const now = bill(8.3, { days: 33, rate: 712, more: [flat('Hydrants', 310)] })
    const before = bill(5.2, { more: [flat('Leak adjustment', -500)] })
    const reasons = explain(now, before, earlier)
    expect(reasons.map(({ kind }) => kind)).toEqual(['use', 'days', 'credit', 'service', 'rate'])
    expect(reasons.reduce((sum, { cents }) => sum + cents, 0)).toBe(total(now) - total(before))
    // Days and usage explain the difference only partly, because they are calculated with the old rate. The new rate
    // explains the rest.
    expect(reasons.find(({ kind }) => kind === 'rate')?.cents).toBe(223)
  })

  test('does not call a hot summer a leak if last year was similar', () => {
    const lastYear = { until: '2025-08-01', days: 30, used: 12.8, reading: null, kind: 'actual' } as const
    expect(explain(bill(13.4), bill(5.2), earlier, lastYear)[0]?.kind).toBe('use')
  })

  test('explains a lower bill, but finds nothing in an equal one', () => {
    expect(explain(bill(4.1), bill(6.3), earlier)[0]).toMatchObject({ kind: 'use', cents: -3136 })
    expect(explain(bill(5.2), bill(5.2), earlier)).toEqual([])
  })

  test('makes no statement about rates without earlier bills', () => {
    expect(explain(bill(7.2), bill(5.2), []).map(({ kind }) => kind)).toEqual(['use'])
  })
})
