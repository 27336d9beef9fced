import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { newEmail } from '../../../shared/email.ts'
import { say } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { returnHydrantSettings, saveHydrantSettings } from '../contract.ts'
import type { HydrantSettings } from '../rules.ts'
import { reloadHydrants } from './fresh.ts'

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
const whole = (min: number, max: number) =>
  z.string().check(
    z.trim(),
    z.refine((text) => /^\d{1,2}$/.test(text) && +text >= min && +text <= max, {
      error: () => say`Enter a whole number from ${min} to ${max}.`,
    }),
  )
const typed = z.object({
  fireEmails: z.string().check(
    z.refine((text) => addressesIn(text).length <= 5, { error: 'Enter up to 5 email addresses.' }),
    z.refine((text) => addressesIn(text).every((one) => newEmail.safeParse(one).success), {
      error: 'One of the entries is not an email address. Enter one address per line.',
    }),
  ),
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
      fireEmails: settings.fireEmails.join('\n'),
      inspectionMonths: String(settings.inspectionMonths),
      flowTestYears: String(settings.flowTestYears),
    },
    basis: { ...settings },
    toFormValues: (saved) => ({ ...saved, fireEmails: (saved['fireEmails'] as string[]).join('\n') }),
  })
  return (
    <FormSlideOut
      title={<Trans>Hydrant settings</Trans>}
      form={form}
      mayEdit={mayEdit}
      onClose={onClose}
      onSubmit={async (values) => {
        const { message } = await call(saveHydrantSettings, {
          fireEmails: addressesIn(values.fireEmails),
          inspectionMonths: Number(values.inspectionMonths),
          flowTestYears: Number(values.flowTestYears),
          basis: form.basis,
        })
        toast(message)
        await Promise.all([reload(returnHydrantSettings), reloadHydrants()])
        onClose()
      }}
    >
      <TextArea
        label={t`Fire department emails`}
        optional
        hint={t`Enter up to 5 email addresses, one per line. Each gets an email when a hydrant goes out of service and when it returns to service.`}
        rows={3}
        {...form.field('fireEmails')}
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
