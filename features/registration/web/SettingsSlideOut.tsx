import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { registrationSettings, saveRegistrationSettings, settingsForm } from '../contract.ts'
import type { RegistrationSettings } from '../rules.ts'

const MONTHS = 'Enter a number of months from 1 to 60.'
const typed = z.extend(settingsForm, {
  inspectionMonths: z.string().check(
    z.trim(),
    z.refine((text) => /^\d{1,2}$/.test(text) && +text >= 1 && +text <= 60, { error: MONTHS }),
  ),
})

/** Registration settings of the company, including its automatic decisions. */
export const SettingsSlideOut = ({ onClose }: { onClose: () => void }) => (
  <SettingsOf
    title={<Trans>Registration settings</Trans>}
    onClose={onClose}
    response={useResponse(registrationSettings, {})}
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
      title={<Trans>Registration settings</Trans>}
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
        label={t`Accept only addresses on the municipality's list`}
        hint={t`Otherwise, residents can enter any address, and staff review each one.`}
        {...form.field('listedAddressOnly')}
      />
      <Checkbox
        label={t`Register households immediately`}
        hint={t`Applies only to addresses on the municipality's list. Staff do not review these registrations.`}
        {...form.field('householdAtOnce')}
      />
      <Checkbox
        label={t`Renew unchanged registrations immediately`}
        hint={t`This setting does not apply if an inspection is overdue or the registration has lapsed.`}
        {...form.field('renewAtOnce')}
      />
      <Checkbox
        label={t`Require a listed parcel for businesses and rental properties`}
        hint={t`The address must match a parcel on the municipality's list or a unit on a listed parcel.`}
        {...form.field('onParcel')}
      />
      <TextField
        label={t`Months between rental inspections`}
        hint={t`Enter 1 to 60.`}
        inputMode="numeric"
        {...form.field('inspectionMonths')}
      />
    </FormSlideOut>
  )
}
