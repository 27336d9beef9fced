import { type RawBuilder, sql } from 'kysely'

/** True if item `i` is assigned to the person or to one of their crews. */
export const isOf = (person: RawBuilder<number> | number): RawBuilder<boolean> => sql`(i.assigned_to = ${person}
  OR i.crew_id IN (SELECT m.crew_id FROM crew_member m WHERE m.company_id = i.company_id AND m.person_id = ${person}))`
