import { useLingui } from '@lingui/react/macro'
import { MyLocation } from '../../../web/places/MyLocation.tsx'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { DateField, optionsOf, Select } from '../../../web/ui/Choice.tsx'
import type { Bound, FieldBinding } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { rowsOfText, TextRows } from '../../../web/ui/TextRows.tsx'
import { MAX_TASKS, type WorkOrderDetails } from '../contract.ts'
import { kindLabels, severityLabels } from '../rules.ts'
import { AssetField } from './AssetField.tsx'
import { idChoice, type useChoices } from './choices.ts'

interface TaskForm {
  field: (name: 'title' | 'description' | 'kind') => FieldBinding
  choice: (name: 'severity') => Bound<WorkOrderDetails['severity']>
}

/** Fields that the forms for orders and maintenance plans share. */
interface OrderForm extends TaskForm {
  choice: TaskForm['choice'] & {
    (name: 'location'): Bound<WorkOrderDetails['location']>
    (name: 'departmentId' | 'assignedTo' | 'crewId'): Bound<number | null>
  }
}

interface OrderFieldsProps {
  /** Form of an order or of a maintenance plan. */
  form: OrderForm
  choices: ReturnType<typeof useChoices>
  /**
   * Returns the binding of a field that only orders have. Omitted for plans, which have their own days and no single
   * asset.
   */
  once?: (name: 'assetName' | 'dueOn') => FieldBinding
}

/** Fields that describe the task of an order, a plan or a template. */
export function TaskFields({ form }: { form: TaskForm }) {
  const { t } = useLingui()
  const { field } = form
  const severity = form.choice('severity')
  return (
    <>
      <TextField
        label={t`Task`}
        hint={t`For example: Fill the pothole at the bus stop`}
        autoComplete="off"
        maxLength={120}
        {...field('title')}
      />
      <TextArea label={t`Description`} optional rows={3} {...field('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={t`Kind`} options={optionsOf(kindLabels)} {...field('kind')} />
        <Select
          label={t`Priority`}
          options={optionsOf(severityLabels)}
          {...severity}
          value={String(severity.value)}
          onChange={({ target }) => severity.onChange(Number(target.value) as WorkOrderDetails['severity'])}
        />
      </div>
    </>
  )
}

/** Fields with the details of a work order. */
export function OrderFields({ form, choices, once }: OrderFieldsProps) {
  const { t } = useLingui()
  const location = form.choice('location')
  return (
    <>
      <TaskFields form={form} />
      <LocationField label={t`Location`} optional {...location} />
      <MyLocation onChange={location.onChange} />
      {once && (
        <div className="grid gap-4 sm:grid-cols-2">
          <AssetField {...once('assetName')} />
          <DateField label={t`Due`} optional {...once('dueOn')} />
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={t`Department`} options={choices.departments} {...idChoice(form.choice('departmentId'))} />
        <Select label={t`Assigned to`} options={choices.people} {...idChoice(form.choice('assignedTo'))} />
        <Select label={t`Crew`} options={choices.crews} {...idChoice(form.choice('crewId'))} />
      </div>
    </>
  )
}

/**
 * Rows of a checklist. Only for new orders and plans, because an existing order shows its checklist in a separate
 * section.
 */
export function ChecklistField(field: Bound<string>) {
  const { t } = useLingui()
  return (
    <TextRows label={t`Checklist`} optional addLabel={t`Add a task`} max={MAX_TASKS} sortable {...rowsOfText(field)} />
  )
}
