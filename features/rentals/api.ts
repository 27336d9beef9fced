/** Server functions for other features. */
export { createResource, formOf, manageCalls, MAX_SPACES, resourceUndo } from './server/manage.ts'
export { bookDates, checkDates, type Offer, offerOf } from './server/book-dates.ts'
export { defineClosures } from './server/closures.ts'
export { defineConditions } from './server/conditions.ts'
export { type AgreementQuestions, agreementQuestionsOf } from './server/questions.ts'
export {
  canSign,
  findOwnReservation,
  findReservation,
  lockReservation,
  lockSeries,
  ownRental,
  type Reservation,
  signingStatusOf,
} from './server/reservation-rows.ts'
export { occupiedIn, unavailableIn } from './server/occupy.ts'
export { bySystem } from './server/reservations.ts'
export { titleOf } from './server/reserve.ts'
export { detailsOf, isResident } from './server/resident.ts'
export {
  closuresByResource,
  findResource,
  lockResourceTimes,
  leavesOf,
  lockResource,
  type Resource,
  rulesOf,
  type Space,
  spacesOf,
} from './server/resources.ts'
