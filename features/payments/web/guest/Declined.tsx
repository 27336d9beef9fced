import { Trans } from '@lingui/react/macro'
import { Button } from '../../../../web/ui/Button.tsx'
import { type Method, methods } from '../../rules.ts'
import type { Payment } from './checkout.ts'
import { Outcome } from './Outcome.tsx'

interface DeclinedProps {
  payment: Payment
  /** Goes on where card or bank account are entered, by another method if one is named; null while nothing can be charged. */
  onAgain: ((method?: Method) => void) | null
  /** Goes on where it says what can be done instead. */
  onChoices: () => void
}

/** Why no money moved. It stands above the form, which holds what was chosen. */
export const Declined = ({ payment, onAgain, onChoices }: DeclinedProps) => (
  <Outcome
    tone="bad"
    title={<Trans>Your payment did not go through</Trans>}
    reference={payment.reference}
    call
    actions={
      onAgain === null ? (
        <Button onClick={onChoices}>
          <Trans>What you can do now</Trans>
        </Button>
      ) : (
        <>
          <Button look="primary" onClick={() => onAgain()}>
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
