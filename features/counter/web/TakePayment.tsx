import { Trans, useLingui } from '@lingui/react/macro'
import { Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { messageOf } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { BookkeeperTotal, Panel } from '../../../web/ui/Card.tsx'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { arriveAt } from '../../../web/ui/step-heading.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { paymentReceipt } from '../../payment-report/contract.ts'
import { methodLabels, methods } from '../../payments/rules.ts'
import { cardReaders } from '../contract.ts'
import { amountsRefusal } from '../rules.ts'
import { CardTender, CardWaits } from './CardTender.tsx'
import { FindPayable } from './FindPayable.tsx'
import {
  useCounterPayment,
  type TenderMethod,
  MANUAL_METHODS,
  isManual,
  paysOf,
  type TakePaymentResponse,
} from './use-counter-payment.ts'
import { PaymentLines } from './PaymentLines.tsx'
import { TenderForm } from './TenderForm.tsx'

interface Props {
  drawerId: number
  /** Id of the payment in this drawer that waits for a card reader. Null if none waits. */
  pending: number | null
  /** True if staff just opened the drawer. The search then gets the focus. */
  arrives: boolean
  onPaid: () => void
}

/** Form for one payment at the counter: items, tender and change. */
export function TakePayment({ drawerId, pending, arrives, onPaid }: Props) {
  const { t } = useLingui()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (arrives) arriveAt(search.current)
  }, [arrives])
  const payment = useCounterPayment(drawerId, onPaid)
  const { lines, finishedPayment, by, card, totalCents } = payment
  const { data: provided } = useResponse(cardReaders, {})
  const waitsFor = card?.paymentId ?? pending
  const options: { value: TenderMethod; label: string }[] = [
    ...MANUAL_METHODS.map((value) => ({ value, label: translated(methodLabels[value]) })),
    ...(provided?.cards ? [{ value: methods.card, label: t`Card` }] : []),
    ...(provided?.checks ? [{ value: methods.echeck, label: t`Check processed as eCheck` }] : []),
  ]
  if (waitsFor !== null)
    return (
      <Panel id="card-payment" title={<Trans>Current payment</Trans>}>
        <CardWaits paymentId={waitsFor} initial={card} readers={provided?.readers ?? []} onEnded={payment.endCard} />
      </Panel>
    )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Panel id="find-payable" title={<Trans>Items to pay</Trans>}>
        <FindPayable
          key={payment.customers}
          chosen={lines}
          onChoose={(match) => {
            payment.add(match)
            // The clicked button is now disabled, so the focus moves to the amount.
            requestAnimationFrame(() => {
              const amount = list.current?.querySelector<HTMLInputElement>('li:last-child input')
              arriveAt(amount ?? null)
              amount?.select()
            })
          }}
          field={search}
        />
      </Panel>
      <Panel id="take-payment" title={<Trans>Current payment</Trans>}>
        {finishedPayment && <Done key={finishedPayment.paymentId} payment={finishedPayment} />}
        {lines.length === 0 && !finishedPayment && (
          <p className="text-muted">
            <Trans>Find an item to pay and add it.</Trans>
          </p>
        )}
        {lines.length > 0 && (
          <>
            <PaymentLines
              ref={list}
              lines={lines}
              onChange={payment.change}
              onRemove={(at) => {
                payment.remove(at)
                arriveAt(search.current)
              }}
            />
            <BookkeeperTotal label={t`Total`} amount={formatCents(totalCents)} className="mb-5" />
            <div className="mb-5">
              <RadioCards
                label={t`Paid with`}
                name="by"
                columns={3}
                options={options}
                value={by}
                onChange={payment.setBy}
              />
            </div>
            {isManual(by) ? (
              <TenderForm
                key={by}
                method={by}
                drawerId={drawerId}
                lines={lines}
                totalCents={totalCents}
                onStale={payment.onStale}
                onPaid={payment.finish}
              />
            ) : (
              provided && (
                <CardTender
                  key={by}
                  provided={provided}
                  isCheck={by === methods.echeck}
                  totalCents={totalCents}
                  payment={{ drawerId, pays: paysOf(lines), refusal: amountsRefusal(lines) }}
                  onStale={payment.onStale}
                  onStarted={payment.startCard}
                />
              )
            )}
          </>
        )}
      </Panel>
    </div>
  )
}

/** Change for the customer, and buttons to print the receipt on letter or roll paper. */
function Done({ payment }: { payment: TakePaymentResponse }) {
  const print = (format: 'letter' | 'roll') =>
    void download(paymentReceipt, { paymentId: payment.paymentId, format }).catch((error: unknown) =>
      toast(messageOf(error), 'danger'),
    )
  return (
    <Notice tone="success" arrives className="mb-4">
      <p>{payment.message}</p>
      {payment.changeCents > 0 && (
        <p className="my-2 font-bold font-display text-tile-wide tabular-nums">
          <Trans>Change due {formatCents(payment.changeCents)}</Trans>
        </p>
      )}
      <span className="flex flex-wrap gap-2">
        <Button size="small" icon={Printer} onClick={() => print('roll')}>
          <Trans>Print receipt (80 mm)</Trans>
        </Button>
        <Button size="small" icon={Printer} onClick={() => print('letter')}>
          <Trans>Print receipt (Letter)</Trans>
        </Button>
      </span>
    </Notice>
  )
}
