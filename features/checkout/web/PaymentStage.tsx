import { Trans } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { readDraft, writeDraft } from '../../../web/drafts.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Scripted } from '../../../web/ui/PlainForm.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import type { Method } from '../../payments/rules.ts'
import { AddMore } from './AddMore.tsx'
import { BillCard } from './BillCard.tsx'
import type { Checkout } from './checkout.ts'
import { EndedDeferredPayment, HoldTimer, holdSecondsOf, PendingDeferredPayment } from './parts.ts'
import { followCart } from './parts/follow-cart.ts'
import { PaymentForm } from './PaymentForm.tsx'
import { PaymentStatusPanel } from './PaymentStatus.tsx'
import { Receipt } from './Receipt.tsx'
import { ReceiptOutcome } from './ReceiptOutcome.tsx'
import { draftOf } from './use-payment-form.ts'
import type { PagePayment, View } from './use-payment.ts'

interface PaymentStageProps {
  token: string
  checkout: Checkout
  view: Exclude<View, 'checking'>
  payment: PagePayment
  /** Id of the payment method that the payer has just saved. Null if there is none. */
  newMethodId: number | null
}

/** Shows the form, the status or the receipt of the payment. */
export function PaymentStage(props: PaymentStageProps) {
  const { token, checkout, view, payment } = props
  const { receipt } = checkout.payment
  const startOver = (method?: Method) => {
    if (method) writeDraft(draftOf(token), { ...readDraft<object>(draftOf(token)), method })
    payment.startOver()
  }
  return (
    <div>
      {payment.notice && (
        <Notice tone="warning" className="mb-5 max-w-text print:hidden" focusable>
          {payment.notice}
        </Notice>
      )}
      {checkout.payment.state === 'none' && checkout.payment.message !== '' && (
        <Notice tone="success" className="mb-5 max-w-text print:hidden" focusable>
          {checkout.payment.message}
        </Notice>
      )}
      {view === 'form' || view === 'declined' ? (
        <PayingStage {...props} view={view} />
      ) : view === 'paid' || view === 'refunded' || view === 'processing' ? (
        receipt && (
          <Receipt
            receipt={receipt}
            token={token}
            test={checkout.gateway.test}
            status={view}
            head={<ReceiptOutcome payment={checkout.payment} kind={view} />}
          />
        )
      ) : (
        <PaymentStatusPanel
          view={view}
          checkout={checkout}
          onPayAgain={payment.payAgain}
          onStartOver={startOver}
          onDrop={payment.dropPayment}
        />
      )}
    </div>
  )
}

/** Shows the bill and the payment form. If a deferred payment is pending, shows that payment instead of the form. */
function PayingStage({
  token,
  checkout,
  view,
  payment,
  newMethodId,
}: PaymentStageProps & { view: 'form' | 'declined' }) {
  const deferred = checkout.outage.deferred
  const isPending = deferred?.status === 'waiting' || deferred?.status === 'charging'
  const holdSeconds = holdSecondsOf(checkout)
  const reloadCart = () => payment.reload().then(followCart)
  return (
    <>
      {holdSeconds.length > 0 && (
        <div className="mb-5 max-w-text">
          <HoldTimer seconds={Math.min(...holdSeconds)} onExpired={() => void payment.reload().catch(() => {})} />
        </div>
      )}
      {deferred && !isPending && <EndedDeferredPayment deferredPayment={deferred} />}
      {checkout.payables.length === 0 ? (
        <EmptyState
          title={<Trans>Nothing to pay</Trans>}
          icon={ReceiptText}
          action={<AddMore token={token} inCart="" onAdded={reloadCart} />}
        >
          <Trans>All items were removed from this payment. Nothing was charged.</Trans>
        </EmptyState>
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[27rem_1fr] lg:gap-8">
          <BillCard checkout={checkout} />
          {deferred && isPending ? (
            <PendingDeferredPayment token={token} deferredPayment={deferred} onReload={payment.reload} />
          ) : (
            <Scripted className="min-w-0">
              <PaymentForm
                token={token}
                checkout={checkout}
                declined={view === 'declined' ? checkout.payment : null}
                again={payment.again}
                newMethodId={newMethodId}
                reportedCard={payment.reportedCard}
                onPay={payment.pay}
                onDefer={payment.deferPayment}
                onAdded={reloadCart}
                onStored={payment.reload}
                onRemove={(no) => payment.removeItem(no).then(followCart).then(focusAmounts)}
              />
            </Scripted>
          )}
        </div>
      )}
    </>
  )
}

/** Moves the keyboard focus to the amounts, because the clicked button disappears with its line. */
function focusAmounts(): void {
  requestAnimationFrame(() => document.getElementById('amount')?.focus())
}
