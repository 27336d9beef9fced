import { sql } from 'kysely'
import type { Tx } from './tenancy.ts'

/**
 * Holds a named lock until the transaction ends. Call it before counting rows to add one. Otherwise two parallel
 * callers may both find room.
 * @param name the table, with the ids of the owner of the counted rows
 */
export const lockUntilCommit = async (
  tx: Tx,
  ...name: [table: string, ...owner: (number | string)[]]
): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name.join(' ')}, 1))`.execute(tx)
}
