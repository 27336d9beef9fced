import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call, CallError } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { ErrorState } from '../../../../web/ui/States.tsx'
import { NewPasswordField } from '../../../../web/ui/NewPasswordField.tsx'
import { acceptInvitation } from '../../contract.ts'
import { newPasswordField, passwordChecks } from '../../rules.ts'
import { signInAsAdmin } from './admin-sign-in.ts'

const newPassword = z.object({ password: newPasswordField('standard') })

interface InvitationFormProps {
  code: string
  /** The password is set, and signing in with it did not go through by itself. */
  onSet: (email: string) => void
}

/** A new administrator's first password, by a link that works once; then they are signed in. */
export function InvitationForm({ code, onSet }: InvitationFormProps) {
  const [over, setOver] = useState<string | null>(null)
  const form = useZodForm(newPassword, { defaultValues: { password: '' } })
  const accept = async ({ password }: { password: string }) => {
    const { email } = await call(acceptInvitation, { code, password }).catch((error: unknown) => {
      // A link that is used up, too old or not complete: no other password would help.
      if (error instanceof CallError && (error.status === 409 || error.status === 400)) setOver(error.message)
      throw error
    })
    const refusal = await signInAsAdmin({ email, password }).catch(() => '')
    if (refusal !== null) onSet(email)
  }
  if (over !== null)
    return (
      <ErrorState
        title={<Trans>This link does not work</Trans>}
        actions={
          <Button look="primary" onClick={() => setQuery({ invitation: null })}>
            <Trans>Go to the login</Trans>
          </Button>
        }
      >
        {over}
      </ErrorState>
    )
  return (
    <Form form={form} onSubmit={accept}>
      <p className="text-muted">
        <Trans>You were invited to the administrator portal. Choose a password, and you are in.</Trans>
      </p>
      <NewPasswordField checks={passwordChecks(form.watch('password'))} {...form.field('password')} />
      <Button
        type="submit"
        look="primary"
        wide
        busy={form.formState.isSubmitting}
        busyLabel={<Trans>Signing in...</Trans>}
      >
        <Trans>Set the password</Trans>
      </Button>
    </Form>
  )
}
