import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readItem } from '../features/general-payments/server/import-items.ts'
import { readLine } from '../features/lockbox/rules.ts'
import { readBankCsv } from '../features/reconciliation/server/bank-csv.ts'
import { readBill } from '../features/utility-accounts/server/bill-layout.ts'
import { type Get, getterOf, LineError } from '../features/utility-accounts/server/line-values.ts'
import { readRecord } from '../features/utility-accounts/server/record-layout.ts'
import { RowError } from '../server/imports.ts'
import { MAX_CENTS, parseCents, readAmount } from '../shared/money.ts'

/**
 * Amounts as banks, billing systems and spreadsheets write them, with the expected cents. Null if the text is not an
 * amount.
 */
const SPELLINGS: [string, number | null][] = [
  ['30', 3000],
  ['30.00', 3000],
  ['30.5', 3050],
  ['30.', 3000],
  ['.75', 75],
  ['0.05', 5],
  ['007.50', 750],
  ['1,234.50', 123_450],
  ['1,234', 123_400],
  ['9,999,999.99', 999_999_999],
  ['9999999.99', 999_999_999],
  ['$30.00', 3000],
  ['$ 30.00', 3000],
  ['$1,234.50', 123_450],
  [' 30.00 ', 3000],
  ['\u00A030.00\u00A0', 3000],
  ['\u200E30.00\u200E', 3000],
  ['+30.00', 3000],
  ['+$30.00', 3000],
  ['30.00+', 3000],
  ['-30.00', -3000],
  ['- 30.00', -3000],
  ['-$30.00', -3000],
  ['- $30.00', -3000],
  ['-$ 30.00', -3000],
  ['$-30.00', -3000],
  ['$ -30.00', -3000],
  ['$- 30.00', -3000],
  ['30.00-', -3000],
  ['30.00 -', -3000],
  ['$30.00-', -3000],
  ['\u221230.00', -3000],
  ['\u201330.00', -3000],
  ['(30.00)', -3000],
  ['( 30.00 )', -3000],
  ['($30.00)', -3000],
  ['$(30.00)', -3000],
  ['$ (30.00)', -3000],
  ['(1,234.50)', -123_450],
  ['-.75', -75],
  ['-1,234.50', -123_450],
  ['$(1,234.50)', -123_450],
  ['3-0.00', null],
  ['(30.00', null],
  ['30.00)', null],
  ['1+2', null],
  ['--30.00', null],
  ['-30.00-', null],
  ['-(30.00)', null],
  ['(-30.00)', null],
  ['(30.00)-', null],
  ['((30.00))', null],
  ['$$30.00', null],
  ['$(($30.00))', null],
  ['$($30.00)', null],
  ['30$', null],
  ['$', null],
  ['-', null],
  ['()', null],
  ['$()', null],
  ['.', null],
  [',', null],
  ['1,23', null],
  ['1,2345', null],
  ['1.234,56', null],
  ['1 234.50', null],
  ['30.005', null],
  ['3e2', null],
  ['0x1E', null],
  ['30.00 CR', null],
  ['30 USD', null],
  ['€30.00', null],
  ['٣٠', null],
  ['thirty', null],
  ['NaN', null],
  ['1/2', null],
  ['30%', null],
]

const TOO_LARGE = ['10000000', '10,000,000.00', '99999999.99', '-10,000,000', '(10000000.00)', '9'.repeat(40)]

test.each(SPELLINGS)('reads %j as %j cents', (text, cents) => {
  expect(readAmount(text)).toEqual(cents === null ? { problem: 'spelling' } : { cents })
})

test.each(TOO_LARGE)('reports that %s is over the limit', (text) => {
  expect(readAmount(text)).toEqual({ problem: 'limit' })
  expect(parseCents(text)).toBeNull()
})

/** Function that imports a file with one amount. Returns the imported cents or the error message. */
type Importer = (amount: string) => Promise<number | string>

const outcomeOf = (read: () => number): number | string => {
  try {
    return read()
  } catch (error) {
    if (error instanceof LineError || error instanceof RowError) return error.message
    throw error
  }
}
/** Returns the reader for the values of a line. */
const getter = (cells: Record<string, string>): Get =>
  getterOf({ cells: Object.values(cells), texts: new Map(Object.entries(cells)) }, Object.keys(cells).length)

const bill = {
  ...{ account_number: '100001', customer_name: 'Edna Meadows', service_address: '12 Elm St', city: 'Maple Grove' },
  ...{ state: 'PA', zip: '17011', bill_number: 'B1', bill_date: '2026-11-01', due_date: '2026-11-20' },
  ...{ period_start: '2026-10-01', period_end: '2026-10-31', service_1: 'Water' },
}

const importers: Record<string, { read: Importer; isNegativeRefused?: true }> = {
  bills: {
    read: async (amount) => outcomeOf(() => readBill(getter({ ...bill, amount_1: amount }), 2).amount_cents),
  },
  'account records': {
    read: async (amount) =>
      outcomeOf(() => {
        const cells = {
          account_number: '100001',
          record: 'adjustment',
          record_number: 'R1',
          date: '2026-11-01',
          reason: 'Leak',
        }
        return readRecord(getter({ ...cells, amount }), 2).amount_cents ?? 0
      }),
  },
  lockbox: {
    isNegativeRefused: true,
    read: async (amount) => {
      const cells: Record<string, string> = {
        account: '100001',
        payer: 'Edna',
        amount,
        date: '2026-11-20',
        trace: 'T-1001',
      }
      const read = readLine((name) => cells[name] ?? '', { onlyDollars: false, today: '2026-11-21' })
      return typeof read === 'string' ? read : read.cents
    },
  },
  'open items': {
    isNegativeRefused: true,
    read: async (amount) =>
      outcomeOf(
        () => readItem(new Map(Object.entries({ number: '1', name: 'Edna', amount })), { proof: 'amount' }).cents,
      ),
  },
  'bank statement, amount': { read: (amount) => bankLine({ Amount: amount }) },
  'bank statement, credit': { read: (amount) => bankLine({ Credit: amount }) },
  'bank statement, balance': {
    read: async (amount) => {
      const [statement, error] = await bankFile({ Amount: '1.00', Balance: amount })
      return error ?? statement?.closingCents ?? Number.NaN
    },
  },
}

async function bankFile(cells: Record<string, string>) {
  const report = {
    imported: false,
    read: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    errorCount: 0,
    invalidRows: [] as { where: string; reason: string }[],
    unprintable: [],
  }
  const columns = { Date: '12/01/2026', Description: 'BANK FEE', ...cells, Account: '990011' }
  const file = `${Object.keys(columns).join(',')}\n${Object.values(columns)
    .map((cell) => `"${cell}"`)
    .join(',')}\n`
  const [statement] = await readBankCsv(Buffer.from(file), report)
  return [statement, report.invalidRows[0]?.reason] as const
}
async function bankLine(cells: Record<string, string>) {
  const [statement, error] = await bankFile(cells)
  return error ?? statement?.lines[0]?.cents ?? Number.NaN
}

describe.each(Object.entries(importers))('the import of %s', (name, { read, isNegativeRefused }) => {
  test(`reads ${SPELLINGS.length} spellings like the shared reader`, async () => {
    for (const [text, cents] of SPELLINGS) {
      const is = await read(text)
      if (cents === null || (isNegativeRefused && cents < 0)) expect([text, typeof is]).toEqual([text, 'string'])
      else expect([text, is]).toEqual([text, cents])
    }
  })

  test.skipIf(name.startsWith('bank'))('names the limit that a large amount exceeds', async () => {
    for (const text of TOO_LARGE) expect(await read(text)).toMatch(/over the limit of \$9,999,999\.99/)
  })
})

test('uses no other reader of amounts in imports', () => {
  const own = globSync('{features,server}/**/*.ts', { cwd: new URL('..', import.meta.url) })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')] as const)
    .filter(([, text]) => /tableRows|openTable|line-values|importRows/.test(text))
  expect(own.length).toBeGreaterThan(8)
  for (const [file, text] of own) expect([file, /parseFloat|\* 100\b|parseCents/.test(text)]).toEqual([file, false])
  expect(MAX_CENTS).toBe(999_999_999)
})
