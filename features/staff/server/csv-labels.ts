import { type RawBuilder, sql } from 'kysely'

/** A column's codes as their labels, for a CSV. */
export const csvLabels = (
  column: string | RawBuilder<unknown>,
  from: Readonly<Record<string | number, string>>,
): RawBuilder<string> => {
  const value = typeof column === 'string' ? sql.ref(column) : column
  const cases = Object.entries(from).map(([code, label]) =>
    /^\d+$/.test(code) ? sql`WHEN ${Number(code)} THEN ${label}` : sql`WHEN ${code} THEN ${label}`,
  )
  return sql<string>`CASE ${value} ${sql.join(cases, sql` `)} END`
}
