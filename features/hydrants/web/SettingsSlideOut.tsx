import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { newEmail } from '../../../shared/email.ts'
import { say } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { TextRows } from '../../../web/ui/TextRows.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { returnHydrantSettings, saveHydrantSettings } from '../contract.ts'
import type { HydrantSettings } from '../rules.ts'
import { reloadHydrants } from './fresh.ts'

const MAX_FIRE_EMAILS = 5
const whole = (min: number, max: number) =>
  z.string().check(
    z.trim(),
    z.refine((text) => /^\d{1,2}$/.test(text) && +text >= min && +text <= max, {
      error: () => say`Enter a whole number from ${min} to ${max}.`,
    }),
  )
const typed = z.object({
  fireEmails: z.array(newEmail).check(z.maxLength(MAX_FIRE_EMAILS, 'Enter up to 5 email addresses.')),
  inspectionMonths: whole(1, 60),
  flowTestYears: whole(1, 20),
})

/** Settings panel: inspection and test intervals, and the fire department's email addresses. */
export const SettingsSlideOut = ({ onClose }: { onClose: () => void }) => (
  <SettingsOf
    title={<Trans>Hydrant settings</Trans>}
    onClose={onClose}
    response={useResponse(returnHydrantSettings, {})}
  >
    {({ settings, can }) => <SettingsForm settings={settings} mayEdit={can.edit} onClose={onClose} />}
  </SettingsOf>
)

interface FormProps {
  settings: HydrantSettings
  mayEdit: boolean
  onClose: () => void
}

function SettingsForm({ settings, mayEdit, onClose }: FormProps) {
  const { t } = useLingui()
  const form = useZodForm(typed, {
    defaultValues: {
      fireEmails: settings.fireEmails,
      inspectionMonths: String(settings.inspectionMonths),
      flowTestYears: String(settings.flowTestYears),
    },
    basis: { ...settings },
  })
  return (
    <FormSlideOut
      title={<Trans>Hydrant settings</Trans>}
      form={form}
      mayEdit={mayEdit}
      onClose={onClose}
      onSubmit={async (values) => {
        const { message } = await call(saveHydrantSettings, {
          fireEmails: values.fireEmails,
          inspectionMonths: Number(values.inspectionMonths),
          flowTestYears: Number(values.flowTestYears),
          basis: form.basis,
        })
        toast(message)
        await Promise.all([reload(returnHydrantSettings), reloadHydrants()])
        onClose()
      }}
    >
      <TextRows
        label={t`Fire department emails`}
        optional
        hint={t`Each address gets an email when a hydrant goes out of service and when it returns to service.`}
        addLabel={t`Add an email`}
        max={MAX_FIRE_EMAILS}
        inputMode="email"
        readOnly={!mayEdit}
        errorAt={(at) => form.field(`fireEmails.${at}`).error}
        {...form.choice('fireEmails')}
      />
      <TextField
        label={t`Months between inspections`}
        hint={t`Enter 1 to 60.`}
        inputMode="numeric"
        {...form.field('inspectionMonths')}
      />
      <TextField
        label={t`Years between flow tests`}
        hint={t`Enter 1 to 20.`}
        inputMode="numeric"
        {...form.field('flowTestYears')}
      />
    </FormSlideOut>
  )
}
