import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type IcsEvent, icsOf, companyOrganizer } from '../../calendar/api.ts'
import type { Reservation } from './reservation-rows.ts'

const CANCELLED_STATUSES: readonly string[] = ['cancelled', 'declined', 'expired']

type IcsReservation = Pick<Reservation, 'id' | 'status' | 'changes' | 'starts_at' | 'ends_at'>

/**
 * Builds the calendar event of a reservation. Its UID never changes, and its sequence number grows with each change or
 * cancellation.
 */
export const eventOf = (
  company: Company,
  row: IcsReservation,
  content: Pick<IcsEvent, 'title' | 'description' | 'url'>,
): IcsEvent => ({
  uid: `rental-${company.id}-${row.id}@${company.subdomain}`,
  ...content,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  changes: row.changes,
  isCancelled: CANCELLED_STATUSES.includes(row.status),
})

/** Builds the calendar event that the renter sees. */
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

/** Builds an ICS file of reservations. */
export const icsOfReservations = (
  context: Pick<AppContext, 'config' | 'clock'>,
  company: Company,
  rows: readonly Reservation[],
): string =>
  icsOf(
    company.name,
    companyOrganizer(context.config, company),
    rows.map((row) => ownEvent(context, company, row)),
    context.clock.now(),
  )
