import { useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../../shared/money.ts'
import { RadioCards } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { type Method, methods, quoteOf } from '../../rules.ts'
import type { Checkout } from './checkout.ts'
import type { Wish } from './wish.ts'

interface MethodChoiceProps {
  form: ZodForm<Wish, Wish>
  checkout: Checkout
  /** Null while no amount is chosen that can be paid. */
  billCents: number | null
}

/** Card or eCheck, with what each costs on top. */
export function MethodChoice({ form, checkout, billCents }: MethodChoiceProps) {
  const { t } = useLingui()
  const fee = (method: Method) => {
    if (billCents === null) return {}
    const { feeCents } = quoteOf(checkout.fees, method, billCents)
    return { aside: feeCents === 0 ? t`No fee` : t`+ ${formatCents(feeCents)} fee` }
  }
  return (
    <RadioCards
      label={t`How do you want to pay?`}
      columns={2}
      {...form.choice('method')}
      options={[
        { value: methods.card, label: t`Card`, note: t`Credit or debit; done in seconds`, ...fee(methods.card) },
        {
          value: methods.echeck,
          label: t`eCheck`,
          note: t`From your bank account; takes a few business days`,
          ...fee(methods.echeck),
        },
      ]}
    />
  )
}
