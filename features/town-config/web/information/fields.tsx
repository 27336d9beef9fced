import { useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, useContext } from 'react'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { labelOf } from '../../report.ts'
import type { FieldValues } from 'react-hook-form'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { Text as PlainText } from '../../../../web/ui/Text.tsx'

export type SectionFields = ZodForm<FieldValues, Record<string, unknown>>

interface NamedProps {
  form: SectionFields
  name: string
  hint?: ReactNode
}

interface GroupProps {
  title: ReactNode
  /** Settings in the group. Not needed if the municipality may change at least one. */
  names?: readonly string[]
  children: ReactNode
}

/** Names of the settings in this section that the person may not change. The section lists them below its form. */
export const Reserved = createContext<readonly string[]>([])

/** Renders content, unless only the platform may change all of these settings. */
export function Own({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const reserved = useContext(Reserved)
  return names.every((name) => reserved.includes(name)) ? null : <PlainText>{children}</PlainText>
}

/** Text field of a section. The history uses the same label. */
export const Text = ({ form, name, hint, optional }: NamedProps & { optional?: boolean }) => (
  <Own names={[name]}>
    <TextField
      label={labelOf(name)}
      {...(hint !== undefined && { hint })}
      {...(optional && { optional })}
      autoComplete="off"
      {...form.field(name)}
    />
  </Own>
)

export const Tick = ({ form, name, hint }: NamedProps) => (
  <Own names={[name]}>
    <Checkbox label={labelOf(name)} {...(hint !== undefined && { hint })} {...form.field(name)} />
  </Own>
)

export function YesNo({ form, name, hint }: NamedProps) {
  const { t } = useLingui()
  return (
    <Own names={[name]}>
      <Select
        label={labelOf(name)}
        {...(hint !== undefined && { hint })}
        options={[
          { value: 1, label: t`Yes` },
          { value: 0, label: t`No` },
        ]}
        {...form.field(name)}
      />
    </Own>
  )
}

/** Group of related settings with a heading. Renders nothing if all of its `names` are reserved. */
export const Group = ({ title, names = [''], children }: GroupProps) => (
  <Own names={names}>
    <fieldset className="flex min-w-0 flex-col gap-4 border-line border-t pt-4">
      <legend className="pe-3 font-bold font-display text-tile">{title}</legend>
      <PlainText>{children}</PlainText>
    </fieldset>
  </Own>
)
