import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isBuilt } from '../../../shared/screens.ts'
import { boot } from '../../../web/boot.ts'
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
import { takeAsked } from '../../../web/second-asked.ts'
import { credentials } from '../../../shared/accounts.ts'
import { signIn } from '../contract.ts'
import { ConfirmEmail } from './ConfirmEmail.tsx'
import { WhyHere } from './WhyHere.tsx'
import type { SecondStepRequest } from './second-step.ts'
import { wayOn } from './way-on.ts'

const SecondStep = lazy(() => import('./SecondStep.tsx'))
const PasskeyButton = lazy(() => import('./PasskeyButton.tsx'))
/** The town's single sign-on, where it has one. */
const SsoSignIn = lazy(() => import('./SsoSignIn.tsx'))
const TownInvitation = lazy(() => import('./TownInvitation.tsx'))

/** Signs residents and municipality staff in, and leads them to where they were going (specification 6.2). */
export default function SignInScreen() {
  // The link that confirms an email leads here, whether somebody is signed in or not.
  const [code, , spend] = useOneTimeCode('confirm')
  return code === null ? <SignIn /> : <ConfirmEmail code={code} onUsed={spend} signIn="/sign-in" home="/home" />
}

function SignIn() {
  const { t } = useLingui()
  const session = useSession()
  // Whoever is signed in, before or by now, has nothing to do here. Forwarded once, since the way there is handed out once.
  const forwarded = useRef(false)
  useEffect(() => {
    if (!session || forwarded.current) return
    forwarded.current = true
    go(wayOn(session.un, takeFromUrl()), { replace: true })
  }, [session])

  const form = useZodForm(credentials, {
    defaultValues: { email: '', password: '' },
    draft: { name: 'sign-in', leaveOut: ['password'] },
  })
  // Another way to sign in may have led here for its second step.
  const [asked, setAsked] = useState(() => takeAsked<SecondStepRequest>())
  const [over, setOver] = useState<string | null>(null)
  const begin = async (values: { email: string; password: string }) => {
    setOver(null)
    const answer = await call(signIn, values)
    if (!('second' in answer)) return rememberSignIn(answer)
    form.setValue('password', '')
    setAsked(answer)
  }
  // The focus goes where it is needed next.
  const backToPassword = useRef(false)
  useEffect(() => {
    if (asked || !backToPassword.current) return
    backToPassword.current = false
    form.setFocus('password')
  }, [asked, form])
  const invitation = useQueryParam('invitation')
  if (invitation !== null && !session)
    return (
      <Measure className="py-10 md:py-16">
        <div className="mx-auto max-w-form">
          <Suspense fallback={<LoadingState shape="block">{t`Loading`}</LoadingState>}>
            <TownInvitation code={invitation} />
          </Suspense>
        </div>
      </Measure>
    )
  if (asked)
    return (
      <Measure className="py-10 md:py-16">
        <div className="mx-auto max-w-form">
          <PageHead title={<SecondTitle asked={asked} />} />
          <Card as="div">
            <Suspense fallback={<LoadingState shape="block">{t`Loading`}</LoadingState>}>
              <SecondStep
                {...asked}
                onSession={rememberSignIn}
                onBack={(sentence) => {
                  backToPassword.current = true
                  setOver(sentence)
                  setAsked(null)
                }}
              />
            </Suspense>
          </Card>
        </div>
      </Measure>
    )
  return (
    <Measure className="py-10 md:py-16">
      <div className="mx-auto max-w-form">
        <PageHead title={<Trans>Sign In</Trans>} />
        <WhyHere said={over} again={<Trans>Sign in again to go on where you were.</Trans>} />
        <Card as="div">
          <Form form={form} draftIsMarked onSubmit={begin}>
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
        <div className="mt-5 flex flex-wrap gap-x-6 gap-y-2">
          {isBuilt('/reset-password') && (
            <Link className="link" to="/reset-password">
              <Trans>Forgot your password?</Trans>
            </Link>
          )}
          {boot.company?.isOnline === 1 && (
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
        {/* Last, since it comes later than the rest, and moves nothing then. */}
        <Suspense>
          <SsoSignIn />
        </Suspense>
      </div>
    </Measure>
  )
}

const SecondTitle = ({ asked }: { asked: SecondStepRequest }) =>
  asked.second.methods.length === 0 ? <Trans>Set Up Your Second Step</Trans> : <Trans>Second Step</Trans>
