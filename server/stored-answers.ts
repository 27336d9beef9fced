import { conflict } from './errors.ts'
import type { Secrets } from './secrets.ts'
import type { CompanyId, Tx } from './tenancy.ts'

export const inFlight = () => conflict('in_flight', 'This is being worked on. Wait a moment, then look again.')

/**
 * Saves the answer of an idempotent call in its transaction, so that a crash afterwards repeats no work. Seals it,
 * because it may contain a secret address.
 * @throws 409 if another portal was first. Its answer is then returned to the next request
 */
export async function storeResponse(
  tx: Tx,
  at: { company_id: CompanyId; call: string; key: string },
  answer: unknown,
  secrets: Pick<Secrets, 'seal'>,
): Promise<void> {
  const stored = await tx
    .updateTable('idempotency_key')
    .set({ stored_response: secrets.seal(JSON.stringify(answer)) })
    .where((e) => e.and(at))
    .where('stored_response', 'is', null)
    .returning('key')
    .executeTakeFirst()
  if (!stored) throw inFlight()
}
