import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { Button, IconButton } from '../../../../web/ui/Button.tsx'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { FieldError, FieldGroup } from '../../../../web/ui/Field.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { messageAt, useZodForm } from '../../../../web/ui/form.ts'
import { MoneyField } from '../../../../web/ui/MoneyField.tsx'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { returnSettings, saveSettings, settingsForm } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'
import { SettingsOf } from '../../../../web/ui/SettingsOf.tsx'

type Settings = ResponseOf<typeof returnSettings>['settings']
type DelinquencyStep = Settings['steps'][number]

/** Parking settings: time to pay, late steps, boot list, alternatives to paying. */
export function SettingsSlideOut({ onClose }: { onClose: () => void }) {
  const response = useResponse(returnSettings, {})
  return (
    <SettingsOf response={response} title={<Trans>Parking ticket settings</Trans>} onClose={onClose}>
      {({ settings, can }) => <EditSettings settings={settings} mayEdit={can.edit} onClose={onClose} />}
    </SettingsOf>
  )
}

interface EditProps {
  settings: Settings
  mayEdit: boolean
  onClose: () => void
}

function EditSettings({ settings, mayEdit, onClose }: EditProps) {
  const { t } = useLingui()
  const form = useZodForm(settingsForm, {
    defaultValues: settings,
    basis: settings,
    draft: { name: 'parking-settings' },
  })
  const save = async (values: z.output<typeof settingsForm>) => {
    toast((await call(saveSettings, { ...values, basis: form.basis })).message)
    await reloadTickets()
    onClose()
  }
  const number = (name: 'dueDays' | 'contestDays' | 'bootTickets' | 'bootDays') => {
    const { value, onChange, ...bound } = form.choice(name)
    return {
      ...bound,
      inputMode: 'numeric' as const,
      value: Number.isFinite(value) ? String(value) : '',
      onChange: ({ target }: { target: { value: string } }) => onChange(numberIn(target.value)),
    }
  }
  return (
    <FormSlideOut
      title={<Trans>Parking ticket settings</Trans>}
      form={form}
      mayEdit={mayEdit}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t`Days to pay`}
        hint={t`The days are counted from the ticket date, or from the decision that upheld the ticket.`}
        className="max-w-60"
        {...number('dueDays')}
      />
      <Schedule
        {...form.choice('steps')}
        errorAt={(n, field) => messageAt(form.formState.errors, `steps.${n}.${field}`)}
      />
      <TextField
        label={t`Days to contest`}
        hint={t`The days are counted from the ticket date. Existing tickets keep their deadline if you change this number.`}
        className="max-w-60"
        {...number('contestDays')}
      />
      <Checkbox label={t`Restart the contest period with each emailed late notice`} {...form.field('noticeRenews')} />
      <FieldGroup id="boot" label={t`Boot list`}>
        <div className="grid grid-cols-2 gap-4">
          <TextField label={t`Unpaid tickets`} {...number('bootTickets')} />
          <TextField label={t`Tickets older than (days)`} {...number('bootDays')} />
        </div>
      </FieldGroup>
      <TextArea
        label={t`Alternatives to payment`}
        optional
        hint={t`For example: a payment plan. Do not mention contesting the ticket. The portal shows that option until the contest deadline.`}
        rows={5}
        maxLength={2000}
        {...form.field('alternatives')}
      />
      <TextField label={t`Hearing location`} optional autoComplete="off" {...form.field('hearingLocation')} />
      <TextField
        label={t`GL account`}
        hint={t`Ticket payments are posted to this account.`}
        autoComplete="off"
        className="max-w-60"
        {...form.field('glAccount')}
      />
    </FormSlideOut>
  )
}

/** Converts the entered text to a number. Other text becomes NaN, so that the form shows the error under its field. */
const numberIn = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)

interface ScheduleProps {
  value: DelinquencyStep[]
  onChange: (steps: DelinquencyStep[]) => void
  error: string | undefined
  errorAt: (nth: number, field: 'day' | 'feeCents') => string | undefined
}

/** Schedule of late steps, each with its day. */
function Schedule({ value: steps, onChange, error, errorAt }: ScheduleProps) {
  const { t } = useLingui()
  const change = (at: number, part: Partial<DelinquencyStep>) =>
    onChange(steps.map((step, n) => (n === at ? { ...step, ...part } : step)))
  const last = Math.max(0, ...steps.map(({ day }) => (Number.isFinite(day) ? day : 0)))
  return (
    <FieldGroup id="steps" label={t`Late steps for unpaid tickets`} optional>
      <p className="mb-2 text-muted text-sm">
        <Trans>
          The days are counted from the ticket date, or from the decision that upheld the ticket. Contesting the ticket
          stops the late steps.
        </Trans>
      </p>
      <ol className="flex flex-col gap-4">
        {steps.map((step, n) => (
          // The index is the React key, because steps have no id and are sorted only when saved.
          <li key={n} className="rounded-sm border border-line p-3">
            <div className="grid grid-cols-[5.5rem_1fr_auto] items-start gap-3">
              <TextField
                label={t`Day`}
                inputMode="numeric"
                value={Number.isFinite(step.day) ? String(step.day) : ''}
                onChange={({ target }) => change(n, { day: numberIn(target.value) })}
                error={errorAt(n, 'day')}
              />
              <MoneyField
                label={t`Late fee`}
                value={step.feeCents}
                onChange={(feeCents) => change(n, { feeCents: feeCents ?? Number.NaN })}
                error={errorAt(n, 'feeCents')}
              />
              <IconButton
                icon={Trash2}
                className="mt-7"
                label={t`Remove step ${n + 1}`}
                onClick={() => onChange(steps.filter((_, at) => at !== n))}
              />
            </div>
            <Checkbox
              className="mt-2"
              label={t`Send a notice`}
              checked={step.notifies}
              onChange={({ target }) => change(n, { notifies: target.checked })}
            />
          </li>
        ))}
      </ol>
      <FieldError id="steps">{error}</FieldError>
      <Button
        size="small"
        icon={Plus}
        className="mt-3"
        onClick={() => onChange([...steps, { day: last + 15, feeCents: 0, notifies: true }])}
      >
        <Trans>Add a step</Trans>
      </Button>
    </FieldGroup>
  )
}
