import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { conflict } from '../../../server/errors.ts'
import type { CompanyId, InCompany } from '../../../server/tenancy.ts'

/**
 * Key of the lock under which one company's billing files are imported one at a time. An import first checks that its
 * preview is still correct. The lock prevents changes by other imports after this check.
 */
export const IMPORT_LOCK = 20_117
const EVERY_MS = 500
/**
 * Time limit of one import, and of waiting for another import, in milliseconds. A file of several million lines loads
 * within an hour.
 */
const MAX_LOCK_MS = 3_600_000

export const BUSY = 'Another billing file for this municipality is being imported. Try again when it is done.'

class Busy extends Error {}

/**
 * Runs `work` while no other server imports a file for the company. The lock belongs to an open transaction, so it ends
 * with the process.
 * @param timeoutMs maximum wait for another import
 * @throws 409 if the wait is longer
 */
export async function withImportLock<T>(
  { inCompany }: { inCompany: InCompany },
  company: CompanyId,
  work: () => Promise<T>,
  timeoutMs = MAX_LOCK_MS,
): Promise<T> {
  const until = Date.now() + timeoutMs
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
