import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addPaymentStock, showPaymentType, stockForm } from '../contract.ts'

/** Form that adds a range of printed tag numbers: the first number and a count. */
export function AddStock({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const { data } = useResponse(showPaymentType, { typeId: id })
  const form = useZodForm(stockForm, {
    defaultValues: { first: '', count: Number.NaN },
    draft: { name: `payment-stock-${id}` },
  })
  const count = form.field('count')
  return (
    <FormSlideOut
      title={<Trans>Add numbers to {data?.form.title ?? ''}</Trans>}
      form={form}
      save={<Trans>Add numbers</Trans>}
      onSubmit={async (values) => {
        toast((await call(addPaymentStock, { typeId: id, ...values })).message)
        await reload(showPaymentType)
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-muted">
        <Trans>
          Each number is issued once, in the order that you add the numbers. Numbers that already exist do not change.
        </Trans>
      </p>
      <TextField
        label={t`First number`}
        hint={t`For example: 1001 or A-0001`}
        autoComplete="off"
        className="max-w-60"
        {...form.field('first')}
      />
      <TextField
        label={t`Quantity`}
        inputMode="numeric"
        autoComplete="off"
        className="max-w-60"
        {...count}
        {...form.register('count', { setValueAs: (text) => (text === '' ? Number.NaN : Number(text)) })}
      />
    </FormSlideOut>
  )
}
