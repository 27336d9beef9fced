import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { isOffered } from '../../../../web/modules.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Checkbox, RadioCards } from '../../../../web/ui/Choice.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { contactForm, returnProfile, saveContact } from '../../contract.ts'
import type { Profile } from '../profile-form.ts'

const { primary_contact_method } = contactForm.shape
const choices = z.object({
  primary_contact_method,
  active_email_alerts: z.boolean(),
  active_phone_alerts: z.boolean(),
})
const flag = (isOn: boolean) => (isOn ? ('a' as const) : ('i' as const))

/** Alerts are on by default. */
const formValuesOf = (stored: Record<string, unknown>) => ({
  ...stored,
  active_email_alerts: stored['active_email_alerts'] !== 'i',
  active_phone_alerts: stored['active_phone_alerts'] !== 'i',
})

/** Panel for the contact preference (spec 9.8) and the choice of alerts. */
export function ContactPanel({ profile }: { profile: Profile }) {
  const { t } = useLingui()
  const method = profile.primary_contact_method
  const basis = {
    primary_contact_method: method,
    active_email_alerts: profile.active_email_alerts ?? 'a',
    active_phone_alerts: profile.active_phone_alerts ?? 'a',
  }
  const form = useZodForm(choices, {
    defaultValues: { ...formValuesOf(basis), primary_contact_method: method as 1 | 2 | 3 },
    basis,
    toFormValues: formValuesOf,
  })
  const send = async (chosen: z.output<typeof choices>) => {
    await call(saveContact, {
      primary_contact_method: chosen.primary_contact_method,
      active_email_alerts: flag(chosen.active_email_alerts),
      active_phone_alerts: flag(chosen.active_phone_alerts),
      basis: form.basis,
    })
    await reload(returnProfile)
    toast(t`Preferences saved.`)
  }
  return (
    <Panel id="contact" title={<Trans>Contact preferences</Trans>}>
      <Form form={form} onSubmit={send}>
        <RadioCards
          label={t`Primary contact method`}
          columns={3}
          options={[
            { value: 1, label: t`Email` },
            { value: 2, label: t`Phone` },
            { value: 3, label: t`Both` },
          ]}
          {...form.choice('primary_contact_method')}
        />
        {isOffered('/alerts') && (
          <fieldset>
            <legend className="mb-1 font-bold text-sm">
              <Trans>Municipal alerts</Trans>
            </legend>
            <Checkbox label={t`Send me alerts by email`} {...form.field('active_email_alerts')} />
            <Checkbox
              label={t`Send me alerts by phone`}
              {...form.field('active_phone_alerts')}
              {...(!profile.mobile_no && {
                hint: t`Enter a mobile phone number in your profile first.`,
                disabled: true,
                checked: false,
              })}
            />
          </fieldset>
        )}
        <div>
          <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
            <Trans>Save preferences</Trans>
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
