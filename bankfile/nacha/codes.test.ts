import { describe, expect, test } from 'vitest'
import { changeCodes, correctionOf } from './change-codes.ts'
import { isAboutReturn, type ReturnAction, returnCodes } from './return-codes.ts'

const range = (prefix: string, ...parts: [number, number][]) =>
  parts.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => prefix + String(from + at).padStart(2, '0')),
  )

test('knows exactly the return codes of the network', () => {
  expect(Object.keys(returnCodes)).toEqual(range('R', [1, 47], [50, 53], [61, 77], [80, 85]))
})

test('knows exactly the change codes of the network', () => {
  expect(Object.keys(changeCodes)).toEqual(range('C', [1, 14], [61, 69]))
})

/** Written by hand, so that an error in the table of return codes fails the test. */
const actions: Record<Exclude<ReturnAction, 'staff'>, string> = {
  'present-again': 'R01 R09',
  'new-details': 'R02 R03 R04 R12 R13 R16 R20 R23 R28 R34',
  revoke: 'R05 R07 R10 R11 R14 R15 R29 R51',
  stop: 'R08 R38 R52',
}

describe.each(Object.keys(returnCodes))('%s', (code) => {
  const returnCode = returnCodes[code]
  test('has one action, a title and a sender', () => {
    const expectedAction = Object.entries(actions).find(([, codes]) => codes.split(' ').includes(code))?.[0] ?? 'staff'
    expect(returnCode?.action).toBe(expectedAction)
    expect(returnCode?.title).toMatch(/^[A-Z].{6,80}$/)
    expect(returnCode?.from).toBe(/^R6|^R70/.test(code) ? 'originator' : code >= 'R80' ? 'gateway' : 'receiver')
  })
  test('counts to the network’s rate and has the allowed return period', () => {
    const unauthorized = ['R05', 'R07', 'R10', 'R11', 'R29', 'R51']
    const administrative = ['R02', 'R03', 'R04']
    expect(returnCode?.counts).toBe(
      unauthorized.includes(code) ? 'unauthorized' : administrative.includes(code) ? 'administrative' : null,
    )
    const late = ['R05', 'R07', 'R10', 'R11', 'R33', 'R37', 'R38', 'R51', 'R52', 'R53']
    expect(returnCode?.within).toBe(late.includes(code) ? '60 days' : '2 banking days')
    expect(isAboutReturn(code)).toBe(code >= 'R61' && code <= 'R77')
  })
})

const pad = (text: string) => text.padEnd(29)
const corrections: [string, string, unknown][] = [
  ['C01', '1918171614', { account: '1918171614' }],
  ['C01', '', null],
  ['C02', '021000021', { routing: '021000021' }],
  ['C02', '021000022', null],
  ['C03', '021000021   99-5678', { routing: '021000021', account: '99-5678' }],
  ['C03', '021000021', null],
  ['C04', 'PAT MARIE ONEIL', { name: 'PAT MARIE ONEIL' }],
  ['C05', '37', { accountType: 'savings' }],
  ['C05', '27', { accountType: 'checking' }],
  ['C05', '99', null],
  ['C06', '99-5678             37', { account: '99-5678', accountType: 'savings' }],
  ['C06', '99-5678', null],
  ['C07', '02100002199-5678          27', { routing: '021000021', account: '99-5678', accountType: 'checking' }],
  ['C07', '02100002199-5678', null],
  ...range('C', [8, 14], [61, 69]).map((code): [string, string, unknown] => [code, 'WHAT A PERSON CORRECTS', {}]),
]
test.each(corrections)('reads %s with "%s" as correction %j', (code, data, correction) => {
  expect(correctionOf(code, pad(data))).toEqual(correction)
})
