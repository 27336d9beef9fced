import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { labelOf } from '../../report.ts'
import type { SectionFields } from './SectionForm.tsx'

interface NamedProps {
  form: SectionFields
  name: string
  hint?: ReactNode
}

/** A field of a section under the name that the history gives it too. */
export const Text = ({ form, name, hint, optional }: NamedProps & { optional?: boolean }) => (
  <TextField
    label={labelOf(name)}
    {...(hint !== undefined && { hint })}
    {...(optional && { optional })}
    autoComplete="off"
    {...form.field(name)}
  />
)

export const Tick = ({ form, name, hint }: NamedProps) => (
  <Checkbox label={labelOf(name)} {...(hint !== undefined && { hint })} {...form.field(name)} />
)

export function YesNo({ form, name, hint }: NamedProps) {
  const { t } = useLingui()
  return (
    <Select
      label={labelOf(name)}
      {...(hint !== undefined && { hint })}
      options={[
        { value: 1, label: t`Yes` },
        { value: 0, label: t`No` },
      ]}
      {...form.field(name)}
    />
  )
}

/** Basis points as people write them: 275 is 2.75. */
export function Percent({ form, name, hint }: NamedProps) {
  const { value, onChange, error } = form.choice(name)
  const written = (points: unknown) => (typeof points === 'number' ? (points / 100).toFixed(2) : '')
  const [text, setText] = useState(written(value))
  return (
    <TextField
      label={labelOf(name)}
      {...(hint !== undefined && { hint })}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      after={<span className="pe-2 text-muted">%</span>}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(
          /^\d{1,3}(?:\.\d{1,2})?$/.test(event.target.value.trim())
            ? Math.round(Number(event.target.value) * 100)
            : null,
        )
      }}
      onBlur={() => typeof value === 'number' && setText(written(value))}
    />
  )
}

/** Several settings of one purpose. */
export const Group = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-4 border-line border-t pt-4">
    <legend className="pe-3 font-bold font-display text-tile">{title}</legend>
    {children}
  </fieldset>
)
