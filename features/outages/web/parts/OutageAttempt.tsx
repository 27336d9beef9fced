import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { longInstant } from '../../../../web/clock.ts'
import type { TriedPayment } from '../../contract-attempts.ts'

/** Shows that a payer tried to pay during an outage, and when the grace period ends. */
export function Tried({ of: { at, cents, graceUntil } }: { of: TriedPayment }) {
  const [when, amount] = [longInstant(at), formatCents(cents)]
  return graceUntil === null ? (
    <Trans>
      A payment of {amount} was attempted on {when} during a payment outage. The payment is not considered late while
      the outage lasts.
    </Trans>
  ) : (
    <Trans>
      A payment of {amount} was attempted on {when} during a payment outage. The payment is not considered late if it is
      made by {formatDate(graceUntil)}.
    </Trans>
  )
}
