import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../tenancy.ts'
import type { Schema } from './schema.ts'

/** Tables with a `company_id` and an `id`. Company 0 is the platform. */
type NumberedTable = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number; id: number } ? T : never
}[keyof Schema]

/** Tables that store the last number assigned for each company and year. */
type YearNumbers = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number; year: number; last: number } ? T : never
}[keyof Schema]

/** Counts the rows of a query, but at most `max`, so that a large table costs no more than that. */
export async function countUpTo(tx: Tx, query: RawBuilder<unknown>, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (${query} LIMIT ${max}) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Assigns the company's next numbers in a year, and returns the first one. Locks the row of that company and year until
 * the transaction ends, so that no number repeats.
 */
export async function nextInYear(
  tx: Tx,
  table: YearNumbers,
  company: number,
  year: number,
  count = 1,
): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    INSERT INTO ${sql.table(table)} AS n (company_id, year, last) VALUES (${company}, ${year}, ${count})
    ON CONFLICT (company_id, year) DO UPDATE SET last = n.last + ${count} RETURNING last`.execute(tx)
  return (rows[0]?.last ?? count) - count + 1
}

/** Inserts many rows with the same columns in one statement. @returns the values of `returning` */
export async function insertRows<T extends keyof Schema, Returned = object>(
  tx: Tx,
  table: T,
  rows: readonly Partial<Record<keyof Insertable<Schema[T]>, unknown>>[],
  returning: readonly (keyof Returned & string)[] = [],
): Promise<Returned[]> {
  const [first] = rows
  if (!first) return []
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  const { rows: written } = await sql<Returned>`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    ${returning.length > 0 ? sql`RETURNING ${sql.join(returning.map((name) => sql.ref(name)))}` : sql``}`.execute(tx)
  return written
}

/** New values of columns. Each is a plain value or an SQL expression. */
type Changes<T extends keyof Schema> = {
  [C in keyof Updateable<Schema[T]>]: Updateable<Schema[T]>[C] | RawBuilder<NonNullable<Updateable<Schema[T]>[C]>>
}

/** Updates the row with this id. For other conditions, write a separate statement. */
export const changeRow = <T extends NumberedTable>(
  tx: Tx,
  table: T,
  company: number,
  id: number,
  changes: Changes<T>,
): Promise<unknown> =>
  tx
    // Kysely can't type a query on a generic table, so the cast names a sample table.
    .updateTable(table as 'person')
    .set(changes as Changes<'person'>)
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()

/** Tables with one row for each company. */
type CompanyTable = {
  [T in keyof Schema]: Selectable<Schema[T]> extends { company_id: number }
    ? 'id' extends keyof Schema[T]
      ? never
      : T
    : never
}[keyof Schema]

/** Saves settings in the company's only row of a table. Inserts the row if it does not exist. */
export const storeSettings = <T extends CompanyTable>(
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
 * Inserts a row with a unique URL name. A second row with the same name gets a number, such as `dog-license-2`.
 * @param insert tries a URL name and returns nothing if it is taken
 */
export async function insertUnderFreeAddress(
  stem: string,
  insert: (address: string) => Promise<{ id: number } | undefined>,
): Promise<number> {
  for (let index = 1; ; index += 1) {
    const row = await insert(index === 1 ? stem : `${stem}-${index}`)
    if (row) return row.id
  }
}

/** True if a row has these values in these columns. */
export const hasRow = async <T extends keyof Schema>(
  tx: Tx,
  table: T,
  values: Partial<Selectable<Schema[T]>>,
): Promise<boolean> => {
  const match = await tx
    .selectFrom(table as 'person')
    .select(sql`1`.as('match'))
    .where(({ and }) => and(values as Partial<Selectable<Schema['person']>>))
    .executeTakeFirst()
  return match !== undefined
}

/** Finds one row by its id and locks it until the transaction ends. */
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
 * Returns two functions that find a row of a table by its id. `find` only reads the row. `lock` also locks it until the
 * transaction ends. If the row does not exist, both throw the error that `unknown` creates.
 */
export const rowFinderById = <T extends NumberedTable>(table: T, unknown: () => Error) => {
  const rowQuery = (tx: Tx, company: number, id: number) =>
    tx
      .selectFrom(table as 'person')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
  type Row = Selectable<Schema[T]>
  return {
    find: async (tx: Tx, company: number, id: number): Promise<Row> =>
      (await rowQuery(tx, company, id).executeTakeFirstOrThrow(unknown)) as Row,
    lock: async (tx: Tx, company: number, id: number): Promise<Row> =>
      (await rowQuery(tx, company, id).forNoKeyUpdate().executeTakeFirstOrThrow(unknown)) as Row,
  }
}
