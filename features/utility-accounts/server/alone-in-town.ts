import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { conflict } from '../../../server/errors.ts'
import type { CompanyId, InCompany } from '../../../server/tenancy.ts'

/** Files of one town are taken one after the other, so that what a rehearsal said still holds while it is done. */
const IMPORT_LOCK = 20_117
const EVERY_MS = 500
/** A file of some million lines is loaded within the hour. */
const MAX_LOCK_MS = 3_600_000

export const BUSY = 'Another file of this municipality is being taken over. Try again when it is done.'

class Busy extends Error {}

/**
 * Does the work while no other file of the town is taken, on any portal. The lock is that of a transaction which stays
 * open beside the work, so that it ends with the process, whatever happens to that.
 * @param patienceMs how long it waits for another file
 * @throws 409 where that takes longer
 */
export async function aloneInTown<T>(
  { inCompany }: { inCompany: InCompany },
  company: CompanyId,
  work: () => Promise<T>,
  patienceMs = MAX_LOCK_MS,
): Promise<T> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await inCompany(company, async (tx) => {
        await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(MAX_LOCK_MS)}`.execute(tx)
        const { rows } = await sql<{ got: boolean }>`
          SELECT pg_try_advisory_xact_lock(${IMPORT_LOCK}, ${company}) AS got`.execute(tx)
        if (!rows[0]?.got) throw new Busy()
        return work()
      })
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      if (Date.now() >= until) throw conflict('import_running', BUSY)
    }
    await setTimeout(EVERY_MS)
  }
}
