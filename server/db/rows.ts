import { type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../tenancy.ts'
import type { Schema } from './schema.ts'

/** The tables whose rows have a number of their own within a town (or, as company 0, within the platform). */
type Numbered = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number; id: number } ? T : never
}[keyof Schema]

/** Changes one row, found by its number. What needs another condition is a statement of its own. */
export const changeRow = <T extends Numbered>(
  tx: Tx,
  table: T,
  company: number,
  id: number,
  changes: Updateable<Schema[T]>,
): Promise<unknown> =>
  tx
    // Kysely can't follow a table that is only known by its type, so one of them stands for all.
    .updateTable(table as 'person')
    .set(changes as Updateable<Schema['person']>)
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()

/** Whether there is a row in which these columns have these values. */
export const hasRow = async <T extends keyof Schema>(
  tx: Tx,
  table: T,
  values: Partial<Selectable<Schema[T]>>,
): Promise<boolean> => {
  const found = await tx
    .selectFrom(table as 'person')
    .select(sql`1`.as('found'))
    .where(({ and }) => and(values as Partial<Selectable<Schema['person']>>))
    .executeTakeFirst()
  return found !== undefined
}

/** One row, found by its number and held until the transaction ends, so that those who would change it take turns. */
export const lockRow = async <T extends Numbered>(
  tx: Tx,
  table: T,
  company: number,
  id: number,
): Promise<Selectable<Schema[T]> | undefined> => {
  const row = await tx
    .selectFrom(table as 'person')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as Selectable<Schema[T]> | undefined
}
