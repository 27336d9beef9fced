import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { call } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Checkbox, RadioCards } from '../../../../web/ui/Choice.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { contactForm, returnProfile, saveContact } from '../../contract.ts'
import type { Profile } from '../profile-form.ts'

const choices = z.object({ method: contactForm.shape.primary_contact_method, email: z.boolean(), phone: z.boolean() })
const flag = (wanted: boolean) => (wanted ? ('a' as const) : ('i' as const))

/** How the town reaches somebody (specification 9.8), and whether alerts come. Who has not chosen gets them. */
export function ContactPanel({ profile }: { profile: Profile }) {
  const { t } = useLingui()
  const form = useZodForm(choices, {
    defaultValues: {
      method: profile.primary_contact_method as 1 | 2 | 3,
      email: profile.active_email_alerts !== 'i',
      phone: profile.active_phone_alerts !== 'i',
    },
  })
  const send = async ({ method, email, phone }: z.output<typeof choices>) => {
    await call(saveContact, {
      primary_contact_method: method,
      active_email_alerts: flag(email),
      active_phone_alerts: flag(phone),
    })
    await reload(returnProfile)
    toast(t`Your choices are saved.`)
  }
  return (
    <Panel id="contact" title={<Trans>How we reach you</Trans>}>
      <Form form={form} onSubmit={send}>
        <RadioCards
          label={t`Primary contact method`}
          columns={3}
          options={[
            { value: 1, label: t`Email` },
            { value: 2, label: t`Phone` },
            { value: 3, label: t`Both` },
          ]}
          {...form.choice('method')}
        />
        <fieldset>
          <legend className="mb-1 font-bold text-sm">
            <Trans>Alerts of your municipality</Trans>
          </legend>
          <Checkbox label={t`Send me alerts by email`} {...form.field('email')} />
          <Checkbox
            label={t`Send me alerts by phone`}
            {...(!profile.mobile_no && { hint: t`We need your mobile phone for it: enter it in your profile.` })}
            {...form.field('phone')}
          />
        </fieldset>
        <div>
          <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
            <Trans>Save these choices</Trans>
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
