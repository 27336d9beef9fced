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

type DeferredPaymentView = NonNullable<CheckoutOutage['promise']>

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
        deferredPayment.way === 'charge' ? (
          <Trans>We pay this for you when payments work again</Trans>
        ) : (
          <Trans>We write to you when you can pay this</Trans>
        )
      }
      actions={
        deferredPayment.status === 'waiting' && (
          <Button busy={busy} onClick={withdraw}>
            {deferredPayment.way === 'charge' ? <Trans>Withdraw it</Trans> : <Trans>No link is needed</Trans>}
          </Button>
        )
      }
    >
      <p>
        {deferredPayment.way === 'charge' ? (
          <Trans>
            <strong>Nothing was charged yet.</strong> Once payments work again {methodLabel} is charged with {amount},
            once, and the receipt goes to {email}. If less is owed by then, nothing is charged and you are told so.
          </Trans>
        ) : (
          <Trans>
            <strong>Nothing was charged.</strong> A link to finish the payment goes to {email} as soon as payments work
            again.
          </Trans>
        )}
      </p>
      <p className="text-muted">
        <Trans>You tried to pay on {at}. That is written down, so that you are not late because of it.</Trans>
      </p>
    </Outcome>
  )
}

/** Outcome of a deferred payment, shown above the form. */
export function EndedDeferredPayment({ deferredPayment }: { deferredPayment: DeferredPaymentView }) {
  const at = longInstant(deferredPayment.at)
  if (deferredPayment.status === 'withdrawn' || deferredPayment.status === 'paid') return null
  return (
    <Notice
      tone={deferredPayment.status === 'failed' || deferredPayment.status === 'changed' ? 'warning' : 'info'}
      className="mb-5 max-w-text"
    >
      {deferredPayment.status === 'failed' ? (
        <Trans>What you asked us to charge was refused. Nothing was charged. Please pay in another way.</Trans>
      ) : deferredPayment.status === 'changed' ? (
        <Trans>
          What you asked us to charge could not be charged so: another amount is owed, or the card or bank account is
          gone. Nothing was charged. Look at it and pay it here.
        </Trans>
      ) : (
        <Trans>You tried to pay on {at}, while payments did not work. That is written down with its time.</Trans>
      )}
    </Notice>
  )
}
