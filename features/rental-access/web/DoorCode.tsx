import { Trans } from '@lingui/react/macro'
import { longInstant } from '../../../web/clock.ts'
import { useAnswer } from '../../../web/query.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { myAccess } from '../contract.ts'

/**
 * Door code of the resident's reservation, or the time when it will appear. Renders nothing without a door. Placed
 * last, so that loading it moves nothing above.
 */
export function DoorCode({ reservationId }: { reservationId: number }) {
  const { data } = useAnswer(myAccess, { reservationId })
  if (!data || data.is === 'none') return null
  return (
    <Notice title={<Trans>The door opens by a code</Trans>}>
      {data.is === 'here' ? (
        <>
          <p className="text-h3 tabular-nums tracking-widest">{data.code}</p>
          <p>
            <Trans>
              It opens from {longInstant(data.from)} until {longInstant(data.until)}. Give it to nobody who does not
              need it.
            </Trans>
          </p>
        </>
      ) : (
        <Trans>You see it here, and get it by mail, from a day before your reservation on.</Trans>
      )}
    </Notice>
  )
}
