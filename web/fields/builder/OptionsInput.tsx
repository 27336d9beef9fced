import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { FieldOption } from '../../../shared/fields/definition.ts'
import { nameFrom } from '../../../shared/fields/mistakes.ts'
import { TextArea } from '../../ui/TextField.tsx'

/**
 * Parses options from text, one per line. An unchanged option keeps its stored value. If only the text of a line
 * changes, the option also keeps its value. Correcting a typo therefore loses no answers.
 */
export function optionsFrom(text: string, before: readonly FieldOption[]): FieldOption[] {
  const labels = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
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
  const [initial] = useState(value)
  const [text, setText] = useState(value.map(({ label }) => label).join('\n'))
  return (
    <TextArea
      label={<Trans>Answer choices</Trans>}
      hint={<Trans>Enter one answer per line, in display order.</Trans>}
      error={error}
      rows={Math.min(12, Math.max(4, value.length + 1))}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onChange(optionsFrom(target.value, initial))
      }}
    />
  )
}
