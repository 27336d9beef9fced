import { sql } from 'kysely'
import type { AppContext } from '../app-context.ts'
import { SEND_SMS } from '../sms/queue.ts'
import type { Tx } from '../tenancy.ts'
import { repeatCall } from '../voice/queue.ts'

/**
 * Queues a text message or call again if its result is unknown. The recipient may get it twice, so only a person may
 * decide this.
 * @returns the channel of the message. Null if the result is known
 */
export async function repeatUnclear(
  tx: Tx,
  context: AppContext,
  company: number,
  id: number,
): Promise<{ channel: 'text' | 'call'; masked: string } | null> {
  const now = context.clock.now()
  const { rows } = await sql<{ masked: string }>`
    UPDATE sms_message SET state = 'waiting', reason = '', requested_at = NULL, held_until = NULL, finished_at = NULL, send_after = ${now}
    WHERE company_id = ${company} AND id = ${id} AND state = 'unclear'
    RETURNING masked_receiver(phone) AS masked`.execute(tx)
  if (rows[0]) {
    await context.jobs.enqueue(tx, SEND_SMS, { company, id })
    return { channel: 'text', ...rows[0] }
  }
  const masked = await repeatCall(tx, context, company, id)
  return masked === null ? null : { channel: 'call', masked }
}
