import type pg from 'pg'
import type { Pool, PoolClient, QueryConfig } from 'pg'

/** What was sent to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

/** Sends statements again on one connection, each when the one before was answered. */
export async function replay(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, values.length > 0 ? values : undefined)
}

/** Notes what every connection of a pool sends. */
export function noting(pool: Pool, statements: Statement[]): () => void {
  const seen = new Map<PoolClient, PoolClient['query']>()
  const watch = (client: PoolClient) => {
    if (seen.has(client)) return
    const query = client.query
    seen.set(client, query)
    // As it came: some callers hand over a callback besides.
    client.query = ((...args: [string | QueryConfig, unknown[]?]) => {
      const [asked, values] = args
      statements.push(
        typeof asked === 'string'
          ? { text: asked, values: values ?? [] }
          : { text: asked.text, values: asked.values ?? values ?? [] },
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
