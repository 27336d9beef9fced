import { Trans, useLingui } from '@lingui/react/macro'
import { changeEmail, changeEmailForm } from '../../../identity/contract.ts'
import { call } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'
import { EmailField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { returnProfile } from '../../contract.ts'
import type { Profile } from '../profile-form.ts'

/** Panel for the sign-in email. A new email takes effect after the person opens its confirmation link. */
export function EmailPanel({ profile }: { profile: Profile }) {
  const { t } = useLingui()
  const form = useZodForm(changeEmailForm, {
    defaultValues: { email: '', password: '' },
    draft: { name: 'settings-email', leaveOut: ['password'] },
  })
  const change = async (values: { email: string; password: string }) => {
    const { message } = await call(changeEmail, values)
    form.reset({ email: '', password: '' })
    await reload(returnProfile)
    toast(message)
  }
  return (
    <Panel id="email" title={<Trans>Your email</Trans>}>
      <p className="wrap-anywhere">
        <strong>{profile.email}</strong>{' '}
        <span className="text-muted">
          {profile.email_confirmed ? <Trans>(confirmed)</Trans> : <Trans>(not confirmed yet)</Trans>}
        </span>
      </p>
      {profile.new_email && (
        <Notice tone="info" className="mt-3">
          <p className="wrap-anywhere">
            <Trans>Your email will change to {profile.new_email} when you open the link that we sent there.</Trans>
          </p>
        </Notice>
      )}
      <Form form={form} onSubmit={change} className="mt-5">
        <EmailField label={t`New email`} {...form.field('email')} />
        <PasswordField label={t`Your password`} {...form.field('password')} />
        <div>
          <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Sending...</Trans>}>
            <Trans>Change email</Trans>
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
