import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../tenancy.ts'
import type { Schema } from './schema.ts'

/** The tables whose rows have a number of their own within a town (or, as company 0, within the platform). */
type NumberedTable = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number; id: number } ? T : never
}[keyof Schema]

/** The tables that keep the last number which a town gave out in a year. */
type YearNumbers = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number; year: number; last: number } ? T : never
}[keyof Schema]

/** The next number of the town's year. The row of the year is held until the transaction ends, so that none is given twice. */
export async function nextInYear(tx: Tx, table: YearNumbers, company: number, year: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    INSERT INTO ${sql.table(table)} AS n (company_id, year, last) VALUES (${company}, ${year}, 1)
    ON CONFLICT (company_id, year) DO UPDATE SET last = n.last + 1 RETURNING last`.execute(tx)
  return rows[0]?.last ?? 1
}

/** Each value as itself, or as what the database makes it of. */
type Changes<T extends keyof Schema> = {
  [C in keyof Updateable<Schema[T]>]: Updateable<Schema[T]>[C] | RawBuilder<NonNullable<Updateable<Schema[T]>[C]>>
}

/** Changes one row, found by its number. What needs another condition is a statement of its own. */
export const changeRow = <T extends NumberedTable>(
  tx: Tx,
  table: T,
  company: number,
  id: number,
  changes: Changes<T>,
): Promise<unknown> =>
  tx
    // Kysely can't follow a table that is only known by its type, so one of them stands for all.
    .updateTable(table as 'person')
    .set(changes as Changes<'person'>)
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()

/** The tables with one row for each town. */
type CompanyTable = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number }
    ? 'id' extends keyof Schema[T]
      ? never
      : T
    : never
}[keyof Schema]

/** Writes what a town has set in its one row of a table, whether it had set anything before or not. */
export const keepSettings = <T extends CompanyTable>(
  tx: Tx,
  table: T,
  company: number,
  row: Partial<Insertable<Schema[T]>>,
): Promise<unknown> => {
  const values = row as Insertable<Schema['hydrant_settings']>
  return tx
    .insertInto(table as 'hydrant_settings')
    .values({ ...values, company_id: company })
    .onConflict((on) => on.column('company_id').doUpdateSet(values))
    .execute()
}

/**
 * Inserts a row under an address of its own: the second that is called the same stands at `dog-license-2`.
 * @param insert tries one address, and finds nothing where it is taken
 */
export async function insertUnderFreeAddress(
  stem: string,
  insert: (address: string) => Promise<{ id: number } | undefined>,
): Promise<number> {
  for (let nth = 1; ; nth += 1) {
    const row = await insert(nth === 1 ? stem : `${stem}-${nth}`)
    if (row) return row.id
  }
}

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
export const lockRow = async <T extends NumberedTable>(
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

/**
 * How the rows of a table are found by their number: `find`, or `lock`, which keeps others from changing one until the
 * transaction ends. Both throw what `unknown` makes.
 */
export const rowsByNumber = <T extends NumberedTable>(table: T, unknown: () => Error) => {
  const asked = (tx: Tx, company: number, id: number) =>
    tx
      .selectFrom(table as 'person')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
  type Row = Selectable<Schema[T]>
  return {
    find: async (tx: Tx, company: number, id: number): Promise<Row> =>
      (await asked(tx, company, id).executeTakeFirstOrThrow(unknown)) as Row,
    lock: async (tx: Tx, company: number, id: number): Promise<Row> =>
      (await asked(tx, company, id).forNoKeyUpdate().executeTakeFirstOrThrow(unknown)) as Row,
  }
}
