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
export function Promised({
  token,
  made,
  onLook,
}: {
  token: string
  made: DeferredPaymentView
  onLook: () => Promise<unknown>
}) {
  const [busy, setBusy] = useState(false)
  const [at, amount] = [longInstant(made.at), formatCents(made.totalCents)]
  const { email, means } = made
  const withdraw = () => {
    setBusy(true)
    call(withdrawDeferredPayment, { token })
      .then(({ message }) => toast(message))
      .catch((error: unknown) => toast(messageOf(error), 'danger'))
      .then(onLook)
      .catch(() => {})
      .finally(() => setBusy(false))
  }
  return (
    <Outcome
      tone="waiting"
      title={
        made.way === 'charge' ? (
          <Trans>We pay this for you when payments work again</Trans>
        ) : (
          <Trans>We write to you when you can pay this</Trans>
        )
      }
      actions={
        made.status === 'waiting' && (
          <Button busy={busy} onClick={withdraw}>
            {made.way === 'charge' ? <Trans>Withdraw it</Trans> : <Trans>No link is needed</Trans>}
          </Button>
        )
      }
    >
      <p>
        {made.way === 'charge' ? (
          <Trans>
            <strong>Nothing was charged yet.</strong> Once payments work again {means} is charged with {amount}, once,
            and the receipt goes to {email}. If less is owed by then, nothing is charged and you are told so.
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
export function WasPromised({ made }: { made: DeferredPaymentView }) {
  const at = longInstant(made.at)
  if (made.status === 'withdrawn' || made.status === 'paid') return null
  return (
    <Notice
      tone={made.status === 'failed' || made.status === 'changed' ? 'warning' : 'info'}
      className="mb-5 max-w-text"
    >
      {made.status === 'failed' ? (
        <Trans>What you asked us to charge was refused. Nothing was charged. Please pay in another way.</Trans>
      ) : made.status === 'changed' ? (
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
