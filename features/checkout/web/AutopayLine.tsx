import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Link } from '../../../web/ui/Link.tsx'
import type { Checkout } from './checkout.ts'

/** Shows the payer the next AutoPay charge before they pay manually. */
export function AutopayLine({ payable, several }: { payable: Checkout['payables'][number]; several: boolean }) {
  const { autopay, details, title } = payable
  if (!autopay) return null
  const name = several ? [title, details[0]?.value].filter(Boolean).join(' ') : title
  return (
    <p className="mt-4 rounded-sm border border-line border-s-4 border-s-info px-4 py-3">
      {autopay.on === null ? (
        <Trans>
          AutoPay is on for {name}. It will pay your next bill. It will not charge you again for the amount that you pay
          now.
        </Trans>
      ) : autopay.cents > 0 ? (
        <Trans>
          AutoPay is on for {name}. It will charge {formatCents(autopay.cents)} on {formatDate(autopay.on)}. If you pay
          now, it will charge only the remaining amount on that day.
        </Trans>
      ) : (
        <Trans>
          AutoPay is on for {name}, but nothing is left to charge on {formatDate(autopay.on)}.
        </Trans>
      )}{' '}
      <Link className="link" to="/profile/payment-methods">
        <Trans>View AutoPay</Trans>
      </Link>
    </p>
  )
}
