import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { AppOrRecoveryCode } from '../../../../web/ui/CodeField.tsx'
import { myFactors } from '../../../factors/contract.ts'
import { changePassword, changePasswordForm, mySessions, passwordRules } from '../../../identity/contract.ts'
import { newPasswordField, passwordChecks } from '../../../../shared/passwords.ts'
import { call } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { NewPasswordField } from '../../../../web/ui/NewPasswordField.tsx'
import { OtherSignInMethods } from '../../../../web/ui/OtherSignInMethods.tsx'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'

/** Panel to change the password, which requires the current one. */
export function PasswordPanel() {
  const { t } = useLingui()
  const { data } = useResponse(passwordRules, {})
  const rules = data?.rules ?? 'standard'
  const form = useZodForm(z.extend(changePasswordForm, { password: newPasswordField(rules) }), {
    defaultValues: { current: '', password: '', code: undefined },
  })
  const hasApp = (useResponse(myFactors, {}).data?.app ?? null) !== null
  const [did, setDid] = useState<ResponseOf<typeof changePassword> | null>(null)
  const change = async (values: { current: string; password: string; code?: string | undefined }) => {
    const response = await call(changePassword, values)
    form.reset({ current: '', password: '', code: undefined })
    setDid(response)
    toast(response.message)
    await Promise.all([reload(mySessions), reload(myFactors)])
  }
  return (
    <Panel id="password" title={<Trans>Your password</Trans>}>
      <Form form={form} onSubmit={change}>
        <PasswordField label={t`Current password`} {...form.field('current')} />
        {hasApp && <AppOrRecoveryCode {...form.field('code')} />}
        <NewPasswordField checks={passwordChecks(form.watch('password'), rules)} {...form.field('password')} />
        <p className="text-muted text-sm">
          <Trans>You will be signed out everywhere else.</Trans>
        </p>
        <div>
          <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Saving...</Trans>}>
            <Trans>Change password</Trans>
          </Button>
        </div>
      </Form>
      {did && (did.changeEnded || did.others.length > 0) && (
        <div className="mt-5 flex flex-col gap-4" role="status">
          <OtherSignInMethods {...did} />
        </div>
      )}
    </Panel>
  )
}
