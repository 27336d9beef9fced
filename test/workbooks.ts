import { zipSync } from 'fflate'

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const xml = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
const rels = (...targets: readonly (readonly [type: string, target: string])[]) =>
  xml(
    `<Relationships>${targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${TYPES}/${type}" Target="${target}"/>`).join('')}</Relationships>`,
  )

interface WorkbookInput {
  /** XML of the rows: `<row><c><v>1</v></c></row>`. */
  rows: string
  /** Further parts of the file, or replacements of usual ones. */
  parts?: Record<string, Uint8Array>
}

/** Builds a workbook from the XML of its rows, so that tests can contain what no spreadsheet program writes. */
export const workbookOf = ({ rows, parts = {} }: WorkbookInput): Buffer =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': xml('<Types/>'),
      '_rels/.rels': rels(['officeDocument', 'xl/workbook.xml']),
      'xl/workbook.xml': xml('<workbook><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': rels(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
      ),
      'xl/worksheets/sheet1.xml': xml(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
      ...parts,
    }),
  )

/** Builds a workbook with one sheet of texts. */
export const workbookWith = (table: readonly (readonly string[])[]): Buffer =>
  workbookOf({
    rows: table
      .map(
        (cells) =>
          `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`,
      )
      .join(''),
  })

/** Builds a workbook with several sheets of texts. The first sheets state their size, as spreadsheet programs do. */
export function workbookOfSheets(sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Buffer {
  const named = Object.entries(sheets)
  const rowsOf = (table: readonly (readonly string[])[]) =>
    table
      .map(
        (cells) =>
          `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`,
      )
      .join('')
  const list = named.map(([name], at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return workbookOf({
    rows: '',
    parts: {
      'xl/workbook.xml': xml(`<workbook><sheets>${list.join('')}</sheets></workbook>`),
      'xl/_rels/workbook.xml.rels': rels(
        ...named.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ),
      ...Object.fromEntries(
        named.map(([, table], at) => [
          `xl/worksheets/sheet${at + 1}.xml`,
          xml(`<worksheet><dimension ref="A1:Z${table.length}"/><sheetData>${rowsOf(table)}</sheetData></worksheet>`),
        ]),
      ),
    },
  })
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Positions of fields in an entry of the zip directory. */
const FIELDS = { flags: 8, compressed: 20, size: 24 }
const NAME = 46

/** Changes fields of an entry in the directory of a zip, as an attacker would. */
export function redeclared(zip: Buffer, name: string, fields: Partial<Record<keyof typeof FIELDS, number>>): Buffer {
  const changed = Buffer.from(zip)
  const entry = changed.indexOf('PK\u0001\u0002', 'latin1')
  for (let at = entry; at >= 0; at = changed.indexOf('PK\u0001\u0002', at + 4, 'latin1')) {
    if (changed.toString('latin1', at + NAME, at + NAME + name.length) !== name) continue
    if (fields.flags !== undefined) changed.writeUInt16LE(fields.flags, at + FIELDS.flags)
    if (fields.compressed !== undefined) changed.writeUInt32LE(fields.compressed, at + FIELDS.compressed)
    if (fields.size !== undefined) changed.writeUInt32LE(fields.size, at + FIELDS.size)
  }
  return changed
}
