import { useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/words.ts'
import { PlaceField } from '../../../web/places/PlaceField.tsx'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import type { Bound, FieldBinding } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import type { OrderFacts } from '../contract.ts'
import { kindLabels, severityLabels } from '../rules.ts'
import { AssetField } from './AssetField.tsx'
import { idChoice, type useChoices } from './choices.ts'

interface OrderFieldsProps {
  field: (name: 'title' | 'description' | 'kind' | 'assetName' | 'dueOn') => FieldBinding
  severity: Bound<OrderFacts['severity']>
  place: Bound<OrderFacts['place']>
  department: Bound<number | null>
  person: Bound<number | null>
  choices: ReturnType<typeof useChoices>
  /** A plan has days of its own, and no one asset. */
  ofPlan?: boolean
}

/** What stands on a work order. */
export function OrderFields({ field, severity, place, department, person, choices, ofPlan }: OrderFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        label={t`What is to be done`}
        hint={t`Fill the pothole at the bus stop`}
        autoComplete="off"
        {...field('title')}
      />
      <TextArea label={t`Description`} optional rows={3} {...field('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t`Kind`}
          options={Object.entries(kindLabels).map(([value, label]) => ({ value, label: translated(label) }))}
          {...field('kind')}
        />
        <Select
          label={t`Priority`}
          options={Object.entries(severityLabels).map(([value, label]) => ({ value, label: translated(label) }))}
          {...severity}
          value={String(severity.value)}
          onChange={({ target }) => severity.onChange(Number(target.value) as OrderFacts['severity'])}
        />
      </div>
      <PlaceField label={t`Place`} optional {...place} />
      {!ofPlan && (
        <div className="grid gap-4 sm:grid-cols-2">
          <AssetField {...field('assetName')} />
          <DateField label={t`Due`} optional {...field('dueOn')} />
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={t`Department`} options={choices.departments} {...idChoice(department)} />
        <Select label={t`Assigned to`} options={choices.people} {...idChoice(person)} />
      </div>
    </>
  )
}
