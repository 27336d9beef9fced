import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import type { HostedFieldsHandle } from '../../../web/ui/HostedFields.tsx'
import { EmailField } from '../../../web/ui/TextField.tsx'
import type { Method } from '../../payments/rules.ts'
import { AmountSection } from './AmountSection.tsx'
import { outageStartOf, type Payment } from './checkout.ts'
import { Declined } from './Declined.tsx'
import { MethodSection } from './MethodSection.tsx'
import { NEW_METHOD } from './payment-request.ts'
import { ReviewSection, StickyTotal } from './ReviewSection.tsx'
import { type PaymentFormInput, usePaymentForm } from './use-payment-form.ts'
import { type SubmitPaymentInput, useSubmitPayment } from './use-submit-payment.ts'

interface PaymentFormProps extends PaymentFormInput, SubmitPaymentInput {
  /** Declined payment. Null if there is none. */
  declined: Payment | null
  /** True if the payer returned to the form. The focus then moves to the card or bank account fields. */
  again: boolean
  /** Called after an item was added, to reload the checkout. */
  onAdded: () => Promise<unknown>
  onRemove: (no: number) => Promise<void>
}

/**
 * Shows the form for the amount, the method and the email address for the receipt, with the total and the pay button.
 */
export function PaymentForm({ declined, again, onAdded, onRemove, ...input }: PaymentFormProps) {
  const { t } = useLingui()
  const { token, checkout } = input
  const fields = useRef<HostedFieldsHandle>(null)
  const payButton = useRef<HTMLButtonElement>(null)
  const alternatives = useRef<HTMLDivElement>(null)
  const choices = usePaymentForm(input)
  const { form, storedMethod } = choices
  const busy = form.formState.isSubmitting
  const { submit, isSent, deferredAction, selectAction, clearAction } = useSubmitPayment(choices, fields, input)
  const focusMethod = useMethodFocus(fields, again)
  const resume = (method?: Method) => {
    if (method) {
      form.setValue('method', method, { shouldDirty: true })
      form.setValue('storedMethodId', NEW_METHOD, { shouldDirty: true })
    }
    focusMethod()
  }
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {declined && (
        <Declined
          payment={declined}
          onAgain={outageStartOf(checkout) === null ? resume : null}
          onChoices={() => alternatives.current?.querySelector('button')?.focus()}
        />
      )}
      <Form
        form={form}
        onSubmit={submit}
        onInvalid={() => {
          clearAction()
          return storedMethod ? undefined : fields.current?.check()
        }}
        keepDraft
        // The form keeps the draft, so the payer loses no data by leaving the page.
        draftIsMarked
        aria-label={t`Payment`}
      >
        <div className="flex flex-col gap-5" inert={isSent}>
          <AmountSection token={token} checkout={checkout} choices={choices} onAdded={onAdded} onRemove={onRemove} />
          <MethodSection
            checkout={checkout}
            choices={choices}
            fields={fields}
            onEnter={() => payButton.current?.form?.requestSubmit()}
          />
          <Card as="div">
            <h2 className="mb-3 text-h3">
              <Trans>Receipt</Trans>
            </h2>
            <EmailField hint={t`We send only the receipt to this address.`} {...form.field('email')} />
          </Card>
        </div>
        <StickyTotal lines={choices.lines} quote={choices.quote} />
        <ReviewSection
          checkout={checkout}
          choices={choices}
          busy={busy}
          payButton={payButton}
          alternatives={alternatives}
          deferredAction={deferredAction}
          onDefer={(action) => {
            selectAction(action)
            alternatives.current?.closest('form')?.requestSubmit()
          }}
        />
      </Form>
    </div>
  )
}

/**
 * Returns a function that moves the focus to the payment method. Also moves the focus there if the payer returned to
 * the form.
 */
function useMethodFocus(fields: RefObject<HostedFieldsHandle | null>, again: boolean): () => void {
  const [requests, setRequests] = useState(again ? 1 : 0)
  useEffect(() => {
    if (requests === 0) return
    // A saved method has no fields, so the focus moves to the choice of methods.
    if (fields.current) fields.current.focus()
    else document.getElementById('method')?.focus()
  }, [requests, fields])
  return () => setRequests(requests + 1)
}
