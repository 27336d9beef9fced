import { useLingui } from '@lingui/react/macro'
import type { ColumnsReport } from '../../../shared/imports.ts'
import { Select } from '../Choice.tsx'

interface SheetChoiceProps {
  /** Sheets of a workbook, with the number of their rows if known. */
  sheets: NonNullable<ColumnsReport['sheets']>
  value: string
  disabled: boolean
  onChange: (sheet: string) => void
}

/** Choice of the sheet that an import reads. Shows nothing for a file with one sheet. */
export function SheetChoice({ sheets, value, disabled, onChange }: SheetChoiceProps) {
  const { t } = useLingui()
  if (sheets.length < 2) return null
  const labelOf = ({ name, rows }: (typeof sheets)[number]) => {
    const count = rows?.toLocaleString('en-US')
    return count === undefined ? name : t`${name} (rows: ${count})`
  }
  return (
    <Select
      label={t`Sheet`}
      hint={t`The import reads one sheet of the workbook.`}
      value={value}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value)}
      options={sheets.map((sheet) => ({ value: sheet.name, label: labelOf(sheet) }))}
    />
  )
}
