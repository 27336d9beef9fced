import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { changePassword, changePasswordForm, mySessions, passwordRules } from '../../../identity/contract.ts'
import { newPasswordField, passwordChecks } from '../../../identity/rules.ts'
import { call } from '../../../../web/call.ts'
import { reload, useAnswer } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { NewPasswordField } from '../../../../web/ui/NewPasswordField.tsx'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'

/** Changes the password, for which the present one is asked. */
export function PasswordPanel() {
  const { t } = useLingui()
  const { data } = useAnswer(passwordRules, {})
  const rules = data?.rules ?? 'standard'
  const form = useZodForm(z.extend(changePasswordForm, { password: newPasswordField(rules) }), {
    defaultValues: { current: '', password: '' },
  })
  const change = async (values: { current: string; password: string }) => {
    const { message } = await call(changePassword, values)
    form.reset({ current: '', password: '' })
    toast(message)
    await reload(mySessions)
  }
  return (
    <Panel id="password" title={<Trans>Your password</Trans>}>
      <Form form={form} onSubmit={change}>
        <PasswordField label={t`Present password`} {...form.field('current')} />
        <NewPasswordField checks={passwordChecks(form.watch('password'), rules)} {...form.field('password')} />
        <p className="text-muted text-sm">
          <Trans>You will be signed out everywhere else.</Trans>
        </p>
        <div>
          <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
            <Trans>Change the password</Trans>
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
