import type { Answer, CellAnswer, RowAnswer } from './answer.ts'
import type { Column, FieldOf } from './definition.ts'
import { plural, say } from '../messages.ts'

interface Cells {
  answer?: Answer
  errors?: Record<string, string>
}

/**
 * Reads the rows of a table and leaves out empty rows. Errors use the original row numbers, so that they appear at the
 * right input.
 */
export function readRows(
  { columns, required, min, max }: FieldOf<'table'>,
  raw: unknown,
  readCell: (column: Column, cell: unknown) => Cells,
): Cells {
  const isRow = (row: unknown) => typeof row === 'object' && row !== null && !Array.isArray(row)
  if (!Array.isArray(raw) || !raw.every(isRow))
    return { errors: { '': say`We could not read these rows. Enter them again.` } }
  const rows: RowAnswer[] = []
  const errors: Record<string, string> = {}
  for (const [index, row] of raw.entries()) {
    const read = columns.map((column) => {
      const cell: unknown = Object.hasOwn(row, column.name) ? row[column.name] : undefined
      // A required cell may stay empty if its whole row is empty.
      return { column, blank: readCell({ ...column, required: false }, cell), full: readCell(column, cell) }
    })
    if (read.every(({ blank }) => blank.answer === undefined && !blank.errors)) continue
    rows.push({})
    for (const { column, full } of read) {
      if (full.answer !== undefined) (rows.at(-1) as RowAnswer)[column.name] = full.answer as CellAnswer
      if (full.errors?.['']) errors[`${index}.${column.name}`] = full.errors['']
    }
  }
  if (rows.length > max) errors[''] = say`Use no more than ${plural(max, '# row', '# rows')}.`
  else if (rows.length > 0 && rows.length < min) errors[''] = say`Fill in at least ${min} rows.`
  if (Object.keys(errors).length > 0) return { errors }
  if (rows.length > 0) return { answer: rows }
  // If the table has rows but all are empty, the error asks the person to fill in at least one.
  return required && raw.length > 0 ? { errors: { '': say`Fill in at least one row.` } } : {}
}
