import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SettingsOf } from '../../../../web/ui/SettingsOf.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { TextRows } from '../../../../web/ui/TextRows.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { alertEditor, saveAlertServices, saveAlertSettings, settingsForm } from '../../contract-staff.ts'
import { MAX_TEMPLATES, type ServiceNames, serviceNames } from '../../contract-settings.ts'
import { refreshEditor } from './fresh.ts'

interface Props {
  onClose: () => void
}
type Editor = ResponseOf<typeof alertEditor>

export function ServicesPanel({ onClose }: Props) {
  return (
    <SettingsOf response={useResponse(alertEditor, {})} title={<Trans>Services</Trans>} onClose={onClose}>
      {(editor) => <Edit editor={editor} onClose={onClose} />}
    </SettingsOf>
  )
}

function Edit({ editor, onClose }: Props & { editor: Editor }) {
  const { t } = useLingui()
  const form = useZodForm<ServiceNames, ServiceNames>(serviceNames, {
    defaultValues: editor.names,
    basis: { ...editor.names },
    draft: { name: 'alert-services' },
  })
  const save = async (values: ServiceNames) => {
    toast((await call(saveAlertServices, { ...values, basis: form.basis })).message)
    await refreshEditor()
    onClose()
  }
  const field = (name: keyof ServiceNames, label: string, hint: string) => {
    const { value, onChange, error } = form.choice(name)
    return (
      <TextRows
        {...{ name, label, hint, error }}
        value={value.map((one) => one.name)}
        onChange={(rows) => onChange(rows.map((text) => ({ name: text })))}
        addLabel={t`Add a service`}
        max={MAX_TEMPLATES}
        readOnly={!editor.can.edit}
        errorAt={(at) => form.field(`${name}.${at}.name`).error}
      />
    )
  }
  return (
    <FormSlideOut
      title={<Trans>Services</Trans>}
      form={form}
      mayEdit={editor.can.edit}
      onSubmit={save}
      onClose={onClose}
    >
      {field('alerts', t`Alerts`, t`For example “Emergencies”. Everyone receives these alerts unless they opt out.`)}
      {field(
        'essentials',
        t`Essential services`,
        t`For example “Water and sewer”. Only subscribers receive these alerts.`,
      )}
      {field('others', t`Other services`, t`For example “Events”. Only subscribers receive these alerts.`)}
      {editor.services.length > 0 && (
        <section aria-label={t`Subscribers`} className="border-line border-t pt-5">
          <h3 className="mb-2">
            <Trans>Subscribers</Trans>
          </h3>
          <ul className="divide-y divide-line">
            {editor.services.map(({ id, name, email, text }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
                <span>{name}</span>
                <span className="text-muted tabular-nums">
                  <Plural value={email} one="# by email" other="# by email" />,{' '}
                  <Plural value={text} one="# by text" other="# by text" />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormSlideOut>
  )
}

type Settings = z.output<typeof settingsForm>

export function SettingsPanel({ onClose }: Props) {
  return (
    <SettingsOf response={useResponse(alertEditor, {})} title={<Trans>Approval rules</Trans>} onClose={onClose}>
      {(editor) => <EditSettings editor={editor} onClose={onClose} />}
    </SettingsOf>
  )
}

function EditSettings({ editor, onClose }: Props & { editor: Editor }) {
  const { t } = useLingui()
  const stored = { approvalOver: String(editor.approvalOver) }
  const form = useZodForm<Settings, Settings>(settingsForm, {
    defaultValues: stored,
    basis: stored,
    draft: { name: 'alert-settings' },
  })
  const save = async (values: Settings) => {
    toast((await call(saveAlertSettings, { ...values, basis: form.basis })).message)
    await refreshEditor()
    onClose()
  }
  return (
    <FormSlideOut
      title={<Trans>Approval rules</Trans>}
      form={form}
      mayEdit={editor.can.edit}
      onSubmit={save}
      onClose={onClose}
    >
      <p>
        <Trans>An alert with the highest severity always needs approval before it goes out.</Trans>
      </p>
      <TextField
        label={t`Also require approval for alerts to more than this number of people`}
        inputMode="numeric"
        readOnly={!editor.can.edit}
        {...form.field('approvalOver')}
      />
    </FormSlideOut>
  )
}
