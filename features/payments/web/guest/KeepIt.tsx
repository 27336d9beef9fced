import { Trans } from '@lingui/react/macro'
import { placeName } from '../../../../web/boot.ts'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { keepingMandate } from '../../stored-methods.ts'
import type { PaymentRequest } from './payment-request.ts'

/** Whether what is entered is kept for later payments, with what one agrees to by that. */
export default function KeepIt({ form }: { form: ZodForm<PaymentRequest, PaymentRequest> }) {
  return (
    <Checkbox
      className="mt-4"
      label={<Trans>Keep it for later payments</Trans>}
      hint={keepingMandate(placeName)}
      {...form.field('keep')}
    />
  )
}
