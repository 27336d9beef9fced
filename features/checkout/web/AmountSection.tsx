import { Trans } from '@lingui/react/macro'
import { Card } from '../../../web/ui/Card.tsx'
import { AddMore } from './AddMore.tsx'
import { AmountChoice } from './AmountChoice.tsx'
import { AutopayLine } from './AutopayLine.tsx'
import { CartAmounts } from './CartAmounts.tsx'
import { AmountChanged } from './CartLine.tsx'
import type { Checkout } from './checkout.ts'
import type { PaymentFormState } from './use-payment-form.ts'

interface AmountSectionProps {
  token: string
  checkout: Checkout
  choices: PaymentFormState
  /** Called after an item was added, to reload the checkout. */
  onAdded: () => Promise<unknown>
  onRemove: (no: number) => Promise<void>
}

/** Shows the amount of the bill, or the amounts of all bills in the cart. */
export function AmountSection({ token, checkout, choices, onAdded, onRemove }: AmountSectionProps) {
  const { payables } = checkout
  const { form, lines, paysBy } = choices
  const several = lines.length > 1
  return (
    <Card as="div">
      <h2 id="amount" tabIndex={-1} className="mb-3 text-h3">
        <Trans>Amount</Trans>
      </h2>
      {several ? (
        <CartAmounts form={form} checkout={checkout} lines={lines} by={paysBy} onRemove={onRemove} />
      ) : (
        <>
          <AmountChoice form={form} checkout={checkout} />
          {payables[0] && <AmountChanged payable={payables[0]} />}
        </>
      )}
      {payables.map((payable) => (
        <AutopayLine key={payable.no} payable={payable} several={several} />
      ))}
      <AddMore token={token} inCart={payables.map(({ no }) => no).join()} onAdded={onAdded} />
    </Card>
  )
}
