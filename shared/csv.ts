/** CSV files that people open in spreadsheets. */

/** Characters that start a formula, also as full-width signs. */
export const FORMULA_STARTS = '=+-@\t\r\n＝＋－＠'

/** Byte order mark at the start of a file. Without it, Excel reads a CSV as Windows-1252 and shows `JosÃ©`. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Last column of a file with rows to correct. An import ignores it. */
export const CORRECTION = 'Correction needed'

/** Writes rows as a CSV. A cell that a spreadsheet would read as a formula gets an apostrophe. */
export const csvTextOf = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')

function csvCell(value: string): string {
  const isFormula = value !== '' && FORMULA_STARTS.includes(value.charAt(0)) && !/^-?[\d.]+$/.test(value)
  const safe = isFormula ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns a row with errors for a file of corrections: its cells under the file's columns, and the correction. */
export const correctionRow = (headers: readonly string[], cells: readonly string[], where: string, reason: string) => [
  ...headers.map((_, at) => cells[at] ?? ''),
  `${where}: ${reason}`,
]
