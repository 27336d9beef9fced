import { sql } from 'kysely'
import type { SpokenText } from '../db/column-types.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { earliestSendTime } from '../sms/queue.ts'
import type { SmsSettings } from '../sms/settings.ts'
import type { Tx } from '../tenancy.ts'

export const MAKE_CALLS = 'voice.calls'

/**
 * Kind of a call, which sets its priority. `account` is for calls that the person just requested, for example to get a
 * code. `alerts` wait until quiet hours end, and are repeated only after long waits. `emergencies` ignore quiet hours.
 */
export type CallKind = 'account' | 'alerts' | 'emergencies'

interface Calls {
  company: Company
  event: string
  kind: CallKind
  /** Expiry of the message. No call is placed after it. */
  until?: Date
}

interface CallInput {
  person: number
  phone: string
  content: readonly SpokenText[]
}

/** Queues calls in the caller's transaction. @returns the ids of the calls, in the order of the input */
export async function queueCalls(
  tx: Tx,
  context: AppContext,
  { company, event, kind, until }: Calls,
  called: readonly CallInput[],
  settings: SmsSettings,
): Promise<number[]> {
  if (called.length === 0) return []
  const now = context.clock.now()
  const call_after = earliestSendTime(now, company, kind, settings)
  const { rows } = await sql<{ id: number }>`
    WITH given AS MATERIALIZED (
      SELECT g.*, nextval('message_number') AS id
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(called)}::jsonb) AS (person bigint, phone text, content jsonb)) WITH ORDINALITY
        AS g (person, phone, content, nth)
    ), added AS (
      INSERT INTO voice_call (company_id, id, event, kind, phone, person_id, content, created_at, call_after, until)
      SELECT ${company.id}, id, ${event}, ${kind}, phone, person, content, ${now}, ${call_after}, ${until ?? null}::timestamptz FROM given)
    SELECT id FROM given ORDER BY nth`.execute(tx)
  await context.jobs.enqueue(tx, MAKE_CALLS, {}, { after: call_after })
  return rows.map(({ id }) => id)
}

/** Marks the message of these calls as expired. Calls in progress may finish, but no further attempt follows. */
export const endCalls = (tx: Tx, company: number, ids: readonly number[], at: Date): Promise<unknown> =>
  tx
    .updateTable('voice_call')
    .set({ until: at })
    .where('company_id', '=', company)
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .where('state', 'in', ['waiting', 'sent', 'unclear'])
    .execute()

/**
 * Queues an unclear call again, at the request of staff.
 * @returns the masked phone number, or null if the call is no longer unclear
 */
export async function repeatCall(tx: Tx, context: AppContext, company: number, id: number): Promise<string | null> {
  const now = context.clock.now()
  const repeated = await tx
    .updateTable('voice_call')
    .set({
      ...{ state: 'waiting', reason: '', call_after: now, requested_at: null, held_until: null, finished_at: null },
      provider_id: null,
      earlier_ids: sql<string[]>`CASE WHEN provider_id IS NULL THEN earlier_ids ELSE earlier_ids || provider_id END`,
    })
    .where('company_id', '=', company)
    .where('id', '=', id)
    .where('state', '=', 'unclear')
    .returning(sql<string>`masked_receiver(phone)`.as('masked'))
    .executeTakeFirst()
  if (repeated) await context.jobs.enqueue(tx, MAKE_CALLS, {})
  return repeated?.masked ?? null
}
