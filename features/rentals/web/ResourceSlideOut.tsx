import { Trans, useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import * as z from 'zod/mini'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents, parseCents, plainDollars } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { useAnswer } from '../../../web/query.ts'
import { OnceAnswered } from '../../../web/ui/Answered.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Checkbox, DateField, Select } from '../../../web/ui/Choice.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { type ZodForm, useZodForm } from '../../../web/ui/form.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  addBlackout,
  addResource,
  addSpace,
  blackoutForm,
  removeBlackout,
  type ResourceForm,
  resourceForm,
  saveResource,
  showResource,
} from '../contract.ts'
import { DESK, kindLabels, MOST_OF_RESIDENT } from '../rules.ts'
import { reloadRentals } from './fresh.ts'
import { ResourcePhotos } from './ResourcePhotos.tsx'
import { WaitingList } from './WaitingList.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const NUMBERS = [
  ...(['capacity', 'pieces', 'leastMinutes', 'mostMinutes', 'noticeHours', 'aheadDays'] as const),
  ...(['beforeMinutes', 'afterMinutes', 'refundDays', 'latePercent', 'stepMinutes', 'seriesDates'] as const),
]
const AMOUNTS = ['residentCents', 'otherCents', 'depositCents'] as const
const LETTERS = 'MTWTFSS'

/** What stands in the fields: all that is typed is text. */
type Typed = Record<(typeof NUMBERS)[number] | (typeof AMOUNTS)[number] | 'certificateFrom', string> &
  Omit<ResourceForm, (typeof NUMBERS)[number] | (typeof AMOUNTS)[number] | 'seasons' | 'addons' | 'certificateFrom'> & {
    seasons: string
    addons: string
  }

const days = (some: readonly number[]) =>
  [1, 2, 3, 4, 5, 6, 7].map((day) => (some.includes(day) ? (LETTERS[day - 1] ?? '') : '-')).join('')
const SEASON = /^(\d\d-\d\d) +(\d\d-\d\d) +([MTWFS-]{7}) +(\d\d:\d\d) +(\d\d:\d\d)(?: +(\d{1,3})%)?$/

/** Seasons and add-ons are a line each: `05-01 09-30 MTWTFSS 08:00 22:00 125%`, and `Grill 15.00`. */
const typedOf = (form: ResourceForm): Typed =>
  ({
    ...form,
    ...Object.fromEntries(NUMBERS.map((name) => [name, String(form[name])])),
    ...Object.fromEntries(AMOUNTS.map((name) => [name, plainDollars(form[name])])),
    certificateFrom: form.certificateFrom === null ? '' : String(form.certificateFrom),
    seasons: form.seasons
      .map((one) => `${one.from} ${one.until} ${days(one.days)} ${one.opens} ${one.closes} ${one.percent}%`)
      .join('\n'),
    addons: form.addons.map(({ name, cents }) => `${name} ${plainDollars(cents)}`).join('\n'),
  }) as unknown as Typed

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)

/** Nothing where nothing is typed, and no number of what is none, so that the contract refuses it. */
const numberIn = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed.trim()))

function formOf(typed: Typed): unknown {
  return {
    ...typed,
    ...Object.fromEntries(NUMBERS.map((name) => [name, /^\d+$/.test(typed[name].trim()) ? Number(typed[name]) : null])),
    ...Object.fromEntries(AMOUNTS.map((name) => [name, parseCents(typed[name])])),
    certificateFrom: numberIn(typed.certificateFrom),
    seasons: linesOf(typed.seasons).map((one) => {
      const [, from, until, on = '', opens, closes, percent = '100'] = SEASON.exec(one) ?? []
      return {
        from,
        until,
        days: [...on].flatMap((sign, n) => (sign === '-' ? [] : [n + 1])),
        opens,
        closes,
        percent: Number(percent),
      }
    }),
    addons: linesOf(typed.addons).map((one) => {
      const [, name = one, amount = ''] = /^(.*\S)\s+\$?([\d.,]+)$/.exec(one) ?? []
      return { name, cents: parseCents(amount) }
    }),
  }
}

const SEASON_WRONG = 'Write each season like 05-01 09-30 MTWTFSS 08:00 22:00 100%.'
const ADDON_WRONG = 'Write each on a line of its own with its price: Grill 15.00.'
const AMOUNT_WRONG = 'Enter an amount, such as 25.00.'
/** The contract's own rules, with the mistakes of a line at its field. */
const rules = {
  async safeParseAsync(values: unknown) {
    const parsed = await resourceForm.safeParseAsync(formOf(values as Typed))
    if (parsed.success) return { success: true as const, data: parsed.data }
    const issues = parsed.error.issues.map(({ path, message }) => {
      const [field] = path
      const says =
        field === 'seasons' && path.length > 1
          ? SEASON_WRONG
          : field === 'addons'
            ? ADDON_WRONG
            : AMOUNTS.some((name) => name === field)
              ? AMOUNT_WRONG
              : message
      return { path: field === undefined ? [] : [field], message: says }
    })
    return { success: false as const, error: { issues } }
  },
}

const blank: ResourceForm = {
  ...{ name: '', kind: 'pavilion', status: 'draft', description: '', place: '', houseRules: '', amenities: '' },
  ...{
    accessibility: '',
    capacity: 0,
    pieces: 1,
    needsApproval: false,
    certificateFrom: null,
    ...{ asksQuestions: true, seriesDates: 0, seriesApproval: true },
    closedOnHolidays: true,
    stepMinutes: 60,
  },
  seasons: [
    { from: '01-01', until: '12-31', days: [1, 2, 3, 4, 5, 6, 7], opens: '08:00', closes: '22:00', percent: 100 },
  ],
  ...{ leastMinutes: 60, mostMinutes: 480, noticeHours: 24, aheadDays: 365, beforeMinutes: 0, afterMinutes: 30 },
  ...{ chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0 },
  ...{ agreement: '', door: '', glAccount: '' },
}

export function AddResource({ onClose }: { onClose: () => void }) {
  const form = useZodForm<Typed, ResourceForm>(rules, {
    defaultValues: typedOf(blank) as never,
    draft: { name: 'rental-resource-new' },
  })
  const save = async (values: ResourceForm) => {
    toast((await call(addResource, values)).message)
    await reloadRentals()
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Add a resource</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <ResourceFields form={form} />
    </FormSlideOut>
  )
}

/** What is set of a resource, its parts, and the days on which it is closed. */
export function ResourceSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = useAnswer(showResource, { resourceId: id })
  return (
    <OnceAnswered
      title={<Trans>Resource</Trans>}
      loading={<Trans>Loading the resource</Trans>}
      failed={<Trans>This resource could not be loaded</Trans>}
      answer={answer}
      onClose={onClose}
    >
      {(data) => <Shown id={id} data={data} onClose={onClose} />}
    </OnceAnswered>
  )
}

type Data = AnswerOf<typeof showResource>

function Shown({ id, data, onClose }: { id: number; data: Data; onClose: () => void }) {
  const { t } = useLingui()
  const [adds, setAdds] = useState<'space' | 'blackout' | null>(null)
  const { act, busy, refusal } = useAct(reloadRentals)
  const formId = useId()
  const form = useZodForm<Typed, ResourceForm>(rules, {
    defaultValues: typedOf(data.form) as never,
    basis: { ...data.form },
    shown: (kept) => ({ ...typedOf(kept as ResourceForm) }),
    draft: { name: `rental-resource-${id}` },
  })
  const save = async (values: ResourceForm) => {
    toast((await call(saveResource, { resourceId: id, ...values, basis: form.basis })).message)
    await reloadRentals()
    onClose()
  }
  const actions = data.can.edit ? <FormButtons {...{ form, id: formId, onClose }} /> : <CloseAction onClose={onClose} />
  return (
    <>
      <SlideOut title={data.form.name} {...{ actions, onClose }} locked={form.formState.isSubmitting}>
        <Refusal>{refusal}</Refusal>
        <Part
          title={<Trans>Closed days</Trans>}
          add={data.can.edit ? t`Close it for some days` : ''}
          onAdd={() => setAdds('blackout')}
        >
          {data.blackouts.map((one) => (
            <li key={one.id} className="flex items-center justify-between gap-3">
              <span>
                <Text>{formatShortDate(one.from)}</Text> – <Text>{formatShortDate(one.until)}</Text>:{' '}
                <Text>{one.reason}</Text>
              </span>
              {data.can.edit && (
                <Button
                  size="small"
                  look="quiet"
                  disabled={busy}
                  onClick={() => void act(() => call(removeBlackout, { blackoutId: one.id }))}
                >
                  <Trans>Open again</Trans>
                  <span className="sr-only"> {formatShortDate(one.from)}</span>
                </Button>
              )}
            </li>
          ))}
        </Part>
        <Part
          title={<Trans>Parts that can be reserved</Trans>}
          add={data.can.edit && data.form.kind !== 'equipment' ? t`Add a part` : ''}
          onAdd={() => setAdds('space')}
        >
          {data.spaces.map(({ id: space, name, pricePercent, partOf }) => (
            <li key={space}>
              <Text>{name || t`All of it`}</Text>
              {partOf && <span className="text-muted"> {t`${pricePercent}% of the price`}</span>}
            </li>
          ))}
        </Part>
        <WaitingList resourceId={id} />
        <section className="mb-6">
          <h3 className="mb-2 text-base">
            <Trans>Questions and agreement</Trans>
          </h3>
          <p className="mb-2 text-table">
            {data.asks ? (
              <Trans>Whoever reserves it answers questions of yours and signs.</Trans>
            ) : (
              <Trans>Nothing is asked besides purpose, people and phone.</Trans>
            )}
          </p>
          <LinkButton size="small" icon={ListChecks} to={`${DESK}/${id}/fields`}>
            <Trans>Questions and agreement</Trans>
          </LinkButton>
        </section>
        <ResourcePhotos resourceId={id} name={data.form.name} />
        {data.can.edit ? (
          <Form id={formId} form={form} onSubmit={save}>
            <ResourceFields form={form} />
          </Form>
        ) : (
          <p className="text-muted">
            <Trans>
              {formatCents(data.form.residentCents)} for residents, {formatCents(data.form.otherCents)} for others
            </Trans>
          </p>
        )}
      </SlideOut>
      {adds === 'space' && <AddSpace id={id} onClose={() => setAdds(null)} />}
      {adds === 'blackout' && <AddBlackout id={id} onClose={() => setAdds(null)} />}
    </>
  )
}

interface PartProps {
  title: ReactNode
  add: string
  onAdd: () => void
  children: ReactNode[]
}
const Part = ({ title, add, onAdd, children }: PartProps) => (
  <section className="mb-6">
    <h3 className="mb-2 text-base">{title}</h3>
    {children.length > 0 && <ul className="mb-2 flex flex-col gap-1 text-table">{children}</ul>}
    {add && (
      <Button size="small" onClick={onAdd}>
        {add}
      </Button>
    )}
  </section>
)

function AddBlackout({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(blackoutForm, { defaultValues: { from: '', until: '', reason: '' } })
  return (
    <FormDialog
      title={<Trans>Close it for some days</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(addBlackout, { resourceId: id, ...values })).message)
        await reloadRentals()
      }}
    >
      <p>
        <Trans>What is reserved already stays. Cancel it where it can't be.</Trans>
      </p>
      <DateField label={t`First day`} {...form.field('from')} />
      <DateField label={t`Last day`} {...form.field('until')} />
      <TextField
        label={t`Why`}
        hint={t`Residents read it beside the day.`}
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  )
}

const typedSpace = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60)),
  pricePercent: z.string().check(z.trim(), z.regex(/^(?:100|\d{1,2})$/, 'Enter a whole number from 0 to 100.')),
})
function AddSpace({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(typedSpace, { defaultValues: { name: '', pricePercent: '50' } })
  return (
    <FormDialog
      title={<Trans>Add a part</Trans>}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, pricePercent }) => {
        toast((await call(addSpace, { resourceId: id, name, pricePercent: Number(pricePercent) })).message)
        await reloadRentals()
      }}
    >
      <p>
        <Trans>Whoever reserves a part leaves the others free. All of it is free only where each part is.</Trans>
      </p>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <TextField label={t`Percent of the price`} inputMode="numeric" {...form.field('pricePercent')} />
    </FormDialog>
  )
}

interface FieldsProps {
  form: ZodForm<Typed, ResourceForm>
}

function ResourceFields({ form }: FieldsProps) {
  const { t } = useLingui()
  const number = (name: (typeof NUMBERS)[number], label: string) => (
    <TextField label={label} inputMode="numeric" autoComplete="off" {...form.field(name)} />
  )
  const amount = (name: (typeof AMOUNTS)[number], label: string) => (
    <TextField label={label} before="$" inputMode="decimal" autoComplete="off" {...form.field(name)} />
  )
  const two = 'grid gap-4 md:grid-cols-2'
  return (
    <>
      <TextField label={t`Name`} autoComplete="off" {...form.field('name')} />
      <div className={two}>
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
        {number('capacity', t`Room for so many people (0: no limit)`)}
        {number('pieces', t`Pieces, of equipment`)}
        <TextField label={t`General ledger account`} autoComplete="off" {...form.field('glAccount')} />
      </div>
      <TextField
        label={t`Door`}
        optional
        hint={t`What its lock is called where the codes are made. Whoever reserves it gets a code.`}
        autoComplete="off"
        {...form.field('door')}
      />
      <TextArea label={t`Description`} optional rows={3} {...form.field('description')} />
      <TextField label={t`Amenities`} optional autoComplete="off" {...form.field('amenities')} />
      <TextArea label={t`Accessibility`} optional rows={2} {...form.field('accessibility')} />
      <TextArea label={t`Rules`} optional rows={3} {...form.field('houseRules')} />
      <TextArea label={t`Agreement`} optional rows={3} {...form.field('agreement')} />
      <TextArea
        label={t`Opening hours by season`}
        hint={t`A line for each season, the first that fits counts: first day, last day, days of the week, opens, closes, percent of the price. 05-01 09-30 MTWTFSS 08:00 22:00 125%`}
        rows={3}
        {...form.field('seasons')}
      />
      <Checkbox label={t`Closed on the holidays of the municipality`} {...form.field('closedOnHolidays')} />
      <Checkbox label={t`The office approves each reservation`} {...form.field('needsApproval')} />
      <Checkbox label={t`Ask its questions and its agreement, where there are any`} {...form.field('asksQuestions')} />
      <div className={two}>
        <TextField
          label={t`Dates that a resident may ask for at once`}
          hint={t`Up to ${MOST_OF_RESIDENT}. 0: only the office books series.`}
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
      <div className={two}>
        <Select
          label={t`Charged by`}
          options={[
            { value: 'hour', label: t`Hour` },
            { value: 'day', label: t`Day` },
          ]}
          {...form.field('chargedBy')}
        />
        {amount('residentCents', t`Price for residents`)}
        {amount('otherCents', t`Price for others`)}
        {amount('depositCents', t`Deposit`)}
      </div>
      <TextArea
        label={t`Add-ons`}
        optional
        hint={t`A line for each, with its price: Grill 15.00`}
        rows={2}
        {...form.field('addons')}
      />
      <div className={two}>
        <Select
          label={t`Steps of the calendar`}
          options={[15, 30, 60].map((value) => ({ value, label: t`${value} minutes` }))}
          {...form.field('stepMinutes')}
        />
        {number('leastMinutes', t`Shortest time, minutes`)}
        {number('mostMinutes', t`Longest time, minutes`)}
        {number('beforeMinutes', t`Minutes to get it ready`)}
        {number('afterMinutes', t`Minutes to clear it`)}
        {number('noticeHours', t`Least notice, hours`)}
        {number('aheadDays', t`Days ahead at most`)}
        {number('refundDays', t`Days before, for all of the price back`)}
        {number('latePercent', t`Percent of the price back after that`)}
      </div>
    </>
  )
}
