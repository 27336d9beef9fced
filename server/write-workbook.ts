import { zipSync } from 'fflate'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const part = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`)
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
/** Cell style with a number format. 49 is Text. */
const xf = (format: number) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>`
const relationships = (targets: Readonly<Record<string, string>>) =>
  part(
    `<Relationships xmlns="${PACKAGE}/relationships">${Object.entries(targets)
      .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${DOCUMENT}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  )

/**
 * Builds a workbook (XLSX) with one sheet. All columns have the format Text, so that a spreadsheet program keeps the
 * leading zeros that a person types.
 */
export function workbookOf(rows: readonly (readonly string[])[]): Buffer {
  const width = Math.max(1, ...rows.map((row) => row.length))
  const cells = (row: readonly string[]) =>
    row.map((cell) => `<c t="inlineStr" s="1"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`).join('')
  const sheet = `<worksheet xmlns="${SPREADSHEET}"><cols><col min="1" max="${width}" width="22" style="1"/></cols><sheetData>${rows
    .map((row) => `<row>${cells(row)}</row>`)
    .join('')}</sheetData></worksheet>`
  const styles = `<styleSheet xmlns="${SPREADSHEET}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1">${xf(0)}</cellStyleXfs><cellXfs count="2">${xf(0)}${xf(49)}</cellXfs></styleSheet>`
  const types = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${MAIN}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${MAIN}.styles+xml"/></Types>`
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': part(types),
      '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
      'xl/workbook.xml': part(
        `<workbook xmlns="${SPREADSHEET}" xmlns:r="${DOCUMENT}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': relationships({ worksheet: 'worksheets/sheet1.xml', styles: 'styles.xml' }),
      'xl/worksheets/sheet1.xml': part(sheet),
      'xl/styles.xml': part(styles),
    }),
  )
}
