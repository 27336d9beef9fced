import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { myRental, rentals } from '../contract.ts'
import { leaveWaitlist, myWaitlistPlace } from '../contract-waitlist.ts'
import { positionText } from '../rules.ts'

interface PlaceProps {
  reservationId: number
  of: ResponseOf<typeof myWaitlistPlace>
}

/** Resident's position in the waitlist, its end date, and a button to leave it. */
export function WaitlistPlace({ reservationId, of: { place, endsAt } }: PlaceProps) {
  const { act, busy, refusal } = useAct(() => Promise.all([myRental, rentals, myWaitlistPlace].map(reload)))
  return (
    <Notice title={place === null ? <Trans>You are no longer on the waitlist</Trans> : positionText(place)}>
      <Refusal>{refusal}</Refusal>
      <p className="mb-3">
        <Trans>
          If the time becomes available, we will hold it for you and email you. The waitlist closes on{' '}
          {longInstant(endsAt)}.
        </Trans>
      </p>
      <Button busy={busy} onClick={() => void act(() => call(leaveWaitlist, { reservationId }))}>
        <Trans>Leave waitlist</Trans>
      </Button>
    </Notice>
  )
}
