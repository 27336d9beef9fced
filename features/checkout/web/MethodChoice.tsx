import { useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { type Method, methods } from '../../payments/rules.ts'
import type { Checkout } from './checkout.ts'
import { type PagePaysBy, quoteOfRequest, type PaymentRequest, type RequestedLine } from './payment-request.ts'

interface MethodChoiceProps {
  form: ZodForm<PaymentRequest, PaymentRequest>
  checkout: Checkout
  /** Lines to pay. Null while the amounts cannot be paid. */
  lines: readonly RequestedLine[] | null
  /** Brand and type of the card, as far as known. */
  card: Omit<PagePaysBy, 'method'>
}

/** Shows the choice between card and eCheck, each with its fee. */
export function MethodChoice({ form, checkout, lines, card }: MethodChoiceProps) {
  const { t } = useLingui()
  const fee = (method: Method) => {
    const quote = lines && quoteOfRequest(checkout.fees, { ...card, method }, lines)
    if (!quote) return {}
    const { feeCents } = quote
    return { aside: feeCents === 0 ? t`No fee` : t`+ ${formatCents(feeCents)} fee` }
  }
  return (
    <RadioCards
      label={t`How do you want to pay?`}
      columns={2}
      {...form.choice('method')}
      options={[
        { value: methods.card, label: t`Card`, note: t`Credit or debit, in seconds`, ...fee(methods.card) },
        {
          value: methods.echeck,
          label: t`eCheck`,
          note: t`From your bank account, in a few business days`,
          ...fee(methods.echeck),
        },
      ]}
    />
  )
}
