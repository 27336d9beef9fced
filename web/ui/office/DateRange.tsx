import { type CalendarDate, parseDate } from '@internationalized/date'
import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DateRangePicker,
  DateSegment,
  type DateValue,
  Group,
  Label,
  Popover,
  RangeCalendar,
} from 'react-aria-components/DateRangePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Heading } from 'react-aria-components/RangeCalendar'
import { cx } from '../cx.ts'
import { useOverlay } from '../Dialog.tsx'
import { controlClasses, FieldError, FieldHint, type FieldProps } from '../Field.tsx'

export interface DateRangeProps extends Omit<FieldProps, 'hideLabel' | 'optional'> {
  /** First and last day, YYYY-MM-DD. Both `''` if not chosen. */
  from: string
  to: string
  onChange: (range: { from: string; to: string }) => void
  /** The first and last day that may be chosen. */
  min?: string
  max?: string
}

const dayOf = (text: string | undefined): CalendarDate | null => {
  try {
    return text ? parseDate(text) : null
  } catch {
    return null
  }
}

interface Days {
  start: DateValue
  end: DateValue
}

const isTurned = ({ start, end }: Days) => start.compare(end) > 0

/** Field for a date range, which the person types or chooses in a calendar. */
export function DateRange({ label, hint, error: inputError, className, from, to, onChange, min, max }: DateRangeProps) {
  const id = useId()
  const { t } = useLingui()
  const overlay = useOverlay()
  const [start, end, minValue, maxValue] = [dayOf(from), dayOf(to), dayOf(min), dayOf(max)]
  // Dates in reverse order stay in this field. `onChange` does not receive them.
  const [turned, setTurned] = useState<{ days: Days; instead: string } | null>(null)
  const inputDays = start && end ? { start, end } : null
  const days = turned?.instead === from + to ? turned.days : inputDays
  const error = inputError ?? (days && isTurned(days) ? t`The last day must be on or after the first day.` : undefined)
  return (
    <I18nProvider locale="en-US">
      <DateRangePicker
        value={days}
        onChange={(range) => {
          setTurned(range && isTurned(range) ? { days: range, instead: from + to } : null)
          if (!range || !isTurned(range))
            onChange({ from: range?.start.toString() ?? '', to: range?.end.toString() ?? '' })
        }}
        isInvalid={Boolean(error)}
        {...(minValue && { minValue })}
        {...(maxValue && { maxValue })}
        className={cx('field flex min-w-0 flex-col gap-1', className)}
      >
        <Label className="font-bold text-sm">{label}</Label>
        {hint && <FieldHint id={id}>{hint}</FieldHint>}
        <Group
          {...(error && { 'data-error': `${id}-error` })}
          className={cx(
            controlClasses(error),
            'flex w-auto! flex-wrap items-center gap-x-2 py-0! pe-1! tabular-nums max-sm:gap-x-1 max-sm:ps-2 max-sm:text-sm',
          )}
        >
          <Day slot="start" />
          <span aria-hidden className="text-muted">
            <Trans>to</Trans>
          </span>
          <Day slot="end" />
          <Button
            className="ms-auto grid size-8 place-items-center rounded-sm text-link hover:bg-tint-2"
            aria-label={t`Open the calendar`}
          >
            <CalendarDays size={18} aria-hidden />
          </Button>
        </Group>
        <FieldError id={id}>{error}</FieldError>
        <Popover
          {...(overlay?.current && { UNSTABLE_portalContainer: overlay.current })}
          className="rounded-sm border border-line bg-surface p-2 shadow-overlay sm:p-4"
        >
          <Dialog aria-label={t`Choose the first and last day`} className="outline-none">
            <RangeCalendar>
              <div className="mb-2 flex items-center justify-between">
                <Button slot="previous" className={arrow}>
                  <ChevronLeft size={18} aria-hidden />
                </Button>
                <Heading className="text-lg" />
                <Button slot="next" className={arrow}>
                  <ChevronRight size={18} aria-hidden />
                </Button>
              </div>
              <CalendarGrid className="border-collapse tabular-nums" weekdayStyle="short">
                <CalendarGridHeader>
                  {(day) => (
                    <CalendarHeaderCell className="size-10 font-normal text-muted text-sm">{day}</CalendarHeaderCell>
                  )}
                </CalendarGridHeader>
                <CalendarGridBody>{(date) => <CalendarCell date={date} className={cell} />}</CalendarGridBody>
              </CalendarGrid>
            </RangeCalendar>
          </Dialog>
        </Popover>
      </DateRangePicker>
    </I18nProvider>
  )
}

const arrow = 'grid size-9 place-items-center rounded-sm text-link hover:bg-tint-2 disabled:text-muted'

const cell = cx(
  'focus-inside grid size-10 cursor-pointer place-items-center text-center hover:bg-tint-2',
  'data-disabled:cursor-not-allowed data-disabled:text-muted data-outside-month:invisible data-unavailable:line-through',
  'data-selected:bg-tint-2 data-selection-start:rounded-s-sm data-selection-start:bg-brand data-selection-start:text-on-brand',
  'data-selection-end:rounded-e-sm data-selection-end:bg-brand data-selection-end:text-on-brand',
)

const Day = ({ slot }: { slot: 'start' | 'end' }) => (
  <DateInput slot={slot} className="flex">
    {(segment) => (
      <DateSegment
        segment={segment}
        className={cx(
          'rounded-[2px] py-1 text-end data-placeholder:text-muted',
          segment.type === 'literal' ? 'px-0' : 'min-w-6 px-0.5 text-center',
          'focus:bg-tint-2 focus:shadow-none focus:outline-2 focus:outline-[#111] focus:outline-offset-0',
        )}
      />
    )}
  </DateInput>
)
