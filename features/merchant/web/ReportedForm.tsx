import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { form1099k, type ReportedAmounts, reportedForm, saveForm1099k } from '../contract.ts'
import { boxOfMonth, monthName, months } from '../rules.ts'

interface Props {
  form: ResponseOf<typeof form1099k>
  title: string
  onClose: () => void
}

/** Form for the reported amounts, box by box. */
export function ReportedForm({ form: { year, payee, provider, reported }, title, onClose }: Props) {
  const { t } = useLingui()
  const empty = {
    filer: provider,
    payee,
    tinLast4: '',
    gross: '',
    notPresent: '',
    transactions: '',
    ...Object.fromEntries(months.map((month) => [month, ''])),
  } as ReportedAmounts
  const form = useZodForm(reportedForm, {
    defaultValues: reported?.form ?? empty,
    draft: { name: `form-1099k-${year}` },
    ...(reported && { basis: { ...reported.form } }),
  })
  const amount = { before: '$', inputMode: 'decimal', autoComplete: 'off' } as const
  return (
    <FormSlideOut
      title={title}
      form={form}
      onSubmit={async (values) => {
        toast((await call(saveForm1099k, { ...values, year, basis: form.basis })).message)
        await reload(form1099k)
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-muted">
        <Trans>
          Copy each box from the form that the processor sent you. If a month has no amount, leave its box empty.
        </Trans>
      </p>
      <TextField label={t`Filed by`} {...form.field('filer')} />
      <TextField label={t`Legal entity on the form`} {...form.field('payee')} />
      <TextField
        label={t`Last four digits of the taxpayer ID number (TIN)`}
        optional
        inputMode="numeric"
        {...form.field('tinLast4')}
      />
      <TextField label={t`1a Gross amount`} {...amount} {...form.field('gross')} />
      <TextField label={t`1b Card not present`} optional {...amount} {...form.field('notPresent')} />
      <TextField label={t`3 Number of payments`} inputMode="numeric" {...form.field('transactions')} />
      {months.map((month, n) => (
        <TextField key={month} label={`${boxOfMonth(n)} ${monthName(n)}`} optional {...amount} {...form.field(month)} />
      ))}
    </FormSlideOut>
  )
}
