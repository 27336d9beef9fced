import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { page } from '../../../../web/page.ts'
import { call } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { startTexts, confirmTexts, myTexts, optOutOfTexts, textsCodeForm, textsForm } from '../../contract.ts'
import type { Profile } from '../profile-form.ts'
import { PhoneAgreement, PhoneCode, PhoneOn, PhoneOff, focusPanel } from '../../../../web/ui/PhoneConsent.tsx'

type Texts = ResponseOf<typeof myTexts>

const PANEL = 'texts'

/**
 * Panel for text messages about payments and requests: the phone number, its confirmation code, and a button to stop
 * the messages.
 */
export function TextsPanel({ profile }: { profile: Profile }) {
  const { data, error, refetch } = useResponse(myTexts, {})
  if (data && !data.offered) return null
  return (
    <Panel id={PANEL} title={<Trans>Text messages</Trans>}>
      {error && !data && (
        <Failed
          error={error}
          title={<Trans>This information could not be loaded</Trans>}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && (
        <LoadingState rows={2}>
          <Trans>Loading</Trans>
        </LoadingState>
      )}
      {data?.state === 'off' && <TurnOn texts={data} mobile={profile.mobile_no} />}
      {data?.state === 'unconfirmed' && <Confirm texts={data} />}
      {data?.state === 'on' && <On texts={data} />}
    </Panel>
  )
}

function TurnOn({ texts, mobile }: { texts: Texts; mobile: string }) {
  const { t } = useLingui()
  return (
    <PhoneAgreement
      rules={textsForm}
      phone={mobile}
      phoneLabel={t`Mobile phone for texts`}
      consent={texts.consent}
      ownOnly={<Trans>Only the account holder can agree to texts.</Trans>}
      submit={<Trans>Send me a code</Trans>}
      busyLabel={<Trans>Sending...</Trans>}
      onAgree={async (values) => {
        toast((await call(startTexts, values)).message)
        await reload(myTexts)
      }}
    >
      <Trans>
        We will text you when a payment is completed or returned, and when a request is answered. You will still get the
        emails.
      </Trans>
    </PhoneAgreement>
  )
}

function Confirm({ texts: { phone } }: { texts: Texts }) {
  const { t } = useLingui()
  return (
    <PhoneCode
      rules={textsCodeForm}
      label={t`Code from the text message`}
      submit={<Trans>Turn on texts</Trans>}
      onConfirm={async (values) => {
        toast((await call(confirmTexts, values)).message)
        await reload(myTexts)
      }}
      restart={
        <Off>
          <Trans>Change number or get new code</Trans>
        </Off>
      }
    >
      <Trans>We sent a code to {phone}. It is valid for 10 minutes.</Trans>
    </PhoneCode>
  )
}

const On = ({ texts: { phone, optedOut, from } }: { texts: Texts }) => (
  <PhoneOn
    phone={phone}
    optedOut={
      optedOut &&
      (from ? (
        <Trans>
          This phone replied STOP, so {page().siteName} no longer sends texts to it. Text START to {from} to get texts
          again.
        </Trans>
      ) : (
        <Trans>
          This phone replied STOP, so {page().siteName} no longer sends texts to it. Reply START to get texts again.
        </Trans>
      ))
    }
    off={
      <Off>
        <Trans>Turn off texts</Trans>
      </Off>
    }
  >
    <Trans>To stop texts, reply STOP to any text or turn them off here.</Trans>
  </PhoneOn>
)

const Off = ({ children }: { children: ReactNode }) => (
  <PhoneOff
    onEnd={() => call(optOutOfTexts, {})}
    onEnded={async () => {
      await reload(myTexts)
      focusPanel(PANEL)
    }}
  >
    {children}
  </PhoneOff>
)
