import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addPaymentStock, showPaymentType, stockForm } from '../contract.ts'

/** Numbers that came from the printer of tags: from the first one on, so many. */
export function AddStock({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const { data } = useAnswer(showPaymentType, { typeId: id })
  const form = useZodForm(stockForm, {
    defaultValues: { first: '', count: Number.NaN },
    draft: { name: `payment-stock-${id}` },
  })
  const count = form.field('count')
  return (
    <SlideOut
      title={<Trans>Add numbers to {data?.form.title ?? ''}</Trans>}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id="payment-stock" save={<Trans>Add them</Trans>} onClose={onClose} />}
    >
      <Form
        id="payment-stock"
        form={form}
        onSubmit={async (values) => {
          toast((await call(addPaymentStock, { typeId: id, ...values })).message)
          await reload(showPaymentType)
          onClose()
        }}
      >
        <p className="text-muted">
          <Trans>Each number is given out once, in this order. Numbers that are there already stay as they are.</Trans>
        </p>
        <TextField
          label={t`First number`}
          hint={t`Such as 1001, or A-0001`}
          autoComplete="off"
          className="max-w-60"
          {...form.field('first')}
        />
        <TextField
          label={t`How many`}
          inputMode="numeric"
          autoComplete="off"
          className="max-w-60"
          {...count}
          {...form.register('count', { setValueAs: (text) => (text === '' ? Number.NaN : Number(text)) })}
        />
      </Form>
    </SlideOut>
  )
}
