import type { Endpoint } from '../../../../shared/endpoint.ts'
import { reload } from '../../../../web/query.ts'
import { staffRental, rentalChoices, showResource, staffRentalDays } from '../../contract.ts'
import { staffPhotos } from '../../contract-photos.ts'
import { staffWaitlist } from '../../contract-waitlist.ts'
import { reservations, resources } from '../../list.ts'

const calls = new Set<Endpoint>([
  reservations.call,
  resources.call,
  staffRental,
  showResource,
  rentalChoices,
  staffRentalDays,
  staffWaitlist,
  staffPhotos,
])

/**
 * Adds calls that reload together with the rentals. Features that depend on rentals register their calls when they
 * load.
 */
export const reloadWithRentals = (...more: Endpoint[]): void => more.forEach((call) => calls.add(call))

/** Reloads the staff views of reservations and resources after a change. */
export const reloadRentals = (): Promise<unknown> => Promise.all([...calls].map(reload))
