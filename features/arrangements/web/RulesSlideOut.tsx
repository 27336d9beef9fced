import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { AnsweredSlideOut } from '../../../web/ui/Answered.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { arrangementRules, rulesForm, saveArrangementRules } from '../contract.ts'

type ArrangementRulesResponse = ResponseOf<typeof arrangementRules>

export function RulesSlideOut({ onClose }: { onClose: () => void }) {
  const answer = useAnswer(arrangementRules, {})
  if (answer.data?.can.edit) return <Edit loaded={answer.data} onClose={onClose} />
  return (
    <AnsweredSlideOut
      title={<Trans>Rules of payment arrangements</Trans>}
      onClose={onClose}
      answer={answer}
      loading={<Trans>Loading the rules</Trans>}
    >
      {({ rules }) => (
        <p>
          <Trans>
            Residents may agree on up to {rules.maxInstallments} installments within {rules.maxDays} days. You may read
            these rules and not change them.
          </Trans>
        </p>
      )}
    </AnsweredSlideOut>
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
      title={<Trans>Rules of payment arrangements</Trans>}
      form={form}
      onSubmit={async (values) => {
        toast((await call(saveArrangementRules, { ...values, basis: form.basis })).message)
        await reload(arrangementRules)
        onClose()
      }}
      onClose={onClose}
    >
      <Checkbox
        label={t`Residents may begin a plan by themselves, within these limits`}
        {...form.field('byResidents')}
      />
      <TextField label={t`Most installments`} {...whole('maxInstallments')} />
      <TextField label={t`Longest, in days`} {...whole('maxDays')} />
      <TextField label={t`Least share of the first installment, in percent`} {...whole('minFirstPercent')} />
      <MoneyField label={t`Least amount`} {...form.money('minCents')} />
      <TextField
        label={t`Days of grace`}
        hint={t`So late may an installment be before the plan is broken.`}
        {...whole('graceDays')}
      />
      <TextArea
        label={t`What residents agree to`}
        optional
        hint={t`Left empty: ${defaultTerms}`}
        {...form.field('terms')}
      />
    </FormSlideOut>
  )
}
