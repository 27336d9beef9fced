import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { blankColumn } from '../../../shared/fields/blank.ts'
import { type Column, columnTypes, type FieldOf, FIELD_LIMITS } from '../../../shared/fields/definition.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { typeLabels } from './labels.ts'
import { OptionsInput } from './OptionsInput.tsx'
import type { SettingsProps } from './settings.ts'

/** Returns an unused column name. The name is independent of the label, which may still change. */
const newName = (columns: readonly Column[]): string => {
  for (let index = columns.length + 1; ; index++)
    if (columns.every(({ name }) => name !== `column_${index}`)) return `column_${index}`
}

/** Editor for the columns of a table, each with its type. */
export function ColumnsEditor({ field, onChange, errorAt }: SettingsProps<FieldOf<'table'>>) {
  const { t } = useLingui()
  const id = useId()
  const { columns } = field
  const set = (next: Column[]) => onChange({ ...field, columns: next })
  const move = (at: number, by: 1 | -1) => {
    const column = columns[at]
    if (column) set(columns.toSpliced(at, 1).toSpliced(at + by, 0, column))
  }
  return (
    <div className="flex flex-col gap-3" {...(errorAt('columns') && { 'data-error': `${id}-error` })}>
      {columns.map((column, at) => (
        <fieldset key={column.name} className="flex flex-col gap-3 rounded-sm border border-line p-3">
          <legend className="px-1 font-bold text-sm">{t`Column ${at + 1}`}</legend>
          <TextField
            label={t`Column label`}
            value={column.label}
            error={errorAt(`columns.${at}.label`)}
            onChange={({ target }) => set(columns.with(at, { ...column, label: target.value }))}
          />
          <Select
            label={t`Column type`}
            value={column.type}
            options={columnTypes.map((type) => ({ value: type, label: t(typeLabels[type]) }))}
            onChange={({ target }) => {
              const { label, required } = column
              set(columns.with(at, { ...blankColumn(target.value as Column['type'], column.name), label, required }))
            }}
          />
          {column.type === 'choice' && (
            <OptionsInput
              value={column.options}
              onChange={(options) => set(columns.with(at, { ...column, options }))}
              error={errorAt(`columns.${at}.options`)}
            />
          )}
          <div className="flex flex-wrap items-center gap-2">
            <Checkbox
              className="me-auto"
              label={<Trans>Required</Trans>}
              checked={column.required}
              onChange={({ target }) => set(columns.with(at, { ...column, required: target.checked }))}
            />
            <IconButton
              icon={ArrowUp}
              label={t`Move column ${at + 1} up`}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <IconButton
              icon={ArrowDown}
              label={t`Move column ${at + 1} down`}
              disabled={at === columns.length - 1}
              onClick={() => move(at, 1)}
            />
            <IconButton
              icon={Trash2}
              label={t`Remove column ${at + 1}`}
              onClick={() => set(columns.toSpliced(at, 1))}
            />
          </div>
        </fieldset>
      ))}
      <FieldError id={id}>{errorAt('columns')}</FieldError>
      <div>
        <Button
          size="small"
          icon={Plus}
          disabled={columns.length >= FIELD_LIMITS.columns}
          onClick={() => set([...columns, blankColumn('text', newName(columns))])}
        >
          <Trans>Add a column</Trans>
        </Button>
      </div>
    </div>
  )
}
