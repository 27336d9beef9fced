import type { ZodForm } from '../../../web/ui/form.ts'
import { CartLine } from './CartLine.tsx'
import type { Checkout } from './checkout.ts'
import type { PagePaysBy, PaymentRequest, RequestedLine } from './payment-request.ts'

interface CartAmountsProps {
  form: ZodForm<PaymentRequest, PaymentRequest>
  checkout: Checkout
  lines: readonly RequestedLine[]
  by: PagePaysBy
  onRemove: (no: number) => Promise<void>
}

/** Shows the amount and fee of each cart item, with buttons to change or remove it. */
export function CartAmounts({ form, checkout, lines, by, onRemove }: CartAmountsProps) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {lines.map((line, n) => {
        const payable = checkout.payables[n]
        return (
          payable && (
            <CartLine
              key={line.no}
              form={form}
              checkout={checkout}
              line={line}
              by={by}
              payable={payable}
              onRemove={() => onRemove(line.no)}
            />
          )
        )
      })}
    </ul>
  )
}
