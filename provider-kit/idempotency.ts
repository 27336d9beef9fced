import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Client, Database } from './database.ts'
import { Refused } from './refused.ts'

/**
 * Runs a change once for its idempotency key. One transaction saves the change and its response. If two calls share a
 * key, the second call waits for the first to commit and gets the same response.
 */
export async function runOnce(
  database: Database,
  request: FastifyRequest,
  account: string,
  work: (client: Client) => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw new Refused(400, 'no_key', 'Send an Idempotency-Key.')
  const path = new URL(request.url, 'http://any').pathname
  const hash = createHash('sha256')
    .update(JSON.stringify(request.body ?? {}))
    .digest('hex')
  return database.transact(async (client): Promise<unknown> => {
    const inserted = await client.query(
      'INSERT INTO idempotency (account, path, key, body_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [account, path, key, hash],
    )
    if (inserted.rowCount === 0) {
      const { rows } = await client.query<{ body_hash: string; response: unknown }>(
        'SELECT body_hash, response FROM idempotency WHERE account = $1 AND path = $2 AND key = $3',
        [account, path, key],
      )
      if (rows[0]?.body_hash !== hash)
        throw new Refused(422, 'key_reused', 'This Idempotency-Key was used with another body.')
      return rows[0].response
    }
    const reply = await work(client)
    await client.query(
      'UPDATE idempotency SET status = 200, response = $4 WHERE account = $1 AND path = $2 AND key = $3',
      [account, path, key, JSON.stringify(reply)],
    )
    return reply
  })
}
