import { Trans } from '@lingui/react/macro'
import { longInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { myAccess } from '../contract.ts'

/**
 * Door code of the resident's reservation, or the time when the code will appear. Renders nothing if no door code is
 * used. Stays last on the page, so that loading it does not move other content.
 */
export function DoorCode({ reservationId }: { reservationId: number }) {
  const { data } = useResponse(myAccess, { reservationId })
  if (!data || data.is === 'none') return null
  return (
    <Notice title={<Trans>Door code</Trans>}>
      {data.is === 'here' ? (
        <>
          <p className="text-h3 tabular-nums tracking-widest">{data.code}</p>
          <p>
            <Trans>
              Valid from {longInstant(data.from)} until {longInstant(data.until)}. Share the code only with people who
              need it.
            </Trans>
          </p>
        </>
      ) : (
        <Trans>Your door code will appear here, and we will email it to you, one day before your reservation.</Trans>
      )}
    </Notice>
  )
}
