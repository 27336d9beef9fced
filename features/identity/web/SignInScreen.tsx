import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isBuilt } from '../../../shared/screens.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { takeFromUrl } from '../../../web/from-url.ts'
import { go } from '../../../web/go.ts'
import { useOneTimeCode } from '../../../web/one-time-code.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { rememberSignIn, useSession } from '../../../web/session.ts'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { PasswordField } from '../../../web/ui/PasswordField.tsx'
import { EmailField } from '../../../web/ui/TextField.tsx'
import { takePending } from '../../../web/pending-second-step.ts'
import { credentials } from '../../../shared/accounts.ts'
import { signIn } from '../contract.ts'
import { ConfirmEmail } from './ConfirmEmail.tsx'
import { WhyHere } from './WhyHere.tsx'
import type { SecondStepRequest } from './second-step.ts'
import { nextPath } from './next-path.ts'

const SecondStep = lazy(() => import('./SecondStep.tsx'))
const PasskeyButton = lazy(() => import('./PasskeyButton.tsx'))
/** Single sign-on button, for companies that use single sign-on. */
const SsoSignIn = lazy(() => import('./SsoSignIn.tsx'))
const CompanyInvitation = lazy(() => import('./CompanyInvitation.tsx'))

/** Screen where residents and municipality staff sign in. Forwards them to the page that they requested (spec 6.2). */
export default function SignInScreen() {
  // The link that confirms an email leads here, with or without a session.
  const [code, , spend] = useOneTimeCode('confirm')
  return code === null ? <SignIn /> : <ConfirmEmail code={code} onUsed={spend} signIn="/sign-in" home="/home" />
}

function SignIn() {
  const session = useSession()
  // Forwards a signed-in person only once, because the target path can be read only once.
  const forwarded = useRef(false)
  useEffect(() => {
    if (!session || forwarded.current) return
    forwarded.current = true
    go(nextPath(session.un, takeFromUrl()), { replace: true })
  }, [session])

  const form = useZodForm(credentials, {
    defaultValues: { email: '', password: '' },
    draft: { name: 'sign-in', leaveOut: ['password'] },
  })
  // Another sign-in method may have opened this page for its second step.
  const [secondStep, setSecondStep] = useState(() => takePending<SecondStepRequest>())
  const [endReason, setEndReason] = useState<string | null>(null)
  const submit = async (values: { email: string; password: string }) => {
    setEndReason(null)
    const response = await call(signIn, values)
    if (!('second' in response)) return rememberSignIn(response)
    form.setValue('password', '')
    setSecondStep(response)
  }
  // True if the person returned from the second step. The password field then gets the focus.
  const backToPassword = useRef(false)
  useEffect(() => {
    if (secondStep || !backToPassword.current) return
    backToPassword.current = false
    form.setFocus('password')
  }, [secondStep, form])
  const invitation = useQueryParam('invitation')
  if (invitation !== null && !session) return <InvitationPage code={invitation} />
  if (secondStep)
    return (
      <SecondStepPage
        request={secondStep}
        onBack={(reason) => {
          backToPassword.current = true
          setEndReason(reason)
          setSecondStep(null)
        }}
      />
    )
  return (
    <Measure className="py-10 md:py-16">
      <div className="mx-auto max-w-form">
        <PageHead title={<Trans>Sign In</Trans>} />
        <WhyHere message={endReason} again={<Trans>Sign in again to continue where you left off.</Trans>} />
        <Card as="div">
          <Form form={form} draftIsMarked onSubmit={submit}>
            <EmailField autoComplete="username webauthn" {...form.field('email')} />
            <PasswordField {...form.field('password')} />
            <SubmitButton form={form} busy={session !== null} busyLabel={<Trans>Signing in...</Trans>}>
              <Trans>Sign In</Trans>
            </SubmitButton>
          </Form>
          <Suspense fallback={'PublicKeyCredential' in globalThis && <div className="h-16" />}>
            <PasskeyButton onSession={rememberSignIn} disabled={session !== null} />
          </Suspense>
        </Card>
        <OtherLinks />
        {/* The single sign-on button is last on the page, because it loads late and must not shift the other content. */}
        <Suspense>
          <SsoSignIn />
        </Suspense>
      </div>
    </Measure>
  )
}

function InvitationPage({ code }: { code: string }) {
  const { t } = useLingui()
  return (
    <Measure className="py-10 md:py-16">
      <div className="mx-auto max-w-form">
        <Suspense fallback={<LoadingState shape="block">{t`Loading`}</LoadingState>}>
          <CompanyInvitation code={code} />
        </Suspense>
      </div>
    </Measure>
  )
}

interface SecondStepPageProps {
  request: SecondStepRequest
  /** Returns to the password form. `reason` is set if the second step expired. */
  onBack: (reason: string | null) => void
}

function SecondStepPage({ request, onBack }: SecondStepPageProps) {
  const { t } = useLingui()
  return (
    <Measure className="py-10 md:py-16">
      <div className="mx-auto max-w-form">
        <PageHead title={<SecondTitle request={request} />} />
        <Card as="div">
          <Suspense fallback={<LoadingState shape="block">{t`Loading`}</LoadingState>}>
            <SecondStep {...request} onSession={rememberSignIn} onBack={onBack} />
          </Suspense>
        </Card>
      </div>
    </Measure>
  )
}

const OtherLinks = () => (
  <div className="mt-5 flex flex-wrap gap-x-6 gap-y-2">
    {isBuilt('/reset-password') && (
      <Link className="link" to="/reset-password">
        <Trans>Forgot your password?</Trans>
      </Link>
    )}
    {page().company?.isOnline === 1 && (
      <>
        <Link className="link" to="/sign-up">
          <Trans>Create an account</Trans>
        </Link>
        <Link className="link" to="/guest-utility-payment">
          <Trans>Pay a utility bill without signing in</Trans>
        </Link>
      </>
    )}
  </div>
)

const SecondTitle = ({ request }: { request: SecondStepRequest }) =>
  request.second.methods.length === 0 ? (
    <Trans>Set Up Two-Factor Authentication</Trans>
  ) : (
    <Trans>Two-Factor Authentication</Trans>
  )
