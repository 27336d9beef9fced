import { Plural, Trans } from '@lingui/react/macro'
import { shortInstant } from '../../../../web/clock.ts'
import { useAnswer } from '../../../../web/query.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { outageNow } from '../../contract.ts'

const ASKS_EVERY_MS = 20_000

/** Notice for staff that cards and bank accounts cannot be charged. Empty without an outage. */
export function OutageNotice() {
  const { data } = useAnswer(outageNow, {}, { refetchInterval: ASKS_EVERY_MS })
  if (!data?.outage) return null
  const { since, provider, second, tried } = data.outage
  return (
    <Notice
      tone="warning"
      className="mb-5"
      title={<Trans>Payments by card and bank account do not work since {shortInstant(since)}</Trans>}
    >
      <p>
        {second ? (
          <Trans>
            {provider} does not answer. {second} takes new payments of those who type a card or bank account.
          </Trans>
        ) : (
          <Trans>
            {provider} does not answer. Cash, checks and money orders can be taken; readers of cards can not.
          </Trans>
        )}{' '}
        <Plural
          value={tried}
          _0="Nobody tried to pay yet."
          one="Somebody tried to pay one account or ticket, which gets no late fee because of it."
          other="People tried to pay # accounts or tickets, which get no late fee because of it."
        />{' '}
        <Link className="link" to="/municipality/reports/payment-outages">
          <Trans>See who tried</Trans>
        </Link>
      </p>
    </Notice>
  )
}
