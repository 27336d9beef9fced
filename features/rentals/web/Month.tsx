import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { addDays, formatMonth, weekday } from '../../../shared/dates.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { type RentalDay, rentalDays } from '../contract.ts'
import { isFree } from '../rules.ts'
import type { TimesProps } from './time-choice.ts'
import { timeVariant } from './time-variants.ts'
import { Steps } from './Week.tsx'
import { dayText, weekdayText } from '../../../web/time-text.ts'

const sundayOf = (day: string) => addDays(day, -weekday(day))

type MonthProps = TimesProps & { start: string; onDay: (day: string) => void }

/** Month calendar that shows the number of free times for each day. */
export function Month({ start, onDay, ...props }: MonthProps) {
  const { t } = useLingui()
  const { resourceId, spaceId, pieces, today, lastDay, except, mayWait = false } = props
  const [month, setMonth] = useState(() => (addDays(start, 6) < today ? today : addDays(start, 6)).slice(0, 7))
  const first = `${month}-01`
  const from = sundayOf(first)
  const response = useResponse(rentalDays, {
    ...{ resourceId, spaceId, pieces, from, days: 42 },
    ...(except !== undefined && { except }),
  })
  const next = addDays(first, 32).slice(0, 7)
  return (
    <>
      <Steps
        title={formatMonth(first)}
        before={t`Earlier`}
        after={t`Later`}
        onBefore={first > today ? () => setMonth(addDays(first, -1).slice(0, 7)) : null}
        onAfter={`${next}-01` <= lastDay ? () => setMonth(next) : null}
      />
      <ResponseView response={response} loading={<Trans>Loading the days of the month</Trans>}>
        {({ days }) => <Days {...{ days, month, today, mayWait, onDay }} />}
      </ResponseView>
    </>
  )
}

interface DaysProps {
  days: readonly RentalDay[]
  /** Month as YYYY-MM. */
  month: string
  today: string
  mayWait: boolean
  onDay: (day: string) => void
}

function Days({ days, month, today, mayWait, onDay }: DaysProps) {
  const { t } = useLingui()
  return (
    <>
      <div aria-hidden className="mb-1 grid grid-cols-7 gap-1 text-center text-muted text-table">
        {days.slice(0, 7).map(({ day }) => (
          <span key={day}>{weekdayText(day)}</span>
        ))}
      </div>
      <ul className="grid grid-cols-7 gap-1" aria-label={t`Days of the month`}>
        {days.map(({ day, steps, closedFor }, n) => {
          if (n >= 35 && !day.startsWith(month) && days[35]?.day.startsWith(month) !== true) return null
          const count = steps.filter(isFree).length
          const canWait = mayWait && day >= today && steps.some(({ is }) => is === 'taken')
          const summary =
            closedFor ||
            (count > 0 && day >= today
              ? t`${count} of ${steps.length} available`
              : canWait
                ? t`no times available, waitlist open`
                : t`no times available`)
          const inMonth = day.startsWith(month)
          return (
            <li key={day} className={cx(!inMonth && 'invisible')}>
              <button
                type="button"
                disabled={!inMonth || (count === 0 && !canWait)}
                onClick={() => onDay(day)}
                className={cx(
                  'flex min-h-14 w-full flex-col items-center justify-center rounded-sm border p-1 text-table',
                  timeVariant(count > 0 ? 'free' : 'unavailable'),
                )}
              >
                <span className="sr-only">{`${dayText(day)}: ${summary}`}</span>
                <span aria-hidden className="font-bold">
                  {Number(day.slice(8))}
                </span>
                <span aria-hidden className="w-full truncate text-[0.75rem]">
                  {count > 0 ? t`${count} open` : canWait ? '×' : '–'}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
