import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { messageOf } from '../../../web/call.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { methods } from '../../payments/rules.ts'
import type { Checkout, Payment } from './checkout.ts'
import { Outcome } from '../../payments/web/parts/Outcome.tsx'
import type { View } from './use-payment.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface PaymentStatusProps {
  view: Exclude<View, 'form' | 'checking' | 'declined' | 'processing' | 'paid' | 'refunded'>
  checkout: Checkout
  /** Sends the payment again with its original key. Null if the page no longer has the entered data. */
  onPayAgain: (() => void) | null
  /** Returns to the form, with another method if one is passed. */
  onStartOver: (method?: 1 | 2) => void
  /** Cancels the payment that waits for the payer's bank. */
  onDrop: () => Promise<void>
}

/**
 * Tells the payer that the outcome of the payment is being checked. Shown even if the rest of the page cannot be
 * loaded.
 */
export const Checking = () => (
  <Outcome tone="waiting" busy title={<Trans>We are checking whether your payment went through</Trans>}>
    <p>
      <Trans>
        The connection was lost before we received a response. <strong>Do not pay again.</strong> This page will look
        for your payment automatically and show the result.
      </Trans>
    </p>
  </Outcome>
)

/**
 * Shows the status of a payment without a valid receipt. The message for each status states whether money moved and
 * what to do next.
 */
export function PaymentStatusPanel({ view, checkout, onPayAgain, onStartOver, onDrop }: PaymentStatusProps) {
  const { payment } = checkout
  const { reference, message } = payment
  const amount = payment.quote && formatCents(payment.quote.totalCents)
  switch (view) {
    case 'unsent':
      return <Unsent onPayAgain={onPayAgain} onStartOver={onStartOver} />
    case 'working':
      return (
        <Outcome
          tone="waiting"
          busy
          title={
            amount ? (
              <Trans>Your payment of {amount} is being processed</Trans>
            ) : (
              <Trans>Your payment is being processed</Trans>
            )
          }
          reference={reference}
        >
          <p>{message}</p>
        </Outcome>
      )
    case 'challenge':
      return <Challenge payment={payment} onDrop={onDrop} />
    case 'returned':
      return (
        <Outcome
          tone="bad"
          title={<Trans>Your bank returned this eCheck</Trans>}
          reference={reference}
          actions={
            <Button variant="primary" onClick={() => onStartOver(methods.card)}>
              <Trans>Pay by card</Trans>
            </Button>
          }
        >
          <p>{message}</p>
        </Outcome>
      )
    case 'void':
      return (
        <Outcome
          tone="undone"
          title={<Trans>This payment was cancelled</Trans>}
          reference={reference}
          actions={
            <Button variant="primary" onClick={() => onStartOver()}>
              <Trans>Pay this bill</Trans>
            </Button>
          }
        >
          <p>{message}</p>
        </Outcome>
      )
  }
}

const Unsent = ({ onPayAgain, onStartOver }: Pick<PaymentStatusProps, 'onPayAgain' | 'onStartOver'>) => (
  <Outcome
    tone="bad"
    title={<Trans>Your payment did not reach us</Trans>}
    actions={
      <>
        {onPayAgain && (
          <Button variant="primary" onClick={onPayAgain}>
            <Trans>Retry payment</Trans>
          </Button>
        )}
        <Button variant={onPayAgain ? 'secondary' : 'primary'} onClick={() => onStartOver()}>
          <Trans>Back to payment</Trans>
        </Button>
      </>
    }
  >
    <p>
      <Trans>
        The connection was lost before your payment reached us. <strong>Nothing was charged.</strong> You can pay now
        and will not be charged twice.
      </Trans>
    </p>
  </Outcome>
)

/** Shows a payment that waits until the payer's bank has authenticated the payer. */
function Challenge({ payment, onDrop }: { payment: Payment } & Pick<PaymentStatusProps, 'onDrop'>) {
  const { reference, message } = payment
  const amount = payment.quote && formatCents(payment.quote.totalCents)
  return (
    <Outcome
      tone="asked"
      title={<Trans>Your bank must confirm your identity</Trans>}
      reference={reference}
      actions={
        <>
          {payment.actionUrl && (
            <LinkButton to={payment.actionUrl} variant="primary">
              <Trans>Continue to your bank</Trans>
            </LinkButton>
          )}
          <DropButton onDrop={onDrop} />
        </>
      }
    >
      <p>
        <Trans>
          You are about to pay <strong>{amount}</strong> by card.
        </Trans>{' '}
        <Text>{message}</Text>
      </p>
      <p className="text-muted">
        <Trans>
          You will return to this page afterward. If you do not approve the payment, it will be cancelled after 15
          minutes.
        </Trans>
      </p>
    </Outcome>
  )
}

/**
 * Shows the button to use another card. A click first cancels the waiting payment, so that the first card cannot be
 * charged later.
 */
function DropButton({ onDrop }: Pick<PaymentStatusProps, 'onDrop'>) {
  const [busy, setBusy] = useState(false)
  const drop = () => {
    setBusy(true)
    onDrop().catch((error: unknown) => {
      setBusy(false)
      toast(messageOf(error), 'danger')
    })
  }
  return (
    <Button busy={busy} onClick={drop}>
      <Trans>Use another card</Trans>
    </Button>
  )
}
