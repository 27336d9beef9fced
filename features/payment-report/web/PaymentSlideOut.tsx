import { Trans, useLingui } from '@lingui/react/macro'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { shortInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Amounts, DetailList } from '../../../web/ui/Card.tsx'
import { UnprintableNotice } from '../../../web/ui/office/UnprintableNotice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { paymentDetails } from '../list.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { amountsOf, detailRowsOf, FeeName } from '../../payments/web/parts/lines.tsx'
import { PaymentBadge } from './payment-labels.tsx'
import { Attempts, Ledger, Steps } from './PaymentHistory.tsx'
import { RefundButtons, Refunds, SeparateFee } from './RefundsOfPayment.tsx'
import { Text } from '../../../web/ui/Text.tsx'

type Details = ResponseOf<typeof paymentDetails>

interface PaymentSlideOutProps {
  id: number
  onClose: () => void
  /** Prints the receipt of the payment or of one line. */
  onPrint: (line?: number) => void
}

/** Slide-out of a payment: its lines, its method, each transition and the ledger transfers. */
export default function PaymentSlideOut({ id, onClose, onPrint }: PaymentSlideOutProps) {
  const { data, error, isPending, refetch } = useResponse(paymentDetails, { paymentId: id })
  return (
    <SlideOut
      title={<Trans>Payment {receiptNumber(id)}</Trans>}
      onClose={onClose}
      actions={
        <>
          {data?.payment.can.printReceipt && (
            <Button variant="primary" icon={Printer} onClick={() => onPrint()}>
              <Trans>Print Receipt</Trans>
            </Button>
          )}
          {data && <RefundButtons {...data} />}
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      {isPending && (
        <LoadingState>
          <Trans>Loading the payment</Trans>
        </LoadingState>
      )}
      {error && !data && (
        <Failed error={error} title={<Trans>Could not load this payment</Trans>} onRetry={() => void refetch()} />
      )}
      {data && <Sections {...data} onPrint={onPrint} />}
    </SlideOut>
  )
}

const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section className="mt-7">
    <h3 className="mb-2 text-lg">{title}</h3>
    <Text>{children}</Text>
  </section>
)

/** Amounts, details, refunds and history of the payment. */
function Sections({ onPrint, ...details }: Details & Pick<PaymentSlideOutProps, 'onPrint'>) {
  const { payment, lines, steps, attempts, transfers } = details
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold font-display text-tile-wide tabular-nums">{formatCents(payment.totalCents)}</p>
        <PaymentBadge payment={payment} />
      </div>
      <Remarks {...details} />
      <div className="mt-4 empty:hidden">
        <UnprintableNotice texts={[payment.payer]} />
      </div>
      <DetailList
        className="mt-4 text-table"
        details={[
          [<Trans key="d">Date</Trans>, shortInstant(payment.date)],
          [<Trans key="p">Payer</Trans>, payment.payer],
          [<Trans key="e">Email</Trans>, payment.email],
          ...(lines.length === 1 ? detailRowsOf(lines[0]?.details ?? []) : []),
          [<Trans key="m">Method</Trans>, payment.methodLabel || translated(payment.method)],
          [<Trans key="l">Location</Trans>, payment.location],
        ]}
      />
      <Part title={<Trans>Payment breakdown</Trans>}>
        <Quote {...details} />
      </Part>
      {(lines.length > 1 || lines.some(({ items }) => items.length > 0)) && (
        <Part title={lines.length > 1 ? <Trans>Bills</Trans> : <Trans>Bill details</Trans>}>
          <Amounts lines={amountsOf(lines, <Trans>Fee</Trans>)} />
          {lines.length > 1 && payment.can.printReceipt && (
            <div className="mt-3 flex flex-wrap gap-2">
              {lines.map(({ no, title, details: [fact] }) => (
                <Button key={no} size="small" icon={Printer} onClick={() => onPrint(no)}>
                  <Trans>
                    Print receipt for {title} {fact?.value}
                  </Trans>
                </Button>
              ))}
            </div>
          )}
        </Part>
      )}
      {details.separateFee && (
        <Part title={<Trans>Separate service fee</Trans>}>
          <SeparateFee {...details} separateFee={details.separateFee} />
        </Part>
      )}
      {details.refunds.length > 0 && (
        <Part title={<Trans>Refunded</Trans>}>
          <Refunds {...details} />
        </Part>
      )}
      <Part title={<Trans>History</Trans>}>
        <Steps steps={steps} />
      </Part>
      <Part title={<Trans>Payment attempts</Trans>}>
        <Attempts attempts={attempts} />
      </Part>
      <Part title={<Trans>Ledger</Trans>}>
        <Ledger transfers={transfers} several={lines.length > 1} />
      </Part>
    </>
  )
}

function Remarks({ disputeOpen, returnCode, refundedCents, payment, alerts }: Details) {
  // A full refund needs no remark, because the status Refunded already shows it.
  const refunded = refundedCents > 0 && (refundedCents < payment.totalCents || returnCode !== null)
  if (!disputeOpen && !returnCode && !refunded && alerts.length === 0) return null
  return (
    <Notice tone="warning" className="mt-4">
      {disputeOpen && (
        <p>
          <Trans>The payer has disputed this payment with their bank.</Trans>
        </p>
      )}
      {returnCode && (
        <p>
          <Trans>The bank returned this payment with code {returnCode}.</Trans>
        </p>
      )}
      {refunded && (
        <p>
          <Trans>{formatCents(refundedCents)} of this payment was refunded.</Trans>
        </p>
      )}
      {alerts.map(({ at, message }) => (
        <p key={at + message}>{message}</p>
      ))}
    </Notice>
  )
}

function Quote({ quote: { billCents, feeCents, absorbedFeeCents, totalCents }, lines, separateFee }: Details) {
  const { t } = useLingui()
  return (
    <>
      <Amounts
        lines={[
          { id: 'bill', label: t`Bill`, amount: formatCents(billCents) },
          {
            id: 'fee',
            label: <FeeName programs={lines.map(({ feeProgram }) => feeProgram)} />,
            amount: formatCents(feeCents),
          },
        ]}
        total={{ label: t`Payment`, amount: formatCents(totalCents) }}
      />
      {separateFee && (separateFee.status === 'waived' || separateFee.status === 'owed') && (
        <p className="mt-2 text-sm">
          {separateFee.status === 'waived' ? (
            <Trans>
              {formatCents(totalCents - separateFee.cents)} was paid. The fee of {formatCents(separateFee.cents)} was
              waived.
            </Trans>
          ) : (
            <Trans>
              {formatCents(totalCents - separateFee.cents)} was paid. The fee of {formatCents(separateFee.cents)} was
              not paid.
            </Trans>
          )}
        </p>
      )}
      {absorbedFeeCents > 0 && (
        <p className="mt-2 text-muted text-sm">
          <Trans>The municipality absorbs the fee of {formatCents(absorbedFeeCents)}.</Trans>
        </p>
      )}
    </>
  )
}
