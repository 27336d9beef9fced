import { Trans } from '@lingui/react/macro'
import type { Ref } from 'react'
import { useSession } from '../../../web/session.ts'
import { Card } from '../../../web/ui/Card.tsx'
import { cx } from '../../../web/ui/cx.ts'
import type { HostedFieldsHandle } from '../../../web/ui/HostedFields.tsx'
import { PaymentFields } from '../../../web/ui/PaymentFields.tsx'
import { brandNamed } from '../../payments/rules-fees.ts'
import { methods } from '../../payments/rules.ts'
import { type Checkout, outageStartOf } from './checkout.ts'
import { MethodChoice } from './MethodChoice.tsx'
import { StoredMethodChoice, StoreMethodField } from './parts.ts'
import type { PaymentFormState } from './use-payment-form.ts'

interface MethodSectionProps {
  checkout: Checkout
  choices: PaymentFormState
  fields: Ref<HostedFieldsHandle>
  /** Called when the payer presses Enter in one of the hosted fields. */
  onEnter: () => void
}

/** Shows the payer's saved methods, or the fields for a card or bank account. */
export function MethodSection({ checkout, choices, fields, onEnter }: MethodSectionProps) {
  const session = useSession()
  const { form, request, lines, storedMethod, isPayable, enteredCard } = choices
  const ownsMethods = !session?.impersonating
  return (
    <Card as="div">
      <h2 id="method" tabIndex={-1} className="mb-3 text-h3">
        <Trans>Payment method</Trans>
      </h2>
      {ownsMethods && checkout.storedMethods.length > 0 && (
        <div className={cx(!storedMethod && 'mb-5')}>
          <StoredMethodChoice form={form} storedMethods={checkout.storedMethods} />
        </div>
      )}
      {!storedMethod && (
        <MethodChoice form={form} checkout={checkout} lines={isPayable ? lines : null} card={enteredCard} />
      )}
      {!storedMethod && outageStartOf(checkout) !== null && (
        <p className="mt-5 text-muted">
          <Trans>You will enter your card or bank account details when payments work again.</Trans>
        </p>
      )}
      {!storedMethod && outageStartOf(checkout) === null && (
        <div className="mt-5">
          <PaymentFields
            ref={fields}
            gateway={checkout.gateway}
            cents={choices.quote?.totalCents ?? null}
            onBrand={(brand) => choices.setBrand(brandNamed(brand))}
            onEnter={onEnter}
            kind={request.method === methods.card ? 'card' : 'bank'}
          />
          {session && ownsMethods && checkout.outage.since === null && <StoreMethodField form={form} />}
        </div>
      )}
    </Card>
  )
}
