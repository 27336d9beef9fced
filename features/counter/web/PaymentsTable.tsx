import { Trans } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { shortInstant } from '../../../web/clock.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { orderStates, type OrderStatus } from '../../payments/states.ts'
import type { Sheet } from '../contract.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'
import { orderStatus } from '../../payments/rules.ts'

/** Payments in a drawer, newest first. Staff view and void a payment in the payments report. */
export const PaymentsTable = ({ payments, isClosed = false }: Pick<Sheet, 'payments'> & { isClosed?: boolean }) =>
  payments.length === 0 ? (
    <p className="text-muted">
      {isClosed ? <Trans>No payments in this drawer.</Trans> : <Trans>No payments in this drawer yet.</Trans>}
    </p>
  ) : (
    <ul className="tabular-nums">
      {payments.map((payment) => (
        <li
          key={payment.paymentId}
          className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b py-2 last:border-b-0"
        >
          <span className="min-w-0 wrap-anywhere">
            <Link className="link" to={`/municipality/reports/payments?payment=${payment.paymentId}`}>
              {payment.receipt}
            </Link>{' '}
            · <Code>{payment.payer}</Code> · <Code>{payment.reference}</Code>
            <span className="block text-muted text-sm">
              <Text>{shortInstant(payment.at)}</Text> · <Text>{payment.methodLabel}</Text>
            </span>
          </span>
          <span className="flex items-center gap-3">
            {payment.status !== orderStatus.success && (
              <StateBadge of={orderStates} state={payment.status as OrderStatus} />
            )}
            <strong>{formatCents(payment.totalCents)}</strong>
          </span>
        </li>
      ))}
    </ul>
  )
