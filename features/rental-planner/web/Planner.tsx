import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarX, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { addDays, clockText, isDay, weekday } from '../../../shared/dates.ts'
import { dropDraft, readDraft } from '../../../web/drafts.ts'
import { setQuery } from '../../../web/go.ts'
import { page } from '../../../web/page.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { dayText } from '../../../web/time-text.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DateField, optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { kindLabels, PLANNER_PATH, type ResourceKind } from '../../rentals/rules.ts'
import { reloadWithRentals } from '../../rentals/web/parts/fresh.ts'
import { MAX_SPACES, type PlannerRow, rentalPlanner } from '../contract.ts'
import type { Block } from './blocks.ts'
import { BookSlot, CALLER_DRAFT, type Slot } from './BookSlot.tsx'
import { Legend, PlannerGrid } from './PlannerGrid.tsx'

reloadWithRentals(rentalPlanner)

/** Interval of reloads, because other people also book. */
const RELOAD_MS = 20_000
const WEEK = 7

const isKind = (text: string): text is ResourceKind => Object.hasOwn(kindLabels, text)
const callerName = () => readDraft<{ name?: string }>(CALLER_DRAFT)?.name ?? ''

/** Day of all spaces, or week of one space, in which staff book free times for callers. */
export default function Planner() {
  const dayParam = useQueryParam('day') ?? ''
  const day = isDay(dayParam) ? dayParam : page().today
  const kindParam = useQueryParam('kind') ?? ''
  const kind = isKind(kindParam) ? kindParam : undefined
  const spaceId = Number(useQueryParam('week')) || undefined
  // A week starts on Sunday.
  const first = spaceId === undefined ? day : addDays(day, -weekday(day))
  const response = useResponse(
    rentalPlanner,
    { day: first, ...(spaceId !== undefined && { spaceId }), ...(spaceId === undefined && kind && { kind }) },
    { refetchInterval: RELOAD_MS, keepPrevious: true },
  )
  const [slot, setSlot] = useState<Slot | null>(null)
  const [caller, setCaller] = useState(callerName)
  const close = () => {
    setSlot(null)
    setCaller(callerName())
  }
  return (
    <>
      <Toolbar {...{ day, kind, spaceId }} />
      {caller && (
        <Notice className="mb-4">
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Trans>Booking for {caller}. Choose a free time.</Trans>
            <Button
              size="small"
              onClick={() => {
                dropDraft(CALLER_DRAFT)
                setCaller('')
              }}
            >
              <Trans>Discard caller</Trans>
            </Button>
          </span>
        </Notice>
      )}
      <ResponseView response={response} shape="block" loading={<Trans>Loading the planner</Trans>}>
        {({ rows, hasMore }) => <Content {...{ rows, hasMore }} onSlot={setSlot} />}
      </ResponseView>
      {slot && (
        <BookSlot
          slot={slot}
          onClose={close}
          onBooked={(id) => {
            close()
            setQuery({ reservation: String(id) })
          }}
        />
      )}
    </>
  )
}

interface ToolbarProps {
  day: string
  kind: ResourceKind | undefined
  spaceId: number | undefined
}

function Toolbar({ day, kind, spaceId }: ToolbarProps) {
  const { t } = useLingui()
  const isWeek = spaceId !== undefined
  const step = isWeek ? WEEK : 1
  const show = (next: string) => setQuery({ day: next })
  return (
    <div className="mt-4 mb-4 flex flex-wrap items-end gap-3">
      <Button
        icon={ChevronLeft}
        aria-label={isWeek ? t`Previous week` : t`Previous day`}
        onClick={() => show(addDays(day, -step))}
      />
      <DateField
        label={t`Day`}
        value={day}
        onChange={(event) => isDay(event.target.value) && show(event.target.value)}
      />
      <Button
        icon={ChevronRight}
        aria-label={isWeek ? t`Next week` : t`Next day`}
        onClick={() => show(addDays(day, step))}
      />
      {isWeek ? (
        <Button onClick={() => setQuery({ week: null })}>
          <Trans>All spaces</Trans>
        </Button>
      ) : (
        <Select
          label={t`Kind`}
          className="min-w-36"
          placeholder={t`All kinds`}
          options={optionsOf(kindLabels)}
          value={kind ?? ''}
          onChange={(event) => setQuery({ kind: event.target.value })}
        />
      )}
    </div>
  )
}

interface ContentProps {
  rows: readonly PlannerRow[]
  hasMore: boolean
  onSlot: (slot: Slot) => void
}

function Content({ rows, hasMore, onSlot }: ContentProps) {
  const { t } = useLingui()
  const [first, second] = rows
  if (!first)
    return (
      <EmptyState icon={CalendarX} title={<Trans>No spaces to show</Trans>}>
        <Trans>Open a resource for reservations, or list other spaces.</Trans>
      </EmptyState>
    )
  // While another view loads, the previous rows stay visible.
  const isWeek = second !== undefined && second.day !== first.day
  const title = isWeek ? t`${first.title}, week of ${dayText(first.day)}` : dayText(first.day)
  const book = (row: PlannerRow, times: { from: string; until: string }) =>
    may('rentals', 'create')
      ? onSlot({ ...row, ...times })
      : toast(t`Your role can view reservations, but can't book them.`, 'info')
  const open = (row: PlannerRow, block: Block) =>
    block.reservation ? setQuery({ reservation: String(block.reservation.id) }) : toast(reasonOf(row, block), 'info')
  const reasonOf = ({ title: space, closedFor }: PlannerRow, { is, from, until }: Block): string => {
    const span = t`${clockText(from)} to ${clockText(until)}`
    if (is === 'closed') return t`${space} is closed on this day. Reason: ${closedFor}.`
    if (is === 'buffer') return t`${space} needs ${span} for setup or cleanup. Choose another time.`
    if (is === 'taken') return t`No piece is free from ${span}. Choose another time.`
    if (is === 'skipped') return t`Because of daylight saving time, this hour does not exist. Choose another time.`
    return t`This time has already started. Choose a later time.`
  }
  return (
    <section aria-label={title}>
      <h2 aria-live="polite" className="mb-2 text-h3">
        {title}
      </h2>
      {hasMore && (
        <Notice className="mb-3">
          <Trans>Only the first {MAX_SPACES} spaces are listed. Choose a kind to list others.</Trans>
        </Notice>
      )}
      <p className="mb-2 text-muted text-sm max-md:hidden">
        <Trans>
          Choose a free time, or drag across several. On a keyboard, use the arrow keys to move, Shift to extend, and
          Enter to book.
        </Trans>
      </p>
      <PlannerGrid
        key={isWeek ? first.spaceId : 0}
        rows={rows}
        label={title}
        nameOf={({ title: name, day: date }) => (isWeek ? dayText(date) : name)}
        headingOf={(row, props) => (
          <Link
            {...props}
            className="link focus-inside"
            to={`${PLANNER_PATH}&day=${row.day}${isWeek ? '' : `&week=${row.spaceId}`}`}
          >
            <Text>{isWeek ? dayText(row.day) : row.title}</Text>
          </Link>
        )}
        onBook={book}
        onOther={open}
      />
      <Legend />
    </section>
  )
}
