import { callerName, implement } from '../../../server/call.ts'
import { conflict, notFound, Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { say } from '../../../shared/messages.ts'
import { makeApiKey, revokeApiKey } from '../contract.ts'
import type { KeyUse } from '../rules.ts'

/** Prefix of every key, so that a leaked key is recognizable. */
const PREFIX = 'mainstreet_'
const MAX_KEYS = 20

const invalidKeyLimit = defineAddressLimit('api-key-invalid', { max: 20, after: 'pause' })
/** Rate limit that slows down faulty programs. A billing system calls only a few times an hour. */
const callsByKey = defineLimit('api-key-calls', {
  max: 120,
  minutes: 10,
  after: 'pause',
  text: 'This key has reached the limit of 120 calls in 10 minutes.',
})

export const makeApiKeyCall = implement(makeApiKey, (call) =>
  call.inCompany(async (tx) => {
    const company_id = call.company.id
    const { name, use } = call.body
    await lockUntilCommit(tx, 'api_key', company_id)
    const { active } = await tx
      .selectFrom('api_key')
      .select((e) => e.fn.countAll<number>().as('active'))
      .where('company_id', '=', company_id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(active) >= MAX_KEYS)
      throw conflict('too_many_keys', say`You already have ${active} active keys. Revoke a key that you no longer use.`)
    const key = PREFIX + newSecret()
    const { id } = await tx
      .insertInto('api_key')
      .values({
        company_id,
        name,
        use,
        ending: key.slice(-4),
        key_hash: hashSecret(key),
        made_at: call.context.clock.now(),
        made_by: callerName(call),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await call.audit(tx, { action: 'api_key.made', subject: { kind: 'api_key', id }, detail: { name, use } })
    return {
      success: true as const,
      message: say`Key ${name} created. Copy the key now, because it will not be shown again.`,
      key,
    }
  }),
)

export const revokeApiKeyCall = implement(revokeApiKey, (call) =>
  call.inCompany(async (tx) => {
    const { keyId: id } = call.body
    const row = await tx
      .updateTable('api_key')
      .set({ revoked_at: call.context.clock.now(), revoked_by: callerName(call) })
      .where('company_id', '=', call.company.id)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (!row) throw notFound('This key was not found, or it is already revoked.')
    await call.audit(tx, { action: 'api_key.revoked', subject: { kind: 'api_key', id }, detail: { name: row.name } })
    return { success: true as const, message: say`Key ${row.name} revoked. Programs can no longer use it.` }
  }),
)

const UNKNOWN =
  'This key is unknown or revoked. Send a key that the municipality created for this purpose, in the form "mainstreet_…".'

/** Returns the key of a header "Authorization: Bearer mainstreet_…", or '' if it is missing. */
export const bearerOf = (header: string | undefined): string => /^Bearer (\S+)$/.exec(header ?? '')?.[1] ?? ''

/**
 * Finds the API key of the calling program.
 * @throws 401 if the key is unknown or revoked, or if it was not created for this company and this use
 * @throws 429 if the program calls too often
 */
export async function keyOf(
  context: AppContext,
  company: Company,
  use: KeyUse,
  { key, address }: { key: string; address: string },
) {
  const guess = await countAttempt(context, [invalidKeyLimit(address, company.id)])
  const row = /^mainstreet_[\w-]{43}$/.test(key)
    ? await context.inCompany(company.id, (tx) =>
        tx
          .updateTable('api_key')
          .set({ used_at: context.clock.now() })
          .where('company_id', '=', company.id)
          .where('key_hash', '=', hashSecret(key))
          .where('use', '=', use)
          .where('revoked_at', 'is', null)
          .returning(['id', 'name'])
          .executeTakeFirst(),
      )
    : undefined
  if (!row) throw new Refusal(401, 'unknown_key', UNKNOWN)
  await guess.release()
  await countAttempt(context, [callsByKey(`${company.id}/${row.id}`)])
  return row
}
