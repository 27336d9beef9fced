import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { addDays, weekday } from '../../../shared/dates.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { LoadingState } from '../../../web/ui/States.tsx'
import { type RentalDay, rentalDays } from '../contract.ts'
import { isFree, type StepIs } from '../rules.ts'
import { firstUseful, isChosenStep, timeLook } from './time-looks.ts'
import { clockWords, dayWords } from './words.ts'
import { Text } from '../../../web/ui/Text.tsx'

export interface Chosen {
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
  chosen: Chosen | null
  /** The day whose week is shown at first, instead of today's. */
  opensOn?: string
  /** `isTaken`: somebody has at least a part of it, so that it can only be waited for. */
  onChoose: (chosen: Chosen | null, isTaken: boolean) => void
  /** What is taken can be chosen as well, to wait for it. */
  mayWait?: boolean
  /** The chosen times are taken, and are waited for. */
  waits?: boolean
  /** A reservation that is being changed: its own time is in nobody's way. */
  except?: number
  /** The times of a week stand there: what comes below is moved by them no more. */
  onShown?: () => void
}

const short = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' })
const monthName = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const sundayOf = (day: string) => addDays(day, -weekday(day))
/** The calls answer so many days. */
const MOST_DAYS = 42

/** When something is free: the days of a month, and the times of the week that is chosen there. */
export function Times(props: TimesProps) {
  const { resourceId, spaceId, pieces, today, except, chosen, opensOn } = props
  const [opens] = useState(chosen?.day ?? opensOn)
  const ahead = useAnswer(
    rentalDays,
    { ...{ resourceId, spaceId, pieces, from: today, days: MOST_DAYS }, ...(except !== undefined && { except }) },
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
  // Seven days from there: a calendar week may have none left.
  const [week, setWeek] = useState(first)
  const [asMonth, setAsMonth] = useState(false)
  /** A day that was chosen in the month: its first time gets the focus, as the day's button is gone. */
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

interface Opened {
  opened: string | null
  onOpened: () => void
}
type WeekProps = TimesProps & Opened & { week: string; onWeek: (week: string) => void }

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
        title={t`${dayWords(week).split(', ')[1] ?? ''} to ${dayWords(end).split(', ')[1] ?? ''}`}
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

/** Whether a step can be chosen at all. */
const isWanted = ({ is }: { is: StepIs }, mayWait: boolean): boolean => is === 'free' || (mayWait && is === 'taken')

const stepsIn = (day: RentalDay, { from, until }: Chosen) =>
  day.steps.filter((step) => from <= step.time && step.until <= until)
const hasTaken = (day: RentalDay, chosen: Chosen): boolean => stepsIn(day, chosen).some(({ is }) => is === 'taken')

/**
 * What is chosen once another step is pressed: it begins there, or goes on up to it where all between can be had. Over what is
 * taken it goes on only for whoever chose something taken, so that nobody waits without meaning to.
 */
export function choose(day: RentalDay, at: number, chosen: Chosen | null, mayWait = false): Chosen | null {
  const step = day.steps[at]
  if (!step || !isWanted(step, mayWait)) return chosen
  const alone = { day: day.day, from: step.time, until: step.until }
  if (chosen?.day !== day.day) return alone
  if (chosen.from === step.time && chosen.until === step.until) return null
  const first = day.steps.findIndex(({ time }) => time === chosen.from)
  if (first < 0 || at < first) return alone
  const waits = mayWait && (!isFree(step) || hasTaken(day, chosen))
  // Pressed again within what is chosen, it ends there.
  const between = day.steps.slice(first, at + 1)
  return between.every((one) => isWanted(one, waits)) ? { ...chosen, until: step.until } : alone
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
}: TimesProps & Opened & { days: AnswerOf<typeof rentalDays>['days'] }) {
  const { t } = useLingui()
  const words: Record<StepIs, string> = {
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
  const first = [isFree, (step: { is: StepIs }) => isWanted(step, mayWait)].find((can) =>
    days.some(({ steps }) => steps.some(can)),
  )
  const firstFree = first ? days.findIndex(({ steps }) => steps.some(first)) : -1
  const [at, setAt] = useState<[number, number] | null>(() => {
    const steps = days.find(({ day }) => day === opened)?.steps ?? []
    const step = steps.find(isFree) ?? steps.find((one) => isWanted(one, mayWait))
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
    const limit = (n: number, most: number) => Math.min(most, Math.max(0, n))
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
                <span className="sr-only">{dayWords(day)}</span>
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
                <Text>{time.endsWith(':00') ? clockWords(time).replace(':00', '') : ''}</Text>
                <span className="sr-only">{clockWords(time)}</span>
              </th>
              {days.map((day, x) => {
                const n = day.steps.findIndex((step) => step.time === time)
                const step = day.steps[n]
                const isChosen = step !== undefined && isChosenStep(step, day.day, chosen, waits)
                const free = step !== undefined && isFree(step)
                const wanted = step !== undefined && isWanted(step, mayWait)
                const says = isChosen ? t`chosen` : step ? words[step.is] : t`closed`
                const press = () => {
                  const next = choose(day, n, chosen, mayWait)
                  onChoose(next, next !== null && hasTaken(day, next))
                }
                return (
                  <td key={day.day} className="p-0.5">
                    <button
                      type="button"
                      data-at={`${x},${y}`}
                      tabIndex={x === column && y === line ? 0 : -1}
                      aria-disabled={!wanted}
                      aria-pressed={isChosen}
                      aria-label={`${dayWords(day.day)}, ${clockWords(time)}, ${says}`}
                      onKeyDown={walk}
                      onFocus={() => setAt([x, y])}
                      onClick={press}
                      className={cx(
                        'flex h-8 w-full scroll-mb-28 items-center justify-center rounded-sm border',
                        timeLook(isChosen ? 'chosen' : free ? 'free' : wanted ? 'waitable' : 'unavailable'),
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
                const says =
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
                      <span className="sr-only">{`${dayWords(day)}: ${says}`}</span>
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
