import type { Pool } from 'pg'
import type { Clock } from './clock.ts'
import { KEY_FILE } from './made-secrets.ts'
import { fingerprintOf } from './secrets.ts'
import { StartError } from './start-error.ts'

/** Instruction for operators if the key for sealed texts is missing or differs from the original key. */
const BRING_KEY = `Set SECRET_KEY to the key that sealed them, or restore the ${KEY_FILE} of DATA_DIR.`

/**
 * Checks the key of sealed texts at startup. The first start records the key. A portal with another key starts only if
 * the database has no sealed text, and that key is then recorded.
 * @param platform sees all companies
 * @throws StartError
 */
export async function claimKey(platform: Pick<Pool, 'query'>, key: string, clock: Clock): Promise<void> {
  const fingerprint = fingerprintOf(key)
  const { rows } = await platform.query<{ fingerprint: string }>(
    'INSERT INTO secret_key (fingerprint, since) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET id = 1 RETURNING fingerprint',
    [fingerprint, clock.now()],
  )
  if (rows[0]?.fingerprint === fingerprint) return
  const other = await sealedWith(platform, fingerprint)
  if (other) throw new StartError(`The database holds texts that were sealed with another key. ${BRING_KEY}`)
  await platform.query('UPDATE secret_key SET fingerprint = $1, since = $2', [fingerprint, clock.now()])
}

/** Returns the fingerprint of a key that sealed a stored text and is not `ours`. Null if all keys are `ours`. */
export async function sealedWith(platform: Pick<Pool, 'query'>, ours = ''): Promise<string | null> {
  const { rows: columns } = await platform.query<{ table: string; name: string }>(
    `SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname LIKE '%\\_sealed' AND NOT a.attisdropped`,
  )
  for (const { table, name } of columns) {
    const { rows } = await platform.query<{ key: string }>(
      `SELECT split_part(${name}, '.', 1) AS key FROM ${table} WHERE split_part(${name}, '.', 1) <> $1 LIMIT 1`,
      [ours],
    )
    if (rows[0]) return rows[0].key
  }
  return null
}

/** Checks that this key can decrypt the sealed texts of a backup. @throws StartError if it can't */
export function refuseOtherKey(sealed: string | null | undefined, key: string): void {
  if (sealed && sealed !== fingerprintOf(key))
    throw new StartError(`The backup holds texts that were sealed with another key, which is not in it. ${BRING_KEY}`)
}
