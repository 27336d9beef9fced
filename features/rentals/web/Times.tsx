import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { addDays, weekday } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { LoadingState } from '../../../web/ui/States.tsx'
import { type RentalDay, rentalDays } from '../contract.ts'
import { isFree, type StepIs } from '../rules.ts'
import { firstUseful, isChosenStep, timeLook } from './time-looks.ts'
import { clockText, dayText } from './words.ts'
import { Text } from '../../../web/ui/Text.tsx'

export interface ChosenTime {
  day: string
  from: string
  until: string
}
interface TimesProps {
  resourceId: number
  spaceId: number
  pieces: number
  today: string
  lastDay: string
  chosen: ChosenTime | null
  /** Day that selects the first week shown. Defaults to today. */
  opensOn?: string
  /** `isTaken` is true if any part is reserved, so that only the waitlist is possible. */
  onChoose: (chosen: ChosenTime | null, isTaken: boolean) => void
  /** True if reserved times can be chosen for the waitlist. */
  mayWait?: boolean
  /** True if the chosen times are taken and the resident joins the waitlist. */
  waits?: boolean
  /** Reservation that is being changed. Its own time counts as free. */
  except?: number
  /** Called after the week has rendered, so that content below no longer moves. */
  onShown?: () => void
}

const short = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' })
const monthName = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const sundayOf = (day: string) => addDays(day, -weekday(day))
/** Maximum number of days in one call. */
const MAX_DAYS = 42

/** Availability calendar: days of a month, and times of the chosen week. */
export function Times(props: TimesProps) {
  const { resourceId, spaceId, pieces, today, except, chosen, opensOn } = props
  const [opens] = useState(chosen?.day ?? opensOn)
  const ahead = useAnswer(
    rentalDays,
    { ...{ resourceId, spaceId, pieces, from: today, days: MAX_DAYS }, ...(except !== undefined && { except }) },
    { enabled: opens === undefined },
  )
  if (opens === undefined && ahead.isPending)
    return (
      <LoadingState>
        <Trans>Loading the times of the week</Trans>
      </LoadingState>
    )
  return <WeekOrMonth {...props} first={opens ?? firstUseful(ahead.data?.days ?? [], today)} />
}

function WeekOrMonth({ first, ...props }: TimesProps & { first: string }) {
  // Shows seven days from this one, because the calendar week may have no free day left.
  const [week, setWeek] = useState(first)
  const [asMonth, setAsMonth] = useState(false)
  /** Day that was chosen in the month. Focus moves to its first time, because the day's button is gone. */
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <div>
      <div className="mb-3 flex flex-wrap gap-2" role="group">
        <Button
          size="small"
          look={asMonth ? 'secondary' : 'primary'}
          aria-pressed={!asMonth}
          onClick={() => setAsMonth(false)}
        >
          <Trans>Week</Trans>
        </Button>
        <Button
          size="small"
          look={asMonth ? 'primary' : 'secondary'}
          aria-pressed={asMonth}
          onClick={() => setAsMonth(true)}
        >
          <Trans>Month</Trans>
        </Button>
      </div>
      {asMonth ? (
        <Month
          {...props}
          start={week}
          onDay={(day) => {
            setWeek(day)
            setOpened(day)
            setAsMonth(false)
          }}
        />
      ) : (
        <Week {...props} week={week} onWeek={setWeek} opened={opened} onOpened={() => setOpened(null)} />
      )}
    </div>
  )
}

const laterOf = (a: string, b: string): string => (a > b ? a : b)

interface StepsProps {
  title: string
  before: string
  after: string
  onBefore: (() => void) | null
  onAfter: (() => void) | null
}
const Steps = ({ title, before, after, onBefore, onAfter }: StepsProps) => (
  <div className="mb-3 flex items-center justify-between gap-2">
    <Button size="small" icon={ChevronLeft} disabled={onBefore === null} onClick={onBefore ?? undefined}>
      {before}
    </Button>
    <p aria-live="polite" className="text-center font-bold">
      {title}
    </p>
    <Button size="small" icon={ChevronRight} disabled={onAfter === null} onClick={onAfter ?? undefined}>
      {after}
    </Button>
  </div>
)

interface OpenedSlot {
  opened: string | null
  onOpened: () => void
}
type WeekProps = TimesProps & OpenedSlot & { week: string; onWeek: (week: string) => void }

function Week({ week, onWeek, ...props }: WeekProps) {
  const { t } = useLingui()
  const { resourceId, spaceId, pieces, today, lastDay, except } = props
  const answer = useAnswer(rentalDays, {
    ...{ resourceId, spaceId, pieces, from: week, days: 7 },
    ...(except !== undefined && { except }),
  })
  const end = addDays(week, 6)
  return (
    <>
      <Steps
        title={t`${dayText(week).split(', ')[1] ?? ''} to ${dayText(end).split(', ')[1] ?? ''}`}
        before={t`Earlier`}
        after={t`Later`}
        onBefore={week > today ? () => onWeek(laterOf(addDays(week, -7), today)) : null}
        onAfter={end < lastDay ? () => onWeek(addDays(week, 7)) : null}
      />
      <Answered answer={answer} loading={<Trans>Loading the times of the week</Trans>}>
        {({ days }) => <WeekGrid {...props} days={days} />}
      </Answered>
    </>
  )
}

const isSelectable = ({ is }: { is: StepIs }, mayWait: boolean): boolean => is === 'free' || (mayWait && is === 'taken')

const stepsIn = (day: RentalDay, { from, until }: ChosenTime) =>
  day.steps.filter((step) => from <= step.time && step.until <= until)
const hasBusy = (day: RentalDay, chosen: ChosenTime): boolean => stepsIn(day, chosen).some(({ is }) => is === 'taken')

/**
 * Returns the selection after a step is pressed. It extends the selection if all steps between are available, else it
 * starts a new one. It extends over reserved steps only if the pressed step or the selection is reserved, so that no
 * one joins the waitlist by accident.
 */
export function choose(day: RentalDay, at: number, chosen: ChosenTime | null, mayWait = false): ChosenTime | null {
  const step = day.steps[at]
  if (!step || !isSelectable(step, mayWait)) return chosen
  const alone = { day: day.day, from: step.time, until: step.until }
  if (chosen?.day !== day.day) return alone
  if (chosen.from === step.time && chosen.until === step.until) return null
  const first = day.steps.findIndex(({ time }) => time === chosen.from)
  if (first < 0 || at < first) return alone
  const waits = mayWait && (!isFree(step) || hasBusy(day, chosen))
  // A step within the selection becomes its end.
  const between = day.steps.slice(first, at + 1)
  return between.every((one) => isSelectable(one, waits)) ? { ...chosen, until: step.until } : alone
}

function WeekGrid({
  days,
  chosen,
  onChoose,
  mayWait = false,
  waits,
  opened,
  onOpened,
  onShown,
}: TimesProps & OpenedSlot & { days: ResponseOf<typeof rentalDays>['days'] }) {
  const { t } = useLingui()
  const stateLabels: Record<StepIs, string> = {
    free: t`free`,
    taken: mayWait ? t`taken, can be waited for` : t`taken`,
    past: t`over already`,
    soon: t`too soon to reserve it`,
    far: t`too far ahead`,
    skipped: t`skipped by the clocks`,
  }
  const has = (is: StepIs) => days.some(({ steps }) => steps.some((step) => step.is === is))
  const table = useRef<HTMLTableElement>(null)
  const times = [...new Set(days.flatMap(({ steps }) => steps.map(({ time }) => time)))].toSorted()
  const first = [isFree, (step: { is: StepIs }) => isSelectable(step, mayWait)].find((can) =>
    days.some(({ steps }) => steps.some(can)),
  )
  const firstFree = first ? days.findIndex(({ steps }) => steps.some(first)) : -1
  const [at, setAt] = useState<[number, number] | null>(() => {
    const steps = days.find(({ day }) => day === opened)?.steps ?? []
    const step = steps.find(isFree) ?? steps.find((one) => isSelectable(one, mayWait))
    return step ? [days.findIndex(({ day }) => day === opened), times.indexOf(step.time)] : null
  })
  useEffect(() => onShown?.(), [onShown])
  useEffect(() => {
    if (opened === null) return
    table.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
    onOpened()
  }, [opened, onOpened])
  const row = times.indexOf(first ? (days[firstFree]?.steps.find(first)?.time ?? '') : '')
  const [column, line] = at ?? [Math.max(0, firstFree), Math.max(0, row)]
  if (times.length === 0)
    return (
      <p className="rounded-sm bg-tint p-4">
        <Trans>It is closed in this week. Look at another one.</Trans>
      </p>
    )
  const walk = (event: KeyboardEvent) => {
    const moves: Record<string, [number, number]> = {
      ArrowRight: [1, 0],
      ArrowLeft: [-1, 0],
      ArrowDown: [0, 1],
      ArrowUp: [0, -1],
    }
    const move = moves[event.key]
    if (!move && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    const limit = (n: number, max: number) => Math.min(max, Math.max(0, n))
    const next: [number, number] = move
      ? [limit(column + move[0], days.length - 1), limit(line + move[1], times.length - 1)]
      : [event.key === 'Home' ? 0 : days.length - 1, line]
    setAt(next)
    table.current?.querySelector<HTMLElement>(`[data-at="${next.join()}"]`)?.focus()
  }
  return (
    <>
      <p className="mb-2 text-table text-muted">
        <Trans>
          Choose when it begins, then when it ends. With the keyboard, the arrows lead from time to time, and Enter
          chooses.
        </Trans>{' '}
        {mayWait && has('taken') && <Trans>Choose a time that is taken to wait for it.</Trans>}
      </p>
      <table ref={table} aria-label={t`Times of the week`} className="w-full table-fixed border-collapse text-table">
        <thead>
          <tr>
            <th scope="col" className="w-13 text-start font-normal text-muted sm:w-20">
              <span className="sr-only">
                <Trans>Time</Trans>
              </span>
            </th>
            {days.map(({ day }) => (
              <th key={day} scope="col" className="p-1 text-center font-bold">
                <span className="sr-only">{dayText(day)}</span>
                <span aria-hidden className="block text-muted font-normal max-sm:text-[0.75rem]">
                  {short.format(utc(day))}
                </span>
                <span aria-hidden>{Number(day.slice(8))}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, y) => (
            <tr key={time}>
              <th
                scope="row"
                className="pe-1 text-end align-top font-normal whitespace-nowrap text-muted max-sm:text-[0.75rem]"
              >
                <Text>{time.endsWith(':00') ? clockText(time).replace(':00', '') : ''}</Text>
                <span className="sr-only">{clockText(time)}</span>
              </th>
              {days.map((day, x) => {
                const n = day.steps.findIndex((step) => step.time === time)
                const step = day.steps[n]
                const isChosen = step !== undefined && isChosenStep(step, day.day, chosen, waits)
                const free = step !== undefined && isFree(step)
                const canSelect = step !== undefined && isSelectable(step, mayWait)
                const stateText = isChosen ? t`chosen` : step ? stateLabels[step.is] : t`closed`
                const select = () => {
                  const next = choose(day, n, chosen, mayWait)
                  onChoose(next, next !== null && hasBusy(day, next))
                }
                return (
                  <td key={day.day} className="p-0.5">
                    <button
                      type="button"
                      data-at={`${x},${y}`}
                      tabIndex={x === column && y === line ? 0 : -1}
                      aria-disabled={!canSelect}
                      aria-pressed={isChosen}
                      aria-label={`${dayText(day.day)}, ${clockText(time)}, ${stateText}`}
                      onKeyDown={walk}
                      onFocus={() => setAt([x, y])}
                      onClick={select}
                      className={cx(
                        'flex h-8 w-full scroll-mb-28 items-center justify-center rounded-sm border',
                        timeLook(isChosen ? 'chosen' : free ? 'free' : canSelect ? 'waitable' : 'unavailable'),
                      )}
                    >
                      <span aria-hidden>{isChosen ? '✓' : step?.is === 'taken' ? '×' : ''}</span>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p aria-hidden className="mt-2 flex flex-wrap gap-x-4 text-table text-muted">
        <span>
          <span className="me-1 inline-block size-3 rounded-sm border border-edge bg-white" />
          <Trans>Free</Trans>
        </span>
        <span>{mayWait ? <Trans>× Taken, can be waited for</Trans> : <Trans>× Taken</Trans>}</span>
        <span>
          <Trans>✓ Chosen</Trans>
        </span>
        <span>
          <span className={cx('me-1 inline-block size-3 rounded-sm border', timeLook('unavailable'))} />
          {has('soon') ? (
            <Trans>Closed, over or too soon</Trans>
          ) : has('far') ? (
            <Trans>Closed or too far ahead</Trans>
          ) : (
            <Trans>Closed or over</Trans>
          )}
        </span>
      </p>
    </>
  )
}

function Month({ start, onDay, ...props }: TimesProps & { start: string; onDay: (day: string) => void }) {
  const { t } = useLingui()
  const { resourceId, spaceId, pieces, today, lastDay, except, mayWait = false } = props
  const [month, setMonth] = useState(() => (addDays(start, 6) < today ? today : addDays(start, 6)).slice(0, 7))
  const first = `${month}-01`
  const from = sundayOf(first)
  const answer = useAnswer(rentalDays, {
    ...{ resourceId, spaceId, pieces, from, days: 42 },
    ...(except !== undefined && { except }),
  })
  const next = addDays(first, 32).slice(0, 7)
  return (
    <>
      <Steps
        title={monthName.format(utc(first))}
        before={t`Earlier`}
        after={t`Later`}
        onBefore={first > today ? () => setMonth(addDays(first, -1).slice(0, 7)) : null}
        onAfter={`${next}-01` <= lastDay ? () => setMonth(next) : null}
      />
      <Answered answer={answer} loading={<Trans>Loading the days of the month</Trans>}>
        {({ days }) => (
          <>
            <div aria-hidden className="mb-1 grid grid-cols-7 gap-1 text-center text-muted text-table">
              {days.slice(0, 7).map(({ day }) => (
                <span key={day}>{short.format(utc(day))}</span>
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
                    ? t`${count} of ${steps.length} free`
                    : canWait
                      ? t`nothing free, can be waited for`
                      : t`nothing free`)
                const inMonth = day.startsWith(month)
                return (
                  <li key={day} className={cx(!inMonth && 'invisible')}>
                    <button
                      type="button"
                      disabled={!inMonth || (count === 0 && !canWait)}
                      onClick={() => onDay(day)}
                      className={cx(
                        'flex min-h-14 w-full flex-col items-center justify-center rounded-sm border p-1 text-table',
                        timeLook(count > 0 ? 'free' : 'unavailable'),
                      )}
                    >
                      <span className="sr-only">{`${dayText(day)}: ${summary}`}</span>
                      <span aria-hidden className="font-bold">
                        {Number(day.slice(8))}
                      </span>
                      <span aria-hidden className="w-full truncate text-[0.75rem]">
                        {count > 0 ? t`${count} free` : canWait ? '×' : '–'}
                      </span>
                    </button>
                  </li>
                )
              })}
            </ul>
          </>
        )}
      </Answered>
    </>
  )
}
