import { conflict } from './errors.ts'
import type { Secrets } from './secrets.ts'
import type { CompanyId, Tx } from './tenancy.ts'

export const inFlight = () => conflict('in_flight', 'This is being worked on. Wait a moment, then look again.')

/**
 * Keeps the answer of an idempotent call in the transaction that does its work, so that a portal that dies after it does
 * nothing twice. It is sealed, as it may hold a secret address. @throws 409 where another portal was quicker: the work is undone, and its answer is given the next time
 */
export async function keepAnswer(
  tx: Tx,
  at: { company_id: CompanyId; call: string; key: string },
  answer: unknown,
  secrets: Pick<Secrets, 'seal'>,
): Promise<void> {
  const kept = await tx
    .updateTable('idempotency_key')
    .set({ kept_answer: secrets.seal(JSON.stringify(answer)) })
    .where((e) => e.and(at))
    .where('kept_answer', 'is', null)
    .returning('key')
    .executeTakeFirst()
  if (!kept) throw inFlight()
}
