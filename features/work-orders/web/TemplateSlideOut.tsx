import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { useResponse } from '../../../web/query.ts'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { EditSlideOut } from '../../../web/ui/EditSlideOut.tsx'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import { returnTemplate, saveTemplate, type TemplateForm, templateForm } from '../contract.ts'
import { idChoice, useChoices } from './choices.ts'
import { reloadOrders } from './fresh.ts'
import { ChecklistField, TaskFields } from './OrderFields.tsx'
import { PartsField } from './PartsField.tsx'

const blank: TemplateForm = {
  title: '',
  description: '',
  kind: 'repair',
  severity: 1,
  departmentId: null,
  crewId: null,
  minutes: 120,
  parts: [],
  checklist: '',
  active: true,
}

/** Slide-out for the template with the id from the URL, or for a new template. */
export const TemplateFromQuery = () => (
  <QueryItem
    name="template"
    another={(close) => <EditTemplate templateId={null} values={blank} mayEdit onClose={close} />}
  >
    {(id, close) => <ExistingTemplate templateId={id} onClose={close} />}
  </QueryItem>
)

const ExistingTemplate = ({ templateId, onClose }: { templateId: number; onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Work order template</Trans>}
    onClose={onClose}
    response={useResponse(returnTemplate, { templateId })}
    loading={<Trans>Loading the template</Trans>}
    failed={<Trans>This template could not be loaded</Trans>}
  >
    {({ form, can }) => <EditTemplate templateId={templateId} values={form} mayEdit={can.edit} onClose={onClose} />}
  </OnceLoaded>
)

interface EditTemplateProps {
  templateId: number | null
  values: TemplateForm
  mayEdit: boolean
  onClose: () => void
}

function EditTemplate({ templateId, values, mayEdit, onClose }: EditTemplateProps) {
  const { t } = useLingui()
  const choices = useChoices({ ids: [values.departmentId, null, values.crewId] })
  return (
    <EditSlideOut
      title={templateId === null ? <Trans>New work order template</Trans> : <Trans>Work order template</Trans>}
      rules={templateForm}
      start={values}
      isNew={templateId === null}
      draft={`work-template:${templateId ?? 'new'}`}
      mayEdit={mayEdit}
      onSave={(filled, basis) => call(saveTemplate, { ...filled, templateId, basis })}
      refresh={reloadOrders}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TaskFields form={form} />
          <div className="grid gap-4 sm:grid-cols-2">
            <Select label={t`Department`} options={choices.departments} {...idChoice(form.choice('departmentId'))} />
            <Select label={t`Crew`} options={choices.crews} {...idChoice(form.choice('crewId'))} />
            <TextField label={t`Duration in minutes`} {...wholeNumber(form.choice('minutes'))} />
          </div>
          <ChecklistField {...form.choice('checklist')} />
          <PartsField form={form} />
          <Checkbox
            label={t`In use`}
            hint={t`Staff choose among the templates in use. Existing work orders do not change.`}
            {...form.field('active')}
          />
        </>
      )}
    </EditSlideOut>
  )
}
