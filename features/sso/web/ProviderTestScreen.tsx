import { Trans } from '@lingui/react/macro'
import { FlaskConical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { useParam, usePath } from '../../../web/routes.tsx'
import { leaveFor } from '../../../web/sso-trip.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { ssoTestState, startSsoTest, verifySsoTest } from '../contract.ts'
import { takeTrial } from './arrive.ts'

type VerifySsoTestResponse = ResponseOf<typeof verifySsoTest>
type State = ResponseOf<typeof ssoTestState>
type TestStep = 'ready' | 'leaving' | 'checking' | { failed: string } | { result: VerifySsoTestResponse }

/** Screen for testing the company's issuer without signing in (spec 2.3). */
export default function ProviderTestScreen() {
  const response = useResponse(ssoTestState, {})
  const shortName = useParam('provider')
  return (
    <>
      <PageHead title={<Trans>Provider Single Sign-On Test</Trans>}>
        <Trans>Runs a complete test sign-in and shows the result. No one is signed in and no account is linked.</Trans>
      </PageHead>
      <ResponseView response={response} shape="block" loading={<Trans>Loading settings</Trans>}>
        {(state) => (state.shortName === shortName.toLowerCase() ? <Trial {...state} /> : <OtherProvider {...state} />)}
      </ResponseView>
    </>
  )
}

const OtherProvider = ({ shortName }: State) => (
  <EmptyState
    title={<Trans>This municipality uses a different provider</Trans>}
    action={
      <LinkButton to={`/municipality/${shortName}-sso-test`}>
        <Trans>Open provider test</Trans>
      </LinkButton>
    }
  >
    <Trans>{shortName} processes this municipality’s payments. Open its test page instead.</Trans>
  </EmptyState>
)

function Trial({ provider, redirectUri }: State) {
  const here = usePath()
  const [step, setStep] = useState<TestStep>('ready')
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    const returned = takeTrial()
    if (!returned) return
    setStep('checking')
    call(verifySsoTest, returned).then(
      (result) => setStep({ result }),
      (failure: unknown) => setStep({ failed: messageOf(failure) }),
    )
  }, [])
  if (!provider)
    return (
      <EmptyState title={<Trans>Nothing to test yet</Trans>}>
        <Trans>
          Single sign-on is not set up for this municipality. Platform staff can set it up. The issuer must allow the
          redirect URI {redirectUri}.
        </Trans>
      </EmptyState>
    )
  const start = async () => {
    setStep('leaving')
    try {
      const { url, browser } = await call(startSsoTest, {})
      leaveFor(url, { browser, trial: here })
    } catch (failure) {
      setStep({ failed: messageOf(failure) })
    }
  }
  const result = typeof step === 'object' && 'result' in step ? step.result : null
  return (
    <div className="flex max-w-text flex-col gap-6">
      <Panel id="issuer" title={provider.label}>
        <DetailList
          details={[
            [<Trans key="issuer">Issuer</Trans>, provider.issuer],
            [<Trans key="use">In use</Trans>, provider.active ? <Trans>Yes</Trans> : <Trans>No, test only</Trans>],
            [<Trans key="for">Available to</Trans>, audienceLabels[provider.audience]],
            [<Trans key="back">Redirect URI</Trans>, redirectUri],
          ]}
        />
        <Button
          variant="primary"
          icon={FlaskConical}
          className="mt-5"
          busy={step === 'leaving' || step === 'checking'}
          busyLabel={step === 'checking' ? <Trans>Checking...</Trans> : <Trans>Opening {provider.label}...</Trans>}
          onClick={() => void start()}
        >
          {result ? <Trans>Try again</Trans> : <Trans>Start test</Trans>}
        </Button>
      </Panel>
      {typeof step === 'object' && 'failed' in step && (
        <Notice tone="danger" focusable title={<Trans>The test failed</Trans>}>
          {step.failed}
        </Notice>
      )}
      {result && <Result {...result} />}
    </div>
  )
}

const audienceLabels = {
  residents: <Trans>Residents</Trans>,
  staff: <Trans>Staff</Trans>,
  both: <Trans>Residents and staff</Trans>,
}

const Result = ({ would, issuer, subject, emailVerified, fields, otherClaims }: VerifySsoTestResponse) => (
  <div role="status" className="flex flex-col gap-6">
    <Notice tone="success" title={<Trans>The test succeeded</Trans>}>
      {would}
    </Notice>
    <Panel id="result" title={<Trans>Response from the issuer</Trans>}>
      <DetailList
        details={[
          [<Trans key="issuer">Issuer</Trans>, issuer],
          [<Trans key="subject">Subject (sub)</Trans>, subject],
          ...fields.map(
            ({ field, claim, value }) =>
              [
                `${field} (${claim})`,
                value || (
                  <em key={field}>
                    <Trans>not provided</Trans>
                  </em>
                ),
              ] as const,
          ),
          [<Trans key="verified">Email verified</Trans>, emailVerified ? <Trans>Yes</Trans> : <Trans>No</Trans>],
          [<Trans key="others">Other claims</Trans>, otherClaims.join(', ') || '–'],
        ]}
      />
    </Panel>
  </div>
)
