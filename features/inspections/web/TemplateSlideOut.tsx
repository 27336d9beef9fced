import { Trans, useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import type * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { forgetDraft, useZodForm } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addTemplate, returnTemplate, saveTemplate, templateForm } from '../contract.ts'
import { INSPECTIONS_PATH, LOCATION } from '../rules.ts'
import { reloadTemplates } from './fresh.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { WithInspectionOptions } from './WithInspectionOptions.tsx'

type Values = z.output<typeof templateForm>
type Subjects = readonly { kind: string; label: string }[]

export const itemsPath = (templateId: number): string => `${INSPECTIONS_PATH}/${templateId}/items`

/** Form for a new template. Its items are added on the next screen. */
export function NewTemplate({ onClose }: { onClose: () => void }) {
  return (
    <WithInspectionOptions title={<Trans>Add a template</Trans>} onClose={onClose}>
      {({ subjects }) => (
        <TemplateForm
          subjects={subjects}
          start={{ name: '', subjectKind: LOCATION, everyMonths: null, certificate: '', isActive: true }}
          draft="inspection-template:new"
          onClose={onClose}
          onSave={async (values) => {
            const { message, templateId } = await call(addTemplate, values)
            go(itemsPath(templateId))
            return message
          }}
        />
      )}
    </WithInspectionOptions>
  )
}

/** Panel for the template with the id from the URL. */
export function TemplateFromQuery() {
  // On the other tab, the inspection list uses the same query parameter as its template filter.
  const isTemplates = useQueryParam('tab') === 'templates'
  if (!isTemplates) return null
  return <QueryItem name="template">{(id, close) => <TemplateSlideOut id={id} onClose={close} />}</QueryItem>
}

function TemplateSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(returnTemplate, { templateId: id })
  const { data } = response
  return (
    <ResponseSlideOut
      title={data?.form.name ?? <Trans>Template</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the template</Trans>}
      failed={<Trans>This template could not be loaded</Trans>}
    >
      {({ form, draft, latestVersion, subjects, can }) => (
        <>
          {can.edit && (
            <LinkButton icon={ListChecks} to={itemsPath(id)} className="mb-4">
              <Trans>Edit items</Trans>
            </LinkButton>
          )}
          <ol className="mb-5 list-decimal ps-6">
            {draft.steps.map((step) => (
              <li key={step.id}>{step.title || <Trans>Untitled item</Trans>}</li>
            ))}
          </ol>
          {latestVersion === 0 && (
            <p className="mb-4 font-bold">
              <Trans>No items are published yet. Staff cannot use this template until you publish them.</Trans>
            </p>
          )}
          {can.edit && (
            <TemplateForm
              subjects={subjects}
              start={form}
              basis={form}
              draft={`inspection-template:${id}`}
              onClose={onClose}
              onSave={async (values, basis) => {
                const { message } = await call(saveTemplate, { ...values, templateId: id, basis })
                onClose()
                return message
              }}
            />
          )}
        </>
      )}
    </ResponseSlideOut>
  )
}

interface TemplateFormProps {
  subjects: Subjects
  start: Values
  basis?: Values
  draft: string
  onClose: () => void
  /** @returns the confirmation text */
  onSave: (values: Values, basis: Record<string, unknown> | undefined) => Promise<string>
}

function TemplateForm({ subjects, start, basis, draft, onClose, onSave }: TemplateFormProps) {
  const { t } = useLingui()
  const form = useZodForm(templateForm, {
    defaultValues: start,
    ...(basis && { basis: { ...basis } }),
    draft: { name: draft },
  })
  const { value: months, onChange: setMonths, ...bound } = form.choice('everyMonths')
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        toast(await onSave(values, form.basis))
        forgetDraft(form)
        await reloadTemplates()
      }}
    >
      <TextField
        label={t`Name`}
        hint={t`For example: Yearly hydrant inspection`}
        autoComplete="off"
        {...form.field('name')}
      />
      <Select
        label={t`Subject type`}
        options={subjects.map(({ kind, label }) => ({ value: kind, label }))}
        {...form.field('subjectKind')}
      />
      <TextField
        {...bound}
        label={t`Interval in months`}
        optional
        hint={t`The next inspection is due this many months after a passed inspection.`}
        inputMode="numeric"
        value={months === null || Number.isNaN(months) ? '' : String(months)}
        onChange={({ target }) => setMonths(target.value.trim() === '' ? null : Number(target.value))}
      />
      <TextArea
        label={t`Certificate`}
        optional
        hint={t`Enter the text for the certificate that is issued after a passed inspection. Leave empty if no certificate is issued.`}
        rows={4}
        {...form.field('certificate')}
      />
      <Checkbox label={t`In use`} {...form.field('isActive')} />
      <FormActions form={form} submit={<Trans>Save</Trans>} busyLabel={<Trans>Saving...</Trans>} onCancel={onClose} />
    </Form>
  )
}
