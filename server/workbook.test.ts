import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { zipSync } from 'fflate'
import { describe, expect, it, test } from 'vitest'
import { redeclared, workbookOf, workbookWith } from '../test/workbooks.ts'
import { defineColumns } from './columns.ts'
import { numberFormatOf } from './number-formats.ts'
import { tableRows } from './table-rows.ts'

const columns = defineColumns('test', {
  needs: [],
  columns: {
    account: { title: 'Account', aliases: 'account_no' },
    name: { title: 'Name', aliases: 'full_name' },
    zip: { title: 'ZIP code', aliases: 'zip' },
    due: { title: 'Due', aliases: 'day' },
    balance: { title: 'Balance', aliases: 'amount' },
    active: { title: 'Active', aliases: 'is_active' },
  },
})

async function rowsIn(content: Buffer) {
  const rows = []
  for await (const { where, texts, reason } of tableRows(Readable.from([content]), columns))
    rows.push({ where, ...Object.fromEntries(texts), ...(reason && { reason }) })
  return rows
}
const file = (name: string) => readFileSync(new URL(`workbooks/${name}`, import.meta.url))
const reasonFor = (content: Buffer) => rowsIn(content).then(String, (error: Error) => error.message)

describe('a workbook', () => {
  it.each(['accounts.xlsx', 'accounts-libreoffice.xlsx'])('reads the cells of %s as people see them', async (name) => {
    expect(await rowsIn(file(name))).toEqual([
      {
        where: 'Row 4',
        account: '000012',
        name: 'Ann Lee',
        zip: '01701',
        due: '2026-11-25',
        balance: '12.5',
        active: 'TRUE',
      },
      {
        where: 'Row 5',
        account: '0013',
        name: 'Zoë <Ng> & Sons',
        zip: '17011-0001',
        due: '2026-11-25 08:30',
        balance: '0.3',
        active: 'FALSE',
      },
      { where: 'Row 7', account: '000014', name: 'Line\nbreak', zip: '01702', due: '12500000', balance: '-3' },
    ])
  })

  it('reads dates of the 1904 system', async () => {
    expect(await rowsIn(file('mac-1904.xlsx'))).toEqual([
      { where: 'Row 2', name: 'first', due: '2026-11-25' },
      { where: 'Row 3', name: 'second', due: '2000-02-29 13:05:09' },
    ])
  })

  it('reads the stored results of formulas', async () => {
    const rows =
      '<row><c t="inlineStr"><is><t>Name</t></is></c><c t="inlineStr"><is><r><t>Bal</t></r><r><t>ance</t></r></is></c></row>' +
      '<row><c t="str"><f>A1&amp;"x"</f><v>Ann_x0020_Lee</v></c><c><f>1/3</f><v>0.33</v></c></row>'
    expect(await rowsIn(workbookOf({ rows }))).toEqual([{ where: 'Row 2', name: 'Ann Lee', balance: '0.33' }])
  })

  it('refuses only the row of a cell with an error', async () => {
    const head = '<row><c t="inlineStr"><is><t>Name</t></is></c><c t="inlineStr"><is><t>Balance</t></is></c></row>'
    const rows = `${head}<row><c><v>1</v></c><c t="e"><v>#N/A</v></c></row><row><c><v>2</v></c><c><v>5</v></c></row>`
    expect(await rowsIn(workbookOf({ rows }))).toEqual([
      {
        where: 'Row 2',
        name: '1',
        balance: '#N/A',
        reason: 'The cell B2 contains the error #N/A. Correct the cell and choose the file again.',
      },
      { where: 'Row 3', name: '2', balance: '5' },
    ])
  })

  it('reads 20,000 rows in order', async () => {
    const table = Array.from({ length: 20_000 }, (_, at) => [String(at), `Name ${at}`])
    const rows = await rowsIn(workbookWith([['Account', 'Name'], ...table]))
    expect(rows.length).toBe(20_000)
    expect(rows.at(-1)).toEqual({ where: 'Row 20001', account: '19999', name: 'Name 19999' })
  })
})

const DAMAGED =
  'The workbook is damaged. Open it in your spreadsheet program, save it again as XLSX, and choose the new file.'
const SHEET = 'xl/worksheets/sheet1.xml'
const good = workbookWith([
  ['Name', 'Balance'],
  ['Ann', '1'],
])
const ole = (text: string) => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')])
const parts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`xl/media/${at}.png`, new Uint8Array()]))
const doctype = Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><worksheet><sheetData>&b;</sheetData></worksheet>')
const MB = 1024 * 1024

test.each<[string, Buffer, string | RegExp]>([
  ['no zip', Buffer.from('PK\u0003\u0004nothing'), DAMAGED],
  ['a cut file', good.subarray(0, good.length - 40), DAMAGED],
  ['a password', ole('x'.repeat(5000) + 'EncryptedPackage'), /^The workbook is protected by a password\./],
  ['an encrypted entry', redeclared(good, SHEET, { flags: 1 }), /^The workbook is protected by a password\./],
  ['the older format', ole('Workbook'), /^This workbook has the older format XLS\./],
  ['the binary format', workbookOf({ rows: '', parts: { 'xl/workbook.bin': Buffer.from('x') } }), /format XLSB/],
  [
    'an OpenDocument file',
    Buffer.from(zipSync({ mimetype: Buffer.from('x'), 'content.xml': Buffer.from('x') })),
    /OpenDocument/,
  ],
  [
    'another zip',
    Buffer.from(zipSync({ 'a.txt': Buffer.from('x') })),
    'This file is not a workbook. Choose a CSV or XLSX file.',
  ],
  ['a document type', workbookOf({ rows: '', parts: { [SHEET]: doctype } }), /^The workbook contains a document type/],
  ['too many parts', workbookOf({ rows: '', parts: parts(2000) }), /^The workbook has more than 2000 parts\./],
  ['a large part', redeclared(good, SHEET, { size: 401 * MB, compressed: 20 * MB }), /larger than 600 MB/],
  [
    'large parts',
    ['_rels/.rels', SHEET].reduce((zip, name) => redeclared(zip, name, { size: 301 * MB, compressed: 20 * MB }), good),
    /larger than 600 MB/,
  ],
  [
    'many texts',
    redeclared(
      workbookOf({ rows: '', parts: { 'xl/sharedStrings.xml': Buffer.from('<sst/>') } }),
      'xl/sharedStrings.xml',
      {
        size: 65 * MB,
        compressed: 10 * MB,
      },
    ),
    /^The texts of the workbook take more than 64 MB\./,
  ],
  ['a bomb', workbookOf({ rows: ' '.repeat(20 * MB) }), DAMAGED],
  ['a hidden size', redeclared(good, SHEET, { size: 0 }), DAMAGED],
  ['a wrong size', redeclared(good, SHEET, { size: 100 }), DAMAGED],
  ['damaged XML', workbookOf({ rows: '<row></c>' }), DAMAGED],
  ['no rows', workbookOf({ rows: '' }), 'The file is empty.'],
])('refuses a workbook with %s', async (_, content, reason) => {
  expect(await reasonFor(content)).toMatch(reason)
})

test.each([
  [14, undefined, 46_351, '2026-11-25'],
  [22, undefined, 46_351.354_166_666_7, '2026-11-25 08:30'],
  [20, undefined, 0.5, '12:00'],
  [0, undefined, 12_500_000, '12500000'],
  [164, 'yyyy"年"m"月"d"日"', 46_351, '2026-11-25'],
  [164, '[$-409]d-mmm-yy;@', 60, '1900-02-28'],
  [164, '#,##0" due days"', 12_500_000, '12500000'],
  [164, '[Red]0.00', 12.5, '12.5'],
  [164, '[h]:mm', 1.5, '1.5'],
  [164, '000000', 12, '000012'],
  [164, '000000', 1_234_567, '1234567'],
  [164, '000000', 12.5, '12.5'],
  [164, '00000\\-0000', 170_110_001, '17011-0001'],
  [164, '(000) 000-0000', 7_175_550_100, '(717) 555-0100'],
  [164, '"A-"000', 7, '007'],
  [164, 'General', 0.1 + 0.2, '0.3'],
  [164, 'General', 1e-7, '0.0000001'],
  [164, 'General', 123_456_789_012, '123456789012'],
  [14, undefined, -1, null],
])('reads format %s %s of %s as %s', (id, code, value, text) => {
  expect(numberFormatOf(id, code, false)(value)).toBe(text)
})
