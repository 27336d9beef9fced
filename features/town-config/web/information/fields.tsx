import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { labelOf } from '../../report.ts'
import type { SectionFields } from './SectionForm.tsx'
import { Text as PlainText } from '../../../../web/ui/Text.tsx'

interface NamedProps {
  form: SectionFields
  name: string
  hint?: ReactNode
}

/** Text field of a section. The history uses the same label. */
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

/** Group of related settings with a heading. */
export const Group = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-4 border-line border-t pt-4">
    <legend className="pe-3 font-bold font-display text-tile">{title}</legend>
    <PlainText>{children}</PlainText>
  </fieldset>
)
