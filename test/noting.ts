import type pg from 'pg'
import type { Pool, PoolClient, QueryConfig } from 'pg'

export interface Statement {
  text: string
  values: unknown[]
}

/** Runs recorded statements on one connection, one after the other. */
export async function replay(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, values.length > 0 ? values : undefined)
}

/** Records the statements that all connections of a pool run. Returns a function that stops the recording. */
export function noting(pool: Pool, statements: Statement[]): () => void {
  const seen = new Map<PoolClient, PoolClient['query']>()
  const watch = (client: PoolClient) => {
    if (seen.has(client)) return
    const query = client.query
    seen.set(client, query)
    // Passes all arguments on unchanged, because some callers also pass a callback.
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
