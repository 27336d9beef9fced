import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Facts } from '../../../web/ui/Card.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { registrationSettings, saveRegistrationSettings, settingsForm } from '../contract.ts'
import type { RegistrationSettings } from '../rules.ts'

const MONTHS = 'Enter 1 to 60 months.'
const typed = z.extend(settingsForm, {
  inspectionMonths: z.string().check(
    z.trim(),
    z.refine((text) => /^\d{1,2}$/.test(text) && +text >= 1 && +text <= 60, { error: MONTHS }),
  ),
})

/** What the town wants of registrations, and what it decides by itself. */
export function SettingsSlideOut({ onClose }: { onClose: () => void }) {
  const answer = useAnswer(registrationSettings, {})
  return (
    <AnsweredSlideOut
      title={<Trans>Settings of registrations</Trans>}
      onClose={onClose}
      answer={answer}
      loading={<Trans>Loading the settings</Trans>}
      failed={<Trans>The settings could not be loaded</Trans>}
    >
      {({ settings, can }) =>
        can.edit ? <SettingsForm settings={settings} onClose={onClose} /> : <Shown settings={settings} />
      }
    </AnsweredSlideOut>
  )
}

function Shown({ settings }: { settings: RegistrationSettings }) {
  const { t } = useLingui()
  const yes = (is: boolean) => (is ? t`Yes` : t`No`)
  return (
    <Facts
      facts={[
        [t`Only addresses of the town's own list`, yes(settings.knownAddressOnly)],
        [t`Register households at once`, yes(settings.householdAtOnce)],
        [t`Renew at once where nothing changed`, yes(settings.renewAtOnce)],
        [t`Months between inspections of rental properties`, settings.inspectionMonths],
      ]}
    />
  )
}

function SettingsForm({ settings, onClose }: { settings: RegistrationSettings; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(typed, {
    defaultValues: { ...settings, inspectionMonths: String(settings.inspectionMonths) },
    basis: { ...settings },
  })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        const { message } = await call(saveRegistrationSettings, {
          ...values,
          inspectionMonths: Number(values.inspectionMonths),
          basis: form.basis,
        })
        toast(message)
        await reload(registrationSettings)
        onClose()
      }}
    >
      <Checkbox
        label={t`Only addresses of the town's own list`}
        hint={t`Else any words count as an address, and staff look at each.`}
        {...form.field('knownAddressOnly')}
      />
      <Checkbox
        label={t`Register households at once`}
        hint={t`At an address of the town's list, without anybody looking at them.`}
        {...form.field('householdAtOnce')}
      />
      <Checkbox
        label={t`Renew at once where nothing changed`}
        hint={t`Not where an inspection is overdue, or the registration has lapsed.`}
        {...form.field('renewAtOnce')}
      />
      <TextField
        label={t`Months between inspections of rental properties`}
        hint={t`At most 60`}
        inputMode="numeric"
        {...form.field('inspectionMonths')}
      />
      <FormActions form={form} submit={<Trans>Save</Trans>} busyLabel={<Trans>Saving...</Trans>} onCancel={onClose} />
    </Form>
  )
}
