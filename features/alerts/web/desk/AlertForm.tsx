import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { addDays, dateIn, timeIn } from '../../../../shared/dates.ts'
import { same } from '../../../../shared/edits.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { translated } from '../../../../shared/words.ts'
import { call } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { useAnswer } from '../../../../web/query.ts'
import { OnceAnswered } from '../../../../web/ui/Answered.tsx'
import { Checkbox, optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { useZodForm, type ZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { alertEditor, type AlertForm, alertForm, saveAlert, showAlert, writeAlert } from '../../contract-staff.ts'
import { categories, certainties, severities, serviceTypes, urgencies, usual } from '../../rules.ts'
import { AreaField } from './AreaField.tsx'
import { renewAlerts } from './fresh.ts'
import { serviceOf, templates } from './templates.ts'
import { Text } from '../../../../web/ui/Text.tsx'

type Editor = ResponseOf<typeof alertEditor>

/** Creates an alert as a draft. It reaches no one until it is sent. */
export const WriteAlert = ({ onClose }: { onClose: () => void }) => (
  <OnceAnswered
    title={<Trans>Write an alert</Trans>}
    onClose={onClose}
    answer={useAnswer(alertEditor, {})}
    loading={<Trans>Loading services and zones</Trans>}
  >
    {(editor) => <New editor={editor} onClose={onClose} />}
  </OnceAnswered>
)

const nothing = { headline: '', description: '', instruction: '' }
const textsOf = ({ event, en, es }: Pick<AlertForm, 'event' | 'en' | 'es'>) => ({ event, en, es })
const noTexts = { event: '', en: nothing, es: nothing }

function New({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t, i18n } = useLingui()
  // Fixed when the form opens, so that typed text survives clock changes.
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
  const fill = (name: string) => {
    setTemplate(name)
    setTemplateToFill(null)
    const filled = templates[name]
    if (!filled) return
    const serviceId = serviceOf(filled, editor.services)
    form.reset({ ...form.getValues(), ...filled.form, serviceId }, { keepDefaultValues: true })
  }
  const choose = (name: string) => {
    const written = textsOf(form.getValues())
    const isTyped = [noTexts, ...Object.values(templates).map((one) => one.form)].every(
      (one) => !same(written, textsOf(one)),
    )
    if (isTyped && templates[name]) setTemplateToFill(name)
    else fill(name)
  }
  const write = async (values: AlertForm) => {
    const { message, alertId } = await call(writeAlert, { form: values })
    toast(message)
    await renewAlerts()
    setQuery({ write: null, alert: String(alertId) })
  }
  return (
    <>
      <Panel
        title={<Trans>Write an alert</Trans>}
        editor={editor}
        form={form}
        onSubmit={write}
        onClose={onClose}
        before={
          <Select
            label={t`Begin with`}
            hint={t`Fills in the words below; what stands in square brackets is yours to say.`}
            placeholder={t`An empty alert`}
            options={Object.entries(templates).map(([value, { name }]) => ({ value, label: i18n._(name) }))}
            value={template}
            onChange={({ target }) => choose(target.value)}
          />
        }
      />
      {templateToFill !== null && (
        <ConfirmDialog
          title={<Trans>Replace what you typed?</Trans>}
          confirmLabel={<Trans>Replace it</Trans>}
          cancelLabel={<Trans>Keep what I typed</Trans>}
          onConfirm={() => fill(templateToFill)}
          onClose={() => setTemplateToFill(null)}
        >
          <Trans>The words of the template take the place of yours, in both languages.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

export function EditAlert({ id, onClose }: { id: number; onClose: () => void }) {
  const editor = useAnswer(alertEditor, {})
  return (
    <OnceAnswered
      title={<Trans>Change the alert</Trans>}
      onClose={onClose}
      answer={useAnswer(showAlert, { alertId: id })}
      loading={<Trans>Loading the alert</Trans>}
    >
      {(loaded) =>
        editor.data && <ExistingAlert key={id} id={id} loaded={loaded} editor={editor.data} onClose={onClose} />
      }
    </OnceAnswered>
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
    await renewAlerts()
    onClose()
  }
  return (
    <Panel
      title={<Trans>Change the alert</Trans>}
      editor={editor}
      form={form}
      onSubmit={save}
      onClose={onClose}
      isNews={kind !== 'alert'}
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
  /** True if the alert is a follow-up. It then goes to the recipients of the first alert, regardless of its area. */
  isNews?: boolean
}

function Panel({ title, editor, form, onSubmit, onClose, before, isNews = false }: PanelProps) {
  const { t } = useLingui()
  const service = form.choice('serviceId')
  return (
    <FormSlideOut title={title} form={form} onSubmit={onSubmit} onClose={onClose} save={<Trans>Save the draft</Trans>}>
      {editor.services.length === 0 && (
        <Notice tone="warning">
          <Trans>Name the services first, under “Services and settings” of the list.</Trans>
        </Notice>
      )}
      <Text>{before}</Text>
      <Select
        label={t`Service`}
        hint={t`An alert of the first kind is for everybody who did not say no, the others for those who chose them.`}
        placeholder={t`Choose a service`}
        options={editor.services.map(({ id, type, name }) => ({
          value: String(id),
          label: `${name} (${translated(serviceTypes[type as 1])})`,
        }))}
        {...service}
        onChange={({ target }) => service.onChange(target.value)}
      />
      <TextField
        label={t`What happens`}
        hint={t`In a few words: “Flood warning”.`}
        maxLength={60}
        {...form.field('event')}
      />
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
      <TextFields form={form} language="en" title={t`In English`} />
      <TextFields form={form} language="es" title={t`In Spanish`} />
      <fieldset className="border-line border-t pt-5">
        <legend className="float-start mb-2 w-full font-bold">
          <Trans>How it is told</Trans>
        </legend>
        <div className="clear-both">
          <Checkbox label={t`By email`} {...form.field('byEmail')} />
          <Checkbox label={t`By text`} {...form.field('byText')} />
          {editor.canCall && (
            <Checkbox
              label={t`By telephone call, for what can’t wait: a call wakes who sleeps`}
              {...form.field('byCall')}
            />
          )}
          <Checkbox label={t`On every page of the portal, and on the page of alerts`} {...form.field('onPages')} />
        </div>
      </fieldset>
      {isNews ? (
        <p className="text-muted">
          <Trans>It goes to those who got the first alert.</Trans>
        </p>
      ) : (
        <AreaField form={form} editor={editor} />
      )}
      <TextField
        label={t`Sent at`}
        hint={t`At once, if empty.`}
        type="datetime-local"
        optional
        {...form.field('sendAt')}
      />
      <TextField
        label={t`In force until`}
        hint={t`By the town’s clock.`}
        type="datetime-local"
        {...form.field('expiresAt')}
      />
    </FormSlideOut>
  )
}

interface TextFieldsProps {
  form: ZodForm<AlertForm, AlertForm>
  language: 'en' | 'es'
  title: string
}

function TextFields({ form, language, title }: TextFieldsProps) {
  const { t } = useLingui()
  const isOther = language !== 'en'
  return (
    <fieldset className="flex flex-col gap-5 border-line border-t pt-5">
      <legend className="float-start w-full font-bold">{title}</legend>
      <TextField
        label={t`Headline`}
        hint={isOther ? t`Without one, everybody reads the English words.` : t`What a text and the banner begin with.`}
        maxLength={160}
        optional={isOther}
        lang={language}
        {...form.field(`${language}.headline`)}
      />
      <TextArea label={t`What is known`} rows={3} optional lang={language} {...form.field(`${language}.description`)} />
      <TextArea
        label={t`What people should do`}
        rows={3}
        optional
        lang={language}
        {...form.field(`${language}.instruction`)}
      />
    </fieldset>
  )
}
