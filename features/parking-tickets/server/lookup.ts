import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { translated } from '../../../shared/messages.ts'
import { ticketStates, type TicketStatus } from '../states.ts'

interface TicketMatch {
  id: number
  citation: string
  plate: string
  violation: string
  status: TicketStatus
  location: string
}

export const ticketLookup = defineLookup<TicketMatch>({
  kind: 'Parking tickets',
  area: 'parking',
  table: sql`found_parking_ticket`,
  number: (typed) => sql`r.citation_number = ${typed.toUpperCase()}`,
  find: {
    name: sql`r.plate || ' ' || r.plate_state || ' ' || r.vehicle`,
    address: sql`r.location`,
  },
  columns: {
    id: sql`r.id`,
    citation: sql`r.citation_number`,
    plate: sql`r.plate_state || ' ' || r.plate`,
    violation: sql`r.violation_text`,
    status: sql`r.status`,
    location: sql`r.location`,
  },
  show: ({ id, citation, plate, violation, status, location }) => ({
    title: `${citation} ${plate}`,
    detail: [translated(ticketStates.labels[status]), violation, location],
    path: `/municipality/manage/parking-tickets?ticket=${id}`,
  }),
})
