import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useId } from 'react'
import {
  type Amount,
  type Comparison,
  type Field,
  type FieldOf,
  FIELD_LIMITS,
  type Term,
} from '../../../shared/fields/definition.ts'
import { termParts } from '../../../shared/fields/walk.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { MoneyField } from '../../ui/MoneyField.tsx'
import { RemoveButton } from '../RemoveButton.tsx'
import { comparable, ComparisonInput, firstComparison } from './ComparisonInput.tsx'
import type { SettingsProps } from './settings.ts'

/** Returns the amount, or null for incomplete input. Incomplete input is NaN, which the schema also refuses. */
const amountIn = (cents: number): number | null => (Number.isInteger(cents) ? cents : null)

const termOf = (amount: Amount, when: Comparison | null): Term => (when ? { if: [when, amount, 0] } : amount)

/**
 * Lists the amounts that can be added: a fixed amount, an entered amount, a number with its price, the sum of a column.
 */
function amountChoices(fields: readonly Field[]): { key: string; label: string; amount: Amount }[] {
  return fields.flatMap((field): { key: string; label: string; amount: Amount }[] => {
    const { name, label, type } = field
    if (type === 'money' || type === 'payment' || type === 'computed')
      return [{ key: `var ${name}`, label, amount: { var: name } }]
    if (type === 'number') return [{ key: `times ${name}`, label, amount: { times: [{ var: name }, 0] } }]
    if (type !== 'table') return []
    return field.columns
      .filter((column) => column.type === 'money')
      .map((column) => ({
        key: `sum ${name} ${column.name}`,
        label: `${label}: ${column.label}`,
        amount: { sum: [name, column.name] },
      }))
  })
}

const keyOf = (amount: Amount): string => {
  if ('cents' in amount) return 'cents'
  if ('var' in amount) return `var ${amount.var}`
  return 'times' in amount ? `times ${amount.times[0].var}` : `sum ${amount.sum.join(' ')}`
}

/** Returns a function that names an amount, for the list of amounts that a line can add. */
function useTermName() {
  const { t } = useLingui()
  return (key: string, label: string): string => {
    if (key.startsWith('times')) return t`${label}, times a price`
    return key.startsWith('sum') ? t`${label}, total of all rows` : label
  }
}

/**
 * Editor for the lines of a computed amount. The form shows and saves the sum of the lines. No one can type the sum.
 */
export function TermsEditor({ field, onChange, fields, errorAt }: SettingsProps<FieldOf<'computed'>>) {
  const { t } = useLingui()
  const termName = useTermName()
  const id = useId()
  const lines = field.terms['+']
  const choices = amountChoices(fields)
  const [firstComparable] = comparable(fields)
  const set = (next: Term[]) => onChange({ ...field, terms: { '+': next } })
  return (
    <div className="flex flex-col gap-3" {...(errorAt('terms') && { 'data-error': `${id}-error` })}>
      {lines.map((line, at) => {
        const { amount, when } = termParts(line)
        const key = keyOf(amount)
        const isListed = key === 'cents' || choices.some((choice) => choice.key === key)
        return (
          // The position is the key, because lines have no ids. Lines are added only at the end, but any line can be
          // removed.
          <fieldset key={at} className="flex flex-col gap-3 rounded-sm border border-line p-3">
            <legend className="px-1 font-bold text-sm">{t`Line ${at + 1}`}</legend>
            <Select
              label={t`Add`}
              value={key}
              error={errorAt(`terms.${at}`)}
              options={[
                ...(isListed ? [] : [{ value: key, label: t`(removed)` }]),
                { value: 'cents', label: t`A fixed amount` },
                ...choices.map((choice) => ({ value: choice.key, label: termName(choice.key, choice.label) })),
              ]}
              onChange={({ target }) =>
                set(
                  lines.with(
                    at,
                    termOf(choices.find((choice) => choice.key === target.value)?.amount ?? { cents: 0 }, when),
                  ),
                )
              }
            />
            {'cents' in amount && (
              <MoneyField
                label={t`Amount`}
                value={amountIn(amount.cents)}
                onChange={(cents) => set(lines.with(at, termOf({ cents: cents ?? Number.NaN }, when)))}
              />
            )}
            {'times' in amount && (
              <MoneyField
                label={t`Unit price`}
                value={amountIn(amount.times[1])}
                onChange={(cents) =>
                  set(lines.with(at, termOf({ times: [amount.times[0], cents ?? Number.NaN] }, when)))
                }
              />
            )}
            <Checkbox
              label={<Trans>Only if a condition is met</Trans>}
              checked={when !== null}
              disabled={!firstComparable}
              onChange={({ target }) =>
                set(
                  lines.with(
                    at,
                    termOf(amount, target.checked && firstComparable ? firstComparison(firstComparable) : null),
                  ),
                )
              }
            />
            {when && (
              <ComparisonInput
                id={`${id}-${at}`}
                value={when}
                fields={comparable(fields)}
                error={undefined}
                onChange={(changed) => set(lines.with(at, termOf(amount, changed)))}
              />
            )}
            <RemoveButton label={t`Remove line ${at + 1}`} onClick={() => set(lines.toSpliced(at, 1))} />
          </fieldset>
        )
      })}
      <FieldError id={id}>{errorAt('terms')}</FieldError>
      <div>
        <Button
          size="small"
          icon={Plus}
          disabled={lines.length >= FIELD_LIMITS.terms}
          onClick={() => set([...lines, { cents: 0 }])}
        >
          <Trans>Add a line</Trans>
        </Button>
      </div>
      <Checkbox
        label={<Trans>Charge this amount</Trans>}
        checked={field.charged}
        onChange={({ target }) => onChange({ ...field, charged: target.checked })}
      />
    </div>
  )
}
