import { describe, expect, test } from 'vitest'
import { methods } from '../payments/rules.ts'
import { afterFailure, amountToCharge, chargeDay, type Failure, type Terms } from './rules.ts'

const terms = (timing: Terms['timing'], more: Partial<Terms> = {}): Terms => ({
  timing,
  daysBefore: 0,
  dayOfMonth: 0,
  capCents: null,
  ...more,
})

describe('day of a charge', () => {
  test.each([
    ['on the due date', terms('due'), '2026-12-21', '2026-12-01', '2026-12-21'],
    ['not before its notice is over', terms('due'), '2026-12-21', '2026-12-24', '2026-12-24'],
    ['some days before', terms('before', { daysBefore: 5 }), '2026-12-21', '2026-12-01', '2026-12-16'],
    ['on the last such day in time', terms('day', { dayOfMonth: 15 }), '2026-12-21', '2026-12-01', '2026-12-15'],
    ['of the month before', terms('day', { dayOfMonth: 28 }), '2026-12-21', '2026-11-20', '2026-11-28'],
    [
      'on the next such day after the notice',
      terms('day', { dayOfMonth: 28 }),
      '2026-12-21',
      '2026-12-01',
      '2026-12-28',
    ],
  ])('%s', (_what, chosenTerms, due, earliest, on) => expect(chargeDay(chosenTerms, due, earliest)).toBe(on))
})

test.each([
  [{ owedCents: 10_000, notifiedCents: null, capCents: null, maxCents: 150_000 }, { charge: 10_000 }],
  [{ owedCents: 10_000, notifiedCents: 8000, capCents: null, maxCents: 150_000 }, { charge: 8000 }],
  [{ owedCents: 6000, notifiedCents: 8000, capCents: 7000, maxCents: 150_000 }, { charge: 6000 }],
  [{ owedCents: 10_000, notifiedCents: null, capCents: 9999, maxCents: 150_000 }, { leave: 'over_cap' }],
  [{ owedCents: 10_000, notifiedCents: null, capCents: 10_000, maxCents: 150_000 }, { charge: 10_000 }],
  [{ owedCents: 10_000, notifiedCents: null, capCents: null, maxCents: 9000 }, { leave: 'over_limit' }],
  [{ owedCents: 0, notifiedCents: 8000, capCents: null, maxCents: 150_000 }, { leave: 'not_owed' }],
  [{ owedCents: -500, notifiedCents: null, capCents: 100, maxCents: 150_000 }, { leave: 'not_owed' }],
])('charges the amount due within all limits: %o %o', (input, amount) => expect(amountToCharge(input)).toEqual(amount))

describe('consequence of a failed charge', () => {
  const first = { errorCode: null, returnCode: null, presentment: 1, firstOn: '2026-12-01', today: '2026-12-01' }
  const card = (errorCode: string, more: Partial<Failure> = {}) =>
    afterFailure({ ...first, method: methods.card, errorCode, ...more })
  const bank = (returnCode: string | null, more: Partial<Failure> = {}) =>
    afterFailure({ ...first, method: methods.echeck, returnCode, ...more })

  test('retries a soft decline three times over a week, then stops', () => {
    const days = [1, 2, 3].map((presentment) => card('card_declined', { presentment }))
    expect(days).toEqual([{ again: '2026-12-02' }, { again: '2026-12-04' }, { again: '2026-12-08' }])
    const last = { remove: 'card_declined', code: 'insufficient_funds', unusable: '' }
    expect(card('insufficient_funds', { presentment: 4 })).toEqual(last)
    // If the decline arrives late, the retry is tomorrow, not on a past day.
    expect(card('card_declined', { presentment: 2, today: '2026-12-09' })).toEqual({ again: '2026-12-10' })
  })

  test.each(['lost_card', 'stolen_card', 'expired_card', 'pickup_card', 'authentication_required', 'invalid_account'])(
    'never retries %s',
    (code) => expect(card(code)).toEqual({ remove: 'card_refused', code, unusable: 'details' }),
  )

  test.each(['R01', 'R09'])('presents %s twice more within 180 days', (code) => {
    expect(bank(code)).toEqual({ again: '2026-12-06' })
    expect(bank(code, { presentment: 2 })).toEqual({ again: '2026-12-13' })
    expect(bank(code, { presentment: 3 })).toEqual({ remove: 'no_funds', code, unusable: '' })
    expect(bank(code, { today: '2027-05-29' })).toEqual({ again: '2027-05-30' })
    expect(bank(code, { today: '2027-05-30' })).toEqual({ remove: 'no_funds', code, unusable: '' })
  })

  test.each(['R02', 'R03', 'R04', 'R16', 'R20'])('asks for new details after %s', (code) =>
    expect(bank(code)).toEqual({ remove: 'bank_details', code, unusable: 'details' }),
  )

  test.each(['R05', 'R07', 'R10', 'R11', 'R29'])('revokes the mandate after %s', (code) =>
    expect(bank(code)).toEqual({ remove: 'not_authorized', code, unusable: 'revoked' }),
  )
})
