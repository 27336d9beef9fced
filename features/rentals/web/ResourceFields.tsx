import { useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/words.ts'
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

/** Fields for name, kind, location and door. */
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
            { value: 'draft', label: t`Draft, residents don't see it` },
            { value: 'open', label: t`Open` },
            { value: 'closed', label: t`Closed` },
          ]}
          {...form.field('status')}
        />
        <TextField label={t`Place`} optional autoComplete="off" {...form.field('place')} />
        <NumberField form={form} name="capacity" label={t`Room for so many people (0: no limit)`} />
        <NumberField form={form} name="pieces" label={t`Pieces, of equipment`} />
        <TextField label={t`General ledger account`} autoComplete="off" {...form.field('glAccount')} />
      </div>
      <TextField
        label={t`Door`}
        optional
        hint={t`What its lock is called where the codes are made. Whoever reserves it gets a code.`}
        autoComplete="off"
        {...form.field('door')}
      />
    </>
  )
}

/** Fields for the texts that residents see, and the opening hours. */
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
        hint={t`A line for each season, the first that fits counts: first day, last day, days of the week, opens, closes, percent of the price. 05-01 09-30 MTWTFSS 08:00 22:00 125%`}
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
      <Checkbox label={t`Closed on the holidays of the municipality`} {...form.field('closedOnHolidays')} />
      <Checkbox label={t`The office approves each reservation`} {...form.field('needsApproval')} />
      <Checkbox label={t`Ask its questions and its agreement, where there are any`} {...form.field('asksQuestions')} />
      <div className={TWO_COLUMNS}>
        <TextField
          label={t`Dates that a resident may ask for at once`}
          hint={t`Up to ${MAX_PER_RESIDENT}. 0: only the office books series.`}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('seriesDates')}
        />
      </div>
      <Checkbox label={t`The office approves series of residents`} {...form.field('seriesApproval')} />
      <TextField
        label={t`Insurance certificate from so many people on`}
        optional
        hint={t`0: always. Leave it empty where none is needed.`}
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
          label={t`Charged by`}
          options={[
            { value: 'hour', label: t`Hour` },
            { value: 'day', label: t`Day` },
          ]}
          {...form.field('chargedBy')}
        />
        <AmountField form={form} name="residentCents" label={t`Price for residents`} />
        <AmountField form={form} name="otherCents" label={t`Price for others`} />
        <AmountField form={form} name="depositCents" label={t`Deposit`} />
      </div>
      <TextArea
        label={t`Add-ons`}
        optional
        hint={t`A line for each, with its price: Grill 15.00`}
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
        label={t`Steps of the calendar`}
        options={[15, 30, 60].map((value) => ({ value, label: t`${value} minutes` }))}
        {...form.field('stepMinutes')}
      />
      <NumberField form={form} name="minMinutes" label={t`Shortest time, minutes`} />
      <NumberField form={form} name="maxMinutes" label={t`Longest time, minutes`} />
      <NumberField form={form} name="beforeMinutes" label={t`Minutes to get it ready`} />
      <NumberField form={form} name="afterMinutes" label={t`Minutes to clear it`} />
      <NumberField form={form} name="noticeHours" label={t`Least notice, hours`} />
      <NumberField form={form} name="aheadDays" label={t`Days ahead at most`} />
      <NumberField form={form} name="refundDays" label={t`Days before, for all of the price back`} />
      <NumberField form={form} name="latePercent" label={t`Percent of the price back after that`} />
    </div>
  )
}
