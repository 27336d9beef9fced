import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { noLocation } from '../../../shared/places.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { forgetDraft, useZodForm } from '../../../web/ui/form.ts'
import { SelectWithSearch } from '../../../web/ui/office/SelectWithSearch.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { scheduleForm, scheduleInspection } from '../contract.ts'
import { LOCATION } from '../rules.ts'
import { reloadInspections } from './fresh.ts'
import { WhenFields } from './WhenFields.tsx'
import { type ReturnInspectionOptionsResponse, WithInspectionOptions } from './WithInspectionOptions.tsx'

/** Form that schedules an inspection: template, subject or location, and date. */
export function ScheduleSlideOut({ onClose }: { onClose: () => void }) {
  return (
    <WithInspectionOptions title={<Trans>Schedule an inspection</Trans>} onClose={onClose}>
      {(options) =>
        options.templates.length === 0 ? (
          <p>
            <Trans>No template is published yet. Add one under Templates and publish its items.</Trans>
          </p>
        ) : (
          <ScheduleForm choices={options} onClose={onClose} />
        )
      }
    </WithInspectionOptions>
  )
}

function ScheduleForm({ choices, onClose }: { choices: ReturnInspectionOptionsResponse; onClose: () => void }) {
  const { t } = useLingui()
  const [kind, subjectParam] = [useQueryParam('kind'), useQueryParam('thing')]
  const templates = kind ? choices.templates.filter(({ subjectKind }) => subjectKind === kind) : choices.templates
  const [first] = templates
  const form = useZodForm(scheduleForm, {
    defaultValues: {
      templateId: first?.id ?? Number.NaN,
      subjectId: subjectParam && /^\d{1,15}$/.test(subjectParam) ? Number(subjectParam) : null,
      location: noLocation,
      dueOn: page().today,
      startTime: '09:00',
      assignedTo: null,
    },
    // Values from a link must not overwrite the saved draft of the form.
    ...(!subjectParam && { draft: { name: 'inspection:new' } }),
  })
  const template = choices.templates.find(({ id }) => id === form.watch('templateId'))
  const subject = choices.subjects.find((one) => one.kind === template?.subjectKind)
  const save = async (values: z.output<typeof scheduleForm>) => {
    const { message, inspectionId } = await call(scheduleInspection, values)
    forgetDraft(form)
    toast(message)
    await reloadInspections()
    setQuery({ panel: null, kind: null, thing: null, inspection: String(inspectionId) })
  }
  const { value: templateId, onChange: setTemplate, ...bound } = form.choice('templateId')
  return (
    <Form form={form} onSubmit={save}>
      <Select
        {...bound}
        label={t`Inspection`}
        value={Number.isFinite(templateId) ? String(templateId) : ''}
        onChange={({ target }) => {
          setTemplate(Number(target.value))
          form.choice('subjectId').onChange(null)
        }}
        placeholder={t`Choose a template`}
        options={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {subject && subject.kind !== LOCATION && (
        <SelectWithSearch
          label={subject.label}
          options={subject.items.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.choice('subjectId')}
        />
      )}
      {subject?.kind === LOCATION && <LocationField label={t`Location`} {...form.choice('location')} />}
      <WhenFields field={form.field} assigned={form.choice('assignedTo')} />
      <FormActions
        form={form}
        submit={<Trans>Schedule</Trans>}
        busyLabel={<Trans>Saving...</Trans>}
        onCancel={onClose}
      />
    </Form>
  )
}
