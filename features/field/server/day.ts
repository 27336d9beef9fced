import { dateIn } from '../../../shared/dates.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { fieldParts } from '../../../server/field-parts.ts'
import { returnFieldDay } from '../contract.ts'

/** What somebody takes along: of each part the things of their crew. */
export const fieldDayCall = implement(returnFieldDay, (call) => {
  const { company, context } = call
  const { personId } = signedIn(call)
  const now = context.clock.now()
  const today = dateIn(company.timeZone, now)
  return call.reading(async (tx) => {
    const person = await tx
      .selectFrom('person')
      .select('department_id')
      .where('company_id', '=', company.id)
      .where('id', '=', personId)
      .executeTakeFirst()
    const crew = { personId, departmentId: person?.department_id ?? null, today }
    // All parts together: each waits for its own answers, and the connection carries those of the others meanwhile.
    const all = [...fieldParts.values()].map(async (part) => [part.kind, await part.copy(tx, call, crew)] as const)
    const things: Record<string, object[]> = Object.fromEntries(await Promise.all(all))
    return { takenAt: now.toISOString(), today, things }
  })
})
