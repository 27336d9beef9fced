import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { addDays, dateIn, timeIn } from '../../../../shared/dates.ts'
import { same } from '../../../../shared/edits.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { translated } from '../../../../shared/messages.ts'
import { call } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { OnceLoaded } from '../../../../web/ui/ResponseView.tsx'
import { Checkbox, optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm, type ZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { alertEditor, type AlertForm, alertForm, saveAlert, showAlert, writeAlert } from '../../contract-staff.ts'
import { categories, certainties, severities, serviceTypes, urgencies, usual } from '../../rules.ts'
import { AreaField } from './AreaField.tsx'
import { refreshAlerts } from './fresh.ts'
import { Blanks } from './Blanks.tsx'
import { TextFields } from './TextFields.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

type Editor = ResponseOf<typeof alertEditor>

/** Shows the form for a new alert. Saves the alert as a draft, which is not sent yet. */
export const WriteAlert = ({ onClose }: { onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Create alert</Trans>}
    onClose={onClose}
    response={useResponse(alertEditor, {})}
    loading={<Trans>Loading services and zones</Trans>}
  >
    {(editor) => <New editor={editor} onClose={onClose} />}
  </OnceLoaded>
)

const nothing = { headline: '', description: '', instruction: '' }
const textsOf = ({ event, en, es }: Pick<AlertForm, 'event' | 'en' | 'es'>) => ({ event, en, es })
const noTexts = { event: '', en: nothing, es: nothing }

function New({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useLingui()
  // Time when the form opened. It stays the same while the form is open, so that the passing of time does not replace
  // typed text.
  const [now] = useState(() => new Date())
  const form = useZodForm<AlertForm, AlertForm>(alertForm, {
    defaultValues: {
      serviceId: String(editor.services[0]?.id ?? ''),
      event: '',
      ...usual,
      en: nothing,
      es: nothing,
      byEmail: true,
      byText: true,
      byCall: false,
      onPages: true,
      area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
      sendAt: '',
      expiresAt: `${addDays(dateIn(editor.timeZone, now), 1)}T${timeIn(editor.timeZone, now)}`,
    },
    draft: { name: 'alert-new' },
  })
  const [template, setTemplate] = useState('')
  /** Template that awaits confirmation, because it would replace typed text. */
  const [templateToFill, setTemplateToFill] = useState<string | null>(null)
  const { templates } = editor
  const templateOf = (id: string) => templates.find((one) => String(one.id) === id)?.form
  const fill = (id: string) => {
    setTemplate(id)
    setTemplateToFill(null)
    const filled = templateOf(id)
    if (!filled) return
    const { name: _name, ...values } = filled
    form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true })
  }
  const choose = (id: string) => {
    const written = textsOf(form.getValues())
    const isTyped = [noTexts, ...templates.map((one) => one.form)].every((one) => !same(written, textsOf(one)))
    if (isTyped && templateOf(id)) setTemplateToFill(id)
    else fill(id)
  }
  const write = async (values: AlertForm) => {
    const { message, alertId } = await call(writeAlert, { form: values })
    toast(message)
    await refreshAlerts()
    setQuery({ write: null, alert: String(alertId) })
  }
  return (
    <>
      <Panel
        title={<Trans>Create alert</Trans>}
        editor={editor}
        form={form}
        onSubmit={write}
        onClose={onClose}
        before={
          templates.length > 0 && (
            <Select
              label={t`Template`}
              hint={t`The template fills in the text below. Replace the words in square brackets.`}
              placeholder={t`Blank alert`}
              options={templates.map(({ id, form: { name } }) => ({ value: String(id), label: name }))}
              value={template}
              onChange={({ target }) => choose(target.value)}
            />
          )
        }
      />
      {templateToFill !== null && (
        <ConfirmDialog
          title={<Trans>Replace your text?</Trans>}
          confirmLabel={<Trans>Replace my text</Trans>}
          cancelLabel={<Trans>Keep my text</Trans>}
          onConfirm={() => fill(templateToFill)}
          onClose={() => setTemplateToFill(null)}
        >
          <Trans>The template text will replace your text in both languages.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

export function EditAlert({ id, onClose }: { id: number; onClose: () => void }) {
  const editor = useResponse(alertEditor, {})
  return (
    <OnceLoaded
      title={<Trans>Edit alert</Trans>}
      onClose={onClose}
      response={useResponse(showAlert, { alertId: id })}
      loading={<Trans>Loading alert</Trans>}
    >
      {(loaded) =>
        editor.data && <ExistingAlert key={id} id={id} loaded={loaded} editor={editor.data} onClose={onClose} />
      }
    </OnceLoaded>
  )
}

interface ExistingAlertProps {
  id: number
  loaded: ResponseOf<typeof showAlert>
  editor: Editor
  onClose: () => void
}

function ExistingAlert({ id, loaded: { form: stored, kind }, editor, onClose }: ExistingAlertProps) {
  const form = useZodForm<AlertForm, AlertForm>(alertForm, {
    defaultValues: stored,
    basis: { ...stored },
    draft: { name: `alert-${id}` },
  })
  const save = async (values: AlertForm) => {
    toast((await call(saveAlert, { alertId: id, form: values, basis: form.basis })).message)
    await refreshAlerts()
    onClose()
  }
  return (
    <Panel
      title={<Trans>Edit alert</Trans>}
      editor={editor}
      form={form}
      onSubmit={save}
      onClose={onClose}
      isFollowUp={kind !== 'alert'}
    />
  )
}

interface PanelProps {
  title: ReactNode
  editor: Editor
  form: ZodForm<AlertForm, AlertForm>
  onSubmit: (values: AlertForm) => Promise<void>
  onClose: () => void
  before?: ReactNode
  /**
   * True if the alert is a follow-up. It then goes to the recipients of the first alert, and its area has no effect.
   */
  isFollowUp?: boolean
}

function Panel({ title, editor, form, onSubmit, onClose, before, isFollowUp = false }: PanelProps) {
  const { t } = useLingui()
  const service = form.choice('serviceId')
  return (
    <FormSlideOut title={title} form={form} onSubmit={onSubmit} onClose={onClose} save={<Trans>Save draft</Trans>}>
      {editor.services.length === 0 && (
        <Notice tone="warning">
          <Trans>Before you create an alert, add services with the “Services” button on the alerts list.</Trans>
        </Notice>
      )}
      <Text>{before}</Text>
      <Select
        label={t`Service`}
        hint={t`Emergency alerts go to everyone who has not opted out. Other alerts go only to subscribers.`}
        placeholder={t`Choose a service`}
        options={editor.services.map(({ id, type, name }) => ({
          value: String(id),
          label: `${name} (${translated(serviceTypes[type as 1])})`,
        }))}
        {...service}
        onChange={({ target }) => service.onChange(target.value)}
      />
      <TextField label={t`Event`} hint={t`For example: “Flood warning”.`} maxLength={60} {...form.field('event')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={t`Severity`}
          className="sm:col-span-2"
          options={optionsOf(severities)}
          {...form.field('severity')}
        />
        <Select label={t`Urgency`} options={optionsOf(urgencies)} {...form.field('urgency')} />
        <Select label={t`Certainty`} options={optionsOf(certainties)} {...form.field('certainty')} />
        <Select
          label={t`Category`}
          className="sm:col-span-2"
          options={optionsOf(categories)}
          {...form.field('category')}
        />
      </div>
      <Blanks form={form} />
      <TextFields fields={(name) => form.field(name)} language="en" title={t`In English`} />
      <TextFields fields={(name) => form.field(name)} language="es" title={t`In Spanish`} />
      <fieldset className="border-line border-t pt-5">
        <legend className="float-start mb-2 w-full font-bold">
          <Trans>Channels</Trans>
        </legend>
        <div className="clear-both">
          <Checkbox label={t`By email`} {...form.field('byEmail')} />
          <Checkbox label={t`By text message`} {...form.field('byText')} />
          {editor.canCall && (
            <Checkbox
              label={t`By phone call. Use only for urgent alerts, because calls can wake people.`}
              {...form.field('byCall')}
            />
          )}
          <Checkbox label={t`On every portal page and on the alerts page`} {...form.field('onPages')} />
        </div>
      </fieldset>
      {isFollowUp ? (
        <p className="text-muted">
          <Trans>This alert will go to the recipients of the original alert.</Trans>
        </p>
      ) : (
        <AreaField form={form} editor={editor} />
      )}
      <TextField
        label={t`Send time`}
        hint={t`Leave empty to send immediately.`}
        type="datetime-local"
        optional
        {...form.field('sendAt')}
      />
      <TextField
        label={t`Active until`}
        hint={t`This time is in the municipality’s time zone.`}
        type="datetime-local"
        {...form.field('expiresAt')}
      />
    </FormSlideOut>
  )
}
