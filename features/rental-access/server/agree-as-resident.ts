import { type Call, callerName, signedIn } from '../../../server/call.ts'
import { type DraftOf, dropDraft } from '../../../server/fields/drafts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { agree } from './agreements.ts'
import { findResource } from '../../rentals/api.ts'
import type { SubmittedAnswers } from '../../rentals/contract.ts'

export const draftContext = (tx: Tx, { context, company }: Call) => ({ tx, clock: context.clock, company: company.id })

/** Returns the key of a resident's draft answers, for a new reservation or for an unsigned reservation. */
export const draftOf = (call: Call, set: number, reservationId?: number): DraftOf => ({
  set,
  owner: `person ${signedIn(call).personId}`,
  subject: reservationId === undefined ? '' : `reservation ${reservationId}`,
})

/**
 * Saves a resident's answers before the reservation is created, and deletes the draft. Returns null if the resource has
 * no questions.
 */
export async function agreeAsResident(
  tx: Tx,
  call: Call,
  resourceId: number,
  input: SubmittedAnswers | null,
): Promise<number | null> {
  const id = await agree(tx, call, resourceId, input, { name: callerName(call), isStaff: false })
  if (id === null) return null
  const { field_set_id: set } = await findResource(tx, call.company.id, resourceId)
  await dropDraft(draftContext(tx, call), draftOf(call, set ?? 0))
  return id
}
