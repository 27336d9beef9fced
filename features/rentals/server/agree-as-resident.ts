import { type Call, callerName, signedIn } from '../../../server/call.ts'
import { type DraftOf, dropDraft } from '../../../server/fields/drafts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { GivenAnswers } from '../contract-agreements.ts'
import { agree } from './agreements.ts'
import { findResource } from './resources.ts'

export const draftPlace = (tx: Tx, { context, company }: Call) => ({ tx, clock: context.clock, company: company.id })

/** A resident's draft of what a resource asks: of what they reserve next, or of a reservation that is still to be signed. */
export const draftOf = (call: Call, set: number, reservationId?: number): DraftOf => ({
  set,
  owner: `person ${signedIn(call).personId}`,
  subject: reservationId === undefined ? '' : `reservation ${reservationId}`,
})

/** What a resident answers before they reserve something; null where nothing is asked. Their draft of it is over. */
export async function agreeAsResident(
  tx: Tx,
  call: Call,
  resourceId: number,
  given: GivenAnswers | null,
): Promise<number | null> {
  const id = await agree(tx, call, resourceId, given, { name: callerName(call), isStaff: false })
  if (id === null) return null
  const { field_set_id: set } = await findResource(tx, call.company.id, resourceId)
  await dropDraft(draftPlace(tx, call), draftOf(call, set ?? 0))
  return id
}
