import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { CallError } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { ErrorState } from '../../../web/ui/States.tsx'
import { NewPasswordField } from '../../../web/ui/NewPasswordField.tsx'
import { newPasswordField, passwordChecks } from '../../../shared/passwords.ts'

const newPassword = z.object({ password: newPasswordField('standard') })

interface InvitationFormProps {
  /** Sets the password with the link's code and returns the account's email. */
  accept: (password: string) => Promise<{ email: string }>
  /** Signs in with the new password. @returns false if the sign-in needs another step */
  signIn: (credentials: { email: string; password: string }) => Promise<boolean>
  /** Called if the password is set but the automatic sign-in failed. */
  onSet: (email: string) => void
  /** Introduction text about the invitation. */
  children: ReactNode
  /** Label of the link to the regular sign-in page. */
  back: ReactNode
}

/** Form that sets a person's first password with a single-use link and signs the person in. */
export function InvitationForm({ accept, signIn, onSet, children, back }: InvitationFormProps) {
  const [expiredMessage, setExpiredMessage] = useState<string | null>(null)
  const form = useZodForm(newPassword, { defaultValues: { password: '' } })
  const set = async ({ password }: { password: string }) => {
    const { email } = await accept(password).catch((error: unknown) => {
      // The link is used, expired or incomplete, so a different password would not help.
      if (error instanceof CallError && (error.status === 409 || error.status === 400)) setExpiredMessage(error.message)
      throw error
    })
    const isIn = await signIn({ email, password }).catch(() => false)
    if (!isIn) onSet(email)
  }
  if (expiredMessage !== null)
    return (
      <ErrorState
        title={<Trans>This link does not work</Trans>}
        actions={
          <Button variant="primary" onClick={() => setQuery({ invitation: null })}>
            {back}
          </Button>
        }
      >
        {expiredMessage}
      </ErrorState>
    )
  return (
    <Form form={form} onSubmit={set}>
      <p className="text-muted">{children}</p>
      <NewPasswordField checks={passwordChecks(form.watch('password'))} {...form.field('password')} />
      <SubmitButton form={form} busyLabel={<Trans>Signing in...</Trans>}>
        <Trans>Set password</Trans>
      </SubmitButton>
    </Form>
  )
}
