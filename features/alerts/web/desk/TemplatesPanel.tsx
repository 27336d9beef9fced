import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { translated } from '../../../../shared/messages.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { EditSlideOut } from '../../../../web/ui/EditSlideOut.tsx'
import { ResponseSlideOut } from '../../../../web/ui/ResponseView.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import {
  alertEditor,
  removeAlertTemplate,
  saveAlertTemplate,
  type TemplateForm,
  templateForm,
} from '../../contract-staff.ts'
import { categories, certainties, serviceTypes, severities, urgencies, usual } from '../../rules.ts'
import { TextFields } from './TextFields.tsx'

type Editor = ResponseOf<typeof alertEditor>
type Template = Editor['templates'][number]

const refresh = () => reload(alertEditor)
const noText = { headline: '', description: '', instruction: '' }
const blank: TemplateForm = { ...usual, name: '', serviceId: '', event: '', en: noText, es: noText }

/** Panel with the templates of alerts, and the form to change one. */
export function TemplatesPanel({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(alertEditor, {})
  const [edited, setEdited] = useState<Template | 'new' | null>(null)
  const back = () => setEdited(null)
  if (edited && response.data)
    return <EditTemplate editor={response.data} template={edited === 'new' ? null : edited} onClose={back} />
  return (
    <ResponseSlideOut
      title={<Trans>Templates</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading templates</Trans>}
      actions={({ can }) =>
        can.edit && (
          <Button variant="primary" icon={Plus} onClick={() => setEdited('new')}>
            <Trans>Add template</Trans>
          </Button>
        )
      }
    >
      {({ templates, can }) =>
        templates.length === 0 ? (
          <p className="text-muted">
            <Trans>No templates yet. Add a template here, or add common ones under Starter Packs.</Trans>
          </p>
        ) : (
          <ul className="border-line border-t">
            {templates.map((template) => (
              <li key={template.id} className="flex flex-wrap items-center gap-2 border-line border-b py-2.5">
                <span className="min-w-0 flex-1 basis-48">
                  <strong className="wrap-anywhere">{template.form.name}</strong>
                  <span className="line-clamp-2 wrap-anywhere text-muted text-sm">{template.form.en.headline}</span>
                </span>
                {can.edit && (
                  <span className="flex gap-2">
                    <Button size="small" aria-label={t`Edit ${template.form.name}`} onClick={() => setEdited(template)}>
                      <Trans>Edit</Trans>
                    </Button>
                    <Remove template={template} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </ResponseSlideOut>
  )
}

function Remove({ template: { id, form } }: { template: Template }) {
  const { t } = useLingui()
  const [isAsking, setIsAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      toast((await call(removeAlertTemplate, { templateId: id })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setBusy(false)
    setIsAsking(false)
    await refresh()
  }
  return (
    <>
      <Button size="small" aria-label={t`Remove ${form.name}`} onClick={() => setIsAsking(true)}>
        <Trans>Remove</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={<Trans>Remove template “{form.name}”?</Trans>}
          confirmLabel={<Trans>Remove template</Trans>}
          danger
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        >
          <Trans>Alerts that you created with this template do not change.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

interface EditTemplateProps {
  editor: Editor
  /** Null for a new template. */
  template: Template | null
  onClose: () => void
}

function EditTemplate({ editor, template, onClose }: EditTemplateProps) {
  const { t } = useLingui()
  return (
    <EditSlideOut<TemplateForm, TemplateForm, ResponseOf<typeof saveAlertTemplate>>
      title={template ? <Trans>Edit {template.form.name}</Trans> : <Trans>Add template</Trans>}
      rules={templateForm}
      start={template?.form ?? blank}
      isNew={!template}
      draft={`alert-template-${template?.id ?? 'new'}`}
      onSave={(values, basis) => call(saveAlertTemplate, { ...values, templateId: template?.id ?? null, basis })}
      refresh={refresh}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField label={t`Name`} maxLength={60} autoComplete="off" {...form.field('name')} />
          <Select
            label={t`Service`}
            options={[
              { value: '', label: t`Choose with each alert` },
              ...editor.services.map(({ id, type, name }) => ({
                value: String(id),
                label: `${name} (${translated(serviceTypes[type as 1])})`,
              })),
            ]}
            {...form.field('serviceId')}
          />
          <TextField label={t`Event`} hint={t`For example: “Flood warning”.`} maxLength={60} {...form.field('event')} />
          <Select label={t`Severity`} options={optionsOf(severities)} {...form.field('severity')} />
          <Select label={t`Urgency`} options={optionsOf(urgencies)} {...form.field('urgency')} />
          <Select label={t`Certainty`} options={optionsOf(certainties)} {...form.field('certainty')} />
          <Select label={t`Category`} options={optionsOf(categories)} {...form.field('category')} />
          <p className="text-muted">
            <Trans>Write blanks in square brackets, for example: [place].</Trans>
          </p>
          <TextFields fields={(name) => form.field(name)} language="en" title={t`In English`} />
          <TextFields fields={(name) => form.field(name)} language="es" title={t`In Spanish`} />
        </>
      )}
    </EditSlideOut>
  )
}
