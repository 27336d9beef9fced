import { Trans, useLingui } from '@lingui/react/macro'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { expiryText } from '../../payments/stored-methods.ts'
import { methods } from '../../payments/rules.ts'
import type { Checkout } from './checkout.ts'
import { NEW_METHOD, type PaymentRequest } from './payment-request.ts'

type StoredMethod = Checkout['storedMethods'][number]

/** Shows the payer's saved cards and bank accounts, with an option to enter a new method. */
export default function StoredMethodChoice({
  form,
  storedMethods,
}: {
  form: ZodForm<PaymentRequest, PaymentRequest>
  storedMethods: readonly StoredMethod[]
}) {
  const { t } = useLingui()
  const { onChange, ...choice } = form.choice('storedMethodId')
  const note = ({ isGood, method, expiresOn, bankName }: StoredMethod) => {
    const expires = expiresOn && expiryText(expiresOn)
    if (!isGood) return expires ? t`Can no longer be charged. Expiration date: ${expires}` : t`Can no longer be charged`
    if (method === methods.echeck) return t`${bankName}, processed in a few business days`
    return expires ? t`Expires ${expires}` : ''
  }
  return (
    <div>
      <RadioCards
        label={t`Pay with`}
        {...choice}
        onChange={(id) => {
          onChange(id)
          const chosen = storedMethods.find((one) => one.id === id)
          if (chosen) form.setValue('method', chosen.method, { shouldDirty: true })
        }}
        options={[
          ...storedMethods.map((one) => ({
            value: one.id,
            label: one.methodLabel,
            note: note(one),
            disabled: !one.isGood,
          })),
          { value: NEW_METHOD, label: t`Another card or bank account`, note: t`Enter it on this page` },
        ]}
      />
      {storedMethods.every(({ isGood }) => !isGood) && (
        <Notice tone="warning" className="mt-3">
          <Trans>None of your saved payment methods can be charged. Enter another card or bank account.</Trans>
        </Notice>
      )}
    </div>
  )
}
