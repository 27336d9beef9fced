import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarX, ChevronLeft, ChevronRight, Printer } from 'lucide-react'
import { addDays, formatDate, isDay } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { page } from '../../../web/page.ts'
import { shortTime } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { reloadWithRentals } from '../../rentals/web/parts/fresh.ts'
import { rentalDay } from '../contract.ts'
import { staffPath } from '../../rentals/rules.ts'
import { rentalStates } from '../../rentals/states.ts'
import { Text } from '../../../web/ui/Text.tsx'

reloadWithRentals(rentalDay)

type Resource = ResponseOf<typeof rentalDay>['resources'][number]
type Reservation = Resource['reservations'][number]

/** Printable list of the reservations of a day, for staff who open, supervise and close the rooms. */
export default function DaySheet() {
  const { t } = useLingui()
  const dayParam = useQueryParam('day') ?? ''
  const day = isDay(dayParam) ? dayParam : page().today
  const response = useResponse(rentalDay, { day })
  const show = (nextDay: string) => setQuery({ day: nextDay })
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3 print:hidden">
        <Button icon={ChevronLeft} aria-label={t`Previous day`} onClick={() => show(addDays(day, -1))} />
        <DateField
          label={t`Day`}
          value={day}
          onChange={(event) => isDay(event.target.value) && show(event.target.value)}
        />
        <Button icon={ChevronRight} aria-label={t`Next day`} onClick={() => show(addDays(day, 1))} />
        <Button icon={Printer} variant="primary" onClick={() => globalThis.print()}>
          <Trans>Print day sheet</Trans>
        </Button>
      </div>
      <ResponseView response={response} loading={<Trans>Loading the reservations for the day</Trans>}>
        {({ resources }) => (
          <>
            <h2 className="mb-4 text-h3">
              <Trans>Day sheet for {formatDate(day)}</Trans>
            </h2>
            {resources.length === 0 ? (
              <EmptyState icon={CalendarX} title={<Trans>No reservations on this day</Trans>}>
                <Trans>Choose another day, or book a reservation by phone.</Trans>
              </EmptyState>
            ) : (
              <div className="flex flex-col gap-6">
                {resources.map((one) => (
                  <OfResource key={one.id} of={one} />
                ))}
              </div>
            )}
          </>
        )}
      </ResponseView>
    </>
  )
}

const OfResource = ({ of }: { of: Resource }) => (
  <section className="break-inside-avoid" aria-labelledby={`of-${of.id}`}>
    <div className="flex flex-wrap items-baseline gap-x-3 pb-1">
      <h3 id={`of-${of.id}`} className="text-lg">
        {of.name}
      </h3>
      {of.location && <p className="text-muted text-table">{of.location}</p>}
    </div>
    <ol className="border-ink border-t-2">
      {of.reservations.map((one) => (
        <li
          key={one.id}
          className="grid break-inside-avoid gap-x-6 gap-y-1 border-line border-b py-3 text-table md:grid-cols-[11rem_1fr_11rem] print:grid-cols-[11rem_1fr_9rem]"
        >
          <Times of={one} />
          <ReservationOwner of={one} />
          <Stands of={one} />
        </li>
      ))}
    </ol>
  </section>
)

const Times = ({ of: { startsAt, endsAt, readyAt, clearedAt } }: { of: Reservation }) => (
  <div>
    <p className="font-bold tabular-nums">
      <Text>{shortTime(startsAt)}</Text> – <Text>{shortTime(endsAt)}</Text>
    </p>
    {readyAt !== startsAt && (
      <p>
        <Trans>Setup from {shortTime(readyAt)}</Trans>
      </p>
    )}
    {clearedAt !== endsAt && (
      <p>
        <Trans>Cleanup until {shortTime(clearedAt)}</Trans>
      </p>
    )}
  </div>
)

function ReservationOwner({ of }: { of: Reservation }) {
  const { t } = useLingui()
  const what = [
    of.purpose,
    of.guests > 0 ? t`${plural(of.guests, { one: '# person', other: '# people' })}` : '',
    of.pieces > 1 ? t`quantity: ${of.pieces}` : '',
    ...of.addons,
  ].filter(Boolean)
  return (
    <div className="min-w-0">
      <p>
        <strong>{of.name}</strong> {of.phone && <span className="whitespace-nowrap">{formatPhone(of.phone)}</span>}
      </p>
      <p>{what.join(', ')}</p>
      <p className="text-muted">
        <Text>{of.title}</Text>,{' '}
        <Link className="link" to={staffPath(of.id)}>
          {of.number}
        </Link>
      </p>
    </div>
  )
}

/** Status of a reservation, with space for handwritten notes on the printout. */
const Stands = ({ of }: { of: Reservation }) => (
  <div className="flex flex-col items-start gap-1">
    <StateBadge of={rentalStates} state={of.status} />
    {of.owedCents > 0 && (
      <p>
        <Trans>{formatCents(of.owedCents)} due</Trans>
      </p>
    )}
    {of.depositCents > 0 && (
      <p>
        <Trans>Security deposit {formatCents(of.depositCents)}</Trans>
      </p>
    )}
    {of.agreement === 'signed' && (
      <p>
        <Trans>Agreement signed</Trans>
      </p>
    )}
    {of.agreement === 'unsigned' && (
      <p className="font-bold">
        <Trans>Agreement not signed yet</Trans>
      </p>
    )}
    <p aria-hidden className="hidden print:block">
      <Trans>☐ Arrived ☐ Left clean</Trans>
    </p>
  </div>
)
