import { sql } from 'kysely'
import type { Tx } from './tenancy.ts'

/**
 * Holds a named lock until the transaction ends. Who counts rows and then adds one takes it before the count: two that
 * do so in parallel would both find room.
 * @param name the table, with the ids of the owner whose rows are counted
 */
export const takeTurns = async (tx: Tx, ...name: [table: string, ...owner: (number | string)[]]): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name.join(' ')}, 1))`.execute(tx)
}
