import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { FindToPay, type PayableMatch } from '../../../web/office/FindToPay.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { findPayables, MIN_LENGTH } from '../../counter/contract.ts'
import { assignLockboxPayment, lockboxPayment, transitionLockboxPayment } from '../contract.ts'
import { lockboxPayments } from '../list.ts'
import { lockboxStates } from '../states.ts'

type Payment = ResponseOf<typeof lockboxPayment>

const refresh = () => Promise.all([reload(lockboxPayment), reload(lockboxPayments.call)])

/** Panel of one lockbox payment. Staff post a payment that needs review to an item, or return it. */
export function BankPayment({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(lockboxPayment, { id })
  return (
    <ResponseSlideOut
      title={<Trans>Lockbox payment</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the payment</Trans>}
    >
      {(payment) => <PaymentContent payment={payment} />}
    </ResponseSlideOut>
  )
}

function PaymentContent({ payment }: { payment: Payment }) {
  const { t } = useLingui()
  const { id, trace, account, payer, amountCents, currency, state, reason, paymentId, can, mayAssign } = payment
  const amount = currency === 'USD' ? formatCents(amountCents) : `${formatCents(amountCents).slice(1)} ${currency}`
  return (
    <>
      <p className="mb-4 flex flex-wrap items-center gap-3">
        <strong className="text-lg tabular-nums">{amount}</strong> <StateBadge of={lockboxStates} state={state} />
      </p>
      <DetailList
        details={[
          [t`Trace number`, trace],
          [t`Account`, account || '–'],
          [t`Payer`, payer || '–'],
          [t`Paid on`, formatDate(payment.paidOn)],
          [t`Received`, shortInstant(payment.receivedAt)],
          [t`File`, payment.file],
          ...(reason ? [[t`Reason`, reason] as const] : []),
        ]}
      />
      {paymentId !== null && (
        <p className="mt-4">
          <Link className="link" to={`/municipality/reports/payments?payment=${paymentId}`}>
            <Trans>Open payment P{paymentId}</Trans>
          </Link>
        </p>
      )}
      {mayAssign && <Assign payment={payment} />}
      <MoveButtons
        of={lockboxStates}
        can={can}
        onPress={async (event, why) => {
          const { message } = await call(transitionLockboxPayment, { id, event, reason: why ?? '' })
          toast(message)
          await refresh()
        }}
        dialog={{
          draft: `lockbox-${id}`,
          hint: t`Enter the reason for returning this payment. The bank must send the money back.`,
        }}
      />
    </>
  )
}

function Assign({ payment: { id, currency, account } }: { payment: Payment }) {
  const { t } = useLingui()
  const [dollars, setDollars] = useState<number | null>(null)
  const [refusal, setRefusal] = useState('')
  /** Account in another name than the payer's, and the message that requests a reason. */
  const [doubted, setDoubted] = useState<{ match: PayableMatch; message: string } | null>(null)
  const send = async ({ kind, id: payableId }: PayableMatch, reason?: string) => {
    const request = {
      id,
      kind,
      payableId,
      ...(reason && { reason }),
      ...(dollars !== null && { dollarsCents: dollars }),
    }
    const { message } = await call(assignLockboxPayment, request)
    await refresh()
    toast(message)
  }
  const assign = async (match: PayableMatch) => {
    setRefusal('')
    try {
      await send(match)
    } catch (error) {
      if (error instanceof CallError && error.fields['reason']) setDoubted({ match, message: error.fields['reason'] })
      else setRefusal(messageOf(error))
    }
  }
  return (
    <section className="mt-6">
      <h3 className="mb-2 text-lg">
        <Trans>Post payment to an item</Trans>
      </h3>
      <Refusal className="mb-3">{refusal}</Refusal>
      {currency !== 'USD' && (
        <MoneyField className="mb-3" label={t`Amount credited, in US dollars`} value={dollars} onChange={setDollars} />
      )}
      <FindToPay
        initialSearch={account.length >= MIN_LENGTH ? account : ''}
        minLength={MIN_LENGTH}
        useSearch={(search) => useResponse(findPayables, { search })}
        button={{
          label: <Trans>Post payment</Trans>,
          name: ({ label, reference }) => t`Post payment to ${label} ${reference}`,
        }}
        onChoose={(match) => void assign(match)}
      />
      {doubted && (
        <ReasonDialog
          title={t`Post payment to ${doubted.match.name}`}
          text={doubted.message}
          hint={t`The reason is saved with the payment.`}
          draft={`lockbox-other-${id}`}
          onReason={(reason) => send(doubted.match, reason)}
          onClose={() => setDoubted(null)}
        />
      )}
    </section>
  )
}
