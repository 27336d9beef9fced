import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactElement } from 'react'
import { translated } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { Checkbox, optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { EntryList } from '../../../web/ui/office/EntryList.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { datesText, hoursText, seasonText } from '../../rentals/rules-hours.ts'
import { kindLabels, lengthOf, MAX_PER_RESIDENT, rateText, refundText } from '../../rentals/rules.ts'
import { EditorPart } from './EditorPart.tsx'
import { type AmountName, type EditorForm, type NumberName, resourceOf } from './resource-form.ts'
import { SeasonEditor, typedSeasons } from './SeasonEditor.tsx'

const TWO_COLUMNS = 'grid items-start gap-4 sm:grid-cols-2'
const MAX_ADDONS = 20

interface FieldsProps {
  form: EditorForm
}

/** Content of the parts that the portal stores separately from the form. Empty for a new resource. */
export interface StoredParts {
  spaces?: ReactElement
  closures?: ReactElement
  questions?: ReactElement
  photos?: ReactElement
}

/** The five parts of the editor. */
export function EditorFields({ form, stored, isNew }: FieldsProps & { stored: StoredParts; isNew: boolean }) {
  return (
    <div>
      <IdentityPart form={form} isNew={isNew}>
        {stored.spaces}
      </IdentityPart>
      <HoursPart form={form}>{stored.closures}</HoursPart>
      <PricePart form={form} />
      <RulesPart form={form} />
      <RenterPart form={form}>
        <>
          {stored.questions}
          {stored.photos}
        </>
      </RenterPart>
    </div>
  )
}

const MINUTES = [15, 30, 45, 60, 90, 120, 180, 240, 300, 360, 480, 600, 720, 960, 1440]
const BUFFERS = [0, 15, 30, 45, 60, 90, 120, 180, 240]

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Field for a length of time. The choices include a stored length that is not usual. */
function LengthField({
  form,
  name,
  label,
  of,
}: FieldsProps & { name: NumberName; label: string; of: readonly number[] }) {
  const { t } = useLingui()
  const stored = Number(form.watch(name))
  const all = of.includes(stored) || !Number.isInteger(stored) ? of : [...of, stored].toSorted((a, b) => a - b)
  const options = all.map((value) => ({
    value: String(value),
    label: value === 0 ? t`None` : capital(lengthOf(value)),
  }))
  return <Select label={label} options={options} {...form.field(name)} />
}

interface NumberFieldProps extends FieldsProps {
  name: NumberName | 'certificateFrom.guests' | 'seriesDates.max'
  label: string
  unit?: string
  hint?: string
  optional?: boolean
}
const NumberField = ({ form, name, label, unit, ...rest }: NumberFieldProps) => (
  <TextField
    label={label}
    inputMode="numeric"
    autoComplete="off"
    {...(unit && { after: <span className="pe-2 text-muted">{unit}</span> })}
    {...rest}
    {...form.field(name)}
  />
)
const AmountField = ({ form, name, label }: FieldsProps & { name: AmountName; label: string }) => (
  <TextField label={label} before="$" inputMode="decimal" autoComplete="off" {...form.field(name)} />
)

/** Part 1: name, kind, location and spaces. */
function IdentityPart({ form, isNew, children }: FieldsProps & { isNew: boolean; children: ReactElement | undefined }) {
  const { t } = useLingui()
  const [name, kind, status, location] = form.watch(['name', 'kind', 'status', 'location'])
  const statuses = { draft: t`Draft (hidden)`, open: t`Open`, closed: t`Closed` }
  return (
    <EditorPart
      form={form}
      startsOpen={isNew}
      title={<Trans>1. Name and place</Trans>}
      summary={[[name, translated(kindLabels[kind]), statuses[status], location].filter(Boolean).join(', ')]}
      names={['name', 'kind', 'status', 'description', 'location', 'capacity', 'pieces', 'amenities', 'accessibility']}
    >
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <div className={TWO_COLUMNS}>
        <Select label={t`Kind`} options={optionsOf(kindLabels)} {...form.field('kind')} />
        <Select
          label={t`Status`}
          options={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
          {...form.field('status')}
        />
        <TextField label={t`Location`} optional autoComplete="off" {...form.field('location')} />
        <NumberField form={form} name="capacity" label={t`Capacity`} unit={t`people`} optional />
        {kind === 'equipment' && <NumberField form={form} name="pieces" label={t`Number of pieces`} />}
      </div>
      <TextArea label={t`Description`} optional rows={3} {...form.field('description')} />
      <TextField
        label={t`Amenities`}
        hint={t`For example: tables, grill, restrooms`}
        optional
        autoComplete="off"
        {...form.field('amenities')}
      />
      <TextArea
        label={t`Accessibility`}
        hint={t`For example: level path from the parking lot`}
        optional
        rows={2}
        {...form.field('accessibility')}
      />
      {children}
    </EditorPart>
  )
}

/** Part 2: opening hours by season, holidays and closures. */
function HoursPart({ form, children }: FieldsProps & { children: ReactElement | undefined }) {
  const { t } = useLingui()
  const seasons = typedSeasons(form)
  return (
    <EditorPart
      form={form}
      title={<Trans>2. Opening hours</Trans>}
      summary={seasons.length > 0 ? seasons.map(seasonText) : [t`No opening hours yet.`]}
      names={['seasons', 'closedOnHolidays']}
    >
      <SeasonEditor form={form} />
      <Checkbox label={t`Closed on municipal holidays`} {...form.field('closedOnHolidays')} />
      {children}
    </EditorPart>
  )
}

/** Part 3: prices, deposit, add-ons and GL account. */
function PricePart({ form }: FieldsProps) {
  const { t } = useLingui()
  const { residentCents, otherCents, depositCents, chargedBy, addons } = resourceOf(form.watch())
  const rate = (cents: number | null) => (cents === null ? '–' : rateText(cents, chargedBy))
  const lines = [
    t`${rate(residentCents)} for residents`,
    t`${rate(otherCents)} for nonresidents`,
    depositCents ? t`${formatCents(depositCents)} deposit` : t`no deposit`,
    ...addons.map(({ name, cents }) => (cents === null ? name : `${name} ${formatCents(cents)}`)),
  ]
  return (
    <EditorPart
      form={form}
      title={<Trans>3. Prices</Trans>}
      summary={[lines.join(', ')]}
      names={['chargedBy', 'residentCents', 'otherCents', 'depositCents', 'addons', 'glAccount']}
    >
      <div className={TWO_COLUMNS}>
        <Select
          label={t`Charged per`}
          options={[
            { value: 'hour', label: t`Hour` },
            { value: 'day', label: t`Day` },
          ]}
          {...form.field('chargedBy')}
        />
        <AmountField form={form} name="depositCents" label={t`Security deposit`} />
        <AmountField form={form} name="residentCents" label={t`Resident price`} />
        <AmountField form={form} name="otherCents" label={t`Nonresident price`} />
      </div>
      <section>
        <h4 className="mb-2 font-bold text-sm">
          <Trans>Add-ons</Trans>
        </h4>
        <EntryList
          form={form}
          name="addons"
          blank={{ name: '', amount: '' }}
          max={MAX_ADDONS}
          sortable
          addLabel={<Trans>Add an add-on</Trans>}
          emptyLabel={<Trans>Renters can choose no add-ons. An example is extra trash service for $25.00.</Trans>}
          entryName={(at) => form.watch(`addons.${at}.name`) || t`add-on ${at + 1}`}
        >
          {(path) => (
            <div className="grid items-start gap-4 sm:grid-cols-[2fr_1fr]">
              <TextField label={t`Add-on`} autoComplete="off" {...form.field(`${path}.name` as 'addons.0.name')} />
              <TextField
                label={t`Price`}
                before="$"
                inputMode="decimal"
                autoComplete="off"
                {...form.field(`${path}.amount` as 'addons.0.amount')}
              />
            </div>
          )}
        </EntryList>
      </section>
      <TextField
        label={t`GL account`}
        optional
        hint={t`If empty, payments use the number of “Payable to the municipality” from the GL account numbers in Reconciliation.`}
        autoComplete="off"
        {...form.field('glAccount')}
      />
    </EditorPart>
  )
}

/** Part 4: lengths, notice, cancellation, approval and insurance. */
function RulesPart({ form }: FieldsProps) {
  const { t } = useLingui()
  const { minMinutes, maxMinutes, refundDays, latePercent, needsApproval } = resourceOf(form.watch())
  const lines = [
    minMinutes && maxMinutes ? t`Length: ${lengthOf(minMinutes)} to ${lengthOf(maxMinutes)}` : '',
    needsApproval ? t`The office approves each reservation` : t`No approval needed`,
    refundDays === null || latePercent === null ? '' : refundText({ refundDays, latePercent }),
  ]
  return (
    <EditorPart
      form={form}
      title={<Trans>4. Rules</Trans>}
      summary={lines.filter(Boolean)}
      names={[
        ...(['stepMinutes', 'minMinutes', 'maxMinutes', 'beforeMinutes', 'afterMinutes', 'noticeHours'] as const),
        ...(['aheadDays', 'refundDays', 'latePercent', 'needsApproval', 'seriesDates', 'seriesApproval'] as const),
        ...(['certificateFrom', 'door'] as const),
      ]}
    >
      <div className={TWO_COLUMNS}>
        <LengthField form={form} name="minMinutes" label={t`Minimum length`} of={MINUTES} />
        <LengthField form={form} name="maxMinutes" label={t`Maximum length`} of={MINUTES} />
        <LengthField form={form} name="stepMinutes" label={t`Start times every`} of={[15, 30, 60]} />
        <span className="max-sm:hidden" />
        <LengthField form={form} name="beforeMinutes" label={t`Setup time before`} of={BUFFERS} />
        <LengthField form={form} name="afterMinutes" label={t`Cleanup time after`} of={BUFFERS} />
        <NumberField form={form} name="noticeHours" label={t`Minimum notice`} unit={t`hours`} />
        <NumberField form={form} name="aheadDays" label={t`Maximum days ahead`} unit={t`days`} />
        <NumberField form={form} name="refundDays" label={t`Full refund until, days before the start`} unit={t`days`} />
        <NumberField form={form} name="latePercent" label={t`Refund after that, share of the price`} unit="%" />
      </div>
      <Checkbox label={t`The office approves each reservation`} {...form.field('needsApproval')} />
      <SeriesFields form={form} />
      <CertificateFields form={form} />
      <TextField
        label={t`Door`}
        optional
        hint={t`Enter the name of the lock in your door code system. Renters get a code for this lock.`}
        autoComplete="off"
        {...form.field('door')}
      />
    </EditorPart>
  )
}

function SeriesFields({ form }: FieldsProps) {
  const { t } = useLingui()
  const isAllowed = form.watch('seriesDates.allowed')
  return (
    <>
      <Checkbox
        label={t`Residents can request several dates together`}
        hint={t`The office can always reserve several dates together.`}
        {...form.field('seriesDates.allowed')}
      />
      {isAllowed && (
        <>
          <NumberField
            form={form}
            name="seriesDates.max"
            label={t`Maximum dates per resident request`}
            hint={t`Up to ${MAX_PER_RESIDENT}.`}
          />
          <Checkbox
            label={t`The office approves residents' requests for multiple dates`}
            {...form.field('seriesApproval')}
          />
        </>
      )}
    </>
  )
}

function CertificateFields({ form }: FieldsProps) {
  const { t } = useLingui()
  const needed = form.watch('certificateFrom.needed')
  return (
    <div className={TWO_COLUMNS}>
      <Select
        label={t`Certificate of insurance`}
        options={[
          { value: 'never', label: t`Never required` },
          { value: 'always', label: t`Always required` },
          { value: 'groups', label: t`Required for large groups` },
        ]}
        {...form.field('certificateFrom.needed')}
      />
      {needed === 'groups' && (
        <NumberField form={form} name="certificateFrom.guests" label={t`Required from`} unit={t`people`} />
      )}
    </div>
  )
}

/** Part 5: what renters read and agree to, with a preview of hours and prices. */
function RenterPart({ form, children }: FieldsProps & { children: ReactElement | undefined }) {
  const { t } = useLingui()
  const [resourceRules, agreement] = form.watch(['resourceRules', 'agreement'])
  return (
    <EditorPart
      form={form}
      title={<Trans>5. Texts, agreement and photos</Trans>}
      summary={[
        resourceRules ? t`Rules for renters` : t`No rules`,
        agreement ? t`Agreement to accept` : t`No agreement`,
      ]}
      names={['resourceRules', 'agreement', 'hasQuestions']}
    >
      <TextArea
        label={t`Rules`}
        hint={t`Residents read these rules before they reserve.`}
        optional
        rows={3}
        {...form.field('resourceRules')}
      />
      <TextArea
        label={t`Agreement`}
        hint={t`Residents agree to this text when they reserve.`}
        optional
        rows={3}
        {...form.field('agreement')}
      />
      <Checkbox label={t`Ask renters the questions and show the agreement, if any`} {...form.field('hasQuestions')} />
      {children}
      <ResidentPreview form={form} />
    </EditorPart>
  )
}

/** Hours and prices as residents will see them. */
export function ResidentPreview({ form }: FieldsProps) {
  const { chargedBy, residentCents, otherCents, depositCents } = resourceOf(form.watch())
  const price = (cents: number | null, percent: number) =>
    cents === null ? '–' : rateText(Math.round((cents * percent) / 100), chargedBy)
  return (
    <section className="rounded-sm border border-line bg-tint p-4">
      <h4 className="mb-2 font-bold text-sm">
        <Trans>Preview for residents</Trans>
      </h4>
      <ul className="flex flex-col gap-2 text-table">
        {typedSeasons(form).map((season, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two seasons may be equal while staff type
          <li key={at}>
            <strong className="block">{datesText(season)}</strong>
            <span className="block">{hoursText(season)}</span>
            <span className="block">
              <Trans>
                {price(residentCents, season.percent)} for residents, {price(otherCents, season.percent)} for
                nonresidents
              </Trans>
            </span>
          </li>
        ))}
      </ul>
      {depositCents !== null && depositCents > 0 && (
        <p className="mt-2 text-table">
          <Trans>Plus a refundable deposit of {formatCents(depositCents)}.</Trans>
        </p>
      )}
    </section>
  )
}
