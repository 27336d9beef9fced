import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { acceptRegistration, offeredRegistration } from '../contract.ts'
import { kinds, OWN_PATH } from '../rules.ts'
import { reloadOwn } from './fresh.ts'

/** Offer of a registration transfer. The person opens it from the link in an email. */
export function OfferedRegistration({ token }: { token: string }) {
  const { t } = useLingui()
  const response = useResponse(offeredRegistration, { token })
  const own = !useSession()?.impersonating
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const accept = async () => {
    setBusy(true)
    try {
      const { id, message } = await call(acceptRegistration, { token })
      toast(message)
      await reloadOwn()
      go(`${OWN_PATH}?registration=${id}`)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <ResponseView response={response} shape="lines" loading={<Trans>Loading the offer</Trans>}>
      {({ number, kind, name, location, from }) => (
        <Panel
          id="offer"
          title={<Trans>{from} wants to transfer this registration to you</Trans>}
          className="max-w-180"
        >
          <DetailList
            details={[
              [t`Number`, number],
              [t`Kind`, translated(kinds[kind])],
              [t`Name`, name],
              [t`Address`, location],
            ]}
          />
          <p className="my-4">
            <Trans>
              Accept the registration only if the business or property is now yours. The registration number will stay
              the same, and we will verify the registration.
            </Trans>
          </p>
          <Refusal className="mb-4">{refusal}</Refusal>
          {own && (
            <Button variant="primary" busy={busy} onClick={() => void accept()}>
              <Trans>Accept transfer</Trans>
            </Button>
          )}
        </Panel>
      )}
    </ResponseView>
  )
}
