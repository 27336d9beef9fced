import { Trans } from '@lingui/react/macro'
import { PhoneCall } from 'lucide-react'
import { formatPhone } from '../../../shared/phone.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Disclosure } from '../../../web/ui/Disclosure.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { phoneSetup } from '../contract.ts'
import { phoneCalls } from '../list.ts'
import { PlayCall } from './PlayCall.tsx'

/** Screen with the calls of residents who pay by phone. In the sandbox, staff can also simulate a call. */
export default function PhonePaymentsScreen() {
  const { data: setup } = useResponse(phoneSetup, {})
  const mayPlay = setup?.canPlay === true && may('counter', 'create')
  const playing = useQueryParam('play') !== null && mayPlay
  const play = mayPlay && (
    <Button variant="primary" icon={PhoneCall} onClick={() => setQuery({ play: '1' })}>
      <Trans>Simulate a call</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={phoneCalls}
        rowName={({ phone, startedAt }) => `${phone} ${startedAt.slice(0, 10)}`}
        headActions={play}
        cells={{
          receipt: ({ receipt }) =>
            receipt === '' ? (
              '–'
            ) : (
              <Link className="link" to={`/municipality/reports/payments?payment=${receipt.slice(1)}`}>
                {receipt}
              </Link>
            ),
        }}
        empty={
          <EmptyState icon={PhoneCall} title={<Trans>No calls yet</Trans>} action={play}>
            <Trans>
              Residents call the municipality’s number, enter their account number and pay with a saved payment method.
            </Trans>
          </EmptyState>
        }
        note={setup && <Setup setup={setup} />}
      />
      {playing && <PlayCall onClose={() => setQuery({ play: null })} />}
    </>
  )
}

interface SetupProps {
  setup: { enabled: boolean; number: string; needsPin: boolean; voiceUrl: string; statusUrl: string }
}

const Setup = ({ setup: { enabled, number, needsPin, voiceUrl, statusUrl } }: SetupProps) => (
  <div className="flex flex-col gap-3">
    {enabled ? (
      <p>
        {needsPin ? (
          <Trans>Residents call {formatPhone(number)} and identify themselves with their PIN.</Trans>
        ) : (
          <Trans>
            Residents call {formatPhone(number)}. The portal recognizes the phone number that they confirmed for texts.
          </Trans>
        )}
      </p>
    ) : (
      <Notice tone="warning">
        <Trans>
          Payments by phone are turned off in the municipality’s settings. Callers hear a message about this.
        </Trans>
      </Notice>
    )}
    <Disclosure label={<Trans>Twilio setup for this number</Trans>}>
      <p>
        <Trans>Webhook URL for incoming calls (POST):</Trans> <code className="wrap-anywhere">{voiceUrl}</code>
      </p>
      <p>
        <Trans>Status callback URL for ended calls:</Trans> <code className="wrap-anywhere">{statusUrl}</code>
      </p>
    </Disclosure>
  </div>
)
