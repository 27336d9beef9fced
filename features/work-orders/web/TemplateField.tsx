import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { same } from '../../../shared/edits.ts'
import { useResponse } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { type TemplateForm, templateChoices } from '../contract.ts'

type Filled = Omit<TemplateForm, 'active'>

/**
 * Dropdown with the templates. A template fills the fields that staff have not changed. Without a template, those
 * fields get their initial values.
 */
export function TemplateField<In extends FieldValues & Filled, Out>(props: { form: ZodForm<In, Out>; blank: Filled }) {
  const { t } = useLingui()
  const { blank } = props
  // Cast, because TypeScript cannot resolve the paths of a generic form.
  const form = props.form as unknown as ZodForm<Filled, Filled>
  const { data } = useResponse(templateChoices, {})
  const [chosen, setChosen] = useState('')
  const choose = (id: string) => {
    const valuesOf = (of: string): Filled => data?.templates.find((one) => String(one.id) === of)?.form ?? blank
    const [before, after] = [valuesOf(chosen), valuesOf(id)]
    for (const name of Object.keys(after) as (keyof TemplateForm)[])
      if (name !== 'active' && same(form.getValues(name), before[name]))
        form.setValue(name, after[name], { shouldDirty: true })
    setChosen(id)
  }
  return (
    <Select
      label={t`Template`}
      hint={t`A template fills in the task, checklist, duration, parts and crew.`}
      value={chosen}
      onChange={({ target }) => choose(target.value)}
      options={[
        { value: '', label: t`No template` },
        ...(data?.templates ?? []).map(({ id, form: { title } }) => ({ value: String(id), label: title })),
      ]}
    />
  )
}

/** Picks the initial values of the fields that a template fills. */
export const blankOf = (values: Filled): Filled => ({
  title: values.title,
  description: values.description,
  kind: values.kind,
  severity: values.severity,
  departmentId: values.departmentId,
  crewId: values.crewId,
  minutes: values.minutes,
  parts: values.parts,
  checklist: values.checklist,
})
