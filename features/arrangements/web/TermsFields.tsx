import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { optionsOf, Select } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { type Limits, refuseTerms, rhythms, scheduleOf, type Terms } from '../rules.ts'
import { Schedule } from './Schedule.tsx'

interface TermsFieldsProps {
  // oxlint-disable-next-line typescript/no-explicit-any -- two forms with different values share these fields
  form: ZodForm<any, any>
  owedCents: number
  today: string
  limits: Limits | null
}

/**
 * Edits the amount, the number of installments and the first day. Shows the resulting schedule, or the error of the
 * terms.
 */
export function TermsFields({ form, owedCents, today, limits }: TermsFieldsProps) {
  const { t } = useLingui()
  const { totalCents, firstCents, count, firstOn, every } = form.watch() as Terms
  const isWhole = totalCents !== null && Number.isInteger(count) && /^\d{4}-\d\d-\d\d$/.test(firstOn)
  const terms = { totalCents, firstCents, count, firstOn, every }
  const against = isWhole ? refuseTerms(terms, { owedCents, today, limits }) : null
  return (
    <>
      <MoneyField
        label={t`Amount to pay in installments`}
        hint={t`Up to ${formatCents(Math.max(owedCents, 0))}, the amount due.`}
        {...form.money('totalCents')}
      />
      <TextField
        label={t`Number of installments`}
        type="number"
        inputMode="numeric"
        {...form.register('count', { valueAsNumber: true })}
        error={form.field('count').error}
      />
      <MoneyField
        label={t`First installment`}
        optional
        hint={t`Enter an amount only if the first installment differs from the others.`}
        {...form.money('firstCents')}
      />
      <TextField label={t`First due date`} type="date" {...form.field('firstOn')} />
      <Select label={t`Frequency`} options={optionsOf(rhythms)} {...form.field('every')} />
      <div aria-live="polite">
        {against ? (
          <p className="text-danger">{against.message}</p>
        ) : (
          isWhole && (
            <>
              <p className="mb-2 font-bold">
                <Trans>Payment schedule</Trans>
              </p>
              <Schedule installments={scheduleOf(terms)} />
            </>
          )
        )}
      </div>
    </>
  )
}
