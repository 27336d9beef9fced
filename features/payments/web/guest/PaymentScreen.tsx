import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { CallError } from '../../../../web/call.ts'
import { dropDraft, readDraft, writeDraft } from '../../../../web/drafts.ts'
import { useParam, useTitle } from '../../../../web/routes.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { ErrorState, Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { BillCard } from './BillCard.tsx'
import type { Checkout } from './checkout.ts'
import { Outcome } from './Outcome.tsx'
import { draftOf, PaymentForm } from './PaymentForm.tsx'
import { Receipt } from './Receipt.tsx'
import { Standing } from './Standing.tsx'
import { usePayment, type View } from './use-payment.ts'

/** 'Complete Payment': the bill, paying it once, and what became of that, all at one address. */
export default function PaymentScreen() {
  const { t } = useLingui()
  const token = useParam('token')
  const payment = usePayment(token)
  const { checkout, view, error } = payment
  const stage = useStageFocus(view)
  const receipt = checkout?.payment.receipt
  const isReceipt = (view === 'paid' || view === 'refunded') && receipt
  useTitle(isReceipt ? t`Receipt` : t`Complete Payment`)

  useEffect(() => {
    if (view === 'paid' || view === 'processing') dropDraft(draftOf(token))
  }, [view, token])

  const startOver = (method?: 1 | 2) => {
    if (method) writeDraft(draftOf(token), { ...readDraft<object>(draftOf(token)), method })
    payment.startOver()
  }

  return (
    <Measure className="py-10 md:py-14 print:p-0">
      <PageHead title={isReceipt ? <Trans>Receipt</Trans> : <Trans>Complete Payment</Trans>} />
      {/* A receipt says it itself. */}
      {checkout?.gateway.test && !isReceipt && <TestNotice paying={view === 'form'} />}
      {!view && error !== null && <Unavailable error={error} onRetry={payment.reload} />}
      {!view && error === null && (
        <LoadingState rows={5} className="max-w-text">
          <Trans>Loading your bill…</Trans>
        </LoadingState>
      )}
      {checkout && view && (
        <div ref={stage}>
          {payment.notice && (
            <Notice tone="warning" className="mb-5 max-w-text print:hidden" focusable>
              {payment.notice}
            </Notice>
          )}
          {isReceipt ? (
            <Receipt
              receipt={receipt}
              program={checkout.fees.program}
              token={token}
              test={checkout.gateway.test}
              refunded={view === 'refunded'}
              head={<ReceiptHead checkout={checkout} view={view} />}
            />
          ) : view === 'form' ? (
            <div className="grid items-start gap-6 lg:grid-cols-[27rem_1fr] lg:gap-8">
              <BillCard checkout={checkout} />
              <PaymentForm token={token} checkout={checkout} onPay={payment.pay} />
            </div>
          ) : (
            view !== 'paid' &&
            view !== 'refunded' && (
              <Standing view={view} checkout={checkout} onPayAgain={payment.payAgain} onStartOver={startOver} />
            )
          )}
        </div>
      )}
    </Measure>
  )
}

/** That it worked; what is printed leaves it out. */
const ReceiptHead = ({ checkout, view }: { checkout: Checkout; view: View }) => (
  <Outcome
    tone={view === 'paid' ? 'good' : 'undone'}
    title={view === 'paid' ? <Trans>Your payment went through</Trans> : <Trans>This payment was given back</Trans>}
  >
    <p>{checkout.payment.message}</p>
  </Outcome>
)

/** Says that this is a trial, and with what it can be tried. */
const TestNotice = ({ paying }: { paying: boolean }) => (
  <Notice tone="warning" className="mb-5 max-w-text print:hidden" title={<Trans>TEST: no money moves</Trans>}>
    {paying && (
      <Trans>
        Try card <span className="whitespace-nowrap">4242 4242 4242 4242</span> with any later date and any code, or
        routing number 110000000 with account 000123456789.
      </Trans>
    )}
  </Notice>
)

/** No checkout to show: the link is unknown or too old, or the server can't be reached. */
function Unavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 400))
    return <Failed error={error} title={<Trans>Your bill could not be loaded</Trans>} onRetry={onRetry} />
  return (
    <ErrorState
      className="max-w-text"
      title={<Trans>This payment link does not work</Trans>}
      next={<Trans>A payment that you have made is safe: its receipt came by email.</Trans>}
      actions={
        <LinkButton to="/guest-utility-payment" look="primary">
          <Trans>Find your bill</Trans>
        </LinkButton>
      }
    >
      {error.message}
    </ErrorState>
  )
}

/** Gives the focus to the first heading of what came up, when the page turns from one view to another. */
function useStageFocus(view: View | null) {
  const stage = useRef<HTMLDivElement>(null)
  const before = useRef<View | null>(null)
  useEffect(() => {
    const turned = before.current !== null && view !== null && before.current !== view
    before.current = view
    const heading = turned && stage.current?.querySelector<HTMLElement>('h2')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    globalThis.scrollTo({ top: 0 })
  }, [view])
  return stage
}
