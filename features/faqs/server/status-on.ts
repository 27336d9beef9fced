import { sql } from 'kysely'

/** Returns SQL for the status of the FAQ in row `f` on a day: one of `standings`. */
export const statusOn = (today: string) => sql<string>`
  CASE WHEN f.status = 'draft' THEN 'draft' WHEN f.visible_from > ${today}::date THEN 'planned'
    WHEN f.visible_until < ${today}::date THEN 'ended' ELSE 'visible' END`
