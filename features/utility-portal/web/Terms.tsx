import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { previewShare } from '../contract.ts'

type Offer = ResponseOf<typeof previewShare>

/**
 * Sentence that describes the shared data. The text is the same before the offer, before the acceptance and afterwards.
 */
export function Terms({ of: { kind, withAmounts, until } }: { of: Pick<Offer, 'kind' | 'withAmounts' | 'until'> }) {
  if (kind === 'watch')
    return (
      <Trans>
        This share includes the past due amount on the account, and any scheduled or current service shutoff. It does
        not include bills, payments, usage or names. Updates are also sent by email.
      </Trans>
    )
  const day = formatDate(until)
  return withAmounts ? (
    <Trans>
      This share includes the usage for each month up to {day}, and the total of each month’s bills. It does not include
      payments or names, or anything after that day.
    </Trans>
  ) : (
    <Trans>
      This share includes the usage for each month up to {day}. It does not include amounts, payments or names, or
      anything after that day.
    </Trans>
  )
}
