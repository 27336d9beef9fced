import { type RawBuilder, sql } from 'kysely'

/** Whether an item `i` is a person's to do: it was given to them, or to a crew that they are of. */
export const isOf = (person: RawBuilder<number> | number): RawBuilder<boolean> => sql`(i.assigned_to = ${person}
  OR i.crew_id IN (SELECT m.crew_id FROM crew_member m WHERE m.company_id = i.company_id AND m.person_id = ${person}))`
