import { describe, expect, test } from 'vitest'
import { FileRefused } from '../../server/file-refused.ts'
import fc from 'fast-check'
import { isBai2, readBai2 } from './server/bai2.ts'
import { accountOf, numberOf } from './server/statement.ts'
import { readBankCsv } from './server/bank-csv.ts'
import { bai2, signed } from '../../test/bai2.ts'

/** Tests bank statement files: BAI2 with its control totals, and CSV in many layouts. */

const line = fc.record({
  code: fc.constantFrom('142', '165', '174', '455', '475', '698'),
  cents: fc.integer({ min: 1, max: 9_999_999 }),
  text: fc.constantFrom('SANDBOX PAYOUT SBX000000012', 'CHECK 1004', 'A, B, and C', 'DEPOSIT 11/21', ''),
})

test('reads back any generated BAI2 statement with correct sums', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(line, { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n'),
      (days, end) => {
        const written = days.map((lines, n) => ({ day: `26110${n + 1}`, lines }))
        const text = bai2(written, 5_000_000_00, end)
        expect(isBai2(text)).toBe(true)
        const [statement, ...others] = readBai2(text)
        expect(others).toEqual([])
        expect(statement).toMatchObject({ account: '1234', fromDay: '2026-11-01', toDay: `2026-11-0${days.length}` })
        expect(statement?.lines).toEqual(
          written.flatMap(({ day, lines }) =>
            lines.map((one) => ({
              day: `20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`,
              cents: signed(one),
              code: one.code,
              reference: 'BANK1 CUST2',
              // The parser splits the text at commas. It then joins the parts again, without the space after each
              // comma.
              text: one.text.replaceAll(', ', ','),
            })),
          ),
        )
        const moved = days.flat().reduce((sum, one) => sum + signed(one), 0)
        expect((statement?.closingCents ?? 0) - (statement?.openingCents ?? 0)).toBe(moved)
      },
    ),
    { numRuns: process.env['NIGHTLY'] ? 2000 : 100 },
  )
})

test('refuses the file if any control figure is changed', () => {
  const text = bai2([
    {
      day: '261101',
      lines: [
        { code: '142', cents: 20_00, text: 'PAYOUT' },
        { code: '698', cents: 5_00, text: 'FEE' },
      ],
    },
  ])
  const numbers = [
    ...text.matchAll(
      /\d{3,}(?=,Z)|(?<=^49,)\d+|(?<=^98,)\d+|(?<=^99,)\d+|(?<=010,)\d+|(?<=015,)\d+|(?<=^(?:49|98|99),\d+,(?:\d+,)?)\d+(?=\/)/gm,
    ),
  ]
  expect(numbers.length).toBeGreaterThanOrEqual(8)
  for (const { index, 0: figure } of numbers) {
    const tampered = text.slice(0, index) + String(Number(figure) + 1) + text.slice(index + figure.length)
    expect(() => readBai2(tampered), `${figure} at ${index}`).toThrow(FileRefused)
  }
  for (const cut of text.split('\n').slice(0, -1).keys()) {
    const without = text
      .split('\n')
      .filter((_, n) => n !== cut)
      .join('\n')
    expect(() => readBai2(without), `without line ${cut + 1}`).toThrow(FileRefused)
  }
})

test('reads continuation records, value dates, availability and memo items', () => {
  const file = [
    '01,BANK,US,261124,0200,1,80,,2/',
    '02,US,BANK,1,261123,,USD,2/03,12345678,USD,010,10000,,/',
    '88,015,14000,,/',
    '16,142,5000,V,261124,,REF9,,SANDBOX PAYOUT',
    '88,SBX000000007',
    '16,475,1000,S,1000,0,0,,,CHECK/',
    '16,890,,,,,A MEMO/',
    '49,30000,7/98,30000,1,9/99,30000,1,11/',
  ].join('\n')
  expect(readBai2(file)).toEqual([
    {
      account: '5678',
      number: '12345678',
      fromDay: '2026-11-23',
      toDay: '2026-11-23',
      openingCents: 10_000,
      closingCents: 14_000,
      lines: [
        { day: '2026-11-23', cents: 5000, code: '142', reference: 'REF9', text: 'SANDBOX PAYOUT,SBX000000007' },
        { day: '2026-11-23', cents: -1000, code: '475', reference: '', text: 'CHECK' },
      ],
    },
  ])
})

test('refuses other currencies, versions and layouts with a line number', () => {
  const good = bai2([{ day: '261101', lines: [] }])
  const refusal = (text: string) => {
    try {
      readBai2(text)
      return ''
    } catch (error) {
      return error instanceof FileRefused ? error.message : `other: ${String(error)}`
    }
  }
  expect(refusal(good)).toBe('')
  expect(refusal(good.replace('1234,USD', '1234,CAD'))).toMatch(/^Line 3: The account is in CAD/)
  expect(refusal(good.replace(',,2/', ',,1/'))).toMatch(/^Line 1: The file uses version 1/)
  expect(refusal(good.replace(',261101,', ',261301,'))).toMatch(/^Line 2: “261301” is not a date/)
  expect(refusal(`${good}16,142,1,Z,,,/`)).toContain('after its final trailer record')
  expect(refusal('05,nothing/')).toMatch(/^Line 1: “05” is not a BAI2 record/)
  expect(refusal('')).toContain('incomplete')
})

test('reads CSV with various amounts, signs, orders and balances', async () => {
  const report = () => ({
    imported: false,
    read: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    errorCount: 0,
    invalidRows: [] as { where: string; reason: string }[],
    unprintable: [],
  })
  const read = async (lines: readonly string[], to = report()) => readBankCsv(Buffer.from(lines.join('\n')), to)
  const [one] = await read([
    'Posting Date,Description,Amount,Balance,Account Number',
    '11/23/2026,SERVICE CHARGE,(12.50),12345101087.5,000123456',
    '11/22/2026,SANDBOX  SBX000000003,"$1,000.00","12,345,101,100.00",000123456',
  ])
  expect(one).toEqual({
    account: '3456',
    number: '123456',
    fromDay: '2026-11-22',
    toDay: '2026-11-23',
    openingCents: 12_345_100_100_00,
    closingCents: 12_345_101_087_50,
    lines: [
      { day: '2026-11-22', cents: 1000_00, code: '', reference: '', text: 'SANDBOX SBX000000003' },
      { day: '2026-11-23', cents: -12_50, code: '', reference: '', text: 'SERVICE CHARGE' },
    ],
  })
  const [two] = await read([
    'Date,Details,Debit,Credit,Reference',
    '2026-11-22,Check,50.00,,1004',
    '2026-11-23,Deposit,,75.25,',
  ])
  expect(two?.lines.map(({ cents, reference }) => [cents, reference])).toEqual([
    [-50_00, '1004'],
    [75_25, ''],
  ])
  const importReport = report()
  await read(
    ['Date,Description,Amount', '2026-02-30,A,1.00', '2026-11-22,B,much', '2026-11-22,C,0.00', '2026-11-22,D,-1'],
    importReport,
  )
  expect(importReport.invalidRows.map(({ where }) => where)).toEqual(['Line 2', 'Line 3', 'Line 4'])
  await expect(read(['Date,Amount', '2026-11-22,1.00'])).rejects.toThrow(FileRefused)
})

describe('continued texts', () => {
  const file = (...goesOn: string[]) =>
    [
      '01,BANK,US,261124,0200,1,80,,2/',
      '02,US,BANK,1,261123,,USD,2/',
      '03,12345678,USD,010,10000,,,015,15000,,/',
      '16,142,5000,Z,BANK1,CUST2,SANDBOX PAYOUT',
      ...goesOn,
    ].join('\n')
  const end = (records: number) => `\n49,30000,${records}/\n98,30000,1,${records + 2}/\n99,30000,1,${records + 4}/`
  test.each([
    ['88:TEXT', ['88:SBX000000007'], 4, 'SANDBOX PAYOUT,SBX000000007'],
    ['88,TEXT', ['88,SBX000000007/'], 4, 'SANDBOX PAYOUT,SBX000000007'],
    ['88 TEXT', ['88 SBX000000007'], 4, 'SANDBOX PAYOUT,SBX000000007'],
    ['a line without 88', ['SBX000000007'], 3, 'SANDBOX PAYOUT SBX000000007'],
    ['a line without 88 that the bank counts', ['SBX000000007'], 4, 'SANDBOX PAYOUT SBX000000007'],
    ['several lines with commas', ['REF 7, ELM ST', 'AND MORE/'], 3, 'SANDBOX PAYOUT REF 7, ELM ST AND MORE'],
  ])('reads %s', (_, goesOn, records, description) => {
    const [statement] = readBai2(file(...goesOn) + end(records))
    expect(statement?.lines.map((one) => one.text)).toEqual([description])
  })

  test('refuses unknown records and wrong record counts', () => {
    expect(() => readBai2(`${file('17,142,5000,Z,,,')}${end(3)}`)).toThrow(/“17” is not a BAI2 record/)
    expect(() => readBai2(`${file('SBX')}${end(5)}`)).toThrow(/trailer states a record count of 5/)
  })
})

test('distinguishes accounts with equal last digits', () => {
  const one = (number: string) => bai2([{ day: '261101', lines: [] }]).replace('00004567891234', number)
  const [, , ...first] = one('1111001234').split('\n')
  const [head, group, ...second] = one('2222001234').split('\n')
  const account = [first[0], first[1]]
  const both = [head, group, ...account, ...second.slice(0, 2)]
  const sum = 400_000
  const file = [...both, `98,${sum},2,6/`, `99,${sum},1,8/`].join('\n')
  const statements = readBai2(file)
  expect(statements.map(({ number }) => number)).toEqual(['1111001234', '2222001234'])
  const accounts = statements.reduce<{ account: string; mark: string }[]>(
    (all, { number }) => [...all, accountOf(number, (text) => `hash of ${text}`, all)],
    [],
  )
  expect(accounts.map((each) => each.account)).toEqual(['1234', '2222001234'.slice(-8)])
  // A masked number in a later file matches the account that already has this short name.
  expect(accountOf('2222001234', (text) => `hash of ${text}`, accounts).account).toBe('22001234')
  expect(accountOf(numberOf('XXXX1234'), (text) => `hash of ${text}`, accounts).account).toBe('1234')
  expect(numberOf('Checking 0001234')).toBe(numberOf('000000-1234'))
})

test('names a damaged BAI2 file', () => {
  const damaged = bai2([{ day: '261101', lines: [{ code: '142', cents: 5, text: 'A' }] }])
    .split('\n')
    .slice(1)
    .join('\n')
  expect(isBai2(damaged)).toBe(true)
  expect(() => readBai2(damaged)).toThrow(/This BAI2 file is damaged/)
  expect(isBai2('Date,Description,Amount\n03,Shop,5.00\n16,Shop,6.00')).toBe(false)
})
