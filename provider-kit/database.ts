import pg from 'pg'

export type Client = pg.PoolClient
export type Database = ReturnType<typeof openDatabase>

/** Tables of every provider process: its clock offset, its undelivered events and its responses by idempotency key. */
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
  response jsonb,
  PRIMARY KEY (account, path, key)
);`

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
// Reads dates as text, so that the time zone of this process does not change them.
types.setTypeParser(pg.types.builtins.DATE, (day) => day)

/** Schema of a process, with the SQL that creates its tables. The SQL may run repeatedly. */
export interface Schema {
  name: string
  tables: string
}

/**
 * Connects to the tables of a process, in a separate schema with a separate role. `prepare` creates missing tables,
 * even if two processes start at the same time.
 */
export function openDatabase(url: string, { name, tables }: Schema) {
  // Sets the schema in each transaction instead of on the connection, because a connection pooler shares connections
  // with other programs.
  const startText = `BEGIN; SET LOCAL search_path TO ${name}`
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    application_name: name,
    types,
  })
  // An error on a connection must not end the process, whether the connection is idle or in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  async function transact<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let rollbackError: Error | undefined
    try {
      await client.query(startText)
      const result = await work(client)
      const { command } = await client.query('COMMIT')
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (rollbackError = failure))
      throw error
    } finally {
      client.release(rollbackError)
    }
  }

  return {
    /** Runs one statement in a separate transaction. */
    query: <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      transact((client) => client.query<R>(text, values)),
    transact,
    prepare: async () => {
      // Creates the schema if it is missing. The gateway's role may lack this permission, so the portal creates the
      // gateway's schema when it starts.
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
