import pg from 'pg'
import { reasonOf, StartError } from '../start-error.ts'
import { columnTypes } from './pool.ts'

/**
 * Connects as the owner role, which is used only at startup and for migrations. If the server does not respond, reports
 * the failure in one line.
 */
export async function connectOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mainstreet owner',
    types: columnTypes,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { hostname, port, pathname } = new URL(url)
    throw new StartError(`DATABASE_URL does not answer: ${hostname}:${port || 5432}${pathname} (${reasonOf(error)}).`)
  }
}

/**
 * Runs `work` under a lock, so that only one server at a time runs it in this database. If the connection ends, the
 * lock ends too.
 */
export async function withAdvisoryLock<T>(owner: pg.Client, lock: number, work: () => Promise<T>): Promise<T> {
  await owner.query('SELECT pg_advisory_lock($1)', [lock])
  try {
    return await work()
  } finally {
    await owner.query('SELECT pg_advisory_unlock($1)', [lock])
  }
}
