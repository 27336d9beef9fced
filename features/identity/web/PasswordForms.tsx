import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { OtherSignInMethods } from '../../../web/ui/OtherSignInMethods.tsx'
import { NewPasswordField } from '../../../web/ui/NewPasswordField.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { ErrorState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { EmailField } from '../../../web/ui/TextField.tsx'
import { emailForm, passwordRules, resetPassword, setPassword } from '../contract.ts'
import { newPasswordField, passwordChecks } from '../../../shared/passwords.ts'

interface RequestLinkProps {
  /** Path of the sign-in page. */
  signIn: string
}

/** Form that requests a reset link for a forgotten password. The confirmation is identical for every email. */
export function RequestLink({ signIn }: RequestLinkProps) {
  const [sentMessage, setSentMessage] = useState<string | null>(null)
  const form = useZodForm(emailForm, { defaultValues: { email: '' }, draft: { name: 'reset-password' } })
  const back: ReactNode = (
    <LinkButton to={signIn} variant="quiet">
      <Trans>Back to sign-in</Trans>
    </LinkButton>
  )
  if (sentMessage !== null)
    return (
      <div className="flex flex-col items-start gap-5">
        <Notice tone="success" title={<Trans>Check your email</Trans>} arrives className="w-full">
          <p className="wrap-anywhere">{sentMessage}</p>
        </Notice>
        <p className="text-muted">
          <Trans>No email yet? Check your spam folder and the spelling of your address.</Trans>
        </p>
        {back}
      </div>
    )
  return (
    <Form form={form} onSubmit={async (values) => setSentMessage((await call(resetPassword, values)).msg)}>
      <p className="text-muted">
        <Trans>Enter the email address for your account. We will email you a link to set a new password.</Trans>
      </p>
      <EmailField autoComplete="username" {...form.field('email')} />
      <SubmitButton form={form} busyLabel={<Trans>Sending...</Trans>}>
        <Trans>Send link</Trans>
      </SubmitButton>
      {back}
    </Form>
  )
}

interface SetByLinkProps {
  code: string
  /** Called if the link was used or is not valid. */
  onUsed: () => void
  onSignIn: () => void
  onRequestAgain: () => void
}

/** Form that sets a new password with an emailed link. */
export function SetByLink({ code, onUsed, onSignIn, onRequestAgain }: SetByLinkProps) {
  const [expired, setExpired] = useState(!/^[\w-]{43}$/.test(code))
  const [done, setDone] = useState<ResponseOf<typeof setPassword> | null>(null)
  const { data, error, isPending, refetch } = useResponse(passwordRules, { code }, { enabled: !expired })
  const rules = data?.rules ?? 'standard'
  const form = useZodForm(z.object({ password: newPasswordField(rules) }), { defaultValues: { password: '' } })
  const set = async ({ password }: { password: string }) => {
    const response = await call(setPassword, { code, password }).catch((failure: unknown) => {
      // The link is no longer valid, so another password would not help.
      if (failure instanceof CallError && failure.status === 409) setExpired(true)
      throw failure
    })
    setDone(response)
  }
  const isUsed = expired || done !== null || (data?.link ?? 'good') !== 'good'
  const reportUsed = useEffectEvent(onUsed)
  useEffect(() => {
    if (isUsed) reportUsed()
  }, [isUsed])
  if (done !== null)
    return (
      <div className="flex flex-col items-start gap-5">
        <Notice tone="success" arrives className="w-full">
          {done.message}
        </Notice>
        <OtherSignInMethods {...done} />
        <Button variant="primary" onClick={onSignIn}>
          <Trans>Go to the sign-in page</Trans>
        </Button>
      </div>
    )
  if (data?.link === 'used' && !expired)
    return (
      <div className="flex flex-col items-start gap-5">
        <Notice tone="info" title={<Trans>This link was already used</Trans>} focusable className="w-full">
          <p>
            <Trans>
              A password was set with this link. Sign in with that password. If you did not set it, request a new link.
            </Trans>
          </p>
        </Notice>
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" onClick={onSignIn}>
            <Trans>Go to the sign-in page</Trans>
          </Button>
          <Button onClick={onRequestAgain}>
            <Trans>Request a new link</Trans>
          </Button>
        </div>
      </div>
    )
  if (expired || data?.link === 'expired' || data?.link === 'newer')
    return (
      <ErrorState
        title={<Trans>This link does not work</Trans>}
        actions={
          <Button variant="primary" onClick={onRequestAgain}>
            <Trans>Request a new link</Trans>
          </Button>
        }
      >
        {data?.link === 'newer' ? (
          <Trans>We emailed you a newer link. Open that one. Your password has not changed.</Trans>
        ) : (
          <Trans>
            This link is more than one hour old, was cancelled or is incomplete. Your password has not changed.
          </Trans>
        )}
      </ErrorState>
    )
  if (isPending)
    return (
      <LoadingState shape="lines" rows={3}>
        <Trans>Checking your link</Trans>
      </LoadingState>
    )
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <Form form={form} onSubmit={set}>
      <p className="text-muted">
        <Trans>Choose a new password. You will be signed out everywhere else.</Trans>
      </p>
      <NewPasswordField checks={passwordChecks(form.watch('password'), rules)} {...form.field('password')} />
      <SubmitButton form={form} busyLabel={<Trans>Saving...</Trans>}>
        <Trans>Set password</Trans>
      </SubmitButton>
    </Form>
  )
}
