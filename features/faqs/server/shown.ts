import { sql } from 'kysely'

/** Whether residents see a question on a day, of a row that is called `f`: one of `standings`. */
export const standingOn = (today: string) => sql<string>`
  CASE WHEN f.status = 'draft' THEN 'draft' WHEN f.shown_from > ${today}::date THEN 'planned'
    WHEN f.shown_until < ${today}::date THEN 'ended' ELSE 'shown' END`
