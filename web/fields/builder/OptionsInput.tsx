import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { FIELD_LIMITS, type FieldOption } from '../../../shared/fields/definition.ts'
import { nameFrom } from '../../../shared/fields/mistakes.ts'
import { TextRows } from '../../ui/TextRows.tsx'

/**
 * Converts labels to options. An unchanged option keeps its stored value. If only the label of a row changes, the
 * option also keeps its value. Correcting a typo therefore loses no answers.
 */
function optionsFrom(rows: readonly string[], before: readonly FieldOption[]): FieldOption[] {
  const labels = rows.map((label) => label.trim())
  const stays = new Set(before.filter(({ label }) => labels.includes(label)).map(({ value }) => value))
  const used = new Set(stays)
  return labels.map((label, at) => {
    const same = before.find((option) => option.label === label)
    const replaced = before[at]
    if (same) return same
    const value =
      labels.length === before.length && replaced && !used.has(replaced.value)
        ? replaced.value
        : nameFrom(label, [...used, ...before.map((option) => option.value)])
    used.add(value)
    return { value, label }
  })
}

interface OptionsInputProps {
  value: readonly FieldOption[]
  onChange: (value: FieldOption[]) => void
  error: string | undefined
}

export function OptionsInput({ value, onChange, error }: OptionsInputProps) {
  const { t } = useLingui()
  const [initial] = useState(value)
  return (
    <TextRows
      name="options"
      label={t`Answer choices`}
      addLabel={t`Add an answer`}
      max={FIELD_LIMITS.options}
      sortable
      error={error}
      value={value.map(({ label }) => label)}
      onChange={(rows) => onChange(optionsFrom(rows, initial))}
    />
  )
}
