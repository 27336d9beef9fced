import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../../shared/money.ts'
import { typePhone } from '../../../../shared/phone.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { MoneyField } from '../../../../web/ui/MoneyField.tsx'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { methods, quoteOf } from '../../../payments/rules.ts'
import { labelOf } from '../../report.ts'
import { type ConfigOf, guestFactNames, townConfig } from '../../rules.ts'
import { guestFacts } from '../../../utility-accounts/rules.ts'
import { translated } from '../../../../shared/words.ts'
import { Group, Percent, Text, Tick } from './fields.tsx'
import { type SectionFields, SectionForm, type SectionProps } from './SectionForm.tsx'

/** How the town takes payments. What was quoted before keeps the fee that it was quoted with. */
export function PaymentsSection({ town }: SectionProps) {
  return (
    <SectionForm
      town={town}
      section="payments"
      title={<Trans>Payments</Trans>}
      lead={<Trans>Limits and fees count for payments that are begun afterwards; those under way keep theirs.</Trans>}
      shown={(kept) => ({ ...kept, pay_by_phone_number: typePhone(String(kept['pay_by_phone_number'])) })}
    >
      {(form) => <Fields form={form} />}
    </SectionForm>
  )
}

const Money = ({ form, name }: { form: SectionFields; name: string }) => (
  <MoneyField label={labelOf(name)} {...form.money(name)} />
)

function Fields({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  return (
    <>
      <Group title={<Trans>Limits</Trans>}>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Money form={form} name="min_payment" />
          <Money form={form} name="max_payment" />
        </div>
        <Tick form={form} name="is_pay_in_full" />
        <Tick form={form} name="only_usd_currency" />
      </Group>
      <Group title={<Trans>Fees</Trans>}>
        <Select
          label={labelOf('fee_program')}
          options={[
            { value: 'convenience', label: t`Convenience fee` },
            { value: 'service', label: t`Service fee` },
            { value: 'none', label: t`No fee` },
          ]}
          {...form.field('fee_program')}
        />
        <Tick
          form={form}
          name="absorb"
          hint={t`Residents pay the bill alone; the fee is taken off what the town gets.`}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Percent form={form} name="card_fee_bps" />
          <Money form={form} name="card_fee_fixed" />
          <Money form={form} name="card_fee_min" />
          <Money form={form} name="card_fee_max" />
          <Money form={form} name="fee_for_ach" />
        </div>
        <Example form={form} />
      </Group>
      <Group title={<Trans>Guests</Trans>}>
        <Select
          label={labelOf('guest_fact')}
          hint={t`To see and pay a bill without signing in, besides account number and ZIP code.`}
          options={guestFacts.map((value) => ({ value, label: translated(guestFactNames[value]) }))}
          {...form.field('guest_fact')}
        />
      </Group>
      <Group title={<Trans>AutoPay and the telephone</Trans>}>
        <Tick
          form={form}
          name="autopay_enabled"
          hint={t`Without it nobody can enroll, and nobody who is enrolled is charged.`}
        />
        <Text form={form} name="autopay_notice_days" hint={t`How long before each charge its payer is told of it.`} />
        <TextArea
          label={labelOf('autopay_mandate')}
          rows={5}
          hint={t`Empty: the usual words. Those who agreed to other words before keep theirs.`}
          {...form.field('autopay_mandate')}
        />
        <Tick form={form} name="has_pay_by_phone" />
        <PhoneField label={labelOf('pay_by_phone_number')} autoComplete="off" {...form.field('pay_by_phone_number')} />
        <Tick form={form} name="ivr_user_pin_enabled" />
      </Group>
      <Group title={<Trans>At the counter</Trans>}>
        <Tick form={form} name="has_card_reader" />
        <Tick form={form} name="has_tele_check" />
        <Tick form={form} name="receive_payment_emails" />
      </Group>
      <Group title={<Trans>Refunds and voids</Trans>}>
        <MoneyField
          label={labelOf('refund_limit')}
          hint={t`Above this amount a second person has to approve what somebody wants to give back.`}
          {...form.money('refund_limit')}
        />
      </Group>
    </>
  )
}

const EXAMPLE_CENTS = 10_000

/** What a bill of $100 costs whom, with what is typed now. */
function Example({ form }: { form: SectionFields }) {
  const parsed = townConfig.payments.safeParse({ ...form.watch(), pay_by_phone_number: '', has_pay_by_phone: 0 })
  if (!parsed.success) return null
  const given: ConfigOf<'payments'> = parsed.data
  const rules = {
    ...{ program: given.fee_program, absorb: given.absorb, cardBps: given.card_fee_bps },
    ...{ cardFixedCents: given.card_fee_fixed, cardMinCents: given.card_fee_min, cardMaxCents: given.card_fee_max },
    echeckCents: given.fee_for_ach,
  }
  const card = formatCents(quoteOf(rules, methods.card, EXAMPLE_CENTS).totalCents)
  const echeck = formatCents(quoteOf(rules, methods.echeck, EXAMPLE_CENTS).totalCents)
  const bill = formatCents(EXAMPLE_CENTS)
  return (
    <p role="status" className="rounded-sm bg-tint px-4 py-3 text-sm">
      <Trans>
        For a bill of {bill} a resident pays {card} by card and {echeck} by eCheck.
      </Trans>
    </p>
  )
}
