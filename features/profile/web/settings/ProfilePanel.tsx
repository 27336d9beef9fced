import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { StateField, TextField, ZipField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { profileForm } from '../../contract.ts'
import { type Profile, save, valuesOf } from '../profile-form.ts'

const fields = z.omit(profileForm, { email: true })

/** Name, address and phone. The email has a separate panel. */
export function ProfilePanel({ profile }: { profile: Profile }) {
  const { t } = useLingui()
  const form = useZodForm(fields, {
    defaultValues: valuesOf(profile),
    basis: valuesOf(profile),
    draft: { name: 'settings-profile' },
  })
  return (
    <Panel id="profile" title={<Trans>Your profile</Trans>}>
      <Form form={form} onSubmit={async (values) => toast(await save({ ...values, email: profile.email }, form.basis))}>
        <div className="grid items-start gap-5 md:grid-cols-2">
          <TextField label={t`First Name`} autoComplete="given-name" {...form.field('first_name')} />
          <TextField label={t`Last Name`} autoComplete="family-name" {...form.field('last_name')} />
        </div>
        <TextField label={t`Address`} optional autoComplete="street-address" {...form.field('service_address')} />
        <div className="grid items-start gap-5 md:grid-cols-[1fr_8rem_9.5rem]">
          <TextField label={t`City`} optional autoComplete="address-level2" {...form.field('city')} />
          <StateField optional {...form.field('state')} />
          <ZipField optional {...form.field('zipcode')} />
        </div>
        <PhoneField label={t`Mobile phone`} optional shape="profile" {...form.field('mobile_no')} />
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            busyLabel={<Trans>Saving...</Trans>}
          >
            <Trans>Save profile</Trans>
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
