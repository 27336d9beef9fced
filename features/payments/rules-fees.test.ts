import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  brandOfLabel,
  type FeeRule,
  feeOf,
  feeTermsFor,
  inForce,
  quoteOf,
  type NetworkRule,
  breaches,
} from './rules-fees.ts'
import { ruleOf } from './server/fee-rules.ts'

const days = fc.constantFrom('2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01')
const terms = fc.record({
  program: fc.constantFrom('convenience' as const, 'service' as const, 'none' as const),
  absorb: fc.constantFrom(0 as const, 1 as const),
  bps: fc.nat(2000),
  fixedCents: fc.nat(500),
  minCents: fc.nat(300),
  maxCents: fc.integer({ min: 300, max: 10_000 }),
  recovers: fc.boolean(),
})
const scope = fc.record({
  kind: fc.constantFrom(null, 'general', 'general/taxes', 'parking'),
  channel: fc.constantFrom(null, 'online' as const, 'phone' as const, 'autopay' as const),
  brand: fc.constantFrom(null, 'visa' as const, 'amex' as const),
  funding: fc.constantFrom(null, 'debit' as const),
})
/** Random fee rules that the database would allow: one rule per scope and day. */
const book = fc
  .array(fc.record({ validFrom: days, ends: fc.boolean(), terms, scope }), { maxLength: 25 })
  .map((all) => {
    const once = new Map(
      all.map(({ terms: ruleTerms, scope: reach, ...rest }) => [
        JSON.stringify([reach, rest.validFrom]),
        ruleOf({ ...rest, ...ruleTerms, ...reach }),
      ]),
    )
    return [...once.values()]
  })
const about = fc.record({
  on: fc.constantFrom('2025-12-31', '2026-01-01', '2026-03-31', '2026-05-05', '2027-01-01'),
  kind: fc.constantFrom('general/taxes', 'general/permits', 'parking', 'utility'),
  method: fc.constantFrom(1 as const, 2 as const, 3 as const),
  location: fc.constantFrom(1 as const, 3 as const, 4 as const, 5 as const, 6 as const),
  brand: fc.constantFrom(null, 'visa' as const, 'amex' as const, 'discover' as const),
  funding: fc.constantFrom(null, 'debit' as const, 'credit' as const),
})

test('adds bill and fee, borne by either the payer or the company', () => {
  fc.assert(
    fc.property(book, about, fc.nat(1_000_000), (rules, one, cents) => {
      const quote = quoteOf(rules, one, cents)
      expect(quote.totalCents).toBe(cents + quote.feeCents)
      expect(Math.min(quote.feeCents, quote.absorbedFeeCents)).toBe(0)
      const { minCents, maxCents, program } = feeTermsFor(rules, one)
      const fee = quote.feeCents + quote.absorbedFeeCents
      if (program === 'none') expect(fee).toBe(0)
      else expect(fee >= minCents && fee <= maxCents).toBe(true)
    }),
  )
})

test('ignores the order of rules, and future rules before their day', () => {
  fc.assert(
    fc.property(book, about, fc.nat(100_000), (rules, one, cents) => {
      const quote = quoteOf(rules, one, cents)
      expect(quoteOf(rules.toReversed(), one, cents)).toEqual(quote)
      expect(
        quoteOf(
          rules.filter(({ validFrom }) => validFrom <= one.on),
          one,
          cents,
        ),
      ).toEqual(quote)
      // The checkout receives only the rules in force and computes the same quote.
      expect(quoteOf(inForce(rules, one.on), one, cents)).toEqual(quote)
    }),
  )
})

test('charges no fee at the counter or before the first rule', () => {
  fc.assert(
    fc.property(book, about, (rules, one) => {
      expect(quoteOf(rules, { ...one, location: 5 }, 100_00).feeCents).toBe(0)
      expect(quoteOf(rules, { ...one, method: 3 }, 100_00).feeCents).toBe(0)
      expect(quoteOf(rules, { ...one, on: '2020-01-01' }, 100_00).feeCents).toBe(0)
    }),
  )
})

test('applies the narrowest rule: item before channel before card', () => {
  const flat = (fixedCents: number, rest: Partial<FeeRule>) =>
    ruleOf({ program: 'convenience', fixedCents, maxCents: 10_000, ...rest })
  const rules = [
    ...[flat(1, {}), flat(2, { brand: 'visa' }), flat(3, { funding: 'debit' }), flat(4, { channel: 'online' })],
    ...[flat(5, { kind: 'general' }), flat(6, { kind: 'general/taxes' })],
  ]
  const fee = (rest: object) =>
    quoteOf(rules, { on: '2026-11-20', kind: 'utility', method: 1, location: 3, ...rest }, 100_00).feeCents
  expect([fee({}), fee({ brand: 'visa' }), fee({ brand: 'visa', funding: 'debit' })]).toEqual([1, 2, 3])
  expect([
    fee({ brand: 'visa', funding: 'debit', location: 4 }),
    fee({ location: 1, kind: 'general/permits' }),
  ]).toEqual([4, 5])
  expect([fee({ location: 1, brand: 'visa', kind: 'general/taxes' }), fee({ brand: 'amex' })]).toEqual([6, 1])
  const ended = [...rules, flat(0, { kind: 'general/taxes', validFrom: '2026-11-20', ends: true })]
  expect(feeTermsFor(ended, { on: '2026-11-20', kind: 'general/taxes', method: 1, location: 3 }).fixedCents).toBe(5)
  expect(feeTermsFor(ended, { on: '2026-11-19', kind: 'general/taxes', method: 1, location: 3 }).fixedCents).toBe(6)
})

test('leaves the whole bill after processor costs when grossed up', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 500 }),
      fc.nat(100),
      (bill, bps, fixed) => {
        const fee = feeOf(
          ruleOf({ program: 'service', bps, fixedCents: fixed, maxCents: 100_000_000, recovers: true }),
          bill,
        )
        const providerCents = ((bill + fee) * bps) / 10_000 + fixed
        expect(fee).toBeGreaterThanOrEqual(providerCents - 1e-6)
        expect(fee - 1).toBeLessThan(((bill + fee - 1) * bps) / 10_000 + fixed + 1e-6)
      },
    ),
  )
})

test('recognizes the brand of a saved card from its label', () => {
  expect(brandOfLabel('American Express ending 1005')).toBe('amex')
  expect(brandOfLabel('Checking account ending 6789')).toBeNull()
})

test('applies a network rule within its dates, program, cards and channels', () => {
  const flat: NetworkRule = {
    ...{ id: 'x', network: 'visa', program: 'convenience', demand: 'flat', funding: null, channels: [], kinds: [] },
    ...{ validFrom: '2026-01-01', validTo: '2026-12-31', text: '', source: '', basis: 'published' },
  }
  const rule = ruleOf({ program: 'convenience', bps: 250, maxCents: 100, validFrom: '2026-06-01' })
  const against = (rulePatch: Partial<FeeRule>) => breaches({ ...rule, ...rulePatch }, [flat]).length
  expect(against({})).toBe(1)
  expect(against({ brand: 'visa' })).toBe(1)
  for (const rulePatch of [
    { bps: 0 },
    { brand: 'amex' },
    { absorb: 1 },
    { method: 2 },
    { program: 'service' },
    { ends: true },
  ] as const)
    expect(against(rulePatch), JSON.stringify(rulePatch)).toBe(0)
  expect([
    against({ validFrom: '2025-12-31' }),
    against({ validFrom: '2026-12-31' }),
    against({ validFrom: '2027-01-01' }),
  ]).toEqual([0, 1, 0])
})
