import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type IcsEvent, icsOf, organizerOfTown } from '../../calendar/server/ics.ts'
import type { Reservation } from './reservations.ts'

const OVER: readonly string[] = ['cancelled', 'declined', 'expired']

type IcsReservation = Pick<Reservation, 'id' | 'status' | 'changes' | 'starts_at' | 'ends_at'>

/** What any calendar says of a reservation: the same event each time, with a higher count once it was changed or cancelled. */
export const eventOf = (
  company: Company,
  row: IcsReservation,
  shown: Pick<IcsEvent, 'title' | 'description' | 'url'>,
): IcsEvent => ({
  uid: `rental-${company.id}-${row.id}@${company.subdomain}`,
  ...shown,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  changes: row.changes,
  isCancelled: OVER.includes(row.status),
})

/** As whoever has it reads it. */
export const ownEvent = (
  { config }: Pick<AppContext, 'config'>,
  company: Company,
  row: IcsReservation & Pick<Reservation, 'title' | 'number'>,
): IcsEvent =>
  eventOf(company, row, {
    title: row.title,
    description: row.number,
    url: `${originOf(config, company.subdomain)}/resource-rentals/reservation/${row.id}`,
  })

/** Reservations as a file. */
export const icsOfReservations = (
  context: Pick<AppContext, 'config' | 'clock'>,
  company: Company,
  rows: readonly Reservation[],
): string =>
  icsOf(
    company.name,
    organizerOfTown(context.config, company),
    rows.map((row) => ownEvent(context, company, row)),
    context.clock.now(),
  )
