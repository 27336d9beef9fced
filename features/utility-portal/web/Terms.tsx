import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { lookAtShare } from '../contract.ts'

type Offer = ResponseOf<typeof lookAtShare>

/**
 * Sentence that describes the shared data. Has the same text before the offer, before the acceptance and afterwards.
 */
export function Terms({ of: { kind, withAmounts, until } }: { of: Pick<Offer, 'kind' | 'withAmounts' | 'until'> }) {
  if (kind === 'watch')
    return (
      <Trans>
        Whether the account is past due and by how much, and whether service is to be shut off. No bills, payments, use
        or names. Both are told by email, too.
      </Trans>
    )
  const day = formatDate(until)
  return withAmounts ? (
    <Trans>
      What was used each month up to {day}, and what each month’s bills came to. No payments and no names, and nothing
      after that day.
    </Trans>
  ) : (
    <Trans>What was used each month up to {day}. No amounts, payments or names, and nothing after that day.</Trans>
  )
}
