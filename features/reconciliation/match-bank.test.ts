import { expect, test } from 'vitest'
import { type ExpectedReceipts, type Match, matchLine } from './server/match-bank.ts'

/** Tests how the portal matches bank lines to payouts if a company has several providers. */

const sandbox = { id: 1, provider: 'Sandbox', trace: 'SBX000000001', day: '2026-10-05', cents: 500_00 }
const stripe = { id: 2, provider: 'Stripe', trace: 'TRACE7F2A', day: '2026-10-05', cents: 700_00 }
const bankFile = { id: 3, provider: 'Bank file', trace: '1100000000-2026-10-05', day: '2026-10-05', cents: 500_00 }

type ExpectedPayout = ExpectedReceipts['payouts'][number]

function match(description: string, cents: number, payouts: ExpectedPayout[], day = '2026-10-05'): number | null {
  const expected: ExpectedReceipts = {
    payouts: [...payouts],
    files: [],
    rules: [],
    providers: ['Sandbox', 'Stripe', 'Bank file'],
  }
  const result: Match | null = matchLine({ id: 1, version: 1, day, cents, reference: '', text: description }, expected)
  return result?.became === 'payout' ? result.payoutId : null
}

test.each<[what: string, text: string, cents: number, payouts: ExpectedPayout[], expected: number | null]>([
  ['is known by its number, whatever its amount', 'PAYOUT SBX000000001', 499_99, [sandbox, stripe], 1],
  ['is known by a number within a longer word', 'CCDSBX000000001X', 500_00, [bankFile, sandbox], 1],
  [
    'is not another one whose number its own begins with',
    'PAYOUT SBX0000000012',
    500_00,
    [sandbox, { ...stripe, trace: 'SBX0000000012', cents: 500_00 }],
    2,
  ],
  [
    'of a number that two providers gave is the one of its amount',
    'PAYOUT 77-12345',
    700_00,
    [
      { ...sandbox, trace: '77-12345' },
      { ...stripe, trace: '77-12345' },
    ],
    2,
  ],
  [
    'of a number and an amount that two providers have is nobody’s guess',
    'PAYOUT 77-12345',
    500_00,
    [
      { ...sandbox, trace: '77-12345' },
      { ...bankFile, trace: '77-12345' },
    ],
    null,
  ],
  ['without a number is the only one of its amount', 'DEPOSIT', 700_00, [sandbox, stripe], 2],
  ['of an amount that two providers paid is nobody’s guess', 'DEPOSIT', 500_00, [sandbox, bankFile], null],
  ['that names a provider is of that one', 'SANDBOX TRANSFER', 500_00, [bankFile, sandbox], 1],
  ['that names a provider whose payout is not known yet is of no other', 'STRIPE TRANSFER', 500_00, [sandbox], null],
  [
    'that came before its day is the nearest of its number',
    'PAYOUT AB-1',
    5,
    [
      { ...sandbox, trace: 'AB-1', cents: 1, day: '2026-09-05' },
      { ...stripe, trace: 'AB-1', cents: 2, day: '2026-10-04' },
    ],
    2,
  ],
  ['is not found by a number that is empty', 'WHO IS THIS', 77_77, [{ ...sandbox, trace: '' }], null],
])('resolves a deposit that %s', (_what, description, cents, payouts, expected) => {
  expect(match(description, cents, payouts)).toBe(expected)
})

test('matches each payout only once', () => {
  const expected: ExpectedReceipts = { payouts: [sandbox], files: [], rules: [], providers: ['Sandbox'] }
  const line = { id: 1, version: 1, day: '2026-10-05', cents: 500_00, reference: 'SBX000000001', text: '' }
  expect(matchLine(line, expected)).toEqual({ became: 'payout', payoutId: 1 })
  expect(matchLine(line, expected)).toBeNull()
})
