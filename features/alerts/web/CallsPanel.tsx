import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { placeName } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Panel } from '../../../web/ui/Card.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { alertChoices } from '../contract.ts'
import { startCalls, callsCodeForm, callsForm, confirmCalls, myCalls, stopCalls } from '../contract-calls.ts'
import { focusPanel, PhoneAgreement, PhoneCode, PhoneOn, PhoneOff } from '../../../web/ui/PhoneConsent.tsx'

type Calls = ResponseOf<typeof myCalls>

const PANEL = 'alert-calls'

/** Reloads the choices below too, because they depend on the confirmed phone. */
const showChange = async () => {
  await reload(myCalls)
  await reload(alertChoices)
  focusPanel(PANEL)
}

/** Manages alert calls: a phone, which may be a landline, the spoken code, and a way to turn calls off. */
export function CallsPanel({ calls }: { calls: Calls }) {
  if (!calls.offered) return null
  const states = { off: TurnOn, unconfirmed: Confirm, on: On }
  const StatePanel = states[calls.state]
  return (
    <Panel id={PANEL} title={<Trans>Calls to your phone</Trans>} className="max-w-3xl">
      <StatePanel calls={calls} />
    </Panel>
  )
}

function TurnOn({ calls }: { calls: Calls }) {
  const { t } = useLingui()
  return (
    <PhoneAgreement
      rules={callsForm}
      phone={calls.profilePhone}
      phoneLabel={t`Phone for calls`}
      consent={calls.consent}
      ownOnly={<Trans>Only the person themselves can agree to calls.</Trans>}
      submit={<Trans>Call me with a code</Trans>}
      busyLabel={<Trans>Calling...</Trans>}
      onAgree={async (values) => {
        toast((await call(startCalls, values)).message)
        await showChange()
      }}
    >
      <Trans>
        A voice says the alert, in your language, on a landline too and without the internet. Emergencies ring at night
        as well.
      </Trans>
    </PhoneAgreement>
  )
}

function Confirm({ calls: { phone, from } }: { calls: Calls }) {
  const { t } = useLingui()
  return (
    <PhoneCode
      rules={callsCodeForm}
      label={t`The code of the call`}
      submit={<Trans>Turn calls on</Trans>}
      onConfirm={async (values) => {
        toast((await call(confirmCalls, values)).message)
        await showChange()
      }}
      restart={
        <Off>
          <Trans>Another number, or another call</Trans>
        </Off>
      }
    >
      <Trans>
        {from} calls {phone} and says a code twice. It is good for 10 minutes.
      </Trans>
    </PhoneCode>
  )
}

const On = ({ calls: { phone, from, stopped } }: { calls: Calls }) => (
  <PhoneOn
    phone={phone}
    stopped={
      stopped && (
        <Trans>
          Somebody pressed 9 on this phone, so {placeName} does not call it any more. Turn calls off and give another
          number to be called again.
        </Trans>
      )
    }
    off={
      <Off>
        <Trans>Turn calls off</Trans>
      </Off>
    }
  >
    <Trans>Calls come from {from}. Press 9 in a call to end them for good, or turn them off here.</Trans>
  </PhoneOn>
)

const Off = ({ children }: { children: ReactNode }) => (
  <PhoneOff onEnd={() => call(stopCalls, {})} onEnded={showChange}>
    {children}
  </PhoneOff>
)
