import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { paymentDetails, paymentReport } from '../list.ts'
import { feeStates, refundStates } from '../../payments/states.ts'
import { respondToDispute, decideRefund, refundKinds, voidPayment } from '../../refunds/contract.ts'
import { chargeFeeAgain, waiveFee } from '../../refunds/contract-fees.ts'
import { refundList } from '../../refunds/list.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { nameOfLine } from '../../payments/web/parts/lines.tsx'
import { Money } from '../../../web/ui/Money.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const RefundDialog = lazy(() => import('./RefundDialog.tsx'))

type Details = ResponseOf<typeof paymentDetails>

const refresh = () => Promise.all([reload(paymentDetails), reload(paymentReport.call), reload(refundList.call)])

/** Shows the result as a message and reloads the payment. */
async function done(response: Promise<{ message: string }>): Promise<void> {
  try {
    toast((await response).message)
  } finally {
    // The payment may have changed, even if the call was refused. Staff must see its current state before the next
    // decision.
    await refresh()
  }
}

/** Buttons for a refund, each with its confirmation. */
export function RefundButtons(details: Details) {
  const { payment, can } = details
  const { t } = useLingui()
  const [openDialog, setOpenDialog] = useState<'refund' | 'void' | 'dispute' | null>(null)
  const { id } = payment
  const close = () => setOpenDialog(null)
  return (
    <>
      {can.refund && (
        <Button onClick={() => setOpenDialog('refund')}>
          <Trans>Refund</Trans>
        </Button>
      )}
      {can.void && (
        <Button onClick={() => setOpenDialog('void')}>
          <Trans>Void</Trans>
        </Button>
      )}
      {can.respondToDispute && (
        <Button onClick={() => setOpenDialog('dispute')}>
          <Trans>Respond to dispute</Trans>
        </Button>
      )}
      {openDialog === 'dispute' && (
        <ReasonDialog
          title={t`Respond to the dispute about ${receiptNumber(id)}`}
          text={
            <Trans>
              Explain why the payment was correct. Include its purpose and date. The payer’s bank will read your
              response and decide. You can send only one response.
            </Trans>
          }
          hint={t`The payer and the payer’s bank can read your response.`}
          draft={`dispute:${id}`}
          onReason={(reason) => done(call(respondToDispute, { paymentId: id, reason }))}
          onClose={close}
        />
      )}
      {openDialog === 'refund' && (
        <Suspense>
          <RefundDialog details={details} onDone={done} onClose={close} />
        </Suspense>
      )}
      {openDialog === 'void' && (
        <ReasonDialog
          title={t`Void ${receiptNumber(id)}`}
          text={
            <Trans>
              This will void the full payment of {formatCents(payment.totalCents)} before it is settled. The payer will
              be notified, and the amount will be due again.
            </Trans>
          }
          hint={t`Visible to staff, not to the payer.`}
          draft={`void:${id}`}
          onReason={(reason) =>
            done(call(voidPayment, { paymentId: id, reason, basis: { leftCents: details.leftCents } }))
          }
          onClose={close}
        />
      )}
    </>
  )
}

/** Separate fee of a payment: its status, and the actions while it is owed. */
export function SeparateFee({
  payment: { id },
  separateFee,
}: Pick<Details, 'payment'> & { separateFee: NonNullable<Details['separateFee']> }) {
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <strong className="tabular-nums">{formatCents(separateFee.cents)}</strong>
        <StateBadge of={feeStates} state={separateFee.status} />
      </p>
      {separateFee.status === 'owed' && (
        <p className="mt-1 text-sm">
          <Trans>The bill is paid, but its fee could not be charged to the same payment method.</Trans>
        </p>
      )}
      <MoveButtons
        of={feeStates}
        can={separateFee.can}
        dialog={{ draft: `fee:${id}` }}
        onPress={(event, reason = '') =>
          done(event === 'again' ? call(chargeFeeAgain, { paymentId: id }) : call(waiveFee, { paymentId: id, reason }))
        }
      />
    </>
  )
}

/** List of completed refunds, refunds that await approval, and failed refunds. */
export const Refunds = ({ refunds, lines }: Pick<Details, 'refunds' | 'lines'>) => (
  <ol>
    {refunds.map((refund) => (
      <li key={refund.id} className="border-line border-t py-3 first:border-t-0">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <strong className="tabular-nums">
            <Text>{translated(refundKinds[refund.kind])}</Text> · <Money cents={refund.amountCents} />
          </strong>
          <StateBadge of={refundStates} state={refund.status} />
        </p>
        {lines.length > 1 &&
          lines
            .filter(({ no }) => no === refund.line)
            .map((line) => (
              <p key={line.no} className="text-sm">
                <Trans>For {nameOfLine(line)}</Trans>
              </p>
            ))}
        <p className="wrap-anywhere">{refund.reason}</p>
        <p className="text-muted text-sm tabular-nums">
          {refund.decidedBy ? (
            <Trans>
              {shortInstant(refund.requestedAt)} · requested by {refund.requestedBy}, decided by {refund.decidedBy}
            </Trans>
          ) : (
            <Trans>
              {shortInstant(refund.requestedAt)} · {refund.requestedBy}
            </Trans>
          )}
        </p>
        {refund.note && <p className="text-sm">{translated(refund.note)}</p>}
        {refund.status === 'waiting' && !refund.can.approve && (
          <p className="text-sm">
            <Trans>Another staff member with permission to issue refunds must approve this request.</Trans>
          </p>
        )}
        <MoveButtons
          of={refundStates}
          can={refund.can}
          dialog={{ draft: `decline:${refund.id}` }}
          onPress={(event, reason) =>
            done(call(decideRefund, { refundId: refund.id, event, ...(reason && { reason }) }))
          }
        />
      </li>
    ))}
  </ol>
)
