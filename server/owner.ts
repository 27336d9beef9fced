import { sql } from 'kysely'
import { PLATFORM } from './audit.ts'
import { type Call, signedIn } from './call.ts'
import type { Tx } from './tenancy.ts'

/** Key of the rows that belong to the caller only, such as saved views. Company 0 is the platform. */
export interface Owner {
  company_id: number
  person_id: number
}

/** Runs the work on the caller's own rows in one transaction. */
export function asOwner<Body, T>(call: Call<Body>, work: (tx: Tx, owner: Owner) => Promise<T>): Promise<T> {
  const { companyId, personId } = signedIn(call)
  const run = (tx: Tx) => work(tx, { company_id: companyId ?? PLATFORM, person_id: personId })
  return companyId === null ? call.context.acrossCompanies(run) : call.context.inCompany(companyId, run)
}

/**
 * Locks the owner's rows of one kind until the transaction ends, so that parallel calls can't exceed a limit or use a
 * name twice.
 * @param kind first key of the advisory lock. The second key is derived from the person's id
 */
export const lockOwn = (tx: Tx, kind: number, { person_id }: Owner) =>
  sql`SELECT pg_advisory_xact_lock(${kind}, ${person_id % 2 ** 31})`.execute(tx)
