import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { problemCodes } from './problems.ts'
import { readNachaFile } from './read-file.ts'
import type { ReadOptions } from './read-lines.ts'
import { writeNachaFile } from './write-file.ts'

const FIXTURES = new URL('fixtures/', import.meta.url)
const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.ach'))
const fixture = (name: string): string => readFileSync(new URL(name, FIXTURES), 'latin1')

const codesOf = (file: string | Uint8Array, options?: ReadOptions) =>
  readNachaFile(file, options).problems.map(({ code }) => code)

/** Overwrites text in one line of a file, from a column (counted from 1). */
function over(file: string, line: number, column: number, text: string): string {
  const end = file.includes('\r\n') ? '\r\n' : '\n'
  const lines = file.split(end)
  const old = lines[line - 1] ?? ''
  lines[line - 1] = old.slice(0, column - 1) + text + old.slice(column - 1 + text.length)
  return lines.join(end)
}

/** Changes the lines of a file. */
const withLines = (file: string, change: (lines: string[]) => string[]): string => change(file.split('\n')).join('\n')

test.each(names)('reads %s and rewrites it byte for byte', (name) => {
  const bytes = readFileSync(new URL(name, FIXTURES))
  const { file, problems } = readNachaFile(bytes)
  expect(problems).toEqual([])
  expect(file && Buffer.from(writeNachaFile(file), 'latin1').equals(bytes)).toBe(true)
})

test('reads an entry with typed fields', () => {
  const { file } = readNachaFile(fixture('web-debits.ach'))
  expect(file?.header.fields).toMatchObject({
    immediateDestination: ' 123456780',
    creationDate: '261123',
    fileIdModifier: 'A',
  })
  expect(file?.form).toEqual({ lineEnd: '\r\n', lineEndsAtEnd: 1, fillerLines: 3, otherLengths: {} })
  expect(file?.batches[0]?.entries[1]?.record.fields).toMatchObject({
    transactionCode: '37',
    rdfi: '01100001',
    checkDigit: '5',
    amount: 5000,
    account: '99-1234          ',
    name: "O'NEIL, PAT           ",
    discretionaryData: 'R ',
    trace: '123456780000002',
  })
  expect(file?.control.fields).toMatchObject({
    batchCount: 1,
    blockCount: 1,
    entryAddendaCount: 3,
    totalDebits: 15_246,
  })
})

describe('problems with their own code, line and column', () => {
  const web = fixture('web-debits.ach')
  const ppd = fixture('ppd-with-addenda.ach')
  const tel = fixture('tel-and-ccd.ach')
  const cases: [string, string, string, [number, number]?][] = [
    ['priority-code', 'a file of another priority', over(web, 1, 2, '02'), [1, 2]],
    ['immediate-destination', 'a bank whose check digit is wrong', over(web, 1, 13, '1'), [1, 4]],
    ['immediate-origin', 'letters for the origin', over(web, 1, 14, '0000TESTER'), [1, 14]],
    ['creation-date', 'the 31st of November', over(web, 1, 24, '261131'), [1, 24]],
    ['creation-time', 'a quarter past 25', over(web, 1, 30, '2515'), [1, 30]],
    ['file-id-modifier', 'a small letter', over(web, 1, 34, 'a'), [1, 34]],
    ['record-size', 'records of 95', over(web, 1, 35, '095'), [1, 35]],
    ['blocking-factor', 'blocks of 20', over(web, 1, 38, '20'), [1, 38]],
    ['format-code', 'another format', over(web, 1, 40, '2'), [1, 40]],
    ['not-digits', 'a letter in an amount', over(web, 3, 30, 'CCC'), [3, 30]],
    ['card-expiration', 'a card that expires in month 00', over(over(web, 2, 51, 'SHR'), 3, 40, '0028'), [3, 40]],
    ['mandatory', 'no account number', over(web, 3, 13, ' '.repeat(17)), [3, 13]],
    ['mandatory', 'no company', over(web, 2, 5, ' '.repeat(16)), [2, 5]],
    ['mandatory', 'no name', over(web, 3, 55, ' '.repeat(22)), [3, 55]],
    ['service-class', 'a service class that there is not', over(over(web, 2, 2, '100'), 6, 2, '100'), [2, 2]],
    ['service-class-entry', 'debits in a batch of credits', over(over(web, 2, 2, '220'), 6, 2, '220'), [3, 2]],
    ['sec-code', 'a class that there is not', over(web, 2, 51, 'WEX'), [2, 51]],
    ['effective-date', 'no effective date', over(web, 2, 70, '000000'), [2, 70]],
    ['settlement-date', 'the 400th day of the year', over(web, 2, 76, '400'), [2, 76]],
    ['originator-status', 'a status that there is not', over(web, 2, 79, '7'), [2, 79]],
    ['odfi', 'a bank of zeros', over(web, 2, 80, '00000000')],
    ['batch-order', 'a batch number that does not rise', over(over(ppd, 7, 94, '1'), 9, 94, '1'), [7, 88]],
    ['transaction-code', 'a code that there is not', over(web, 3, 2, '90'), [3, 2]],
    ['class-direction', 'a credit by telephone', over(tel, 3, 2, '22'), [3, 2]],
    ['check-digit', 'a receiver’s bank whose check digit is wrong', over(web, 3, 12, '3'), [3, 12]],
    ['amount-missing', 'a debit of nothing', over(web, 3, 30, '0'.repeat(10)), [3, 30]],
    ['amount-not-zero', 'a prenote with an amount', over(fixture('prenotes.ach'), 3, 39, '1'), [3, 30]],
    ['payment-type', 'a WEB entry that is neither recurring nor single', over(web, 3, 77, 'X'), [3, 77]],
    ['trace-odfi', 'a trace number of another bank', over(web, 3, 80, '9'), [3, 80]],
    ['trace-order', 'trace numbers that fall', over(web, 4, 94, '9'), [5, 80]],
    ['trace-twice', 'a trace number that was used', over(web, 4, 94, '1'), [4, 80]],
    ['addenda-indicator', 'an indicator of 5', over(web, 3, 79, '5'), [3, 79]],
    ['addenda-missing', 'addenda that are told of and not there', over(web, 3, 79, '1'), [3, 79]],
    ['addenda-unexpected', 'addenda that nobody told of', over(ppd, 3, 79, '0'), [3, 79]],
    ['addenda-type', 'addenda of another type', over(ppd, 4, 2, '42'), [4, 2]],
    ['addenda-sequence', 'addenda that begin at 2', over(ppd, 4, 87, '2'), [4, 84]],
    ['addenda-entry', 'addenda of another entry', over(ppd, 4, 94, '9'), [4, 88]],
    ['addenda-count', 'an entry that counts its addenda wrong', over(fixture('ctx.ach'), 3, 58, '3'), [3, 55]],
    ['return-code', 'a return for a reason that there is not', over(fixture('returns.ach'), 4, 4, 'R96'), [4, 4]],
    ['change-code', 'a change that there is not', over(fixture('changes.ach'), 4, 4, 'C92'), [4, 4]],
    [
      'corrected-data',
      'a change without what it changes',
      over(fixture('changes.ach'), 4, 36, ' '.repeat(29)),
      [4, 36],
    ],
    ['iat-transaction-type', 'an international entry for no purpose', over(fixture('iat.ach'), 4, 4, 'BIL'), [4, 4]],
    ['batch-service-class', 'a control of another service class', over(web, 6, 2, '200'), [6, 2]],
    ['batch-count-entries', 'a wrong count of a batch', over(web, 6, 10, '4'), [6, 5]],
    ['batch-hash', 'a wrong hash of a batch', over(web, 6, 20, '9'), [6, 11]],
    ['batch-debits', 'wrong debits of a batch', over(web, 6, 32, '9'), [6, 21]],
    ['batch-credits', 'wrong credits of a batch', over(web, 6, 44, '9'), [6, 33]],
    ['batch-company', 'a control of another company', over(web, 6, 45, '9'), [6, 45]],
    ['batch-odfi', 'a control of another bank', over(web, 6, 80, '9'), [6, 80]],
    ['batch-number', 'a control of another batch', over(web, 6, 94, '9'), [6, 88]],
    ['file-batches', 'a wrong number of batches', over(web, 7, 7, '2'), [7, 2]],
    ['file-blocks', 'a wrong number of blocks', over(web, 7, 13, '2'), [7, 8]],
    ['file-count-entries', 'a wrong count of the file', over(web, 7, 21, '4'), [7, 14]],
    ['file-hash', 'a wrong hash of the file', over(web, 7, 31, '9'), [7, 22]],
    ['file-debits', 'wrong debits of the file', over(web, 7, 43, '9'), [7, 32]],
    ['file-credits', 'wrong credits of the file', over(web, 7, 55, '9'), [7, 44]],
    ['character', 'a letter with an accent', over(web, 3, 55, 'É'), [3, 55]],
    ['record-type', 'a record of the type 4', over(web, 3, 1, '4'), [3, 1]],
    ['filler', 'a line that is not all nines', over(web, 9, 5, '1'), [9, 1]],
    ['line-length', 'a line that is too short', fixture('prenotes.ach').replace('MEADOWS ', 'MEADOWS'), [3, 94]],
    ['line-end', 'a line with another end', fixture('prenotes.ach').replace('\n', '\r\n').replace('\n6', '\n\r6')],
    ['empty', 'nothing', '  \n', [1, 1]],
  ]

  test.each(cases)('%s: %s', (code, _what, file, position) => {
    const { file: read, problems } = readNachaFile(file)
    expect(read).toBeNull()
    const match = problems.find((problem) => problem.code === code)
    expect(problems.map((problem) => problem.code)).toContain(code)
    if (position) expect([match?.line, match?.column]).toEqual(position)
    expect(match?.message).toMatch(/^Line \d+(, [a-z ]+)?: .{8,}\.$/)
  })

  const prenotes = fixture('prenotes.ach')
  const orders: [string, string, string][] = [
    ['no-file-header', 'a file without its header', withLines(prenotes, (lines) => lines.slice(1))],
    ['no-batch-control', 'a batch without its control', withLines(prenotes, (lines) => lines.toSpliced(4, 1))],
    ['no-batch-control', 'a file that ends within a batch', withLines(prenotes, (lines) => lines.slice(0, 4))],
    ['no-file-control', 'a file without its control', withLines(prenotes, (lines) => lines.slice(0, 5))],
    ['no-entries', 'a batch without entries', withLines(prenotes, (lines) => lines.toSpliced(2, 2))],
    ['record-order', 'an entry outside of a batch', withLines(prenotes, (lines) => lines.toSpliced(1, 1))],
    [
      'record-order',
      'addenda before an entry',
      withLines(prenotes, (lines) => lines.toSpliced(2, 0, ppd.split('\n')[3] ?? '')),
    ],
    ['record-order', 'a second header', withLines(prenotes, (lines) => lines.toSpliced(1, 0, lines[0] ?? ''))],
    [
      'after-file-control',
      'a record after the end',
      withLines(prenotes, (lines) => lines.toSpliced(6, 1, lines[1] ?? '')),
    ],
    ['blocking', 'a last block that is not full', withLines(prenotes, (lines) => lines.slice(0, 7))],
    [
      'addenda-most',
      'two addenda where one may be',
      withLines(ppd, (lines) => lines.toSpliced(4, 0, (lines[3] ?? '').replace('00010000011', '00020000011'))),
    ],
    [
      'amount-limit',
      'a converted check of more than 25,000 dollars',
      fixture('one-block.ach').replace('WEBUTILITY', 'ARCUTILITY').replace('0000000100', '0002500001'),
    ],
  ]
  test.each(orders)('%s: %s', (code, _what, file) => {
    expect(codesOf(file)).toContain(code)
  })

  test('too-large: above the size limit', () => {
    expect(codesOf('9'.repeat(30_000_001))).toEqual(['too-large'])
  })

  test('covers every problem code', () => {
    const tried = new Set([...cases, ...orders].map(([code]) => code).concat('too-large'))
    expect(problemCodes.filter((code) => !tried.has(code))).toEqual([])
  })

  test('reports all problems together in line order', () => {
    expect(codesOf(over(over(web, 3, 12, '3'), 7, 43, '9'))).toEqual(['check-digit', 'file-debits'])
  })
})

test('refuses a file cut off anywhere and never reads a part', () => {
  const file = fixture('one-block.ach')
  for (let length = 0; length < file.length - 1; length += 7)
    expect(readNachaFile(file.slice(0, length)).file).toBeNull()
})

test('reads missing or extra trailing blanks on request and preserves them', () => {
  const cut = withLines(fixture('one-block.ach'), (lines) =>
    lines.map((line, at) => (at === 8 ? line.trimEnd() : at === 2 ? `${line}  ` : line)),
  )
  expect(codesOf(cut)).toContain('line-length')
  const { file } = readNachaFile(cut, { trailingBlanks: 'any' })
  expect(file && writeNachaFile(file)).toBe(cut)
})

test('reads a partly filled last block on request and preserves it', () => {
  const short = withLines(fixture('prenotes.ach'), (lines) => lines.slice(0, 6))
  expect(codesOf(short)).toEqual(['blocking'])
  const { file } = readNachaFile(short, { filler: 'optional' })
  expect(file && writeNachaFile(file)).toBe(short)
})

test('reads a file without line ends by record length and preserves it', () => {
  const joined = fixture('web-debits.ach').replaceAll('\r\n', '')
  const { file } = readNachaFile(joined)
  expect(file && writeNachaFile(file)).toBe(joined)
})

test('accepts a file without batches for a day without entries', () => {
  const lines = [fixture('web-debits.ach').split('\r\n')[0], `9000000000001${'0'.repeat(42)}${' '.repeat(39)}`]
  expect(codesOf([...lines, ...Array.from({ length: 8 }, () => '9'.repeat(94))].join('\n'))).toEqual([])
})

describe('file of one line', () => {
  test.each(['\n', '\r\n', '\n\n'])('is read with the line break %j at its end and rewritten', (end) => {
    const oneLine = fixture('returns.ach').split(/\r?\n/).join('') + end
    const { file, problems } = readNachaFile(oneLine)
    expect(problems).toEqual([])
    expect(file && writeNachaFile(file)).toBe(oneLine)
  })
})

describe('SHR card', () => {
  const linesOf = (expires: string, options?: ReadOptions) =>
    readNachaFile(over(over(fixture('web-debits.ach'), 2, 51, 'SHR'), 3, 40, expires.padEnd(15, '1')), options)
      .problems.filter(({ code }) => code === 'card-expiration')
      .map(({ line, column }) => [line, column])
  test.each(['0028', '1328', '    ', '12 8', 'ABCD'])('is refused if it expires in %j', (expires) => {
    expect(linesOf(expires)).toContainEqual([3, 40])
  })
  test.each(['0128', '1228'])('is read if it expires in %s', (expires) => {
    expect(linesOf(expires)).not.toContainEqual([3, 40])
  })
})

describe('files that a bank sends', () => {
  const returns = fixture('returns.ach')
  const everyEntry = (change: (line: string) => string) =>
    withLines(returns, (lines) => lines.map((line) => (line.startsWith('6') ? change(line) : line)))
  const put = (line: string, column: number, text: string) =>
    line.slice(0, column - 1) + text + line.slice(column - 1 + text.length)
  test.each([
    ['an empty payment type', everyEntry((line) => put(line, 77, '  '))],
    ['another payment type', everyEntry((line) => put(line, 77, 'XX'))],
    ['a company’s number of ten digits as destination', over(returns, 1, 4, '1987654321')],
    ['a destination of letters', over(returns, 1, 4, 'MAPLEGROVE')],
    ['a blank destination', over(returns, 1, 4, ' '.repeat(10))],
    ['an origin with letters', over(returns, 1, 14, 'FRB0110000')],
    ['a blank file ID modifier', over(returns, 1, 34, ' ')],
    ['a small letter as file ID modifier', over(returns, 1, 34, 'a')],
    ['no day and no time', over(returns, 1, 24, ' '.repeat(10))],
    ['no receiver’s name', everyEntry((line) => put(line, 55, ' '.repeat(22)))],
    ['a name with an accent', everyEntry((line) => put(line, 55, 'NU\u00D1EZ'))],
    ['no effective date', over(returns, 2, 70, ' '.repeat(6))],
    ['another originator status', over(returns, 2, 79, ' ')],
    ['trace numbers that fall', over(over(returns, 3, 94, '9'), 4, 94, '9')],
    ['no blocks of ten', returns.split('\n').slice(0, 13).join('\n')],
    ['lines that end in different ways', returns.replace('\n', '\r\n')],
    ['a mark of the file’s end', `${returns}\u001A`],
  ])('reads a file with %s', (_, file) => {
    const { problems } = readNachaFile(file, { trailingBlanks: 'any', filler: 'optional', rules: 'bank' })
    expect(problems).toEqual([])
  })

  test.each([
    ['file-debits', over(returns, 12, 35, '9')],
    ['batch-credits', over(returns, 11, 38, '9')],
    ['not-digits', over(returns, 3, 30, 'X')],
    ['no-file-control', returns.split('\n').slice(0, 11).join('\n')],
  ])('refuses an incomplete file: %s', (code, file) => {
    expect(codesOf(file, { trailingBlanks: 'any', filler: 'optional', rules: 'bank' })).toContain(code)
  })
})
