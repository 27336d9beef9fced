import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { myRental, rentals } from '../contract.ts'
import { leaveWaitlist, myWaitlistPosition } from '../contract-waitlist.ts'
import { positionText } from '../rules.ts'

interface WaitlistPositionProps {
  reservationId: number
  of: ResponseOf<typeof myWaitlistPosition>
}

/** Resident's position on the waitlist, the day when the waitlist ends, and a button to leave the waitlist. */
export function WaitlistPosition({ reservationId, of: { position, endsAt } }: WaitlistPositionProps) {
  const { act, busy, refusal } = useAct(() => Promise.all([myRental, rentals, myWaitlistPosition].map(reload)))
  return (
    <Notice title={position === null ? <Trans>You are no longer on the waitlist</Trans> : positionText(position)}>
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
