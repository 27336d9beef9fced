import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { FieldOf } from '../../shared/fields/definition.ts'
import { Button } from '../ui/Button.tsx'
import { FieldGroup } from '../ui/Field.tsx'
import { RemoveButton } from './RemoveButton.tsx'
import type { InputProps } from './surroundings.tsx'
import { Text } from '../ui/Text.tsx'

type Row = Record<string, unknown>

const capitalized = (noun: string): string => noun.charAt(0).toLocaleUpperCase() + noun.slice(1)
/** Adds the indefinite article to a noun: `a person`, `an owner`. */
const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

interface RowsInputProps extends InputProps<FieldOf<'table'>> {
  /** Renders one cell: a field like any other. */
  Cell: (props: InputProps) => ReactNode
}

/** Input for the rows of a table. The rows are below each other, because a table does not fit on a phone. */
export function RowsInput({ field, value, onChange, errorAt, Cell }: RowsInputProps) {
  const { t } = useLingui()
  const id = useId()
  const rows = Array.isArray(value) ? (value as Row[]) : []
  const row = field.row?.trim() ?? ''
  const rowName = (at: number) => (row === '' ? t`Row ${at + 1}` : `${capitalized(row)} ${at + 1}`)
  const container = useRef<HTMLDivElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    container.current?.querySelector<HTMLElement>('[data-row]:last-of-type :is(input,select,textarea)')?.focus()
  }, [rows.length])

  const remove = (at: number) => {
    onChange(rows.filter((_, other) => other !== at))
    container.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <FieldGroup id={id} label={field.label} hint={field.help || undefined} error={errorAt()} optional={!field.required}>
      <div ref={container} className="flex flex-col gap-3">
        {rows.map((cells, at) => (
          // The position is the key, because rows have no ids. Rows are added only at the end, but any row can be
          // removed.
          <fieldset key={at} data-row className="rounded-sm border border-line bg-surface p-4">
            <legend className="px-1 font-bold text-sm">{rowName(at)}</legend>
            <div className="flex flex-col gap-4">
              {field.columns.map((column) => (
                <Cell
                  key={column.name}
                  field={column}
                  value={cells[column.name]}
                  onChange={(cell) =>
                    onChange(rows.map((other, index) => (index === at ? { ...other, [column.name]: cell } : other)))
                  }
                  errorAt={(part) => errorAt([at, column.name, part].filter((one) => one !== undefined).join('.'))}
                />
              ))}
              <RemoveButton label={t`Remove ${rowName(at)}`} onClick={() => remove(at)} />
            </div>
          </fieldset>
        ))}
        <div>
          <Button
            data-add
            icon={Plus}
            disabled={rows.length >= field.max}
            onClick={() => {
              added.current = true
              onChange([...rows, {}])
            }}
          >
            {row === '' ? <Trans>Add a row</Trans> : <Trans>Add {withArticle(row)}</Trans>}
            <span className="spoken">
              {' '}
              <Text>{field.label}</Text>
            </span>
          </Button>
        </div>
      </div>
    </FieldGroup>
  )
}
