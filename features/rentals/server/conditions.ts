import type { AppContext } from '../../../server/app-context.ts'
import type { Call } from '../../../server/call.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { SubmittedAnswers } from '../contract.ts'
import type { Reservation } from './reservation-rows.ts'

/**
 * Port for the conditions of a reservation: answers, a signature, a certificate. Another feature implements the port
 * and registers it with `defineConditions`. The rentals feature only decides when the conditions apply.
 */
export interface ReservationConditions {
  /**
   * Saves the answers of a resident for a new reservation and returns their id. Null if the resource has no questions.
   * @throws 409 if answers are missing or the questions changed, 422 with messages by field
   */
  saveAnswers(tx: Tx, call: Call, resourceId: number, answers: SubmittedAnswers | null): Promise<number | null>
  /**
   * Emails the renter a personal link to answer questions and sign. `dates` is the number of dates reserved together.
   */
  requestSignature(tx: Tx, context: AppContext, company: Company, row: Reservation, dates: number): Promise<void>
  /**
   * Refuses the check-in while a condition is not met.
   * @throws 409
   */
  refuseCheckIn(tx: Tx, row: Reservation): Promise<void>
}

let registered: ReservationConditions | null = null

export const defineConditions = (conditions: ReservationConditions): void => {
  registered = conditions
}

/**
 * Returns the registered conditions.
 * @throws Error if none are registered, because no one may check in without them
 */
export function reservationConditions(): ReservationConditions {
  if (!registered) throw new Error('no feature defines the conditions of a reservation')
  return registered
}
