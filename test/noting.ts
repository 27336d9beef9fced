import type pg from 'pg'
import type { Pool, PoolClient, QueryConfig } from 'pg'

export interface Statement {
  text: string
  values: unknown[]
}

/** Replays statements on one connection. Sends each statement only after the result of the previous one. */
export async function replay(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, values.length > 0 ? values : undefined)
}

/** Records the statements of every connection in a pool. */
export function noting(pool: Pool, statements: Statement[]): () => void {
  const seen = new Map<PoolClient, PoolClient['query']>()
  const watch = (client: PoolClient) => {
    if (seen.has(client)) return
    const query = client.query
    seen.set(client, query)
    // Passes the arguments unchanged, because some callers add a callback.
    client.query = ((...args: [string | QueryConfig, unknown[]?]) => {
      const [statement, values] = args
      statements.push(
        typeof statement === 'string'
          ? { text: statement, values: values ?? [] }
          : { text: statement.text, values: statement.values ?? values ?? [] },
      )
      return Reflect.apply(query, client, args)
    }) as PoolClient['query']
  }
  pool.on('acquire', watch)
  return () => {
    pool.off('acquire', watch)
    for (const [client, query] of seen) client.query = query
  }
}
