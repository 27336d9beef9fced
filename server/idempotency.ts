import { sql } from 'kysely'
import type { Endpoint } from '../shared/endpoint.ts'
import { PLATFORM } from './audit.ts'
import type { Arrived } from './call.ts'
import { conflict, malformed, rejected } from './errors.ts'
import { inFlight } from './stored-answers.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** While a call runs its key is leased; a portal that dies leaves the key to be taken up again after this time. */
const LEASE_MS = 60_000

/** Whose key it is: that of the town that is meant, else of the town that the caller belongs to, else the platform's. */
const placeOf = ({ town, session }: Arrived): CompanyId | typeof PLATFORM => town?.id ?? session?.companyId ?? PLATFORM

function within<T>(call: Arrived, work: (tx: Tx) => Promise<T>): Promise<T> {
  const place = placeOf(call)
  return place === PLATFORM ? call.context.acrossCompanies(work) : call.context.inCompany(place, work)
}

/**
 * Runs an idempotent call at most once to its end: the same key and body get the kept answer, another body is refused
 * with 422, a call still in flight with 409. A call that failed or died leaves its key free for the same body, so the
 * handler must be able to take up its own half-done work (it knows it by the key).
 */
export async function answerOnce(call: Arrived, endpoint: Endpoint, handle: () => Promise<unknown>): Promise<unknown> {
  const key = call.idempotencyKey
  if (!/^[\w-]{16,100}$/.test(key))
    throw malformed('This call needs an Idempotency-Key header of 16 to 100 letters and digits.')
  // A mark and no plain hash: there may be a password in the body.
  const body_hash = call.context.secrets.mark(JSON.stringify(call.body))
  const company_id = placeOf(call)
  const at = { company_id, call: endpoint.path, key }
  const kept = await within(call, async (tx) => {
    const now = call.context.clock.now()
    const lease_until = new Date(now.getTime() + LEASE_MS)
    const taken = await tx
      .insertInto('idempotency_key')
      .values({ ...at, body_hash, lease_until, created_at: now })
      .onConflict((c) => c.columns(['company_id', 'call', 'key']).doNothing())
      .returning('key')
      .executeTakeFirst()
    if (taken) return null
    const row = await tx
      .selectFrom('idempotency_key')
      .selectAll()
      .where('company_id', '=', company_id)
      .where('call', '=', endpoint.path)
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!row.body_hash.equals(body_hash))
      throw rejected('This Idempotency-Key was used for something else. Reload the page and try again.')
    if (row.kept_answer !== null) return { answer: opened(call, row.kept_answer) }
    if (row.lease_until > now) throw inFlight()
    await tx
      .updateTable('idempotency_key')
      .set({ lease_until })
      .where('company_id', '=', company_id)
      .where('call', '=', endpoint.path)
      .where('key', '=', key)
      .execute()
    return null
  })
  if (kept) return kept.answer
  /** The first answer stays: a process that stood still for longer than its lease comes too late with another one. */
  const settle = async (answer: unknown) => {
    const mine = answer === undefined ? null : call.context.secrets.seal(JSON.stringify(answer))
    const { kept_answer: first } = await within(call, (tx) =>
      tx
        .updateTable('idempotency_key')
        .set({ kept_answer: sql`coalesce(kept_answer, ${mine})`, lease_until: sql`now()` })
        .where('company_id', '=', company_id)
        .where('call', '=', endpoint.path)
        .where('key', '=', key)
        .returning('kept_answer')
        .executeTakeFirstOrThrow(),
    )
    return first === null || first === mine ? answer : opened(call, first)
  }
  try {
    return await settle(await handle())
  } catch (error) {
    await release(call, at)
    throw error
  }
}

/** @throws 409 if the answer was sealed under another key than the installation has now */
function opened({ context }: Arrived, sealed: string): unknown {
  try {
    return JSON.parse(context.secrets.open(sealed))
  } catch {
    throw conflict('done_before', 'This was done already. Load the page again to see the result.')
  }
}

async function release(call: Arrived, at: { company_id: number; call: string; key: string }): Promise<void> {
  await within(call, (tx) =>
    tx
      .updateTable('idempotency_key')
      .set({ lease_until: call.context.clock.now() })
      .where('company_id', '=', at.company_id)
      .where('call', '=', at.call)
      .where('key', '=', at.key)
      .execute(),
  ).catch((error: unknown) => call.context.log.warn({ err: error }, 'an idempotency key stays leased'))
}
