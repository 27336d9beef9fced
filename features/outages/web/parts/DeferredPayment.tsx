import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { longInstant } from '../../../../web/clock.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { type CheckoutOutage, withdrawDeferredPayment } from '../../contract.ts'
import { Outcome } from '../../../payments/web/parts/Outcome.tsx'

type DeferredPaymentView = NonNullable<CheckoutOutage['deferred']>

/** Pending deferred payment. It blocks other payments on this page. */
export function PendingDeferredPayment({
  token,
  deferredPayment,
  onReload,
}: {
  token: string
  deferredPayment: DeferredPaymentView
  onReload: () => Promise<unknown>
}) {
  const [busy, setBusy] = useState(false)
  const [at, amount] = [longInstant(deferredPayment.at), formatCents(deferredPayment.totalCents)]
  const { email, methodLabel } = deferredPayment
  const withdraw = () => {
    setBusy(true)
    call(withdrawDeferredPayment, { token })
      .then(({ message }) => toast(message))
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .then(onReload)
      .catch(() => {})
      .finally(() => setBusy(false))
  }
  return (
    <Outcome
      tone="waiting"
      title={
        deferredPayment.action === 'charge' ? (
          <Trans>We will charge this payment when payments work again</Trans>
        ) : (
          <Trans>We will email you when you can make this payment</Trans>
        )
      }
      actions={
        deferredPayment.status === 'waiting' && (
          <Button busy={busy} onClick={withdraw}>
            {deferredPayment.action === 'charge' ? (
              <Trans>Withdraw request</Trans>
            ) : (
              <Trans>Withdraw link request</Trans>
            )}
          </Button>
        )
      }
    >
      <p>
        {deferredPayment.action === 'charge' ? (
          <Trans>
            <strong>Nothing has been charged yet.</strong> After payments work again, we will charge {amount} to{' '}
            {methodLabel} once and email the receipt to {email}. If you owe less by then, we will charge nothing and
            notify you.
          </Trans>
        ) : (
          <Trans>
            <strong>Nothing was charged.</strong> We will email a link to {email} as soon as payments work again, so
            that you can finish the payment.
          </Trans>
        )}
      </p>
      <p className="text-muted">
        <Trans>
          You tried to pay on {at}. We recorded your attempt so that your payment is not considered late because of the
          outage.
        </Trans>
      </p>
    </Outcome>
  )
}

/** Outcome of a deferred payment, shown above the payment form. */
export function EndedDeferredPayment({ deferredPayment }: { deferredPayment: DeferredPaymentView }) {
  const at = longInstant(deferredPayment.at)
  if (deferredPayment.status === 'withdrawn' || deferredPayment.status === 'paid') return null
  return (
    <Notice
      tone={deferredPayment.status === 'failed' || deferredPayment.status === 'changed' ? 'warning' : 'info'}
      className="mb-5 max-w-text"
    >
      {deferredPayment.status === 'failed' ? (
        <Trans>The charge that you requested was declined. Nothing was charged. Please pay another way.</Trans>
      ) : deferredPayment.status === 'changed' ? (
        <Trans>
          We could not make the charge that you requested. The amount due changed, or the card or bank account is no
          longer available. Nothing was charged. Review the amount and pay it here.
        </Trans>
      ) : (
        <Trans>You tried to pay on {at}, when payments were not working. We recorded the time of your attempt.</Trans>
      )}
    </Notice>
  )
}
