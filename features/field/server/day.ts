import { dateIn } from '../../../shared/dates.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { fieldParts } from '../../../server/field-parts.ts'
import { returnFieldDay } from '../contract.ts'

/** Returns the records that the caller needs for today's fieldwork, grouped by kind, such as 'order'. */
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
    // Loads all parts concurrently. While one part processes its rows, the connection serves the others.
    const all = [...fieldParts.values()].map(async (part) => [part.kind, await part.copy(tx, call, crew)] as const)
    const records: Record<string, object[]> = Object.fromEntries(await Promise.all(all))
    return { takenAt: now.toISOString(), today, records }
  })
})
