import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { FROM_BANK, useCleanAddress } from '../../../web/back-from-bank.ts'
import { CallError, messageOf } from '../../../web/call.ts'
import { forgetTabCart, rememberTabCart, tabCart } from '../../../web/cart.ts'
import { dropDraft } from '../../../web/drafts.ts'
import { setQuery } from '../../../web/go.ts'
import { type ScreenUrl, useParam, useQueryParam, useTitle } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { ErrorState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { guestCheckout } from '../contract.ts'
import type { Checkout } from './checkout.ts'
import { followCart } from './parts/follow-cart.ts'
import { isSimple } from './parts.ts'
import { PaymentStage } from './PaymentStage.tsx'
import { Checking } from './PaymentStatus.tsx'
import { draftOf } from './use-payment-form.ts'
import { usePayment, type View } from './use-payment.ts'
import { useStageFocus } from './use-stage-focus.ts'

export const calls = ({ params }: ScreenUrl) => [[guestCheckout, { token: params['token'] ?? '' }]] as const

/** The browser loads parts that only some payments need. */
export const needsBrowser = ([checkout]: readonly unknown[]): boolean => !isSimple(checkout as Checkout)

/** Shows the 'Complete Payment' screen: the bill, its payment and the result, all at one URL. */
export default function PaymentScreen() {
  const { t } = useLingui()
  const token = useParam('token')
  const payment = usePayment(token)
  const { checkout, view, error } = payment
  useRememberedCart(token, checkout, view)
  const newMethodId = useFinishedSetup(payment.reload)
  useCleanAddress()
  const receipt = checkout?.payment.receipt
  const fee = receipt?.separateFee?.status ?? ''
  useStageFocus(view, payment.round, fee)
  const receiptKind = receipt && (view === 'paid' || view === 'refunded' || view === 'processing') ? view : null
  useTitle(!receiptKind ? t`Complete Payment` : receiptKind === 'processing' ? t`Acknowledgment` : t`Receipt`)

  useEffect(() => {
    if (view === 'paid' || view === 'processing') dropDraft(draftOf(token))
  }, [view, token])

  return (
    <Measure className="py-10 md:py-14 print:p-0">
      <PageHead
        title={
          !receiptKind ? (
            <Trans>Complete Payment</Trans>
          ) : receiptKind === 'processing' ? (
            <Trans>Acknowledgment</Trans>
          ) : (
            <Trans>Receipt</Trans>
          )
        }
      />
      {/* Hidden if a receipt is shown, because the receipt has its own test notice. */}
      {checkout?.gateway.test && !receiptKind && view !== 'checking' && (
        <TestNotice listsCards={view === 'form' || view === 'declined'} />
      )}
      {!view && error !== null && <Unavailable error={error} onRetry={payment.retry} />}
      {!view && error === null && (
        <LoadingState rows={5} className="max-w-text">
          <Trans>Loading your bill…</Trans>
        </LoadingState>
      )}
      {view === 'checking' && <Checking />}
      {checkout && view && view !== 'checking' && (
        <PaymentStage
          // Remounts for each view and response, and when the fee status changes, so that the layout does not shift.
          key={`${view} ${payment.round} ${fee}`}
          token={token}
          checkout={checkout}
          view={view}
          payment={payment}
          newMethodId={newMethodId}
        />
      )}
    </Measure>
  )
}

/** States that payments on this site are tests. Lists test cards while the payer can pay. */
const TestNotice = ({ listsCards }: { listsCards: boolean }) => (
  <Notice className="mb-5 max-w-text print:hidden" title={<Trans>TEST: no money moves</Trans>}>
    {listsCards && (
      <Trans>
        Try card <span className="whitespace-nowrap">4242 4242 4242 4242</span> with any future date and any code, or
        routing number 110000000 with account 000123456789.
      </Trans>
    )}
  </Notice>
)

/** Shows a message if the checkout cannot be shown: the link is unknown or expired, or the server cannot be reached. */
function Unavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 400))
    return <Failed error={error} title={<Trans>Could not load your bill</Trans>} onRetry={onRetry} />
  return (
    <ErrorState
      className="max-w-text"
      title={<Trans>This payment link does not work</Trans>}
      next={<Trans>If you already paid, your payment is safe. We emailed you its receipt.</Trans>}
      actions={
        <LinkButton to="/guest-utility-payment" variant="primary">
          <Trans>Find your bill</Trans>
        </LinkButton>
      }
    >
      {error.message}
    </ErrorState>
  )
}

/**
 * Saves a guest's cart in this tab, or reloads the count of a resident's cart. A single bill becomes a cart only when
 * the payer adds another bill.
 */
function useRememberedCart(token: string, checkout: Checkout | null, view: View | null): void {
  const person = useSession()?.userId
  const count = checkout?.payables.filter(({ payableCents }) => payableCents > 0).length ?? 0
  const isCart = (checkout?.payables.length ?? 0) > 1 || tabCart()?.into === token
  useEffect(() => {
    if (view === null) return
    const isUnpaid = (view === 'form' || view === 'declined') && count > 0
    if (person !== undefined) void followCart()
    else if (isUnpaid && isCart) rememberTabCart({ into: token, count })
    else forgetTabCart(token)
  }, [token, view, count, isCart, person])
}

/** Finishes saving a card after the payer returns from the bank. The method choice then offers the card. */
function useFinishedSetup(reload: () => Promise<unknown>): number | null {
  const [methodId, setMethodId] = useState<number | null>(null)
  const setup = useQueryParam('setup')
  useEffect(() => {
    if (setup === null) return
    setQuery({ ...FROM_BANK, setup: null })
    const finish = async () => (await import('./store-method.ts')).finishStoringMethod(setup)
    finish().then(
      async ({ message, id }) => {
        await reload()
        setMethodId(id)
        toast(message)
      },
      (error: unknown) => toast(messageOf(error), 'danger'),
    )
  }, [setup, reload])
  return methodId
}
