import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { icsOf } from '../../calendar/server/ics.ts'
import type { Reservation } from './reservations.ts'

const OVER: readonly string[] = ['cancelled', 'declined', 'expired']

/** Reservations as a calendar reads them: the same events each time, with a higher count once one was changed or cancelled. */
export const icsOfReservations = (
  { config, clock }: Pick<House, 'config' | 'clock'>,
  company: Company,
  rows: readonly Reservation[],
): string =>
  icsOf(
    company.name,
    rows.map((row) => ({
      uid: `rental-${company.id}-${row.id}@${company.subdomain}`,
      title: row.title,
      description: row.number,
      url: `${originOf(config, company.subdomain)}/resource-rentals/reservation/${row.id}`,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      changes: row.changes,
      isCancelled: OVER.includes(row.status),
    })),
    clock.now(),
  )
