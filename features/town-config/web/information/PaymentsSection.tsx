import { Trans, useLingui } from '@lingui/react/macro'
import { typePhone } from '../../../../shared/phone.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { MoneyField } from '../../../../web/ui/MoneyField.tsx'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { labelOf } from '../../report.ts'
import { guestFactNames } from '../../rules.ts'
import { guestProofs } from '../../../utility-accounts/rules.ts'
import { translated } from '../../../../shared/messages.ts'
import { Group, Text, Tick, type SectionFields } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

/** Section for payment settings. A change does not affect fees that were already quoted. */
export function PaymentsSection({ companyConfig }: SectionProps) {
  return (
    <SectionForm
      companyConfig={companyConfig}
      section="payments"
      title={<Trans>Payments</Trans>}
      lead={
        <Trans>
          New limits and fees apply to payments started after the change. Pending payments keep the old limits and fees.
        </Trans>
      }
      toFormValues={(stored) => ({ ...stored, pay_by_phone_number: typePhone(String(stored['pay_by_phone_number'])) })}
    >
      {(form) => <Fields form={form} isPlatform={companyConfig.isPlatform} />}
    </SectionForm>
  )
}

const Money = ({ form, name }: { form: SectionFields; name: string }) => (
  <MoneyField label={labelOf(name)} {...form.money(name)} />
)

function Fields({ form, isPlatform }: { form: SectionFields; isPlatform: boolean }) {
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
        <p>
          {isPlatform ? (
            <Trans>
              Each fee takes effect on a set date. The municipality sets its fees in its back office, under Settings.
            </Trans>
          ) : (
            <Trans>
              Each fee takes effect on a set date. Set fees under{' '}
              <Link className="link" to="?section=fees">
                Fee Rules
              </Link>
              .
            </Trans>
          )}
        </p>
      </Group>
      <Group title={<Trans>Guests</Trans>}>
        <Select
          label={labelOf('guest_proof')}
          hint={t`Guests must enter this information, along with the account number and ZIP code, to view and pay a bill.`}
          options={guestProofs.map((value) => ({ value, label: translated(guestFactNames[value]) }))}
          {...form.field('guest_proof')}
        />
      </Group>
      <Group title={<Trans>AutoPay</Trans>}>
        <Tick
          form={form}
          name="autopay_enabled"
          hint={t`If AutoPay is off, no one can enroll and no enrolled account is charged.`}
        />
        <Text
          form={form}
          name="autopay_notice_days"
          hint={t`The payer is notified this many days before each charge.`}
        />
        <TextArea
          label={labelOf('autopay_mandate')}
          rows={5}
          hint={t`Leave empty to use the standard text. If a resident agreed to an earlier text, that text still applies to the resident.`}
          {...form.field('autopay_mandate')}
        />
      </Group>
      <Group
        title={<Trans>Phone payments</Trans>}
        names={['has_pay_by_phone', 'pay_by_phone_number', 'ivr_user_pin_enabled']}
      >
        <Tick form={form} name="has_pay_by_phone" />
        <PhoneField label={labelOf('pay_by_phone_number')} autoComplete="off" {...form.field('pay_by_phone_number')} />
        <Tick form={form} name="ivr_user_pin_enabled" />
      </Group>
      <Group title={<Trans>Counter</Trans>} names={['has_card_reader', 'has_tele_check']}>
        <Tick form={form} name="has_card_reader" />
        <Tick form={form} name="has_tele_check" />
      </Group>
      <Group title={<Trans>Notifications</Trans>}>
        <Tick form={form} name="receive_payment_emails" />
      </Group>
      <Group title={<Trans>Refunds and voids</Trans>}>
        <MoneyField
          label={labelOf('refund_limit')}
          hint={t`Another person must approve refunds above this amount.`}
          {...form.money('refund_limit')}
        />
      </Group>
    </>
  )
}
