import { Trans } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Outcome } from '../../payments/web/parts/Outcome.tsx'
import type { Payment } from './checkout.ts'
import type { ReceiptKind } from './Receipt.tsx'

/** Shows the result of a payment with a receipt. It is not printed. */
export function ReceiptOutcome({ payment, kind }: { payment: Payment; kind: ReceiptKind }) {
  const { message, quote, actionUrl } = payment
  const amount = formatCents(quote?.totalCents ?? 0)
  if (kind === 'processing' && actionUrl)
    return (
      <Outcome
        tone="asked"
        title={<Trans>Confirm your bank account</Trans>}
        actions={
          <LinkButton to={actionUrl} variant="primary">
            <Trans>Confirm small deposits</Trans>
          </LinkButton>
        }
      >
        <p>{message}</p>
        <NextSteps next={payment.next} />
      </Outcome>
    )
  if (kind === 'processing')
    return (
      <Outcome tone="waiting" title={<Trans>Your eCheck of {amount} is processing</Trans>}>
        <p>{message}</p>
        <p className="text-muted">
          <Trans>This is an acknowledgment, not a receipt.</Trans>
        </p>
        <NextSteps next={payment.next} />
      </Outcome>
    )
  return (
    <Outcome
      tone={kind === 'paid' ? 'good' : 'undone'}
      title={kind === 'paid' ? <Trans>Your payment went through</Trans> : <Trans>This payment was refunded</Trans>}
    >
      <p>{message}</p>
      <NextSteps next={payment.next} />
    </Outcome>
  )
}

const NextSteps = ({ next }: Pick<Payment, 'next'>) =>
  next.map(({ text, label, path }) => (
    <div key={path} className="flex flex-col items-start gap-3">
      <p className="font-bold">{text}</p>
      <LinkButton to={path}>{label}</LinkButton>
    </div>
  ))
