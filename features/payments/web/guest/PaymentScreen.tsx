import { Trans, useLingui } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { FROM_BANK, useCleanAddress } from '../../../../web/back-from-bank.ts'
import { CallError, sentenceOf } from '../../../../web/call.ts'
import { forgetTabCart, rememberTabCart, tabCart } from '../../../../web/cart.ts'
import { dropDraft, readDraft, writeDraft } from '../../../../web/drafts.ts'
import { setQuery } from '../../../../web/go.ts'
import { useParam, useQueryParam, useTitle } from '../../../../web/routes.tsx'
import { useSession } from '../../../../web/session.ts'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { EmptyState, ErrorState, Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { followCart } from '../follow-cart.ts'
import { AddMore } from './AddMore.tsx'
import { BillCard } from './BillCard.tsx'
import type { Checkout } from './checkout.ts'
import { Outcome } from './Outcome.tsx'
import { Held, heldFor, Promised, WasPromised } from './parts.ts'
import { draftOf, PaymentForm } from './PaymentForm.tsx'
import { type ReceiptKind, Receipt } from './Receipt.tsx'
import { Checking, Standing } from './Standing.tsx'
import { usePayment, type View } from './use-payment.ts'

/** 'Complete Payment': the bill, paying it once, and what became of that, all at one address. */
export default function PaymentScreen() {
  const { t } = useLingui()
  const token = useParam('token')
  const payment = usePayment(token)
  const { checkout, view, error } = payment
  useFoundAgain(token, checkout, view)
  const keptNow = useKeptAtTheBank(payment.look)
  useCleanAddress()
  const receipt = checkout?.payment.receipt
  const fee = receipt?.ownFee?.status ?? ''
  useStageFocus(view, payment.round, fee)
  const paper = receipt && (view === 'paid' || view === 'refunded' || view === 'processing') ? view : null
  const paying = view === 'form' || view === 'declined'
  const held = checkout ? heldFor(checkout) : []
  const promised = checkout?.outage.promise
  const isToCome = promised?.status === 'waiting' || promised?.status === 'charging'
  useTitle(!paper ? t`Complete Payment` : paper === 'processing' ? t`Acknowledgement` : t`Receipt`)

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
          !paper ? (
            <Trans>Complete Payment</Trans>
          ) : paper === 'processing' ? (
            <Trans>Acknowledgement</Trans>
          ) : (
            <Trans>Receipt</Trans>
          )
        }
      />
      {/* What is printed says it itself. */}
      {checkout?.gateway.test && !paper && view !== 'checking' && <TestNotice paying={paying} />}
      {!view && error !== null && <Unavailable error={error} onRetry={payment.reload} />}
      {!view && error === null && (
        <LoadingState rows={5} className="max-w-text">
          <Trans>Loading your bill…</Trans>
        </LoadingState>
      )}
      {view === 'checking' && <Checking />}
      {checkout && view && view !== 'checking' && (
        // Drawn anew with each view and each answer, and once a fee is settled, so that nothing that stood there moves.
        <div key={`${view} ${payment.round} ${fee}`}>
          {payment.notice && (
            <Notice tone="warning" className="mb-5 max-w-text print:hidden" focusable>
              {payment.notice}
            </Notice>
          )}
          {paying && held.length > 0 && (
            <div className="mb-5 max-w-text">
              <Held seconds={Math.min(...held)} onOver={() => void payment.look().catch(() => {})} />
            </div>
          )}
          {paying && promised && !isToCome && <WasPromised made={promised} />}
          {receipt && paper ? (
            <Receipt
              receipt={receipt}
              token={token}
              test={checkout.gateway.test}
              standing={paper}
              head={<ReceiptHead checkout={checkout} view={paper} />}
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
                keptNow={keptNow}
                toldCard={payment.toldCard}
                onPay={payment.pay}
                onPromise={payment.promise}
                onAdded={() => payment.look().then(followCart)}
                onKept={payment.look}
                onRemove={(no) => payment.remove(no).then(followCart).then(focusAmounts)}
              />
            </div>
          ) : (
            view !== 'paid' &&
            view !== 'refunded' &&
            view !== 'processing' && (
              <Standing
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

/** The button that was pressed is gone with its line: whoever goes by keyboard goes on where the others are. */
function focusAmounts(): void {
  requestAnimationFrame(() => document.getElementById('amount')?.focus())
}

/** What became of the payment; what is printed leaves it out. */
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

/** Says that this is a trial, and with what it can be tried. */
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

/**
 * Keeps a guest's cart of this tab, and counts a resident's. A bill that somebody only looks at is no cart: it becomes one when
 * they add another bill.
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

/** Somebody comes back from their bank, which was to confirm a card that is kept: it is offered from then on. */
function useKeptAtTheBank(look: () => Promise<unknown>): number | null {
  const [kept, setKept] = useState<number | null>(null)
  const setup = useQueryParam('setup')
  useEffect(() => {
    if (setup === null) return
    setQuery({ ...FROM_BANK, setup: null })
    const finish = async () => (await import('./keep-method.ts')).finishKeeping(setup)
    finish().then(
      async ({ message, id }) => {
        await look()
        setKept(id)
        toast(message)
      },
      (error: unknown) => toast(sentenceOf(error), 'danger'),
    )
  }, [setup, look])
  return kept
}

/**
 * Gives the focus to what is said of the payment, when the page turns from one view to another or an answer came; and where what
 * had it was drawn anew, since the fee is settled that the payment waited for.
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
