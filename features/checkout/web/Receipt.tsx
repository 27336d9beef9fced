import { Trans } from '@lingui/react/macro'
import { FileText, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { longInstant } from '../../../web/clock.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Amounts, DetailList, Perforation, Sheet, SheetPart } from '../../../web/ui/Card.tsx'
import { Letterhead } from '../../../web/ui/Letterhead.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { amountsOf, detailsText, detailRowsOf } from '../../payments/web/parts/lines.tsx'
import type { Payment } from './checkout.ts'
import { FeeName } from '../../payments/web/parts/lines.tsx'
import { Money } from '../../../web/ui/Money.tsx'

/** Kind of printout: a receipt, the receipt of a refunded payment, or the acknowledgment of an eCheck. */
export type ReceiptKind = 'paid' | 'refunded' | 'processing'

interface ReceiptProps {
  receipt: NonNullable<Payment['receipt']>
  token: string
  test: boolean
  status: ReceiptKind
  /** Result of the payment, shown only on screen. */
  head: ReactNode
}

/** Shows the printable receipt, with the same details as the PDF. */
export function Receipt({ receipt, token, test, status, head }: ReceiptProps) {
  const { leftCents, separateFee } = receipt
  // If a separate fee was not charged, the receipt shows it below, because the fee is not part of the paid amount.
  const notCharged = separateFee !== null && separateFee.status !== 'charged'
  const lines = receipt.lines.map((line) => (notCharged && line.hasSeparateFee ? { ...line, feeCents: 0 } : line))
  const feeCents = receipt.quote.feeCents - (notCharged ? separateFee.cents : 0)
  const only = lines.length === 1 ? lines[0] : undefined
  const programs = lines.flatMap((line) => (line.feeCents > 0 ? line.feeProgram : []))
  const isReceipt = status !== 'processing'
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[36rem_1fr] lg:grid-rows-[auto_1fr] lg:gap-x-10">
      <div className="lg:col-start-2 print:hidden">{head}</div>
      <Sheet className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <SheetPart>
          <Letterhead />
          <DetailList
            details={[
              [
                isReceipt ? <Trans key="receipt">Receipt</Trans> : <Trans key="receipt">Acknowledgment</Trans>,
                <span className="tabular-nums">{receipt.number}</span>,
              ],
              [<Trans key="date">Date</Trans>, longInstant(receipt.paidAt)],
              ...(only ? detailRowsOf(only.details) : []),
              [<Trans key="means">Paid with</Trans>, receipt.methodLabel],
              [<Trans key="status">Status</Trans>, <ReceiptStatus key={status} status={status} />],
            ]}
          />
        </SheetPart>
        <Perforation />
        <SheetPart>
          <Amounts
            lines={[
              ...amountsOf(lines, <FeeName programs={programs} />),
              ...(only && feeCents > 0
                ? [{ id: 'fee', label: <FeeName programs={programs} />, amount: formatCents(feeCents) }]
                : []),
            ]}
            total={{
              label: isReceipt ? <Trans>Total paid</Trans> : <Trans>Total</Trans>,
              amount: formatCents(receipt.paidCents),
            }}
          />
          {isReceipt && leftCents !== null && leftCents !== 0 && (
            <p className="mt-4 flex justify-between gap-4 tabular-nums">
              <span>{leftCents > 0 ? <Trans>Remaining amount</Trans> : <Trans>Credit on the account</Trans>}</span>
              <span>
                <Money cents={Math.abs(leftCents)} />
              </span>
            </p>
          )}
          {separateFee && <SeparateFee {...separateFee} />}
          {test && (
            <p className="mt-5 font-bold">
              {isReceipt ? (
                <Trans>TEST: no money moves. This receipt is not valid.</Trans>
              ) : (
                <Trans>TEST: no money moves.</Trans>
              )}
            </p>
          )}
        </SheetPart>
      </Sheet>
      <div className="flex flex-wrap gap-3 self-start print:hidden lg:col-start-2">
        <Button variant="primary" icon={Printer} onClick={() => globalThis.print()}>
          {isReceipt ? <Trans>Print receipt</Trans> : <Trans>Print acknowledgment</Trans>}
        </Button>
        {status === 'paid' && (
          <LinkButton to={`/guest/payment/${token}/receipt.pdf`} icon={FileText} target="_blank">
            <Trans>Open receipt as PDF</Trans>
          </LinkButton>
        )}
        {status === 'paid' &&
          !only &&
          lines.map(({ no, title, details }) => (
            <LinkButton key={no} to={`/guest/payment/${token}/receipt.pdf?line=${no}`} icon={FileText} target="_blank">
              <span>
                <Trans>Open receipt for {title} only</Trans>{' '}
                <span className="font-normal">{detailsText(details.slice(0, 1))}</span>
              </span>
            </LinkButton>
          ))}
        <LinkButton to="/home" variant="quiet">
          <Trans>Back to home page</Trans>
        </LinkButton>
      </div>
    </div>
  )
}

/** Shows the status of a separate fee. */
function SeparateFee({ cents, status }: NonNullable<ReceiptProps['receipt']['separateFee']>) {
  const amount = formatCents(cents)
  return (
    <p className="mt-4 text-sm">
      {status === 'charged' && <Trans>The service fee of {amount} is a separate charge on your statement.</Trans>}
      {status === 'waiting' && <Trans>The service fee of {amount} will follow as a separate charge.</Trans>}
      {status === 'owed' && (
        <Trans>The service fee of {amount} is a separate charge. It was declined and is still owed.</Trans>
      )}
      {status === 'waived' && <Trans>The service fee of {amount} was waived.</Trans>}
      {status === 'dropped' && <Trans>You do not have to pay the service fee of {amount}.</Trans>}
    </p>
  )
}

const badges = {
  paid: { kind: 'good', text: <Trans>Successful</Trans> },
  refunded: { kind: 'undone', text: <Trans>Refunded</Trans> },
  processing: { kind: 'waiting', text: <Trans>Processing</Trans> },
} as const

const ReceiptStatus = ({ status }: { status: ReceiptKind }) => (
  <StatusBadge kind={badges[status].kind}>{badges[status].text}</StatusBadge>
)
