import { Trans } from '@lingui/react/macro'
import { page } from '../../../web/page.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { storageMandate } from '../../payments/stored-methods.ts'
import type { PaymentRequest } from './payment-request.ts'

/** Shows the checkbox to save the entered method for later payments, with its authorization text. */
export default function StoreMethodField({ form }: { form: ZodForm<PaymentRequest, PaymentRequest> }) {
  return (
    <Checkbox
      className="mt-4"
      label={<Trans>Save this payment method for later</Trans>}
      hint={storageMandate(page().siteName)}
      {...form.field('keep')}
    />
  )
}
