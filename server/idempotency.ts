import { sql } from 'kysely'
import type { Endpoint } from '../shared/endpoint.ts'
import { PLATFORM } from './audit.ts'
import type { ReceivedCall } from './call.ts'
import { conflict, malformed, rejected } from './errors.ts'
import { inFlight } from './stored-responses.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/**
 * Lease of an idempotency key while its call runs, in milliseconds. If the process crashes, another process can run the
 * call after the lease ends.
 */
const LEASE_MS = 60_000

/** Returns the owner of an idempotency key: the company of the call, else the caller's company, else the platform. */
const scopeOf = ({ companyOrNull: company, session }: ReceivedCall): CompanyId | typeof PLATFORM =>
  company?.id ?? session?.companyId ?? PLATFORM

function within<T>(call: ReceivedCall, work: (tx: Tx) => Promise<T>): Promise<T> {
  const scope = scopeOf(call)
  return scope === PLATFORM ? call.context.acrossCompanies(work) : call.context.inCompany(scope, work)
}

/**
 * Runs an idempotent call to completion at most once. A repeat with the same key and body gets the stored response. A
 * repeat with another body is refused with 422, and a repeat during the call with 409. A failed call may be repeated,
 * so the handler must be able to continue its own unfinished work.
 */
export async function runOnce(
  call: ReceivedCall,
  endpoint: Endpoint,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  const key = call.idempotencyKey
  if (!/^[\w-]{16,100}$/.test(key))
    throw malformed('This call needs an Idempotency-Key header of 16 to 100 letters and digits.')
  // Uses a keyed hash, because the body may contain a password. An attacker could guess the password from a plain hash.
  const body_hash = call.context.secrets.mark(JSON.stringify(call.body))
  const company_id = scopeOf(call)
  const at = { company_id, call: endpoint.path, key }
  const stored = await within(call, async (tx) => {
    const now = call.context.clock.now()
    const lease_until = new Date(now.getTime() + LEASE_MS)
    const claimed = await tx
      .insertInto('idempotency_key')
      .values({ ...at, body_hash, lease_until, created_at: now })
      .onConflict((c) => c.columns(['company_id', 'call', 'key']).doNothing())
      .returning('key')
      .executeTakeFirst()
    if (claimed) return null
    const row = await tx
      .selectFrom('idempotency_key')
      .selectAll()
      .where('company_id', '=', company_id)
      .where('call', '=', endpoint.path)
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!row.body_hash.equals(body_hash))
      throw rejected('This Idempotency-Key was used for a different request. Reload the page and try again.')
    if (row.stored_response !== null) return { response: opened(call, row.stored_response) }
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
  if (stored) return stored.response
  /**
   * Stores only the first response. If a process paused for longer than its lease, another process may already have
   * stored a response.
   */
  const finish = async (response: unknown) => {
    const sealed = response === undefined ? null : call.context.secrets.seal(JSON.stringify(response))
    const { stored_response: first } = await within(call, (tx) =>
      tx
        .updateTable('idempotency_key')
        .set({ stored_response: sql`coalesce(stored_response, ${sealed})`, lease_until: sql`now()` })
        .where('company_id', '=', company_id)
        .where('call', '=', endpoint.path)
        .where('key', '=', key)
        .returning('stored_response')
        .executeTakeFirstOrThrow(),
    )
    return first === null || first === sealed ? response : opened(call, first)
  }
  try {
    return await finish(await handle())
  } catch (error) {
    await release(call, at)
    throw error
  }
}

/**
 * Decrypts a stored response.
 * @throws 409 if the response was encrypted with the key of another installation
 */
function opened({ context }: ReceivedCall, sealed: string): unknown {
  try {
    return JSON.parse(context.secrets.open(sealed))
  } catch {
    throw conflict('done_before', 'This request was already completed. Reload the page to see the result.')
  }
}

async function release(call: ReceivedCall, at: { company_id: number; call: string; key: string }): Promise<void> {
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
