import { Trans, useLingui } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { FROM_BANK, useCleanAddress } from '../../../web/back-from-bank.ts'
import { CallError, messageOf } from '../../../web/call.ts'
import { forgetTabCart, rememberTabCart, tabCart } from '../../../web/cart.ts'
import { dropDraft, readDraft, writeDraft } from '../../../web/drafts.ts'
import { setQuery } from '../../../web/go.ts'
import { useParam, useQueryParam, useTitle } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, ErrorState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { followCart } from './parts/follow-cart.ts'
import { AddMore } from './AddMore.tsx'
import { BillCard } from './BillCard.tsx'
import type { Checkout } from './checkout.ts'
import { Outcome } from '../../payments/web/parts/Outcome.tsx'
import { HoldTimer, holdSecondsOf, Promised, WasPromised } from './parts.ts'
import { draftOf, PaymentForm } from './PaymentForm.tsx'
import { type ReceiptKind, Receipt } from './Receipt.tsx'
import { Checking, PaymentStatusPanel } from './PaymentStatus.tsx'
import { usePayment, type View } from './use-payment.ts'

/** 'Complete Payment' screen: the bill, its payment and the result, all at one address. */
export default function PaymentScreen() {
  const { t } = useLingui()
  const token = useParam('token')
  const payment = usePayment(token)
  const { checkout, view, error } = payment
  useFoundAgain(token, checkout, view)
  const newMethodId = useFinishedSetup(payment.look)
  useCleanAddress()
  const receipt = checkout?.payment.receipt
  const fee = receipt?.ownFee?.status ?? ''
  useStageFocus(view, payment.round, fee)
  const receiptKind = receipt && (view === 'paid' || view === 'refunded' || view === 'processing') ? view : null
  const paying = view === 'form' || view === 'declined'
  const holdSeconds = checkout ? holdSecondsOf(checkout) : []
  const promised = checkout?.outage.promise
  const isToCome = promised?.status === 'waiting' || promised?.status === 'charging'
  useTitle(!receiptKind ? t`Complete Payment` : receiptKind === 'processing' ? t`Acknowledgement` : t`Receipt`)

  useEffect(() => {
    if (view === 'paid' || view === 'processing') dropDraft(draftOf(token))
  }, [view, token])

  const startOver = (method?: 1 | 2) => {
    if (method) writeDraft(draftOf(token), { ...readDraft<object>(draftOf(token)), method })
    payment.startOver()
  }

  return (
    <Measure className="py-10 md:py-14 print:p-0">
      <PageHead
        title={
          !receiptKind ? (
            <Trans>Complete Payment</Trans>
          ) : receiptKind === 'processing' ? (
            <Trans>Acknowledgement</Trans>
          ) : (
            <Trans>Receipt</Trans>
          )
        }
      />
      {/* The printed receipt has its own test notice. */}
      {checkout?.gateway.test && !receiptKind && view !== 'checking' && <TestNotice paying={paying} />}
      {!view && error !== null && <Unavailable error={error} onRetry={payment.reload} />}
      {!view && error === null && (
        <LoadingState rows={5} className="max-w-text">
          <Trans>Loading your bill…</Trans>
        </LoadingState>
      )}
      {view === 'checking' && <Checking />}
      {checkout && view && view !== 'checking' && (
        // Remounts for each view and response, and when a fee settles, so that the layout does not shift.
        <div key={`${view} ${payment.round} ${fee}`}>
          {payment.notice && (
            <Notice tone="warning" className="mb-5 max-w-text print:hidden" focusable>
              {payment.notice}
            </Notice>
          )}
          {paying && holdSeconds.length > 0 && (
            <div className="mb-5 max-w-text">
              <HoldTimer seconds={Math.min(...holdSeconds)} onOver={() => void payment.look().catch(() => {})} />
            </div>
          )}
          {paying && promised && !isToCome && <WasPromised made={promised} />}
          {receipt && receiptKind ? (
            <Receipt
              receipt={receipt}
              token={token}
              test={checkout.gateway.test}
              status={receiptKind}
              head={<ReceiptHead checkout={checkout} view={receiptKind} />}
            />
          ) : paying && checkout.payables.length === 0 ? (
            <EmptyState
              title={<Trans>Nothing to pay in here</Trans>}
              icon={ReceiptText}
              action={<AddMore token={token} inCart="" onAdded={() => payment.look().then(followCart)} />}
            >
              <Trans>Everything was removed from this payment. Nothing was charged.</Trans>
            </EmptyState>
          ) : paying && promised && isToCome ? (
            <div className="grid items-start gap-6 lg:grid-cols-[27rem_1fr] lg:gap-8">
              <BillCard checkout={checkout} />
              <Promised token={token} made={promised} onLook={payment.look} />
            </div>
          ) : view === 'form' || view === 'declined' ? (
            <div className="grid items-start gap-6 lg:grid-cols-[27rem_1fr] lg:gap-8">
              <BillCard checkout={checkout} />
              <PaymentForm
                token={token}
                checkout={checkout}
                declined={view === 'declined' ? checkout.payment : null}
                again={payment.again}
                newMethodId={newMethodId}
                reportedCard={payment.toldCard}
                onPay={payment.pay}
                onPromise={payment.promise}
                onAdded={() => payment.look().then(followCart)}
                onStored={payment.look}
                onRemove={(no) => payment.remove(no).then(followCart).then(focusAmounts)}
              />
            </div>
          ) : (
            view !== 'paid' &&
            view !== 'refunded' &&
            view !== 'processing' && (
              <PaymentStatusPanel
                view={view}
                checkout={checkout}
                onPayAgain={payment.payAgain}
                onStartOver={startOver}
                onDrop={payment.drop}
              />
            )
          )}
        </div>
      )}
    </Measure>
  )
}

/** The clicked button disappears with its line. Keyboard focus moves to the amounts. */
function focusAmounts(): void {
  requestAnimationFrame(() => document.getElementById('amount')?.focus())
}

/** Result of the payment, excluded from print. */
function ReceiptHead({ checkout, view }: { checkout: Checkout; view: ReceiptKind }) {
  const { message, quote, next, actionUrl } = checkout.payment
  const has = next.map(({ says, label, path }) => (
    <div key={path} className="flex flex-col items-start gap-3">
      <p className="font-bold">{says}</p>
      <LinkButton to={path}>{label}</LinkButton>
    </div>
  ))
  const amount = formatCents(quote?.totalCents ?? 0)
  if (view === 'processing' && actionUrl)
    return (
      <Outcome
        tone="asked"
        title={<Trans>Confirm your bank account</Trans>}
        actions={
          <LinkButton to={actionUrl} look="primary">
            <Trans>Name the small deposits</Trans>
          </LinkButton>
        }
      >
        <p>{message}</p>
        {has}
      </Outcome>
    )
  if (view === 'processing')
    return (
      <Outcome tone="waiting" title={<Trans>Your eCheck of {amount} is on its way</Trans>}>
        <p>{message}</p>
        <p className="text-muted">
          <Trans>This is an acknowledgement, not a receipt.</Trans>
        </p>
        {has}
      </Outcome>
    )
  return (
    <Outcome
      tone={view === 'paid' ? 'good' : 'undone'}
      title={view === 'paid' ? <Trans>Your payment went through</Trans> : <Trans>This payment was given back</Trans>}
    >
      <p>{message}</p>
      {has}
    </Outcome>
  )
}

/** States that payments here are tests, and lists test cards. */
const TestNotice = ({ paying }: { paying: boolean }) => (
  <Notice className="mb-5 max-w-text print:hidden" title={<Trans>TEST: no money moves</Trans>}>
    {paying && (
      <Trans>
        Try card <span className="whitespace-nowrap">4242 4242 4242 4242</span> with any later date and any code, or
        routing number 110000000 with account 000123456789.
      </Trans>
    )}
  </Notice>
)

/** Message if no checkout can be shown: the link is unknown or expired, or the server cannot be reached. */
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

/**
 * Remembers a guest's cart in this tab, and counts a resident's cart. A single viewed bill becomes a cart when the
 * payer adds another bill.
 */
function useFoundAgain(token: string, checkout: Checkout | null, view: View | null): void {
  const person = useSession()?.userId
  const count = checkout?.payables.filter(({ payableCents }) => payableCents > 0).length ?? 0
  const isCart = (checkout?.payables.length ?? 0) > 1 || tabCart()?.into === token
  useEffect(() => {
    if (view === null) return
    const waits = (view === 'form' || view === 'declined') && count > 0
    if (person !== undefined) void followCart()
    else if (waits && isCart) rememberTabCart({ into: token, count })
    else forgetTabCart(token)
  }, [token, view, count, isCart, person])
}

/** Finishes saving a card after the return from the bank. The method choice then offers it. */
function useFinishedSetup(load: () => Promise<unknown>): number | null {
  const [methodId, setMethodId] = useState<number | null>(null)
  const setup = useQueryParam('setup')
  useEffect(() => {
    if (setup === null) return
    setQuery({ ...FROM_BANK, setup: null })
    const finish = async () => (await import('./save-method.ts')).finishStoringMethod(setup)
    finish().then(
      async ({ message, id }) => {
        await load()
        setMethodId(id)
        toast(message)
      },
      (error: unknown) => toast(messageOf(error), 'danger'),
    )
  }, [setup, load])
  return methodId
}

/**
 * Moves the focus to the result when the view changes or a response arrives. Restores the focus if the remount after a
 * settled fee lost it.
 */
function useStageFocus(view: View | null, round: number, fee: string) {
  const feeBefore = useRef(fee)
  useEffect(() => {
    const isSettled = feeBefore.current === 'waiting' && fee !== 'waiting'
    feeBefore.current = fee
    if (isSettled && document.activeElement === document.body) focusOutcome()
  }, [fee])
  const before = useRef<string | null>(null)
  useEffect(() => {
    const now = view && `${view} ${round}`
    const turned = before.current !== null && now !== null && before.current !== now
    before.current = now
    if (turned && focusOutcome()) globalThis.scrollTo({ top: 0 })
  }, [view, round])
}

function focusOutcome(): boolean {
  const heading = document.getElementById('outcome')
  if (!heading) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}
