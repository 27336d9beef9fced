import { useLingui } from '@lingui/react/macro'
import { useResponse } from '../../../web/query.ts'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import type { Bound, FieldBinding } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { workChoices } from '../../work-orders/contract.ts'

interface WhenFieldsProps {
  field: (name: 'dueOn' | 'startTime') => FieldBinding
  assigned: Bound<number | null>
}

/** Fields for the date, time and inspector of an inspection. */
export function WhenFields({ field, assigned: { value, onChange, ...bound } }: WhenFieldsProps) {
  const { t } = useLingui()
  const { data } = useResponse(workChoices, {})
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <DateField label={t`Day`} {...field('dueOn')} />
        <TextField label={t`Time`} type="time" {...field('startTime')} />
      </div>
      <Select
        {...bound}
        label={t`Inspector`}
        optional
        value={value === null ? '' : String(value)}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        placeholder={t`Not assigned`}
        options={(data?.people ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </>
  )
}
