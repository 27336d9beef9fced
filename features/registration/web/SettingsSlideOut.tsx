import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
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

/** Registration settings of the company, with its automatic decisions. */
export const SettingsSlideOut = ({ onClose }: { onClose: () => void }) => (
  <SettingsOf
    title={<Trans>Settings of registrations</Trans>}
    onClose={onClose}
    answer={useAnswer(registrationSettings, {})}
  >
    {({ settings, can }) => <SettingsForm settings={settings} mayEdit={can.edit} onClose={onClose} />}
  </SettingsOf>
)

interface FormProps {
  settings: RegistrationSettings
  mayEdit: boolean
  onClose: () => void
}

function SettingsForm({ settings, mayEdit, onClose }: FormProps) {
  const { t } = useLingui()
  const form = useZodForm(typed, {
    defaultValues: { ...settings, inspectionMonths: String(settings.inspectionMonths) },
    basis: { ...settings },
  })
  return (
    <FormSlideOut
      title={<Trans>Settings of registrations</Trans>}
      form={form}
      mayEdit={mayEdit}
      onClose={onClose}
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
        {...form.field('listedAddressOnly')}
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
      <Checkbox
        label={t`Businesses and rental properties only on a parcel of the town's list`}
        hint={t`Their address has to be one of a parcel, or of a unit on it.`}
        {...form.field('onParcel')}
      />
      <TextField
        label={t`Months between inspections of rental properties`}
        hint={t`At most 60`}
        inputMode="numeric"
        {...form.field('inspectionMonths')}
      />
    </FormSlideOut>
  )
}
