import { clockText } from '../../../shared/dates.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cx } from '../../../web/ui/cx.ts'
import { Text } from '../../../web/ui/Text.tsx'
import type { RentalDay } from '../contract.ts'
import { isFree, type StepAvailability } from '../rules.ts'
import { choose, hasBusy, isSelectable, type TimesProps } from './time-choice.ts'
import { isChosenStep, timeVariant } from './time-variants.ts'
import { dayText, weekdayText } from '../../../web/time-text.ts'

export interface OpenedSlot {
  opened: string | null
  onOpened: () => void
}
type GridProps = Pick<TimesProps, 'chosen' | 'onChoose' | 'mayWait' | 'waits' | 'onVisible'> &
  OpenedSlot & { days: readonly RentalDay[] }

/** Times of seven days as a table of buttons. Arrow keys move between the times. */
export function WeekGrid({ days, onVisible, ...props }: GridProps) {
  const { t } = useLingui()
  const { chosen, onChoose, mayWait = false, waits } = props
  const times = [...new Set(days.flatMap(({ steps }) => steps.map(({ time }) => time)))].toSorted()
  const { table, focus, setFocus, walk } = useGridFocus(days, times, { ...props, mayWait })
  useEffect(() => onVisible?.(), [onVisible])
  if (times.length === 0)
    return (
      <p className="rounded-sm bg-tint p-4">
        <Trans>Closed this week. Choose another week.</Trans>
      </p>
    )
  return (
    <>
      <p className="mb-2 text-table text-muted">
        <Trans>
          Choose a start time, then an end time. On a keyboard, use the arrow keys to move and Enter to choose.
        </Trans>{' '}
        {mayWait && includes(days, 'taken') && <Trans>Choose a taken time to join its waitlist.</Trans>}
      </p>
      <table ref={table} aria-label={t`Times for the week`} className="w-full table-fixed border-collapse text-table">
        <WeekHead days={days} />
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
              {days.map((day, x) => (
                <td key={day.day} className="p-0.5">
                  <TimeButton
                    {...{ day, time, chosen, mayWait, waits }}
                    at={[x, y]}
                    isFocus={x === focus[0] && y === focus[1]}
                    onKeyDown={walk}
                    onFocus={() => setFocus([x, y])}
                    onChoose={onChoose}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Legend days={days} mayWait={mayWait} />
    </>
  )
}

/** Column and row of a time in the table. */
type GridCell = [number, number]

const includes = (days: readonly RentalDay[], is: StepAvailability): boolean =>
  days.some(({ steps }) => steps.some((step) => step.is === is))

/** Implements a roving tabindex: the Tab key reaches one time of the table, and the arrow keys move to the others. */
function useGridFocus(
  days: readonly RentalDay[],
  times: readonly string[],
  { opened, onOpened, mayWait }: OpenedSlot & { mayWait: boolean },
) {
  const table = useRef<HTMLTableElement>(null)
  const first = [isFree, (step: { is: StepAvailability }) => isSelectable(step, mayWait)].find((can) =>
    days.some(({ steps }) => steps.some(can)),
  )
  const firstFree = first ? days.findIndex(({ steps }) => steps.some(first)) : -1
  const [at, setFocus] = useState<GridCell | null>(() => {
    const steps = days.find(({ day }) => day === opened)?.steps ?? []
    const step = steps.find(isFree) ?? steps.find((one) => isSelectable(one, mayWait))
    return step ? [days.findIndex(({ day }) => day === opened), times.indexOf(step.time)] : null
  })
  useEffect(() => {
    if (opened === null) return
    table.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus()
    onOpened()
  }, [opened, onOpened])
  const row = times.indexOf(first ? (days[firstFree]?.steps.find(first)?.time ?? '') : '')
  const focus: GridCell = at ?? [Math.max(0, firstFree), Math.max(0, row)]
  const walk = (event: KeyboardEvent) => {
    const moves: Record<string, GridCell> = {
      ArrowRight: [1, 0],
      ArrowLeft: [-1, 0],
      ArrowDown: [0, 1],
      ArrowUp: [0, -1],
    }
    const move = moves[event.key]
    if (!move && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    const limit = (n: number, max: number) => Math.min(max, Math.max(0, n))
    const [column, line] = focus
    const next: GridCell = move
      ? [limit(column + move[0], days.length - 1), limit(line + move[1], times.length - 1)]
      : [event.key === 'Home' ? 0 : days.length - 1, line]
    setFocus(next)
    table.current?.querySelector<HTMLElement>(`[data-at="${next.join()}"]`)?.focus()
  }
  return { table, focus, setFocus, walk }
}

const WeekHead = ({ days }: { days: readonly RentalDay[] }) => (
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
            {weekdayText(day)}
          </span>
          <span aria-hidden>{Number(day.slice(8))}</span>
        </th>
      ))}
    </tr>
  </thead>
)

interface TimeButtonProps extends Pick<TimesProps, 'chosen' | 'onChoose'> {
  day: RentalDay
  time: string
  mayWait: boolean
  waits: boolean | undefined
  at: GridCell
  isFocus: boolean
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: () => void
}

function TimeButton({ day, time, chosen, mayWait, waits, at, isFocus, onChoose, ...events }: TimeButtonProps) {
  const { t } = useLingui()
  const stateLabels: Record<StepAvailability, string> = {
    free: t`available`,
    taken: mayWait ? t`taken, waitlist open` : t`taken`,
    past: t`in the past`,
    soon: t`too soon to reserve`,
    far: t`too far ahead`,
    skipped: t`skipped for daylight saving time`,
  }
  const n = day.steps.findIndex((step) => step.time === time)
  const step = day.steps[n]
  const isChosen = step !== undefined && isChosenStep(step, day.day, chosen, waits)
  const free = step !== undefined && isFree(step)
  const canSelect = step !== undefined && isSelectable(step, mayWait)
  const stateText = isChosen ? t`selected` : step ? stateLabels[step.is] : t`closed`
  const select = () => {
    const next = choose(day, n, chosen, mayWait)
    onChoose(next, next !== null && hasBusy(day, next))
  }
  return (
    <button
      type="button"
      data-at={at.join()}
      tabIndex={isFocus ? 0 : -1}
      aria-disabled={!canSelect}
      aria-pressed={isChosen}
      aria-label={`${dayText(day.day)}, ${clockText(time)}, ${stateText}`}
      onClick={select}
      {...events}
      className={cx(
        'flex h-8 w-full scroll-mb-28 items-center justify-center rounded-sm border',
        timeVariant(isChosen ? 'chosen' : free ? 'free' : canSelect ? 'waitable' : 'unavailable'),
      )}
    >
      <span aria-hidden>{isChosen ? '✓' : step?.is === 'taken' ? '×' : ''}</span>
    </button>
  )
}

const Legend = ({ days, mayWait }: { days: readonly RentalDay[]; mayWait: boolean }) => (
  <p aria-hidden className="mt-2 flex flex-wrap gap-x-4 text-table text-muted">
    <span>
      <span className="me-1 inline-block size-3 rounded-sm border border-edge bg-white" />
      <Trans>Available</Trans>
    </span>
    <span>{mayWait ? <Trans>× Taken, waitlist open</Trans> : <Trans>× Taken</Trans>}</span>
    <span>
      <Trans>✓ Selected</Trans>
    </span>
    <span>
      <span className={cx('me-1 inline-block size-3 rounded-sm border', timeVariant('unavailable'))} />
      {includes(days, 'soon') ? (
        <Trans>Closed, past or too soon</Trans>
      ) : includes(days, 'far') ? (
        <Trans>Closed or too far ahead</Trans>
      ) : (
        <Trans>Closed or past</Trans>
      )}
    </span>
  </p>
)
