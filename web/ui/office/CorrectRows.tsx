import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { columnOfError, type CorrectedRow, MAX_CORRECTED_ROWS } from '../../../shared/imports.ts'
import { Button } from '../Button.tsx'
import { Text } from '../Text.tsx'
import { TextField } from '../TextField.tsx'

type FileColumns = Parameters<typeof columnOfError>[0]

interface InvalidRow {
  where: string
  reason: string
  line?: number | undefined
  cells?: readonly string[] | undefined
}

interface CorrectRowsProps {
  columns: FileColumns
  /** Rows with errors. Staff can correct those with a number and cells. */
  rows: readonly InvalidRow[]
  corrections: readonly CorrectedRow[]
  disabled: boolean
  /** Level of the heading. The default fits a panel. */
  level?: 2 | 3
  onChange: (corrections: CorrectedRow[]) => void
}

/** Replaces one cell in the corrections. */
function withCell(corrections: readonly CorrectedRow[], line: number, at: number, text: string): CorrectedRow[] {
  const before = corrections.find((row) => row.line === line)?.cells ?? []
  const cells = [...before.filter((cell) => cell.at !== at), { at, text }]
  return [...corrections.filter((row) => row.line !== line), { line, cells }]
}

/** Rows with errors. Staff correct their cells without a new file. The field with the error comes first. */
export function CorrectRows({ columns, rows, corrections, disabled, level = 3, onChange }: CorrectRowsProps) {
  const id = useId()
  const Heading = `h${level}` as const
  const max = MAX_CORRECTED_ROWS
  const corrected = new Set(corrections.map(({ line }) => line))
  const free = max - corrected.size
  const readable = rows.flatMap(({ line, cells, ...row }) => (line && cells ? [{ ...row, line, cells }] : []))
  const others = readable.filter(({ line }) => !corrected.has(line)).slice(0, free)
  const correctable = readable.filter((row) => corrected.has(row.line) || others.includes(row))
  if (correctable.length === 0) return null
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-3">
      <div>
        <Heading id={`${id}-title`} className="font-bold text-base">
          <Trans>Correct rows here</Trans>
        </Heading>
        <p className="text-muted text-sm">
          {correctable.length < rows.length ? (
            <Trans>You can correct up to {max} rows here, and the other rows in the file.</Trans>
          ) : (
            <Trans>Correct the values, then check the rows again. Your file stays as it is.</Trans>
          )}
        </p>
      </div>
      <ul className="flex flex-col">
        {correctable.map((row) => (
          <li key={row.line} className="border-line border-t py-3">
            <CorrectRow
              columns={columns}
              row={row}
              typed={corrections.find(({ line }) => line === row.line)?.cells ?? []}
              disabled={disabled}
              onChange={(at, text) => onChange(withCell(corrections, row.line, at, text))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CorrectRowProps {
  columns: FileColumns
  row: { where: string; reason: string; cells: readonly string[] }
  typed: CorrectedRow['cells']
  disabled: boolean
  onChange: (at: number, text: string) => void
}

function CorrectRow({ columns, row: { where, reason, cells }, typed, disabled, onChange }: CorrectRowProps) {
  const { t } = useLingui()
  const id = useId()
  const errorAt = columnOfError(columns, cells, reason)
  const [showsAll, setShowsAll] = useState(errorAt < 0)
  const used = columns.flatMap(({ to }, at) => (to === '' ? [] : [at]))
  const ordered = errorAt < 0 ? used : [errorAt, ...(showsAll ? used.filter((at) => at !== errorAt) : [])]
  return (
    <fieldset aria-describedby={errorAt < 0 ? `${id}-reason` : undefined} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-bold text-sm">
        <Text>{where}</Text>
      </legend>
      {errorAt < 0 && (
        <p id={`${id}-reason`} className="font-bold text-danger text-sm wrap-anywhere">
          <Text>{reason}</Text>
        </p>
      )}
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {ordered.map((at) => (
          <TextField
            key={at}
            className={at === errorAt ? 'sm:col-span-2' : ''}
            label={columns[at]?.title || columns[at]?.name || t`Column ${at + 1}`}
            error={at === errorAt ? reason : undefined}
            value={typed.find((cell) => cell.at === at)?.text ?? cells[at] ?? ''}
            maxLength={2000}
            disabled={disabled}
            onChange={({ target }) => onChange(at, target.value)}
          />
        ))}
      </div>
      {errorAt >= 0 && used.length > 1 && (
        <p>
          <Button variant="quiet" size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? <Trans>Hide other values</Trans> : <Trans>Show all values</Trans>}
          </Button>
        </p>
      )}
    </fieldset>
  )
}
