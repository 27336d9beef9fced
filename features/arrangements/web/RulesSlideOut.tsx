import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { arrangementRules, rulesForm, saveArrangementRules } from '../contract.ts'

type ArrangementRulesResponse = ResponseOf<typeof arrangementRules>

export function RulesSlideOut({ onClose }: { onClose: () => void }) {
  const response = useResponse(arrangementRules, {})
  if (response.data?.can.edit) return <Edit loaded={response.data} onClose={onClose} />
  return (
    <ResponseSlideOut
      title={<Trans>Payment arrangement rules</Trans>}
      onClose={onClose}
      response={response}
      loading={<Trans>Loading the rules</Trans>}
    >
      {({ rules }) => (
        <p>
          {rules.byResidents ? (
            <Trans>
              Residents can start arrangements with up to {rules.maxInstallments} installments within {rules.maxDays}{' '}
              days. You can view these rules but not change them.
            </Trans>
          ) : (
            <Trans>Residents cannot start arrangements themselves. You can view these rules but not change them.</Trans>
          )}
        </p>
      )}
    </ResponseSlideOut>
  )
}

function Edit({ loaded: { rules, defaultTerms }, onClose }: { loaded: ArrangementRulesResponse; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(rulesForm, {
    defaultValues: rules,
    basis: { ...rules },
    draft: { name: 'arrangement-rules' },
  })
  const whole = (name: 'maxInstallments' | 'maxDays' | 'minFirstPercent' | 'graceDays') => ({
    type: 'number',
    inputMode: 'numeric' as const,
    ...form.register(name, { valueAsNumber: true }),
    error: form.field(name).error,
  })
  return (
    <FormSlideOut
      title={<Trans>Payment arrangement rules</Trans>}
      form={form}
      onSubmit={async (values) => {
        toast((await call(saveArrangementRules, { ...values, basis: form.basis })).message)
        await reload(arrangementRules)
        onClose()
      }}
      onClose={onClose}
    >
      <Checkbox
        label={t`Allow residents to start arrangements themselves, within these limits`}
        {...form.field('byResidents')}
      />
      <TextField label={t`Maximum number of installments`} {...whole('maxInstallments')} />
      <TextField label={t`Maximum length in days`} {...whole('maxDays')} />
      <TextField label={t`Minimum first installment (% of total)`} {...whole('minFirstPercent')} />
      <MoneyField label={t`Minimum total amount`} {...form.money('minCents')} />
      <TextField
        label={t`Grace period (days)`}
        hint={t`Enter how many days an installment can be late before the arrangement defaults.`}
        {...whole('graceDays')}
      />
      <TextArea
        label={t`Agreement text`}
        optional
        hint={t`If you leave this empty, residents see: ${defaultTerms}`}
        {...form.field('terms')}
      />
    </FormSlideOut>
  )
}
