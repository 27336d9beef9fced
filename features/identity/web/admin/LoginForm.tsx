import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState } from 'react'
import { CallError } from '../../../../web/call.ts'
import { useSession } from '../../../../web/session.ts'
import { SubmitButton } from '../../../../web/ui/FormButtons.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'
import { EmailField } from '../../../../web/ui/TextField.tsx'
import { credentials } from '../../../../shared/accounts.ts'
import { knowsPasskeys, cancelPasskeyRequest } from '../passkeys.ts'
import type { SecondStepRequest } from '../second-step.ts'
import { enterAsAdmin, LOGIN_REFUSED, signInAsAdmin } from './admin-sign-in.ts'
import { translated } from '../../../../shared/messages.ts'

const PasskeyButton = lazy(() => import('../PasskeyButton.tsx'))

interface LoginFormProps {
  email: string
  /** True if the person returned to the password step. The password field then has the focus. */
  again: boolean
  onSecondStep: (request: SecondStepRequest, email: string) => void
}

/** Form with email, password and the 'Login' button (spec 2.17). Shows the messages of spec 8.5. */
export function LoginForm({ email, again, onSecondStep }: LoginFormProps) {
  const session = useSession()
  const form = useZodForm(credentials, {
    defaultValues: { email, password: '' },
    draft: { name: 'admin-sign-in', leaveOut: ['password'] },
  })
  const signIn = async (values: { email: string; password: string }) => {
    // An open passkey prompt would block the next browser prompt.
    if (knowsPasskeys()) await cancelPasskeyRequest()
    const response = await signInAsAdmin(values).catch((error: unknown) => {
      if (error instanceof CallError && error.message === '')
        throw new CallError(error.status, error.code, translated(LOGIN_REFUSED))
      throw error
    })
    if (typeof response === 'string') throw new CallError(403, 'not_an_admin', response)
    if (response) onSecondStep(response, values.email)
  }
  const [refusal, setRefusal] = useState<string | null>(null)
  const { setFocus } = form
  useEffect(() => {
    if (again) setFocus('password')
  }, [again, setFocus])
  return (
    <>
      {refusal && (
        <Notice tone="danger" focusable className="mb-5">
          {refusal}
        </Notice>
      )}
      <Form form={form} draftIsMarked onSubmit={signIn}>
        <EmailField autoComplete="username webauthn" {...form.field('email')} />
        <PasswordField {...form.field('password')} />
        <SubmitButton form={form} busy={session !== null} busyLabel={<Trans>Signing in...</Trans>}>
          <Trans>Login</Trans>
        </SubmitButton>
      </Form>
      <Suspense>
        <PasskeyButton onSession={(response) => setRefusal(enterAsAdmin(response))} disabled={session !== null} />
      </Suspense>
    </>
  )
}
