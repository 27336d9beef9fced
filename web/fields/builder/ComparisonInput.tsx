import { useLingui } from '@lingui/react/macro'
import { operatorsOf, needsValue } from '../../../shared/fields/conditions.ts'
import type { Comparison, Field, Operator } from '../../../shared/fields/definition.ts'
import { comparisonOf, partsOf } from '../../../shared/fields/walk.ts'
import { parseNumber } from '../../../shared/fields/numbers.ts'
import { DateField, Select } from '../../ui/Choice.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { MoneyField } from '../../ui/MoneyField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { operatorLabels, tickLabels } from './labels.ts'

export const comparable = (fields: readonly Field[]): Field[] =>
  fields.filter(({ type }) => operatorsOf[type].length > 0)

/** Returns the initial comparison for this field, for a new line of a condition. */
export function firstComparison(field: Field): Comparison {
  const [operator = 'filled'] = operatorsOf[field.type]
  return comparisonOf({ operator, name: field.name, value: firstValue(field, operator) })
}

function firstValue(field: Field, operator: Operator): string | number | undefined {
  if (!needsValue(operator)) return undefined
  if ('options' in field) return field.options[0]?.value ?? ''
  if (operator === 'years_ago') return 18
  if (operator.startsWith('day_')) return 'today'
  return operator.startsWith('cents_') || field.type === 'number' ? 0 : ''
}

interface ComparisonInputProps {
  id: string
  value: Comparison
  onChange: (value: Comparison) => void
  /** The fields above this one. A condition may use only these fields. */
  fields: readonly Field[]
  error: string | undefined
}

/** Input for one comparison: field, operator and value, as in "Pet · is · Dog". */
export function ComparisonInput({ id, value, onChange, fields, error }: ComparisonInputProps) {
  const { t } = useLingui()
  const { name, operator } = partsOf(value)
  const field = fields.find((one) => one.name === name)
  const offered = field ? operatorsOf[field.type] : [operator]
  const choices = fields.map((one) => ({ value: one.name, label: one.label }))
  return (
    <div className="flex flex-col gap-2" {...(error && { 'data-error': `${id}-error` })}>
      <Select
        label={t`Question`}
        value={name}
        options={field ? choices : [{ value: name, label: t`(removed)` }, ...choices]}
        onChange={({ target }) => {
          const chosen = fields.find((one) => one.name === target.value)
          if (chosen) onChange(firstComparison(chosen))
        }}
      />
      <Select
        label={t`Condition`}
        value={operator}
        options={offered.map((one) => ({
          value: one,
          label: t(field?.type === 'checkbox' && !needsValue(one) ? tickLabels[one as 'filled'] : operatorLabels[one]),
        }))}
        onChange={({ target }) => {
          const next = target.value as Operator
          const nextValue = sameKind(operator, next) ? partsOf(value).value : field && firstValue(field, next)
          onChange(comparisonOf({ operator: next, name, value: nextValue }))
        }}
      />
      {needsValue(operator) && <ValueInput field={field} value={value} onChange={onChange} />}
      <FieldError id={id}>{error}</FieldError>
    </div>
  )
}

const kindOf = (operator: Operator) =>
  operator === 'years_ago' ? operator : needsValue(operator) ? operator.split('_')[0] : 'none'
const isKind = (kind: string | undefined) =>
  kind === 'day' || kind === 'cents' || kind === 'years_ago' || kind === 'none'
/**
 * True if both operators compare with the same type of value. A change from one operator to the other then keeps the
 * value.
 */
const sameKind = (one: Operator, other: Operator): boolean =>
  kindOf(one) === kindOf(other) || (!isKind(kindOf(one)) && !isKind(kindOf(other)))

function ValueInput({
  field,
  value,
  onChange,
}: {
  field: Field | undefined
  value: Comparison
  onChange: (value: Comparison) => void
}) {
  const { t } = useLingui()
  const parts = partsOf(value)
  const set = (next: string | number) => onChange(comparisonOf({ ...parts, value: next }))
  const current = parts.value ?? ''
  if (field && 'options' in field)
    return (
      <Select
        label={t`Answer`}
        value={current}
        options={field.options}
        onChange={({ target }) => set(target.value)}
        {...(field.options.every((option) => option.value !== current) && { placeholder: t`Choose one` })}
      />
    )
  if (parts.operator.startsWith('cents_'))
    return (
      <MoneyField
        label={t`Amount`}
        value={typeof current === 'number' ? current : null}
        onChange={(cents) => set(cents ?? '')}
      />
    )
  if (parts.operator.startsWith('day_'))
    return (
      <>
        <Select
          label={t`Day`}
          value={current === 'today' ? 'today' : 'day'}
          options={[
            { value: 'today', label: t`the day the question is answered` },
            { value: 'day', label: t`a specific date` },
          ]}
          onChange={({ target }) => set(target.value === 'today' ? 'today' : '')}
        />
        {current !== 'today' && (
          <DateField label={t`Date`} value={String(current)} onChange={({ target }) => set(target.value)} />
        )}
      </>
    )
  const isNumber = parts.operator === 'years_ago' || field?.type === 'number'
  return (
    <TextField
      label={parts.operator === 'years_ago' ? t`Years` : isNumber ? t`Number` : t`Answer`}
      inputMode={isNumber ? 'decimal' : 'text'}
      value={String(current)}
      onChange={({ target }) => set(isNumber ? (parseNumber(target.value) ?? target.value) : target.value)}
    />
  )
}
