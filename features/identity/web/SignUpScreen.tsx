import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { takeFromUrl } from '../../../web/from-url.ts'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { rememberSignIn, useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { NewPasswordField } from '../../../web/ui/NewPasswordField.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { EmailField, TextField } from '../../../web/ui/TextField.tsx'
import { passwordRules, sendConfirmation, signUp, signUpForm } from '../contract.ts'
import { newPasswordField, passwordChecks } from '../../../shared/passwords.ts'
import { nextPath } from './next-path.ts'

/** Screen that creates a resident account. The result looks identical whether or not the email had an account. */
export default function SignUpScreen() {
  const session = useSession()
  const [result, setResult] = useState<SignUpResult | null>(null)
  const forwarded = useRef(false)
  useEffect(() => {
    // Forwards a person who already has a session.
    if (!session || result !== null || forwarded.current) return
    forwarded.current = true
    go(nextPath(session.un, takeFromUrl()), { replace: true })
  }, [session, result])
  return (
    <Measure className="py-10 md:py-16">
      <div className="mx-auto max-w-form">
        <PageHead title={<Trans>Sign Up</Trans>}>
          {result === null && (
            <Trans>One account for all of your municipality’s online services: bills, payments and requests.</Trans>
          )}
        </PageHead>
        {result === null ? <SignUpForm onDone={setResult} /> : <Done done={result} onErrors={() => setResult(null)} />}
      </div>
    </Measure>
  )
}

interface SignUpResult {
  message: string
  values: RequestOf<typeof signUp>
}

function SignUpForm({ onDone }: { onDone: (done: SignUpResult) => void }) {
  const { t } = useLingui()
  const { data } = useResponse(passwordRules, {})
  const rules = data?.rules ?? 'standard'
  const form = useZodForm(z.extend(signUpForm, { password: newPasswordField(rules) }), {
    defaultValues: { first_name: '', last_name: '', email: '', mobile_no: '', password: '' },
    draft: { name: 'sign-up', leaveOut: ['password'] },
  })
  return (
    <>
      <Card as="div">
        <Form
          form={form}
          onSubmit={async (values) => {
            const { message, session } = await call(signUp, values)
            onDone({ message, values })
            if (session) rememberSignIn(session)
          }}
        >
          <div className="grid items-start gap-5 md:grid-cols-2">
            <TextField label={t`First Name`} autoComplete="given-name" {...form.field('first_name')} />
            <TextField label={t`Last Name`} autoComplete="family-name" {...form.field('last_name')} />
          </div>
          <EmailField hint={t`You will use this email to sign in.`} {...form.field('email')} />
          <PhoneField label={t`Mobile phone`} optional shape="profile" {...form.field('mobile_no')} />
          <NewPasswordField
            label={<Trans>Password</Trans>}
            checks={passwordChecks(form.watch('password'), rules)}
            {...form.field('password')}
          />
          <SubmitButton form={form} busyLabel={<Trans>Creating your account...</Trans>}>
            <Trans>Sign Up</Trans>
          </SubmitButton>
        </Form>
      </Card>
      <p className="mt-5">
        <Trans>
          Already have an account?{' '}
          <Link className="link" to="/sign-in">
            Sign in
          </Link>
        </Trans>
      </p>
    </>
  )
}

interface DoneProps {
  done: SignUpResult
  onErrors: () => void
}

/**
 * Result of the sign-up. It looks the same if the email already has an account. In that case, resending sends another
 * email to the account owner.
 */
function Done({ done: { message, values }, onErrors }: DoneProps) {
  const { t } = useLingui()
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const { email } = values
  const sendAgain = async () => {
    setBusy(true)
    try {
      await (session ? call(sendConfirmation, {}) : call(signUp, values))
      toast(t`We sent another email to ${email}.`)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-col items-start gap-5">
      <Notice tone="success" title={<Trans>Please confirm your email.</Trans>} arrives className="w-full">
        <p className="wrap-anywhere">{message}</p>
        <div className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
          <button type="button" className="link" aria-disabled={busy} onClick={() => !busy && void sendAgain()}>
            <Trans>Resend email</Trans>
          </button>
          {session ? (
            <Link className="link" to="/profile/settings">
              <Trans>Change email address</Trans>
            </Link>
          ) : (
            <button type="button" className="link" onClick={onErrors}>
              <Trans>Change email address</Trans>
            </button>
          )}
        </div>
      </Notice>
      <Button variant="primary" onClick={() => go(nextPath(1, takeFromUrl()))}>
        <Trans>Continue</Trans>
      </Button>
    </div>
  )
}
