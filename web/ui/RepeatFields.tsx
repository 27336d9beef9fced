import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { RepeatRule } from '../../shared/repeats.ts'
import { Checkbox, DateField, Select } from './Choice.tsx'
import { FieldGroup } from './Field.tsx'
import type { ZodForm } from './form.ts'
import { TextField } from './TextField.tsx'
import { wholeNumber } from './whole-number.ts'

/** The form values that these fields need. */
export interface RepeatValues {
  repeats: RepeatRule
  startsOn: string
}

interface RepeatFieldsProps<In extends RepeatValues, Out> {
  form: ZodForm<In, Out>
  /** True if the form has its own field for the first day. */
  withoutFirstDay?: boolean
}

/** Fields for a repeating event: frequency, start and end. */
export function RepeatFields<In extends RepeatValues, Out>(props: RepeatFieldsProps<In, Out>) {
  const { t } = useLingui()
  const id = useId()
  // Cast, because the form has more fields and TypeScript cannot resolve the paths of a generic form.
  const form = props.form as unknown as ZodForm<RepeatValues, RepeatValues>
  const [unit, chosen] = form.watch(['repeats.unit', 'repeats.weekdays'])
  const days = form.choice('repeats.weekdays')
  const units = { day: t`Days`, week: t`Weeks`, month: t`Months`, year: t`Years` }
  const weekdays = [t`Sun`, t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`]
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <TextField label={t`Every`} {...wholeNumber(form.choice('repeats.every'))} />
        <Select
          label={t`Unit`}
          options={Object.entries(units).map(([value, label]) => ({ value, label }))}
          {...form.field('repeats.unit')}
        />
      </div>
      {unit === 'week' && (
        <FieldGroup
          id={id}
          label={t`On`}
          hint={t`If you choose no weekday, the portal uses the weekday of the first day.`}
        >
          <div className="flex flex-wrap gap-x-4">
            {weekdays.map((name, day) => (
              <Checkbox
                key={name}
                label={name}
                checked={chosen.includes(day)}
                onChange={({ target }) =>
                  days.onChange(target.checked ? [...chosen, day] : chosen.filter((one) => one !== day))
                }
              />
            ))}
          </div>
        </FieldGroup>
      )}
      {(unit === 'month' || unit === 'year') && (
        <Select
          label={t`Repeat pattern`}
          options={[
            { value: 'day', label: t`Day of the month` },
            { value: 'weekday', label: t`Weekday of the month` },
          ]}
          {...form.field('repeats.by')}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {!props.withoutFirstDay && <DateField label={t`First day`} {...form.field('startsOn')} />}
        <DateField label={t`Last day`} optional {...form.field('repeats.until')} />
      </div>
    </>
  )
}
