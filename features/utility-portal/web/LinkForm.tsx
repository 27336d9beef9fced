import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { PrintedAmountField, PrintedCodeField, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { linkAccount, linkedAccounts, linkForm } from '../contract.ts'

const codeInAddress = (): string => /^#code=(\w{1,20})$/.exec(location.hash)?.[1] ?? ''

/** Form that links an account by its number and by proof that the person receives the account's mail. */
export function LinkForm({ onLinked }: { onLinked: () => void }) {
  const { t } = useLingui()
  // The QR code in a letter prefills the account number and the code.
  const account = useQueryParam('account') ?? ''
  const form = useZodForm(linkForm, {
    defaultValues: {
      accountNumber: account,
      proof: account === '' ? 'amount' : 'code',
      amount: '',
      code: codeInAddress(),
      nickname: '',
    },
    ...(account === '' && { draft: { name: 'link-account', leaveOut: ['code'] } }),
  })
  const proof = form.watch('proof')
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        const { message } = await call(linkAccount, values)
        await reload(linkedAccounts)
        toast(message)
        onLinked()
      }}
    >
      <PrintedCodeField
        label={t`Account number`}
        hint={t`Enter the number as printed on your bill. Spaces do not matter.`}
        {...form.field('accountNumber')}
      />
      <RadioCards
        label={t`How do you want to prove that the account is yours?`}
        options={[
          { value: 'amount', label: t`Bill amount`, note: t`From one of your last three bills` },
          { value: 'code', label: t`Link code`, note: t`From a letter or bill that shows a link code` },
        ]}
        {...form.choice('proof')}
      />
      {proof === 'amount' ? (
        <PrintedAmountField
          label={t`Amount of a recent bill`}
          hint={t`Enter the amount of that bill only, not including any earlier balance.`}
          {...form.field('amount')}
        />
      ) : (
        <PrintedCodeField label={t`Link code`} className="max-w-60" {...form.field('code')} />
      )}
      <TextField
        label={t`Account nickname`}
        hint={t`For example: Home`}
        optional
        autoComplete="off"
        className="max-w-60"
        {...form.field('nickname')}
      />
      <SubmitButton form={form} busyLabel={<Trans>Linking…</Trans>}>
        <Trans>Link account</Trans>
      </SubmitButton>
    </Form>
  )
}
