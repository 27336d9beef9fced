import pg from 'pg'

export type Client = pg.PoolClient
export type Database = ReturnType<typeof openDatabase>

/** What every provider's process keeps: how far its clock was moved, its events on their way, and its answers by their keys. */
const TABLES = `CREATE TABLE IF NOT EXISTS state (
  id int PRIMARY KEY CHECK (id = 1),
  clock_offset_ms bigint NOT NULL DEFAULT 0
);
INSERT INTO state (id) VALUES (1) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS event (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE TABLE IF NOT EXISTS delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL REFERENCES event,
  due_at timestamptz(3) NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  delivered_at timestamptz(3)
);
CREATE INDEX IF NOT EXISTS delivery_due ON delivery (due_at) WHERE delivered_at IS NULL;
CREATE TABLE IF NOT EXISTS idempotency (
  account text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  status int,
  answer jsonb,
  PRIMARY KEY (account, path, key)
);`

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
// A day stays the text that it is, whatever the zone of this process.
types.setTypeParser(pg.types.builtins.DATE, (day) => day)

/** Where a process keeps its tables: a schema of its own, and the statements that make them, which may run again. */
export interface Schema {
  name: string
  tables: string
}

/** A process's own tables, in its own schema, behind its own role. It makes them itself; two may start at once. */
export function openDatabase(url: string, { name, tables }: Schema) {
  // With each transaction, not with the connection: behind a pooler the connection is not ours to set.
  const begin = `BEGIN; SET LOCAL search_path TO ${name}`
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    application_name: name,
    types,
  })
  // Neither idle nor in the middle of its work does a connection that breaks end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  async function transact<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(begin)
      const result = await work(client)
      const { command } = await client.query('COMMIT')
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    /** One statement, in a transaction of its own. */
    query: <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      transact((client) => client.query<R>(text, values)),
    transact,
    prepare: async () => {
      // Where the role may make its schema itself, it does; the portal's start makes the gateway's.
      const { rowCount } = await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [name])
      if (rowCount === 0) await pool.query(`CREATE SCHEMA IF NOT EXISTS ${name}`)
      await transact(async (client) => {
        await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [name])
        await client.query(TABLES)
        await client.query(tables)
      })
    },
    close: () => pool.end(),
  }
}
