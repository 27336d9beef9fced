import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { translated } from '../../../../shared/words.ts'
import { call } from '../../../../web/call.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { ReasonDialog } from '../../../../web/ui/ReasonDialog.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { paymentDetails, paymentReport } from '../../list.ts'
import { feeStates, refundStates } from '../../states.ts'
import { answerDispute, chargeFeeAgain, decideRefund, refundKinds, voidPayment, waiveFee } from '../../report.ts'
import { refundList } from '../../list.ts'
import { receiptNumber } from '../../rules.ts'
import { nameOfLine } from '../lines.tsx'
import { Money } from '../../../../web/ui/Money.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

const RefundDialog = lazy(() => import('./RefundDialog.tsx'))

type Details = AnswerOf<typeof paymentDetails>

const renew = () => Promise.all([reload(paymentDetails), reload(paymentReport.call), reload(refundList.call)])

/** Says what came of it, and shows it. */
async function done(answer: Promise<{ message: string }>): Promise<void> {
  try {
    toast((await answer).message)
  } finally {
    // A refused call may have changed the payment, and a colleague may have: the next decision sees it as it is.
    await renew()
  }
}

/** The buttons that give a payment back, each with the question that it asks. */
export function GiveBack(details: Details) {
  const { payment, can } = details
  const { t } = useLingui()
  const [asking, setAsking] = useState<'refund' | 'void' | 'dispute' | null>(null)
  const { id } = payment
  const close = () => setAsking(null)
  return (
    <>
      {can.refund && (
        <Button onClick={() => setAsking('refund')}>
          <Trans>Refund</Trans>
        </Button>
      )}
      {can.void && (
        <Button onClick={() => setAsking('void')}>
          <Trans>Void</Trans>
        </Button>
      )}
      {can.answerDispute && (
        <Button onClick={() => setAsking('dispute')}>
          <Trans>Answer the dispute</Trans>
        </Button>
      )}
      {asking === 'dispute' && (
        <ReasonDialog
          title={t`Answer the dispute of ${receiptNumber(id)}`}
          says={
            <Trans>
              Say why the payment was right: what it was for, and when. The payer’s bank reads it and decides. It can be
              sent once.
            </Trans>
          }
          hint={t`The payer and their bank read it.`}
          draft={`dispute:${id}`}
          onReason={(reason) => done(call(answerDispute, { paymentId: id, reason }))}
          onClose={close}
        />
      )}
      {asking === 'refund' && (
        <Suspense>
          <RefundDialog details={details} onDone={done} onClose={close} />
        </Suspense>
      )}
      {asking === 'void' && (
        <ReasonDialog
          title={t`Void ${receiptNumber(id)}`}
          says={
            <Trans>
              All of it is taken back before it is settled: {formatCents(payment.totalCents)}. The payer is told, and
              what was paid is owed again.
            </Trans>
          }
          hint={t`Colleagues read it, the payer does not.`}
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

/** A fee that is a charge of its own: where it stands, and what can be done where it is owed. */
export function OwnFee({
  payment: { id },
  ownFee,
}: Pick<Details, 'payment'> & { ownFee: NonNullable<Details['ownFee']> }) {
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <strong className="tabular-nums">{formatCents(ownFee.cents)}</strong>
        <StateBadge of={feeStates} state={ownFee.status} />
      </p>
      {ownFee.status === 'owed' && (
        <p className="mt-1 text-sm">
          <Trans>The bill is paid. Its fee could not be charged by what paid the bill.</Trans>
        </p>
      )}
      <MoveButtons
        of={feeStates}
        can={ownFee.can}
        asks={{ draft: `fee:${id}` }}
        onPress={(event, reason = '') =>
          done(event === 'again' ? call(chargeFeeAgain, { paymentId: id }) : call(waiveFee, { paymentId: id, reason }))
        }
      />
    </>
  )
}

/** What was given back, what waits for a second person, and what came to nothing. */
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
                <Trans>Of {nameOfLine(line)}</Trans>
              </p>
            ))}
        <p className="wrap-anywhere">{refund.reason}</p>
        <p className="text-muted text-sm tabular-nums">
          {refund.decidedBy ? (
            <Trans>
              {shortInstant(refund.askedAt)} · asked by {refund.askedBy}, decided by {refund.decidedBy}
            </Trans>
          ) : (
            <Trans>
              {shortInstant(refund.askedAt)} · {refund.askedBy}
            </Trans>
          )}
        </p>
        {refund.note && <p className="text-sm">{translated(refund.note)}</p>}
        {refund.status === 'waiting' && !refund.can.approve && (
          <p className="text-sm">
            <Trans>Somebody else who may give back money has to approve it.</Trans>
          </p>
        )}
        <MoveButtons
          of={refundStates}
          can={refund.can}
          asks={{ draft: `decline:${refund.id}` }}
          onPress={(event, reason) =>
            done(call(decideRefund, { refundId: refund.id, event, ...(reason && { reason }) }))
          }
        />
      </li>
    ))}
  </ol>
)
