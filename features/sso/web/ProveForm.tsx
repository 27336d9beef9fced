import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { goOnTo } from '../../../web/from-url.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { PasswordField } from '../../../web/ui/PasswordField.tsx'
import { EmailField } from '../../../web/ui/TextField.tsx'
import { credentials } from '../../../shared/accounts.ts'
import { linkSso, type Pending } from '../contract.ts'

interface Props {
  pending: Pending
  /** Email of the signed-in person. Empty if no one is signed in. */
  signedInAs: string
  onLinked: (response: ResponseOf<typeof linkSso>) => void
  onLeave: () => void
}

/** Form that asks once for the account's password, even if the issuer reports the same email. */
export function ProveForm({ pending, signedInAs, onLinked, onLeave }: Props) {
  const { t } = useLingui()
  const { ticket, email, label, maySignUp, reason } = pending
  const form = useZodForm(credentials, { defaultValues: { email: email || signedInAs, password: '' } })
  return (
    <>
      <div className="mb-5 max-w-text">
        <Why {...pending} />
      </div>
      <Card as="div">
        <Form form={form} onSubmit={async (values) => onLinked(await call(linkSso, { ...values, ticket }))}>
          <EmailField autoComplete="username" {...form.field('email')} />
          <PasswordField hint={t`Your password for this portal`} {...form.field('password')} />
          <SubmitButton form={form} busyLabel={<Trans>Linking...</Trans>}>
            <Trans>Link {label} and sign in</Trans>
          </SubmitButton>
        </Form>
      </Card>
      <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-2">
        {maySignUp && reason !== 'known_email' && !signedInAs && (
          <Link className="link" to="/sign-up" onClick={() => goOnTo('/sso-auth-complete')}>
            <Trans>Create an account first</Trans>
          </Link>
        )}
        <Link className="link" to="/reset-password">
          <Trans>Forgot your password?</Trans>
        </Link>
        <Button variant="quiet" onClick={onLeave}>
          <Trans>Do not link accounts</Trans>
        </Button>
      </div>
    </>
  )
}

function Why({ reason, label, customer }: Pending) {
  if (reason === 'customer')
    return (
      <p>
        <Trans>
          {label} reports that you are customer <strong>{customer}</strong>. Which account here is yours? Enter its
          email and password once to confirm it. After that, you can sign in with {label}.
        </Trans>
      </p>
    )
  if (reason === 'known_email')
    return (
      <p>
        <Trans>
          An account with this email already exists. Enter its password once to confirm that it is yours. After that,
          you can sign in with {label}.
        </Trans>
      </p>
    )
  return (
    <p>
      <Trans>
        {label} recognizes you, but we do not know which account here is yours. Enter that account’s email and password
        once to confirm it. After that, you can sign in with {label}.
      </Trans>
    </p>
  )
}
