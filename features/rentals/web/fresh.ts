import { reload } from '../../../web/query.ts'
import { deskRental, rentalChoices, rentalDay, showResource, staffRentalDays } from '../contract.ts'
import { deskAgreement, rentalFields } from '../contract-agreements.ts'
import { deskCertificate } from '../contract-certificates.ts'
import { deskPhotos } from '../contract-photos.ts'
import { deskWaiting } from '../contract-waitlist.ts'
import { rentalUse, reservations, resources } from '../list.ts'

/** Reloads the staff views of reservations and resources after a change. */
export const reloadRentals = (): Promise<unknown> =>
  Promise.all(
    [
      reservations.call,
      resources.call,
      rentalUse.call,
      rentalDay,
      deskRental,
      showResource,
      rentalChoices,
      staffRentalDays,
      deskWaiting,
      deskPhotos,
      deskCertificate,
      deskAgreement,
      rentalFields,
    ].map(reload),
  )
