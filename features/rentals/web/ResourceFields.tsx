import { useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/messages.ts'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import type { ResourceForm } from '../contract.ts'
import { kindLabels, MAX_PER_RESIDENT } from '../rules.ts'
import type { AMOUNTS, NUMBERS, ResourceInput } from './resource-form.ts'

const TWO_COLUMNS = 'grid gap-4 md:grid-cols-2'

interface FieldsProps {
  form: ZodForm<ResourceInput, ResourceForm>
}

/** Form fields for the settings of a resource. */
export const ResourceFields = ({ form }: FieldsProps) => (
  <>
    <IdentityFields form={form} />
    <TextFields form={form} />
    <ConditionFields form={form} />
    <PriceFields form={form} />
    <TimeFields form={form} />
  </>
)

interface NamedField<Name> extends FieldsProps {
  name: Name
  label: string
}
const NumberField = ({ form, name, label }: NamedField<(typeof NUMBERS)[number]>) => (
  <TextField label={label} inputMode="numeric" autoComplete="off" {...form.field(name)} />
)
const AmountField = ({ form, name, label }: NamedField<(typeof AMOUNTS)[number]>) => (
  <TextField label={label} before="$" inputMode="decimal" autoComplete="off" {...form.field(name)} />
)

/** Fields for the name, type, location and door lock. */
function IdentityFields({ form }: FieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <div className={TWO_COLUMNS}>
        <Select
          label={t`Kind`}
          options={Object.entries(kindLabels).map(([value, label]) => ({ value, label: translated(label) }))}
          {...form.field('kind')}
        />
        <Select
          label={t`Status`}
          options={[
            { value: 'draft', label: t`Draft (hidden from residents)` },
            { value: 'open', label: t`Open` },
            { value: 'closed', label: t`Closed` },
          ]}
          {...form.field('status')}
        />
        <TextField label={t`Location`} optional autoComplete="off" {...form.field('location')} />
        <NumberField form={form} name="capacity" label={t`Capacity (0 for no limit)`} />
        <NumberField form={form} name="pieces" label={t`Number of pieces`} />
        <TextField label={t`GL account`} autoComplete="off" {...form.field('glAccount')} />
      </div>
      <TextField
        label={t`Door`}
        optional
        hint={t`Enter the name of the lock in your door code system. Renters get a code for this lock.`}
        autoComplete="off"
        {...form.field('door')}
      />
    </>
  )
}

/** Fields for opening hours and for the texts that residents see. */
function TextFields({ form }: FieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextArea label={t`Description`} optional rows={3} {...form.field('description')} />
      <TextField label={t`Amenities`} optional autoComplete="off" {...form.field('amenities')} />
      <TextArea label={t`Accessibility`} optional rows={2} {...form.field('accessibility')} />
      <TextArea label={t`Rules`} optional rows={3} {...form.field('resourceRules')} />
      <TextArea label={t`Agreement`} optional rows={3} {...form.field('agreement')} />
      <TextArea
        label={t`Opening hours by season`}
        hint={t`One line per season: first day, last day, weekdays, opening time, closing time and percentage of the regular price. If a day matches more than one line, the first one applies. Example: 05-01 09-30 MTWTFSS 08:00 22:00 125%`}
        rows={3}
        {...form.field('seasons')}
      />
    </>
  )
}

/** Fields for approval, questions, series and insurance. */
function ConditionFields({ form }: FieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <Checkbox label={t`Closed on municipal holidays`} {...form.field('closedOnHolidays')} />
      <Checkbox label={t`The office approves each reservation`} {...form.field('needsApproval')} />
      <Checkbox label={t`Ask renters the questions and show the agreement, if any`} {...form.field('hasQuestions')} />
      <div className={TWO_COLUMNS}>
        <TextField
          label={t`Maximum dates per resident request`}
          hint={t`Up to ${MAX_PER_RESIDENT}. Enter 0 to let only the office reserve multiple dates together.`}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('seriesDates')}
        />
      </div>
      <Checkbox
        label={t`The office approves residents' requests for multiple dates`}
        {...form.field('seriesApproval')}
      />
      <TextField
        label={t`Group size that requires a certificate of insurance`}
        optional
        hint={t`Enter 0 to always require a certificate. Leave empty to never require one.`}
        inputMode="numeric"
        autoComplete="off"
        {...form.field('certificateFrom')}
      />
    </>
  )
}

/** Fields for prices, deposit and add-ons. */
function PriceFields({ form }: FieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <div className={TWO_COLUMNS}>
        <Select
          label={t`Charged per`}
          options={[
            { value: 'hour', label: t`Hour` },
            { value: 'day', label: t`Day` },
          ]}
          {...form.field('chargedBy')}
        />
        <AmountField form={form} name="residentCents" label={t`Resident price`} />
        <AmountField form={form} name="otherCents" label={t`Nonresident price`} />
        <AmountField form={form} name="depositCents" label={t`Security deposit`} />
      </div>
      <TextArea
        label={t`Add-ons`}
        optional
        hint={t`Enter one add-on per line, with its price. Example: Grill 15.00`}
        rows={2}
        {...form.field('addons')}
      />
    </>
  )
}

/** Fields for lengths, buffers, notice and refund terms. */
function TimeFields({ form }: FieldsProps) {
  const { t } = useLingui()
  return (
    <div className={TWO_COLUMNS}>
      <Select
        label={t`Calendar interval`}
        options={[15, 30, 60].map((value) => ({ value, label: t`${value} minutes` }))}
        {...form.field('stepMinutes')}
      />
      <NumberField form={form} name="minMinutes" label={t`Minimum length in minutes`} />
      <NumberField form={form} name="maxMinutes" label={t`Maximum length in minutes`} />
      <NumberField form={form} name="beforeMinutes" label={t`Setup time in minutes`} />
      <NumberField form={form} name="afterMinutes" label={t`Cleanup time in minutes`} />
      <NumberField form={form} name="noticeHours" label={t`Minimum notice in hours`} />
      <NumberField form={form} name="aheadDays" label={t`Maximum days ahead`} />
      <NumberField form={form} name="refundDays" label={t`Full refund deadline (days before the start)`} />
      <NumberField form={form} name="latePercent" label={t`Refund after the deadline (% of the price)`} />
    </div>
  )
}
