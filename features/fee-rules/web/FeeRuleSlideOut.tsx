import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Checkbox, DateField, Select } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { PercentField } from '../../../web/ui/PercentField.tsx'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type FeeRuleForm, feeBook, feeRuleForm, oneFeeRule, saveFeeRule } from '../contract.ts'
import { feeRules } from '../list.ts'
import { cardChoices, channelChoices, kindChoices } from './choices.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Book = ResponseOf<typeof feeBook>

interface Props {
  /** Null for a new rule. */
  ruleId: number | null
  onClose: () => void
}

const BLANK: FeeRuleForm = {
  kind: '',
  method: '1',
  channel: 'online',
  card: '',
  validFrom: '',
  ends: false,
  program: 'convenience',
  absorb: false,
  separate: false,
  bps: 0,
  recovers: false,
  fixedCents: 0,
  minCents: 0,
  maxCents: 10_000,
}

/** A fee rule. Future rules can be edited. Current and past rules are read-only. */
export const FeeRuleSlideOut = ({ ruleId, onClose }: Props) => (
  <SettingsOf response={useResponse(feeBook, {})} title={<Trans>Fee rule</Trans>} onClose={onClose}>
    {(book) =>
      ruleId === null ? (
        <Edit book={book} ruleId={null} start={BLANK} isAhead onClose={onClose} />
      ) : (
        <ExistingFeeRule book={book} ruleId={ruleId} onClose={onClose} />
      )
    }
  </SettingsOf>
)

const ExistingFeeRule = ({ book, ruleId, onClose }: { book: Book; ruleId: number; onClose: () => void }) => (
  <SettingsOf response={useResponse(oneFeeRule, { ruleId })} title={<Trans>Fee rule</Trans>} onClose={onClose}>
    {({ form, isAhead }) => <Edit book={book} ruleId={ruleId} start={form} isAhead={isAhead} onClose={onClose} />}
  </SettingsOf>
)

interface EditProps extends Props {
  book: Book
  start: FeeRuleForm
  isAhead: boolean
}

function Edit({ book, ruleId, start, isAhead, onClose }: EditProps) {
  const { t } = useLingui()
  const form = useZodForm(feeRuleForm, {
    defaultValues: start,
    ...(ruleId !== null && { basis: { ...start } }),
    ...(isAhead && { draft: { name: `fee-rule-${ruleId ?? 'new'}` } }),
  })
  const { method, ends, program } = form.watch()
  const save = async (values: z.output<typeof feeRuleForm>) => {
    toast((await call(saveFeeRule, { ruleId, form: values, basis: form.basis })).message)
    forgetDraft(form)
    await Promise.all([reload(feeRules.call), reload(feeBook)])
    onClose()
  }
  const isCard = method === '1'
  return (
    <FormSlideOut
      title={ruleId === null ? <Trans>Add fee rule</Trans> : <Trans>Fee rule</Trans>}
      form={form}
      mayEdit={isAhead}
      onSubmit={save}
      onClose={onClose}
    >
      {!isAhead && (
        <p className="rounded-sm bg-tint px-4 py-3 text-sm">
          <Trans>
            This rule has already started, so you cannot change it. Add a rule for the same payments with a later start
            date.
          </Trans>
        </p>
      )}
      <fieldset disabled={!isAhead} className="flex flex-col gap-4">
        <legend className="sr-only">
          <Trans>Fee rule</Trans>
        </legend>
        <DateField
          label={t`Start date`}
          hint={t`The rule applies until the next rule for the same payments starts.`}
          min={book.today}
          {...form.field('validFrom')}
        />
        <Select label={t`Items to pay`} options={kindChoices(book.kinds)} {...form.field('kind')} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Select
            label={t`Method`}
            options={[
              { value: '1', label: t`Card` },
              { value: '2', label: t`eCheck` },
            ]}
            {...form.field('method')}
          />
          <Select
            label={t`Channel`}
            hint={t`Office payments have no fee.`}
            options={channelChoices()}
            {...form.field('channel')}
          />
        </div>
        {isCard && <Select label={t`Cards`} options={cardChoices()} {...form.field('card')} />}
        <Checkbox
          label={t`End the current rule for these payments`}
          hint={t`On the start date, the general rule takes effect for these payments.`}
          {...form.field('ends')}
        />
        {!ends && <FeeInputs form={form} />}
      </fieldset>
      <Networks book={book} program={program} />
    </FormSlideOut>
  )
}

/** Inputs for the type of fee, its amounts, and whether the company absorbs it. */
function FeeInputs({ form }: { form: ZodForm<FeeRuleForm, z.output<typeof feeRuleForm>> }) {
  const { t } = useLingui()
  const { method, program, separate } = form.watch()
  const isCard = method === '1'
  return (
    <>
      <Select
        label={t`Fee`}
        options={[
          { value: 'convenience', label: t`Convenience fee` },
          { value: 'service', label: t`Service fee` },
          { value: 'none', label: t`No fee` },
        ]}
        {...form.field('program')}
      />
      {program !== 'none' && (
        <>
          <Checkbox
            label={t`Municipality absorbs the fee`}
            hint={t`Residents pay only the bill. The fee is deducted from the amount that the municipality receives.`}
            {...form.field('absorb')}
          />
          {((isCard && program === 'service') || separate) && (
            <Checkbox
              label={t`Charge the fee in a separate transaction`}
              hint={t`The payer’s statement shows two charges. If the second charge is declined, the bill is paid and the fee remains due.`}
              {...form.field('separate')}
            />
          )}
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <MoneyField label={t`Amount`} {...form.money('fixedCents')} />
            {isCard && <PercentField label={t`Percentage`} {...form.choice('bps')} />}
            <MoneyField label={t`Minimum fee`} {...form.money('minCents')} />
            <MoneyField label={t`Maximum fee`} {...form.money('maxCents')} />
          </div>
          {isCard && (
            <Checkbox
              label={t`Recover processor cost`}
              hint={t`Enter the percentage and amount that the processor charges on the bill and the fee combined. The fee then covers this cost.`}
              {...form.field('recovers')}
            />
          )}
        </>
      )}
    </>
  )
}

/** Network rules with their sources. */
function Networks({ book, program }: { book: Book; program: string }) {
  const rules = book.networks.filter((rule) => rule.program === program)
  if (rules.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="min-h-8 w-fit cursor-pointer rounded-sm py-1 text-link underline underline-offset-4">
        <Trans>Card network rules</Trans>
      </summary>
      <ul className="mt-2 flex flex-col gap-3">
        {rules.map(({ id, text, source, basis }) => (
          <li key={id}>
            <Text>{text}</Text>
            <span className="block text-muted">
              {basis === 'reading' ? <Trans>Our interpretation of {source}</Trans> : source}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
