import { dateIn } from '../../../shared/dates.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { fieldParts } from '../../../server/field-parts.ts'
import { returnFieldDay } from '../contract.ts'

/** What somebody takes along: of each part the things of their crew. */
export const fieldDayCall = implement(returnFieldDay, (call) => {
  const { company, house } = call
  const { personId } = signedIn(call)
  const now = house.clock.now()
  const today = dateIn(company.timeZone, now)
  return call.reading(async (tx) => {
    const person = await tx
      .selectFrom('person')
      .select('department_id')
      .where('company_id', '=', company.id)
      .where('id', '=', personId)
      .executeTakeFirst()
    const crew = { personId, departmentId: person?.department_id ?? null, today }
    const things: Record<string, object[]> = {}
    for (const part of fieldParts.values()) things[part.kind] = await part.copy(tx, call, crew)
    return { takenAt: now.toISOString(), today, things }
  })
})
