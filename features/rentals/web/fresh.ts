import { reload } from '../../../web/query.ts'
import { deskRental, rentalChoices, showResource, staffRentalDays } from '../contract.ts'
import { reservations, resources } from '../list.ts'

/** What shows reservations and resources to staff, asked anew once one changed. */
export const reloadRentals = (): Promise<unknown> =>
  Promise.all([reservations.call, resources.call, deskRental, showResource, rentalChoices, staffRentalDays].map(reload))
