import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { mayEnterAdmin } from '../../../../shared/privileges.ts'
import { call } from '../../../../web/call.ts'
import { takeFromUrl } from '../../../../web/from-url.ts'
import { go, setQuery } from '../../../../web/go.ts'
import { useOneTimeCode } from '../../../../web/one-time-code.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { useSession } from '../../../../web/session.ts'
import { signOut } from '../../../../web/sign-out.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { LoadingState } from '../../../../web/ui/States.tsx'
import { acceptInvitation } from '../../contract.ts'
import { ConfirmSteps } from '../ConfirmEmail.tsx'
import { InvitationForm } from '../InvitationForm.tsx'
import { RequestLink, SetByLink } from '../PasswordForms.tsx'
import { WhyHere } from '../WhyHere.tsx'
import type { SecondStepRequest } from '../second-step.ts'
import { enterAsAdmin, signInAsAdmin, entryPath } from './admin-sign-in.ts'
import { AdminEntry } from './AdminEntry.tsx'
import { LoginForm } from './LoginForm.tsx'

const SecondStep = lazy(() => import('../SecondStep.tsx'))

/** Sign-in screen for administrators (spec 2.17). Also opens the link of an administrator invitation. */
export default function AdminSignInScreen() {
  const session = useSession()
  const invitation = useQueryParam('invitation')
  const [confirm, , spendConfirm] = useOneTimeCode('confirm')
  const [email, setEmail] = useState('')
  // Forwards a signed-in administrator only once, because the target path can be read only once.
  const led = useRef(false)
  useEffect(() => {
    if (!session || led.current || !mayEnterAdmin(session.un) || confirm !== null) return
    led.current = true
    go(entryPath(session.un, takeFromUrl()) ?? '/admin', { replace: true })
  }, [session, confirm])

  const [secondStep, setSecondStep] = useState<SecondStepRequest | null>(null)
  /**
   * Email that was entered with the correct password. The form shows it again if the person returns to the password
   * step.
   */
  const [typed, setTyped] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [reset, forgetReset, spendReset] = useOneTimeCode('reset')
  const forgot = useQueryParam('forgot') !== null

  if (confirm !== null)
    return (
      <AdminEntry title={<Trans>Confirm Your Email</Trans>}>
        <ConfirmSteps code={confirm} onUsed={spendConfirm} signIn="/admin/sign-in" home="/admin" />
      </AdminEntry>
    )
  if (reset !== null && !session)
    return (
      <AdminEntry title={<Trans>Set Your Password</Trans>}>
        <SetByLink
          code={reset}
          onUsed={spendReset}
          onSignIn={forgetReset}
          onRequestAgain={() => {
            forgetReset()
            setQuery({ forgot: '1' })
          }}
        />
      </AdminEntry>
    )
  if (forgot && !session)
    return (
      <AdminEntry title={<Trans>Reset Password</Trans>}>
        <RequestLink signIn="/admin/sign-in" />
      </AdminEntry>
    )
  if (session && !mayEnterAdmin(session.un)) return <NoAdminArea name={session.profileName} />
  if (invitation !== null && !session)
    return (
      <Invited
        code={invitation}
        onSet={(address) => {
          setEmail(address)
          setQuery({ invitation: null })
        }}
      />
    )
  if (secondStep && !session)
    return (
      <SecondStepOfAdmin
        request={secondStep}
        refusal={refusal}
        onRefusal={setRefusal}
        onBack={(reason) => {
          setRefusal(reason)
          setSecondStep(null)
        }}
      />
    )
  return (
    <AdminEntry title={<Trans>Admin Login</Trans>}>
      <WhyHere message={refusal} again={<Trans>Log in again to continue where you left off.</Trans>} />
      {email && !session && (
        <Notice tone="success" className="mb-5">
          <Trans>Your password is set. Use it to log in.</Trans>
        </Notice>
      )}
      <LoginForm
        key={typed ?? email}
        email={typed ?? email}
        again={typed !== null}
        onSecondStep={(response, credentials) => {
          setRefusal(null)
          setTyped(credentials)
          setSecondStep(response)
        }}
      />
      <p className="mt-4">
        <Link className="link" to="/admin/sign-in?forgot=1">
          <Trans>Forgot your password?</Trans>
        </Link>
      </p>
    </AdminEntry>
  )
}

const Invited = ({ code, onSet }: { code: string; onSet: (email: string) => void }) => (
  <AdminEntry title={<Trans>Set Your Password</Trans>}>
    <InvitationForm
      accept={(password) => call(acceptInvitation, { code, password })}
      signIn={async (credentials) => (await signInAsAdmin(credentials)) === null}
      onSet={onSet}
      back={<Trans>Go to login</Trans>}
    >
      <Trans>You were invited to the administrator portal. Choose a password to log in.</Trans>
    </InvitationForm>
  </AdminEntry>
)

interface SecondStepProps {
  request: SecondStepRequest
  refusal: string | null
  onRefusal: (refusal: string | null) => void
  /** Returns to the password form. `reason` is set if the second step expired. */
  onBack: (reason: string | null) => void
}

function SecondStepOfAdmin({ request, refusal, onRefusal, onBack }: SecondStepProps) {
  const { t } = useLingui()
  return (
    <AdminEntry
      title={
        request.second.methods.length === 0 ? (
          <Trans>Set Up Two-Factor Authentication</Trans>
        ) : (
          <Trans>Two-Factor Authentication</Trans>
        )
      }
    >
      {refusal && (
        <Notice tone="danger" focusable className="mb-5">
          {refusal}
        </Notice>
      )}
      <Suspense fallback={<LoadingState shape="block">{t`Loading`}</LoadingState>}>
        <SecondStep {...request} onSession={(response) => onRefusal(enterAsAdmin(response))} onBack={onBack} />
      </Suspense>
    </AdminEntry>
  )
}

/**
 * Message for people with role 900, who may sign in but have no admin area (spec 6.1). It includes a sign-out button.
 */
const NoAdminArea = ({ name }: { name: string }) => (
  <AdminEntry title={<Trans>Admin Login</Trans>}>
    <Notice tone="info" title={<Trans>You are signed in as {name}</Trans>} className="mb-5">
      <Trans>
        Your account does not have access to the administrator portal. If you need access, ask a platform manager.
      </Trans>
    </Notice>
    <Button wide onClick={() => void signOut('/admin/sign-in')}>
      <Trans>Log Out</Trans>
    </Button>
  </AdminEntry>
)
