import { Trans } from '@lingui/react/macro'
import { Button } from '../../../web/ui/Button.tsx'
import { type Method, methods } from '../../payments/rules.ts'
import type { Payment } from './checkout.ts'
import { Outcome } from '../../payments/web/parts/Outcome.tsx'

interface DeclinedProps {
  payment: Payment
  /**
   * Returns to the card or bank account fields, and selects `method` if it is passed. Null while nothing can be
   * charged.
   */
  onAgain: ((method?: Method) => void) | null
  /** Moves the focus to the alternative ways to pay. */
  onChoices: () => void
}

/** Explains why no money moved. The form below still contains the payer's choices. */
export const Declined = ({ payment, onAgain, onChoices }: DeclinedProps) => (
  <Outcome
    tone="bad"
    title={<Trans>Your payment did not go through</Trans>}
    reference={payment.reference}
    call
    actions={
      onAgain === null ? (
        <Button onClick={onChoices}>
          <Trans>See your options</Trans>
        </Button>
      ) : (
        <>
          <Button variant="primary" onClick={() => onAgain()}>
            <Trans>Try again</Trans>
          </Button>
          {payment.method === methods.echeck ? (
            <Button onClick={() => onAgain(methods.card)}>
              <Trans>Pay by card</Trans>
            </Button>
          ) : (
            <Button onClick={() => onAgain(methods.echeck)}>
              <Trans>Pay by eCheck</Trans>
            </Button>
          )}
        </>
      )
    }
  >
    <p>{payment.message}</p>
  </Outcome>
)
