import { conflict } from './errors.ts'
import type { Secrets } from './secrets.ts'
import type { CompanyId, Tx } from './tenancy.ts'

export const inFlight = () =>
  conflict('in_flight', 'This request is still being processed. Wait a moment, then check again.')

/**
 * Saves the response of an idempotent call in the call's transaction. If the call repeats after a crash, it does not
 * run again. Seals the response, because it may contain a secret URL.
 * @throws 409 if another portal process was first. The next request gets the response of that process
 */
export async function storeResponse(
  tx: Tx,
  at: { company_id: CompanyId; call: string; key: string },
  response: unknown,
  secrets: Pick<Secrets, 'seal'>,
): Promise<void> {
  const stored = await tx
    .updateTable('idempotency_key')
    .set({ stored_response: secrets.seal(JSON.stringify(response)) })
    .where((e) => e.and(at))
    .where('stored_response', 'is', null)
    .returning('key')
    .executeTakeFirst()
  if (!stored) throw inFlight()
}
