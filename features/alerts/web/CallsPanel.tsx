import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Panel } from '../../../web/ui/Card.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { alertChoices } from '../contract.ts'
import { startCalls, callsCodeForm, callsForm, confirmCalls, myCalls, optOutOfCalls } from '../contract-calls.ts'
import { focusPanel, PhoneAgreement, PhoneCode, PhoneOn, PhoneOff } from '../../../web/ui/PhoneConsent.tsx'

type Calls = ResponseOf<typeof myCalls>

const PANEL = 'alert-calls'

/** Reloads the choices below too, because they depend on the confirmed phone. */
const refreshPanel = async () => {
  await reload(myCalls)
  await reload(alertChoices)
  focusPanel(PANEL)
}

/** Shows the settings for alert calls: the phone (mobile or landline), the spoken code, and the opt-out. */
export function CallsPanel({ calls }: { calls: Calls }) {
  if (!calls.offered) return null
  const states = { off: TurnOn, unconfirmed: Confirm, on: On }
  const StatePanel = states[calls.state]
  return (
    <Panel id={PANEL} title={<Trans>Phone calls</Trans>} className="max-w-3xl">
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
      phoneLabel={t`Phone number for calls`}
      consent={calls.consent}
      ownOnly={<Trans>Only the resident can agree to calls.</Trans>}
      submit={<Trans>Call me with a code</Trans>}
      busyLabel={<Trans>Calling...</Trans>}
      onAgree={async (values) => {
        toast((await call(startCalls, values)).message)
        await refreshPanel()
      }}
    >
      <Trans>
        An automated voice reads the alert in your language. Calls also reach landlines and work without internet. You
        may receive emergency calls at night.
      </Trans>
    </PhoneAgreement>
  )
}

function Confirm({ calls: { phone, from } }: { calls: Calls }) {
  const { t } = useLingui()
  return (
    <PhoneCode
      rules={callsCodeForm}
      label={t`Code from the phone call`}
      submit={<Trans>Turn on calls</Trans>}
      onConfirm={async (values) => {
        toast((await call(confirmCalls, values)).message)
        await refreshPanel()
      }}
      restart={
        <Off>
          <Trans>Change number or call me again</Trans>
        </Off>
      }
    >
      <Trans>
        You will receive a call at {phone} from {from}. You will hear a code twice. The code is valid for 10 minutes.
      </Trans>
    </PhoneCode>
  )
}

const On = ({ calls: { phone, from, optedOut } }: { calls: Calls }) => (
  <PhoneOn
    phone={phone}
    optedOut={
      optedOut && (
        <Trans>
          Someone pressed 9 during a call to this phone, so {page().siteName} no longer calls it. To receive calls at a
          different number, first turn off calls here. Then enter the new number.
        </Trans>
      )
    }
    off={
      <Off>
        <Trans>Turn off calls</Trans>
      </Off>
    }
  >
    <Trans>Calls come from {from}. To stop all calls, press 9 during a call or turn off calls here.</Trans>
  </PhoneOn>
)

const Off = ({ children }: { children: ReactNode }) => (
  <PhoneOff onEnd={() => call(optOutOfCalls, {})} onEnded={refreshPanel}>
    {children}
  </PhoneOff>
)
