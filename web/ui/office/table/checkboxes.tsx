import { useLingui } from '@lingui/react/macro'
import type { Selection } from './selection.ts'

interface RowCheckboxProps<Row> {
  row: Row
  name: string
  pageRows: readonly Row[]
  selection: Selection<Row>
}

/** Checkbox that selects a row. With Shift, it selects all rows from the last clicked row to this row. */
export function RowCheckbox<Row>({ row, name, pageRows, selection }: RowCheckboxProps<Row>) {
  const { t } = useLingui()
  return (
    <input
      type="checkbox"
      className="block size-6"
      aria-label={t`Select ${name}`}
      checked={selection.has(row)}
      onChange={({ target, nativeEvent }) =>
        selection.choose(row, target.checked, (nativeEvent as MouseEvent).shiftKey === true, pageRows)
      }
    />
  )
}

export function PageCheckbox<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }) {
  const { t } = useLingui()
  const count = rows.filter(selection.has).length
  const all = count > 0 && count === rows.length
  return (
    <input
      type="checkbox"
      className="block size-6"
      aria-label={t`Select all on this page`}
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !all
      }}
      onChange={() => selection.chooseAll(rows, !all)}
    />
  )
}
