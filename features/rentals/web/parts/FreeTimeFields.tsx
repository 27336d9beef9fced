import { clockText } from '../../../../shared/dates.ts'
import { useLingui } from '@lingui/react/macro'
import { Select } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import type { TimeRangeValues } from '../../../../web/ui/TimeRangeFields.tsx'
import { isFree, type SlotStep } from '../../rules.ts'

interface FreeTimeProps<In extends TimeRangeValues, Out> {
  form: ZodForm<In, Out>
  /** Time steps of the chosen day. */
  steps: readonly SlotStep[]
  className: string
}

const optionsOf = (times: readonly string[]) => times.map((value) => ({ value, label: clockText(value) }))

/** Dropdowns for the start and end. Every time step between them must be free. */
export function FreeTimeFields<In extends TimeRangeValues, Out>({ steps, className, ...of }: FreeTimeProps<In, Out>) {
  const { t } = useLingui()
  // The form has more fields, but TypeScript cannot resolve the field names of a generic form.
  const form = of.form as unknown as ZodForm<TimeRangeValues, TimeRangeValues>
  const from = form.watch('from')
  const firstStep = steps.findIndex(({ time }) => time === from)
  const ends = firstStep < 0 ? [] : steps.slice(firstStep)
  const firstBusy = ends.findIndex((step) => !isFree(step))
  return (
    <div className={className}>
      <Select
        label={t`From`}
        placeholder={t`Choose a time`}
        options={optionsOf(steps.filter(isFree).map(({ time }) => time))}
        {...form.field('from')}
      />
      <Select
        label={t`Until`}
        placeholder={t`Choose a time`}
        options={optionsOf((firstBusy < 0 ? ends : ends.slice(0, firstBusy)).map(({ until }) => until))}
        {...form.field('until')}
      />
    </div>
  )
}
