import { changeRow } from '../../../server/db/rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { plural, say } from '../../../shared/messages.ts'
import { cancelItem, putItem } from '../../calendar/api.ts'
import type { ItemStatus } from '../../calendar/states.ts'
import type { RentalStatus } from '../states.ts'
import { RENTAL, type Reservation } from './reservation-rows.ts'

/** Id of the reservation event type in `event_type`. */
const CALENDAR_TYPE = 2

/**
 * Calendar status for each reservation status. Statuses missing here, such as cancelled or no-show, remove the calendar
 * item.
 */
const itemStatuses: Partial<Record<RentalStatus, ItemStatus>> = {
  confirmed: 'not_started',
  in_use: 'in_progress',
  completed: 'completed',
}

/**
 * Adds a reservation to the company's calendar, or updates its calendar item. If the reservation's status is not shown
 * in the calendar, removes the item.
 */
export async function saveCalendarItem(tx: Tx, company: CompanyId, row: Reservation): Promise<void> {
  const status = itemStatuses[row.status]
  if (!status) {
    if (row.calendar_item_id !== null)
      await cancelItem(tx, { clock: { now: () => row.updated_at } }, company, row.calendar_item_id, { evenPast: true })
    return
  }
  const id = await putItem(tx, company, {
    id: row.calendar_item_id,
    typeId: CALENDAR_TYPE,
    title: `${row.title}: ${row.purpose || row.name}`,
    description: row.guests > 0 ? say`${row.number}, ${plural(row.guests, 'one guest', '# guests')}` : row.number,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    status,
    source: { kind: RENTAL, id: row.id },
  })
  if (id !== row.calendar_item_id) await changeRow(tx, 'rental_reservation', company, row.id, { calendar_item_id: id })
}
