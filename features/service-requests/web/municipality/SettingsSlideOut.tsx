import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Button, IconButton } from '../../../../web/ui/Button.tsx'
import { Checkbox, DateField } from '../../../../web/ui/Choice.tsx'
import { FieldError, FieldGroup } from '../../../../web/ui/Field.tsx'
import { FormSlideOut } from '../../../../web/ui/FormSlideOut.tsx'
import { messageAt, useZodForm } from '../../../../web/ui/form.ts'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { requestSettings, saveRequestSettings, settingsForm } from '../../contract-settings.ts'
import { wholeNumber } from '../../../../web/ui/whole-number.ts'
import { SettingsOf } from '../../../../web/ui/SettingsOf.tsx'

type RequestSettingsResponse = ResponseOf<typeof requestSettings>
type Holiday = RequestSettingsResponse['settings']['holidays'][number]

/** Request settings: guests, the public map, reopening, working days and holidays. */
export function SettingsSlideOut({ onClose }: { onClose: () => void }) {
  const response = useResponse(requestSettings, {})
  return (
    <SettingsOf response={response} title={<Trans>Request settings</Trans>} onClose={onClose}>
      {(loaded) => <EditSettings response={loaded} onClose={onClose} />}
    </SettingsOf>
  )
}

function EditSettings({
  response: { settings, hours, can },
  onClose,
}: {
  response: RequestSettingsResponse
  onClose: () => void
}) {
  const { t } = useLingui()
  const form = useZodForm(settingsForm, {
    defaultValues: settings,
    basis: settings,
    draft: { name: 'request-settings' },
  })
  const save = async (values: z.output<typeof settingsForm>) => {
    toast((await call(saveRequestSettings, { ...values, basis: form.basis })).message)
    await reload(requestSettings)
    onClose()
  }
  const days = form.choice('workDays')
  const dayNames = [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`]
  return (
    <FormSlideOut
      title={<Trans>Request settings</Trans>}
      form={form}
      mayEdit={can.edit}
      onSubmit={save}
      onClose={onClose}
    >
      <Checkbox
        label={t`Allow guests to report problems without an account`}
        hint={t`Each category also has its own setting for guests.`}
        {...form.field('forGuests')}
      />
      <Checkbox
        label={t`Show reported problems on a public map and list`}
        hint={t`Applies only to categories that show reports to the public. Names and messages are hidden.`}
        {...form.field('hasMap')}
      />
      <TextField
        label={t`Reopening period in days`}
        hint={t`For this many days after completion, requesters can report that the problem was not fixed.`}
        className="max-w-60"
        {...wholeNumber(form.choice('reopenDays'))}
      />
      <FieldGroup
        id="work-days"
        label={t`Business days`}
        hint={t`The office closes at ${hours.closes}, as set in the municipality's configuration. Requests received later count from the next business day.`}
        error={days.error}
      >
        {dayNames.map((name, n) => (
          <Checkbox
            key={n}
            label={name}
            checked={days.value.includes(n + 1)}
            onChange={({ target }) =>
              days.onChange(
                target.checked
                  ? [...days.value, n + 1].toSorted((a, b) => a - b)
                  : days.value.filter((day) => day !== n + 1),
              )
            }
          />
        ))}
      </FieldGroup>
      <Holidays
        {...form.choice('holidays')}
        errorAt={(n, field) => messageAt(form.formState.errors, `holidays.${n}.${field}`)}
      />
    </FormSlideOut>
  )
}

interface HolidaysProps {
  value: Holiday[]
  onChange: (days: Holiday[]) => void
  error: string | undefined
  errorAt: (nth: number, field: 'on' | 'name') => string | undefined
}

/** Editor for the days on which the office is closed, in addition to weekends. */
function Holidays({ value: days, onChange, error, errorAt }: HolidaysProps) {
  const { t } = useLingui()
  const change = (at: number, part: Partial<Holiday>) =>
    onChange(days.map((day, n) => (n === at ? { ...day, ...part } : day)))
  return (
    <FieldGroup id="holidays" label={t`Holidays`} optional>
      <ol className="flex flex-col gap-3">
        {days.map(({ on, name }, n) => (
          // Uses the index as the React key, because unsaved holidays have no id. The server sorts the holidays when
          // staff save them.
          <li key={n} className="grid grid-cols-[10rem_1fr_auto] items-start gap-3">
            <DateField
              label={t`Day`}
              value={on}
              onChange={({ target }) => change(n, { on: target.value })}
              error={errorAt(n, 'on')}
            />
            <TextField
              label={t`Holiday`}
              autoComplete="off"
              value={name}
              onChange={({ target }) => change(n, { name: target.value })}
              error={errorAt(n, 'name')}
            />
            <IconButton
              icon={Trash2}
              className="mt-7"
              label={t`Remove holiday ${n + 1}`}
              onClick={() => onChange(days.filter((_, at) => at !== n))}
            />
          </li>
        ))}
      </ol>
      <FieldError id="holidays">{error}</FieldError>
      <Button size="small" icon={Plus} className="mt-3" onClick={() => onChange([...days, { on: '', name: '' }])}>
        <Trans>Add a holiday</Trans>
      </Button>
    </FieldGroup>
  )
}
