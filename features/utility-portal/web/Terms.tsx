import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { previewShare } from '../contract.ts'

type Offer = ResponseOf<typeof previewShare>

/**
 * Sentence that describes the shared data. Has the same text before the offer, before the acceptance and afterwards.
 */
export function Terms({ of: { kind, withAmounts, until } }: { of: Pick<Offer, 'kind' | 'withAmounts' | 'until'> }) {
  if (kind === 'watch')
    return (
      <Trans>
        Past due amount on the account, and any scheduled or current service shutoff. No bills, payments, usage or
        names. Updates also come by email.
      </Trans>
    )
  const day = formatDate(until)
  return withAmounts ? (
    <Trans>
      Usage for each month up to {day}, and the total of each month’s bills. No payments or names, and nothing after
      that day.
    </Trans>
  ) : (
    <Trans>Usage for each month up to {day}. No amounts, payments or names, and nothing after that day.</Trans>
  )
}
