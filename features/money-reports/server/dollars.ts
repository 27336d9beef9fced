import { sql } from 'kysely'

/** A column of integer cents as dollars, for a CSV. */
export const dollars = (column: string) => sql`to_char(${sql.ref(column)} / 100.0, 'FM999999999999990.00')`
