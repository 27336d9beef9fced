import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { call } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { Checkbox, RadioCards } from '../../../web/ui/Choice.tsx'
import { FieldsRefused } from '../../../web/ui/fields-channel.ts'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import type { HostedFieldsHandle } from '../../../web/ui/HostedFields.tsx'
import { PaymentFields } from '../../../web/ui/PaymentFields.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { methods } from '../../payments/rules.ts'
import { addPaymentMethod, methodForm } from '../../payments/stored-methods.ts'
import { type PaymentMethodsResponse, reloadBoth } from './stored-methods.ts'
import { arriveAt } from '../../../web/ui/step-heading.ts'

interface AddMethodRequest {
  method: 1 | 2
  agree: boolean
}

/** Shows the form to add a card or bank account. Only the payment provider's own fields receive its number. */
export function AddMethod({
  stored: { gateway, mandate },
  onDone,
}: {
  stored: PaymentMethodsResponse
  onDone: () => void
}) {
  const { t } = useLingui()
  const form = useZodForm<AddMethodRequest, AddMethodRequest>(methodForm, {
    defaultValues: { method: methods.card, agree: false },
  })
  const fields = useRef<HostedFieldsHandle>(null)
  const panelRef = useRef<HTMLDivElement>(null)
  const method = form.watch('method')
  // The button that opened this form is gone, so the focus moves to the form.
  useEffect(() => arriveAt(panelRef.current), [])
  async function add(request: AddMethodRequest) {
    let methodToken: string
    try {
      methodToken = (await fields.current?.tokenize()) ?? ''
    } catch (failure) {
      // The card and bank account fields already show their own errors.
      if (failure instanceof FieldsRefused) return
      throw failure
    }
    const { message, actionUrl } = await call(addPaymentMethod, { ...request, methodToken })
    if (actionUrl) return go(actionUrl)
    await reloadBoth()
    toast(message)
    onDone()
  }
  return (
    <div ref={panelRef} tabIndex={-1} className="border-line border-t pt-4 outline-none">
      <h3 className="mb-3 text-tile">
        <Trans>Add a card or bank account</Trans>
      </h3>
      <Form form={form} onSubmit={add} onInvalid={() => fields.current?.check()}>
        <RadioCards
          label={t`What do you want to save?`}
          columns={2}
          {...form.choice('method')}
          options={[
            { value: methods.card, label: t`Card`, note: t`Credit or debit` },
            { value: methods.echeck, label: t`Bank account`, note: t`For eChecks` },
          ]}
        />
        <PaymentFields
          ref={fields}
          gateway={gateway}
          kind={method === methods.card ? 'card' : 'bank'}
          onEnter={() => panelRef.current?.querySelector('form')?.requestSubmit()}
        />
        <Checkbox label={mandate} {...form.field('agree')} />
        <FormActions
          form={form}
          submit={<Trans>Save payment method</Trans>}
          busyLabel={<Trans>Saving...</Trans>}
          onCancel={onDone}
        />
      </Form>
    </div>
  )
}
