import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { ColumnMapping, ColumnsReport } from '../../../shared/imports.ts'
import { Select } from '../Choice.tsx'
import { TextField } from '../TextField.tsx'
import { Text } from '../Text.tsx'

/** Returns the mapping that a report proposes. */
export const proposedMapping = (report: ColumnsReport): ColumnMapping =>
  withValues(report, { columns: report.headers.map(({ to }) => to), values: {} })

/** Adds the values of required columns that the file lacks, and removes all others. */
function withValues({ required }: ColumnsReport, { columns, values }: ColumnMapping): ColumnMapping {
  const lacking = required.filter(({ name }) => isLacking(name, columns))
  return {
    columns,
    values: Object.fromEntries(
      lacking.flatMap(({ name, value }) => (value === null ? [] : [[name, values[name] ?? value]])),
    ),
  }
}

const isLacking = (need: string, columns: readonly string[]): boolean =>
  need.split('|').every((name) => !columns.includes(name))

interface ImportColumnsProps {
  report: ColumnsReport
  mapping: ColumnMapping
  disabled?: boolean
  /** Level of the heading. The default fits a panel. */
  level?: 2 | 3
  onChange: (mapping: ColumnMapping) => void
}

/** Step in which staff choose what each column of a file contains. */
export function ImportColumns({ report, mapping, disabled = false, level = 3, onChange }: ImportColumnsProps) {
  const { t } = useLingui()
  const id = useId()
  const Heading = `h${level}` as const
  const { headers, options, required, preset } = report
  const lacking = required.filter(({ name }) => isLacking(name, mapping.columns))
  const choose = (index: number, name: string) =>
    onChange(
      withValues(report, {
        ...mapping,
        // Each content has one column of the file, so the import ignores its previous column.
        columns: mapping.columns.map((before, at) => (at === index ? name : before === name ? '' : before)),
      }),
    )
  const leftOut = mapping.columns.filter((name) => name === '').length
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-4">
      <div>
        <Heading id={`${id}-title`} className="font-bold text-base">
          <Text>{preset === undefined ? <Trans>Columns</Trans> : <Trans>Columns of {preset}</Trans>}</Text>
        </Heading>
        <p className="text-muted text-sm">
          <Trans>Choose the content of each column in your file.</Trans>{' '}
          {leftOut > 0 && (
            <Plural value={leftOut} one="The import ignores # column." other="The import ignores # columns." />
          )}
        </p>
      </div>
      <ul className="flex flex-col">
        {headers.map(({ name, samples, to, warning }, index) => (
          <li
            // The columns of a file have an order, and their names may repeat.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className="grid gap-x-4 gap-y-1 border-line border-t py-3 sm:grid-cols-2"
          >
            <div className="min-w-0">
              <p className="font-bold wrap-anywhere">{name || t`Column ${index + 1}`}</p>
              <p className="text-muted text-sm wrap-anywhere">
                {samples.length > 0 ? samples.join(' · ') : <Trans>No values in the first rows</Trans>}
              </p>
            </div>
            <Select
              label={t`Content of ${name || t`column ${index + 1}`}`}
              hideLabel
              value={mapping.columns[index] ?? ''}
              disabled={disabled}
              onChange={({ target }) => choose(index, target.value)}
              options={[
                { value: '', label: t`Ignore` },
                ...options.map((option) => ({ value: option.name, label: option.title })),
              ]}
            />
            {warning !== '' && mapping.columns[index] === to && (
              <p className="flex items-start gap-1.5 text-sm text-warning sm:col-span-2">
                <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
                <Text>{warning}</Text>
              </p>
            )}
          </li>
        ))}
      </ul>
      {lacking.length > 0 && (
        <div className="flex flex-col gap-3 border-line border-t pt-4">
          <p className="text-sm">
            <strong>
              <Trans>Your file has no column for this content.</Trans>
            </strong>{' '}
            {lacking.some(({ value }) => value !== null) && <Trans>Enter the value for all rows.</Trans>}
          </p>
          <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
            {lacking.map(({ name, title, value, made }) =>
              value === null ? (
                <p key={name} className="text-sm sm:col-span-2">
                  <strong>{title}</strong>: <Text>{made || <Trans>Choose its column above.</Trans>}</Text>
                </p>
              ) : (
                <TextField
                  key={name}
                  label={title}
                  value={mapping.values[name] ?? value}
                  disabled={disabled}
                  maxLength={200}
                  onChange={({ target }) =>
                    onChange({ ...mapping, values: { ...mapping.values, [name]: target.value } })
                  }
                />
              ),
            )}
          </div>
        </div>
      )}
    </section>
  )
}
