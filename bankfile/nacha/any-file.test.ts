import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildNachaFile, type NewBatch, type NewEntry } from './build-file.ts'
import type { ProblemCode } from './problems.ts'
import { readNachaFile } from './read-file.ts'
import { checkDigitOf } from './routing.ts'
import { transactionCode } from './transaction-codes.ts'
import { writeNachaFile } from './write-file.ts'

/**
 * Number of random files in each test. The reader must return the written content and refuse every wrong control
 * record.
 */

const RUNS = process.env['NIGHTLY'] ? 3000 : 60

const bank = fc.integer({ min: 1_000_000, max: 99_999_999 }).map((n) => String(n).padStart(8, '0'))
const routing = bank.map((eight) => eight + String(checkDigitOf(eight)))
const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
  maxLength: 30,
})
const name = printable.map((text) => `N${text}`)
const account = fc
  .string({ unit: fc.constantFrom(...'0123456789-AZ '), minLength: 1, maxLength: 16 })
  .map((text) => `1${text}`)

const entry = (secCode: string) =>
  fc
    .record({
      type: fc.constantFrom('checking', 'savings' as const),
      direction: secCode === 'TEL' ? fc.constant('debit' as const) : fc.constantFrom('credit', 'debit' as const),
      isPrenote: fc.boolean(),
      routing,
      account,
      cents: fc.integer({ min: 1, max: 9_999_999_999 }),
      identification: printable,
      name,
      paymentType: fc.constantFrom('R', 'S' as const),
      information: secCode === 'TEL' ? fc.constant(undefined) : fc.option(printable, { nil: undefined }),
    })
    .map(({ type, direction, isPrenote, cents, paymentType, information, ...rest }) => ({
      ...rest,
      transactionCode: transactionCode(type, direction, isPrenote ? 'prenote' : 'live'),
      amountCents: isPrenote ? 0 : cents,
      ...(secCode === 'WEB' && { paymentType }),
      ...(information !== undefined && { information }),
    }))

const batch = fc.constantFrom('PPD', 'WEB', 'TEL', 'CCD' as const).chain((secCode) =>
  fc.record({
    secCode: fc.constant(secCode),
    companyName: name,
    companyId: fc.constantFrom('1987654321', '987654321', '42'),
    entryDescription: fc.constantFrom('UTILITY', 'TAX BILL', 'PERMIT'),
    effectiveOn: fc.constantFrom('2026-11-24', '2028-02-29', '2027-01-04'),
    odfi: fc.constant('12345678'),
    entries: fc.array(entry(secCode), { minLength: 1, maxLength: 8 }),
  }),
)
const batches = fc.array(batch, { maxLength: 4 }).map((many) => {
  let sequence = 0
  return many.map(({ entries, ...rest }): NewBatch => ({
    ...rest,
    entries: entries.map((one): NewEntry => ({ ...one, sequence: ++sequence })),
  }))
})

const sender = {
  destination: '123456780',
  destinationName: 'First Bank',
  origin: '1987654321',
  originName: 'Maple Grove',
}
const made = { createdOn: '2026-11-23', createdAt: '09:30', modifier: 'A' }
const written = (many: NewBatch[]) => writeNachaFile(buildNachaFile(sender, made, many))

test(`reads written files unchanged and rewrites each byte (${RUNS} files)`, () => {
  fc.assert(
    fc.property(batches, (many) => {
      const built = buildNachaFile(sender, made, many)
      const bytes = writeNachaFile(built)
      const { file, problems } = readNachaFile(bytes)
      expect(problems).toEqual([])
      expect(file).toEqual(built)
      expect(file && writeNachaFile(file)).toBe(bytes)
    }),
    { numRuns: RUNS },
  )
})

/** Positions of the numbers in each control record, with the problem code for a wrong number. */
const controls: Record<'8' | '9', [ProblemCode, from: number, to: number][]> = {
  8: [
    ['batch-service-class', 1, 4],
    ['batch-count-entries', 4, 10],
    ['batch-hash', 10, 20],
    ['batch-debits', 20, 32],
    ['batch-credits', 32, 44],
    ['batch-company', 44, 54],
    ['batch-odfi', 79, 87],
    ['batch-number', 87, 94],
  ],
  9: [
    ['file-batches', 1, 7],
    ['file-blocks', 7, 13],
    ['file-count-entries', 13, 21],
    ['file-hash', 21, 31],
    ['file-debits', 31, 43],
    ['file-credits', 43, 55],
  ],
}

test(`refuses another digit in a control with its field’s code (${RUNS} files)`, () => {
  fc.assert(
    fc.property(batches, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), (many, seed, column, by) => {
      const lines = written(many).split('\r\n')
      const at = lines.flatMap((line, index) => (/^[89](?!9{93})/.test(line) ? [index] : []))
      const index = at[seed % at.length] ?? 0
      const line = lines[index] ?? ''
      const fields = controls[line[0] as '8' | '9']
      const [code, from, to] = fields[column % fields.length] ?? ['empty', 0, 0]
      const digit = from + (column % (to - from))
      const old = line[digit] ?? ''
      const other = old === ' ' ? '7' : String((Number(old) + by) % 10)
      lines[index] = line.slice(0, digit) + other + line.slice(digit + 1)
      expect(readNachaFile(lines.join('\r\n')).problems.map((problem) => problem.code)).toEqual([code])
    }),
    { numRuns: RUNS },
  )
})

test(`reads or refuses any bytes and rewrites the readable ones (${RUNS} files)`, () => {
  fc.assert(
    fc.property(batches, fc.nat(), fc.integer({ min: 0, max: 255 }), (many, position, byte) => {
      const bytes = Buffer.from(written(many), 'latin1')
      bytes[position % bytes.length] = byte
      const { file, problems } = readNachaFile(bytes)
      if (file) expect(writeNachaFile(file)).toBe(bytes.toString('latin1'))
      else expect(problems.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true)
      expect(file === null).toBe(problems.length > 0)
    }),
    { numRuns: RUNS },
  )
})

test('refuses to write an entry that does not fit its fields', () => {
  const batchOf = (invalid: Partial<NewEntry>): NewBatch[] => [
    {
      secCode: 'PPD',
      companyName: 'Maple Grove',
      companyId: '1987654321',
      entryDescription: 'UTILITY',
      effectiveOn: '2026-11-24',
      odfi: '12345678',
      entries: [
        {
          transactionCode: '27',
          routing: '110000000',
          account: '1',
          amountCents: 1,
          identification: '',
          name: 'Ana Peña',
          sequence: 1,
          ...invalid,
        },
      ],
    },
  ]
  expect(written(batchOf({}))).toContain('Ana Pena')
  expect(() => written(batchOf({ routing: '110000001' }))).toThrow(RangeError)
  expect(() => written(batchOf({ amountCents: 10_000_000_000 }))).toThrow(RangeError)
  expect(() => written(batchOf({ amountCents: -1 }))).toThrow(RangeError)
  expect(() => written(batchOf({ account: '123456789012345678' }))).toThrow(RangeError)
  expect(() => written(batchOf({ sequence: 10_000_000 }))).toThrow(RangeError)
})
