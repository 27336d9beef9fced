import type { OngoingItemSource } from '../../../server/ongoing-items.ts'
import { MAX_PER_KIND } from '../../../shared/ongoing-items.ts'
import { rentalStates } from '../states.ts'

/** Future reservations and unpaid reservations of a resident. */
export const ongoingRentals: OngoingItemSource = {
  kind: 'rental_reservation',
  async open(tx, { company, person, clock }) {
    const now = clock.now()
    const rows = await tx
      .selectFrom('rental_reservation')
      .select(['id', 'number', 'title', 'status', 'starts_at', 'held_until'])
      .where('company_id', '=', company.id)
      .where('person_id', '=', person)
      .where('status', 'in', ['waitlisted', 'requested', 'held', 'confirmed', 'in_use'])
      .where('ends_at', '>', now)
      .orderBy('starts_at')
      .orderBy('id')
      .limit(MAX_PER_KIND)
      .execute()
    return rows
      .filter(({ status, held_until }) => status !== 'held' || (held_until !== null && held_until > now))
      .map(({ id, number, title, status, starts_at }) => ({
        ...{ id, number, title, at: starts_at.toISOString(), state: rentalStates.states[status] },
        path: `/resource-rentals/reservation/${id}`,
      }))
  },
}
