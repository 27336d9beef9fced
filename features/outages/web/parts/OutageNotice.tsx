import { Plural, Trans } from '@lingui/react/macro'
import { shortInstant } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { outageNow } from '../../contract.ts'

const POLL_MS = 20_000

/** Notice for staff that cards and bank accounts cannot be charged. Empty without an outage. */
export function OutageNotice() {
  const { data } = useResponse(outageNow, {}, { refetchInterval: POLL_MS })
  if (!data?.outage) return null
  const { since, provider, second, tried } = data.outage
  return (
    <Notice
      tone="warning"
      className="mb-5"
      title={<Trans>Payments by card and bank account have not worked since {shortInstant(since)}</Trans>}
    >
      <p>
        {second ? (
          <Trans>
            {provider} is not responding. {second} is taking new payments from people who enter a card or bank account.
          </Trans>
        ) : (
          <Trans>
            {provider} is not responding. You can take cash, checks and money orders. Card readers do not work.
          </Trans>
        )}{' '}
        <Plural
          value={tried}
          _0="No one has tried to pay yet."
          one="Someone tried to make a payment for one account or ticket. No late fee will be added to it because of the outage."
          other="People tried to make payments for # accounts or tickets. No late fees will be added to them because of the outage."
        />{' '}
        <Link className="link" to="/municipality/reports/payment-outages">
          <Trans>View attempts</Trans>
        </Link>
      </p>
    </Notice>
  )
}
