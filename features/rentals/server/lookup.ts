import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { idIn, staffPath } from '../rules.ts'
import { rentalStates, type RentalStatus } from '../states.ts'

interface ReservationMatch {
  id: number
  number: string
  title: string
  status: RentalStatus
  name: string
  startsAt: string
}

export const reservationLookup = defineLookup<ReservationMatch>({
  kind: 'Reservations',
  area: 'rentals',
  table: sql`found_rental_reservation`,
  number: (typed) => {
    const id = idIn(typed)
    const isOld = sql`(r.old_number = ${typed} AND r.old_number <> '')`
    return id === null ? isOld : sql`(r.id = ${id} OR ${isOld})`
  },
  find: { name: sql`r.name || ' ' || r.title` },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    title: sql`r.title`,
    status: sql`r.status`,
    name: sql`r.name`,
    startsAt: sql`r.starts_at`,
  },
  show: ({ id, number, title, status, name, startsAt }, { company }) => ({
    title: `${number} ${title}`,
    detail: [translated(rentalStates.labels[status]), formatInstant(startsAt, company.timeZone), name],
    path: staffPath(id),
  }),
})
