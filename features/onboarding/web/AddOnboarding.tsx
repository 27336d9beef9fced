import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { companiesInformation } from '../../../shared/companies.ts'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { call } from '../../../web/call.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { FieldError } from '../../../web/ui/Field.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addOnboarding } from '../contract.ts'
import { providers } from '../rules.ts'
import { reloadOnboardings } from './fresh.ts'

const form = z.object({
  company: z.string().check(z.minLength(1, 'Choose a municipality.')),
  provider: z.enum(Object.keys(providers) as [keyof typeof providers], { error: 'Choose a provider.' }),
})

/**
 * Dialog that adds an onboarding with another provider. The company can then complete the onboarding before its
 * payments use that provider.
 */
export function AddOnboarding({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const added = useZodForm(form, { defaultValues: { company: '', provider: '' as never } })
  const company = added.watch('company')
  return (
    <FormDialog
      title={<Trans>Add onboarding with another provider</Trans>}
      form={added}
      submit={<Trans>Add onboarding</Trans>}
      onClose={onClose}
      onSubmit={async (values) => {
        const { message } = await call(addOnboarding, { companyId: Number(values.company), provider: values.provider })
        toast(message)
        await reloadOnboardings()
        onClose()
      }}
    >
      <div>
        <CompanySelect
          of={companiesInformation}
          none={t`Choose one`}
          value={company}
          onChange={(value) => added.setValue('company', value, { shouldValidate: true })}
        />
        <FieldError id="company-error">{added.formState.errors.company?.message}</FieldError>
      </div>
      <Select
        label={t`Provider`}
        placeholder={t`Choose one`}
        options={Object.entries(providers).map(([value, label]) => ({ value, label }))}
        {...added.field('provider')}
      />
    </FormDialog>
  )
}
