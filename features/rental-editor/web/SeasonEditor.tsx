import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { clockText, timeAt } from '../../../shared/dates.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { FieldGroup } from '../../../web/ui/Field.tsx'
import { EntryList } from '../../../web/ui/office/EntryList.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import {
  datesText,
  dayOfYear,
  lastOfMonth,
  monthName,
  overlapsOf,
  partsOfYear,
  sameDays,
  seasonText,
  WEEK,
  weekdayName,
  weekdaysText,
  WEEKEND,
  WORK_WEEK,
} from '../../rentals/rules-hours.ts'
import type { Season } from '../../rentals/rules.ts'
import { blankSeason, type EditorForm, percentOf } from './resource-form.ts'

const MAX_SEASONS = 12

/** Returns the seasons of the form. A season with an unfinished price change has the regular price. */
export const typedSeasons = (form: EditorForm): Season[] =>
  form.watch('seasons').map(({ change, by, ...season }) => ({ ...season, percent: percentOf({ change, by }) ?? 100 }))

/** Rows of the opening hours, with their overlaps and the resulting year. */
export function SeasonEditor({ form }: { form: EditorForm }) {
  const { t } = useLingui()
  const seasons = typedSeasons(form)
  const nameOf = (at: number) => {
    const season = seasons[at]
    return season ? `${at + 1}: ${datesText(season)}` : String(at + 1)
  }
  const container = useRef<HTMLDivElement>(null)
  const added = useRef(false)
  // A season that fills a gap gets the focus, because its button disappears with the gap.
  useEffect(() => {
    if (added.current)
      container.current?.querySelector<HTMLElement>(`[data-entry="${seasons.length - 1}"] select`)?.focus()
    added.current = false
  }, [seasons.length])
  return (
    <div ref={container} className="flex flex-col gap-4">
      <p className="text-muted text-sm">
        <Trans>
          Add one season for each set of hours or prices. If seasons overlap, the one higher in the list applies.
        </Trans>
      </p>
      <EntryList
        form={form}
        name="seasons"
        blank={{ ...blankSeason, days: [...WEEK] }}
        max={MAX_SEASONS}
        sortable
        addLabel={<Trans>Add a season</Trans>}
        emptyLabel={<Trans>No opening hours yet.</Trans>}
        entryName={(at) => t`season ${nameOf(at)}`}
      >
        {(path, at) => <SeasonFields form={form} path={path as SeasonPath} at={at} seasons={seasons} />}
      </EntryList>
      <YearOverview
        seasons={seasons}
        mayAdd={seasons.length < MAX_SEASONS}
        onAdd={(dates) => {
          added.current = true
          form.setValue('seasons', [...form.getValues('seasons'), { ...blankSeason, ...dates, days: [...WEEK] }], {
            shouldDirty: true,
            shouldValidate: form.formState.isSubmitted,
          })
        }}
      />
    </div>
  )
}

type SeasonPath = `seasons.${number}`
interface SeasonProps {
  form: EditorForm
  path: SeasonPath
}

function SeasonFields({ form, path, at, seasons }: SeasonProps & { at: number; seasons: readonly Season[] }) {
  const { t } = useLingui()
  const season = seasons[at]
  const change = form.watch(`${path}.change`)
  if (!season) return null
  return (
    <>
      <div>
        <p className="font-bold wrap-anywhere">{seasonText(season)}</p>
        <Overlaps seasons={seasons} at={at} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(14rem,1fr))] gap-4">
        <DayOfYearField label={t`First day`} {...form.choice(`${path}.from`)} />
        <DayOfYearField label={t`Last day`} {...form.choice(`${path}.until`)} />
      </div>
      <WeekdaysField {...form.choice(`${path}.days`)} />
      <div className="grid grid-cols-2 gap-4">
        <Select label={t`Opens`} options={timeOptions(0, 95, season.opens)} {...form.field(`${path}.opens`)} />
        <Select label={t`Closes`} options={timeOptions(1, 96, season.closes)} {...form.field(`${path}.closes`)} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] items-end gap-4">
        <Select
          label={t`Price in this season`}
          options={[
            { value: 'same', label: t`Regular price` },
            { value: 'more', label: t`Higher` },
            { value: 'less', label: t`Lower` },
            { value: 'free', label: t`Free` },
          ]}
          {...form.field(`${path}.change`)}
        />
        {(change === 'more' || change === 'less') && (
          <TextField
            label={change === 'more' ? t`Higher by` : t`Lower by`}
            inputMode="numeric"
            autoComplete="off"
            after={<span className="pe-2 text-muted">%</span>}
            {...form.field(`${path}.by`)}
          />
        )}
      </div>
    </>
  )
}

/** Dates on which an earlier season applies instead of this one. */
function Overlaps({ seasons, at }: { seasons: readonly Season[]; at: number }) {
  const { overlaps, isHidden } = overlapsOf(seasons, at)
  if (overlaps.length === 0) return null
  const visible = overlaps.slice(0, 4)
  return (
    <div className="mt-2 flex items-start gap-2 text-sm">
      <TriangleAlert size={16} aria-hidden className="mt-0.75 shrink-0" />
      <ul className="min-w-0">
        {isHidden && (
          <li className="font-bold">
            <Trans>This season never applies, because seasons above it cover all its days.</Trans>
          </li>
        )}
        {visible.map(({ season, days, ...dates }) => (
          <li key={`${season} ${dates.from} ${days.join()}`}>
            <Trans>
              {datesText(dates)}, {weekdaysText(days)}: season {season + 1} applies instead.
            </Trans>
          </li>
        ))}
        {overlaps.length > visible.length && (
          <li>
            <Trans>And {overlaps.length - visible.length} more overlaps.</Trans>
          </li>
        )}
      </ul>
    </div>
  )
}

interface ValueProps<Value> {
  name: string
  value: Value
  onChange: (value: Value) => void
  error: string | undefined
}

/** Field for a day of the year: month and day. A last day of a month stays the last day if the month changes. */
function DayOfYearField({ label, name, value, onChange, error }: ValueProps<string> & { label: string }) {
  const { t } = useLingui()
  const id = useId()
  const [month, day] = [Number(value.slice(0, 2)), Number(value.slice(3))]
  const moveTo = (next: number) =>
    onChange(
      dayOfYear(next, day === lastOfMonth(month) && day > 28 ? lastOfMonth(next) : Math.min(day, lastOfMonth(next))),
    )
  return (
    <FieldGroup id={id} label={label} error={error}>
      <div className="grid grid-cols-[3fr_2fr] gap-2">
        <Select
          label={t`Month`}
          hideLabel
          name={`${name}.month`}
          value={month}
          options={Array.from({ length: 12 }, (_, at) => ({ value: at + 1, label: monthName(at + 1) }))}
          onChange={({ target }) => moveTo(Number(target.value))}
        />
        <Select
          label={t`Day`}
          hideLabel
          name={`${name}.day`}
          value={day}
          options={Array.from({ length: lastOfMonth(month) }, (_, at) => ({ value: at + 1, label: String(at + 1) }))}
          onChange={({ target }) => onChange(dayOfYear(month, Number(target.value)))}
        />
      </div>
    </FieldGroup>
  )
}

/** Field for weekdays: the usual choices, or each weekday by its full name. */
function WeekdaysField({ name, value, onChange, error }: ValueProps<number[]>) {
  const { t } = useLingui()
  const id = useId()
  const usual = { all: [...WEEK], work: WORK_WEEK, weekend: WEEKEND }
  const matching = (Object.keys(usual) as (keyof typeof usual)[]).find((key) => sameDays(usual[key], value))
  const [chooses, setChooses] = useState(matching === undefined)
  return (
    <>
      <Select
        label={t`Weekdays`}
        name={`${name}.usual`}
        value={chooses ? 'own' : (matching ?? 'own')}
        options={[
          { value: 'all', label: t`Every day` },
          { value: 'work', label: t`Monday to Friday` },
          { value: 'weekend', label: t`Saturday and Sunday` },
          { value: 'own', label: t`Choose weekdays` },
        ]}
        onChange={({ target }) => {
          setChooses(target.value === 'own')
          if (target.value !== 'own') onChange([...usual[target.value as keyof typeof usual]])
        }}
      />
      {(chooses || matching === undefined) && (
        <FieldGroup id={id} label={t`Open on`} error={error}>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4">
            {WEEK.map((day) => (
              <Checkbox
                key={day}
                label={weekdayName(day)}
                checked={value.includes(day)}
                onChange={({ target }) =>
                  onChange(
                    target.checked ? [...value, day].toSorted((a, b) => a - b) : value.filter((one) => one !== day),
                  )
                }
              />
            ))}
          </div>
        </FieldGroup>
      )}
    </>
  )
}

/** Lists the times of a day by quarter of an hour. Adds a stored time that lies between two of them. */
function timeOptions(from: number, until: number, stored: string) {
  const times = Array.from({ length: until - from + 1 }, (_, at) => timeAt((from + at) * 15))
  const all = times.includes(stored) ? times : [...times, stored].toSorted()
  return all.map((value) => ({ value, label: clockText(value) }))
}

interface YearProps {
  seasons: readonly Season[]
  mayAdd: boolean
  onAdd: (dates: { from: string; until: string }) => void
}
/** The whole year in order. Each gap has a button that fills it with a season. */
function YearOverview({ seasons, mayAdd, onAdd }: YearProps) {
  const { t } = useLingui()
  const id = useId()
  const parts = partsOfYear(seasons)
  const isClosed = (open: (typeof parts)[number]['open']) => open.every(({ season }) => season < 0)
  return (
    <section aria-labelledby={id}>
      <h4 id={id} className="mb-2 font-bold text-sm">
        <Trans>The year in order</Trans>
      </h4>
      <div aria-hidden className="mb-2 flex h-3 overflow-hidden rounded-sm border border-edge">
        {parts.map(({ from, length, open }) => (
          <span
            key={from}
            style={{ flexGrow: length }}
            className={isClosed(open) ? 'bg-surface' : 'border-surface border-e bg-link last:border-0'}
          />
        ))}
      </div>
      <ul className="flex flex-col gap-2 text-table">
        {parts.map(({ from, until, open }) => (
          <li key={from} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0">
              <strong>{datesText({ from, until })}</strong>
              <Text>: </Text>
              <Text>
                {open
                  .map(({ days, season: at }) => {
                    const season = seasons[at]
                    const hours = season ? t`${clockText(season.opens)} to ${clockText(season.closes)}` : t`closed`
                    return days.length === WEEK.length ? hours : t`${weekdaysText(days)} ${hours}`
                  })
                  .join(', ')}
              </Text>
            </span>
            {mayAdd && isClosed(open) && (
              <Button size="small" icon={Plus} onClick={() => onAdd({ from, until })}>
                <Trans>Add a season</Trans>
                <span className="sr-only">
                  {' '}
                  <Text>{datesText({ from, until })}</Text>
                </span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
