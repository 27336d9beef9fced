import { useLingui } from '@lingui/react/macro'
import type { ZodForm } from './form.ts'
import { TextField } from './TextField.tsx'

/** The form values that these fields need, as HH:MM. */
export interface TimeRangeValues {
  from: string
  until: string
}

/** Fields for a start and an end on the same day, in steps of a quarter of an hour. */
export function TimeRangeFields<In extends TimeRangeValues, Out>(props: { form: ZodForm<In, Out> }) {
  const { t } = useLingui()
  // Cast, because the form has more fields and TypeScript cannot resolve the paths of a generic form.
  const form = props.form as unknown as ZodForm<TimeRangeValues, TimeRangeValues>
  return (
    <div className="grid grid-cols-2 gap-4">
      <TextField label={t`From`} type="time" step={900} {...form.field('from')} />
      <TextField label={t`Until`} type="time" step={900} {...form.field('until')} />
    </div>
  )
}
