import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX, FlaskConical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call, messageOf } from '../../../web/call.ts'
import { may, useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { TEST_CHARGE_CENTS, testCharge } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

type TestChargeResponse = ResponseOf<typeof testCharge>
type State = 'ready' | 'trying' | { failed: string } | { tried: TestChargeResponse }

const amount = formatCents(TEST_CHARGE_CENTS)

/**
 * Screen that runs a test charge at the provider (spec 2.2). The charge is not a payment and appears in no ledger or
 * report.
 */
export default function PaymentTestScreen() {
  // Makes the screen render again when a different person signs in.
  useSession()
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Payment Test</Trans>}>
        <Trans>
          This test charges {amount} to the provider’s test card or bank account and refunds it immediately. The test
          does not appear in any report.
        </Trans>
      </PageHead>
      {may('payments', 'create') ? (
        <Trial />
      ) : (
        <Notice title={<Trans>You do not have access to this page</Trans>}>
          <Trans>This page is for staff who can take payments. Ask your administrator for access.</Trans>
        </Notice>
      )}
    </Measure>
  )
}

function Trial() {
  const [state, setState] = useState<State>('ready')
  const pay = async () => {
    setState('trying')
    try {
      setState({ tried: await call(testCharge, {}) })
    } catch (error) {
      setState({ failed: messageOf(error) })
    }
  }
  return (
    <div className="flex max-w-text flex-col items-start gap-6">
      <Button
        variant="primary"
        icon={FlaskConical}
        busy={state === 'trying'}
        busyLabel={<Trans>Running test...</Trans>}
        onClick={() => void pay()}
      >
        <Trans>Run {amount} test payment</Trans>
      </Button>
      {typeof state === 'object' && 'failed' in state && (
        <Notice tone="danger" focusable title={<Trans>Could not run the test</Trans>}>
          {state.failed}
        </Notice>
      )}
      {typeof state === 'object' && 'tried' in state && <Result {...state.tried} />}
    </div>
  )
}

const stepLabels: Record<TestChargeResponse['steps'][number]['what'], ReactNode> = {
  account: <Trans>Find the municipality’s account with the provider</Trans>,
  card: <Trans>Set up the test card or bank account</Trans>,
  create: <Trans>Create the charge</Trans>,
  confirm: <Trans>Confirm the charge</Trans>,
  refund: <Trans>Refund the charge</Trans>,
  check: <Trans>Check that the full amount was refunded</Trans>,
}

function Result({ success, message, steps }: TestChargeResponse) {
  const { t } = useLingui()
  return (
    <div role="status" className="flex w-full flex-col gap-6">
      <Notice tone={success ? 'success' : 'danger'} title={message} />
      <Panel id="steps" title={<Trans>Test steps</Trans>}>
        <ol className="flex flex-col">
          {steps.map(({ what, passed, result, milliseconds }) => (
            <li key={what} className="flex gap-3 border-line border-b py-2 last:border-b-0">
              {passed ? (
                <CircleCheck size={20} aria-label={t`done`} className="mt-0.5 shrink-0 text-success" />
              ) : (
                <CircleX size={20} aria-label={t`failed`} className="mt-0.5 shrink-0 text-danger" />
              )}
              <div className="min-w-0 flex-1 wrap-anywhere">
                <strong>{stepLabels[what]}</strong>
                <p className="text-muted text-sm">{result}</p>
              </div>
              <span className="shrink-0 text-muted text-sm tabular-nums">
                <Text>{milliseconds}</Text> ms
              </span>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}
