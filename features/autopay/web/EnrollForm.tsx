import { Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { Checkbox, RadioCards, Select } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { autopayForm, saveAutopay } from '../contract.ts'
import { methods as methodNumbers } from '../../payments/rules.ts'
import { expiryText } from '../../payments/stored-methods.ts'
import { LAST_DAY, MAX_DAYS_BEFORE, type Terms } from '../rules.ts'
import { type MyAutopayResponse, type Method, reloadBoth, type PayableItem } from './stored-methods.ts'

interface EnrollmentRequest extends Terms {
  methodId: number
  limited: boolean
  agree: boolean
}

interface Props {
  item: PayableItem
  loaded: MyAutopayResponse
  /** Payment methods that AutoPay can charge. */
  methods: readonly Method[]
  onClose: () => void
}

const upTo = (max: number) => Array.from({ length: max }, (_, n) => n + 1)

/** Shows the form that turns AutoPay on for an account or changes it: method, day, limit and authorization. */
export function EnrollForm({ item, loaded, methods, onClose }: Props) {
  const { t } = useLingui()
  const { reference, autopay } = item
  const usual = methods.find(({ isDefault }) => isDefault) ?? methods[0]
  const stored = methods.find(({ id }) => id === autopay?.methodId)
  const form = useZodForm<EnrollmentRequest, EnrollmentRequest>(autopayForm, {
    defaultValues: {
      methodId: (stored ?? usual)?.id ?? 0,
      timing: autopay?.timing ?? 'due',
      daysBefore: autopay?.daysBefore || 3,
      dayOfMonth: autopay?.dayOfMonth || 1,
      limited: (autopay?.capCents ?? null) !== null,
      capCents: autopay?.capCents ?? null,
      agree: false,
    },
  })
  async function save(request: EnrollmentRequest) {
    const mandate = loaded.mandate.version
    const { message } = await call(saveAutopay, { kind: item.kind, itemId: item.id, mandate, form: request })
    await reloadBoth()
    toast(message)
    onClose()
  }
  return (
    <SlideOut
      title={<Trans>AutoPay for account {reference}</Trans>}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={
        <FormButtons
          form={form}
          id="autopay-form"
          save={autopay ? <Trans>Save</Trans> : <Trans>Turn on AutoPay</Trans>}
          onClose={onClose}
        />
      }
    >
      <Form form={form} id="autopay-form" onSubmit={save}>
        <RadioCards
          label={t`Payment method`}
          {...form.choice('methodId')}
          options={methods.map(({ id, methodLabel, bankName, expiresOn }) => ({
            value: id,
            label: methodLabel,
            note: expiresOn ? t`Expires ${expiryText(expiresOn)}` : bankName,
          }))}
        />
        <RadioCards
          label={t`Payment day`}
          {...form.choice('timing')}
          options={[
            { value: 'due', label: t`On the due date` },
            { value: 'before', label: t`A set number of days before the due date` },
            {
              value: 'day',
              label: t`On a set day of the month`,
              note: t`AutoPay pays each bill on this day of the month: the last one that is on or before the due date. For example, if you choose day 15, a bill due June 10 is paid on May 15.`,
            },
          ]}
        />
        <DayOfCharge form={form} />
        <Checkbox
          label={t`Set a payment limit`}
          hint={t`AutoPay will not pay a bill above the limit. We will notify you so that you can pay it yourself.`}
          {...form.field('limited')}
        />
        {form.watch('limited') && <MoneyField label={t`Limit per payment`} {...form.money('capCents')} />}
        <OverLimit coming={item.coming} capCents={form.watch('limited') ? form.watch('capCents') : null} />
        <Installments coming={item.coming} />
        <FeeNote
          fee={item.fee}
          isCard={methods.find(({ id }) => id === form.watch('methodId'))?.method === methodNumbers.card}
        />
        <section aria-labelledby="autopay-mandate">
          <h3 id="autopay-mandate" className="mb-2 text-tile">
            <Trans>Authorization</Trans>
          </h3>
          <p className="whitespace-pre-line rounded-sm bg-tint px-4 py-3 text-sm">{loaded.mandate.text}</p>
        </section>
        <Checkbox label={t`I have read this authorization and agree to it.`} {...form.field('agree')} />
      </Form>
    </SlideOut>
  )
}

/** Warns the payer while typing if the limit is below an amount due. */
function OverLimit({ coming, capCents }: Pick<PayableItem, 'coming'> & { capCents: number | null }) {
  const aboveCap = coming.filter(({ cents }) => capCents !== null && capCents > 0 && cents > capCents)
  return aboveCap.map(({ cents, dueOn }) => (
    <Notice key={dueOn} tone="warning">
      <Trans>
        {formatCents(cents)} due on {formatDate(dueOn)} is above this limit. AutoPay will not pay it. Pay it yourself,
        or raise the limit.
      </Trans>
    </Notice>
  ))
}

/** Explains how AutoPay pays the installments of a payment arrangement. */
function Installments({ coming }: Pick<PayableItem, 'coming'>) {
  const next = coming.find(({ isInstallment }) => isInstallment)
  if (!next) return null
  return (
    <Notice tone="info">
      <Trans>
        You pay this account in installments. AutoPay pays installments and new bills as they come due. The next
        installment is {formatCents(next.cents)}, due on {formatDate(next.dueOn)}.
      </Trans>
    </Notice>
  )
}

/** Shows the fee of each payment before the payer agrees. */
function FeeNote({ fee: { ofCents, cardCents, echeckCents }, isCard }: Pick<PayableItem, 'fee'> & { isCard: boolean }) {
  const cents = isCard ? cardCents : echeckCents
  return (
    <p role="status">
      {cents === 0 ? (
        <Trans>This payment method has no fee.</Trans>
      ) : (
        <Trans>
          We add a fee to each payment. For a bill of {formatCents(ofCents)}, the fee is currently{' '}
          <strong>{formatCents(cents)}</strong>, so the total charge is {formatCents(ofCents + cents)}.
        </Trans>
      )}
    </p>
  )
}

/** Shows the field for the day of the charge: a number of days before the due date, or a day of the month. */
function DayOfCharge({ form }: { form: ZodForm<EnrollmentRequest, EnrollmentRequest> }) {
  const { t } = useLingui()
  const timing = form.watch('timing')
  const daysBefore = form.choice('daysBefore')
  const dayOfMonth = form.choice('dayOfMonth')
  return (
    <>
      {timing === 'before' && (
        <Select
          label={t`Days before the due date`}
          options={upTo(MAX_DAYS_BEFORE).map((value) => ({ value, label: String(value) }))}
          {...daysBefore}
          onChange={(event) => daysBefore.onChange(Number(event.target.value))}
        />
      )}
      {timing === 'day' && (
        <Select
          label={t`Day of the month`}
          options={upTo(LAST_DAY).map((value) => ({ value, label: String(value) }))}
          {...dayOfMonth}
          onChange={(event) => dayOfMonth.onChange(Number(event.target.value))}
        />
      )}
    </>
  )
}
