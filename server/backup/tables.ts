import pg from 'pg'
import { JOBS_SCHEMA } from '../db/install-jobs.ts'
import { GATEWAY_SCHEMA } from '../db/roles.ts'

const SCHEMAS = ['public', JOBS_SCHEMA, GATEWAY_SCHEMA]

/** Tables that the backup omits, because the installation of the job queue fills them. */
const EXCLUDED_TABLES = ['version', 'bam', 'warning', 'queue_stats'].map((name) => `${JOBS_SCHEMA}.${name}`)

/**
 * Settings of a session that copies rows. They make the row format independent of the server. Row-level security raises
 * an error instead of hiding rows.
 */
export const PLAIN = `
  SET LOCAL row_security = off;
  SET LOCAL datestyle = 'ISO, MDY';
  SET LOCAL intervalstyle = 'postgres';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1;
  SET LOCAL client_encoding = 'UTF8';
  SET LOCAL synchronize_seqscans = off;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

export interface Table {
  schema: string
  name: string
  /** Columns with stored values, in order. Generated columns are not included. */
  columns: string[]
  /** True if row-level security protects the table. */
  guarded: boolean
}

export const quoted = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
export const plainName = ({ schema, name }: { schema: string; name: string }): string => `${schema}.${name}`
export const listed = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ')

/**
 * Lists the tables of a backup in load order. A partitioned table counts as one table. Deferred foreign keys do not
 * affect the order, because they allow two tables to refer to each other.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `WITH whole AS (SELECT c.oid, coalesce(i.inhparent, c.oid) AS whole FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid)
    SELECT n.nspname::text AS schema, c.relname::text AS name, c.relrowsecurity AS guarded,
      array(SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
      array(SELECT DISTINCT fn.nspname || '.' || f.relname
        FROM pg_constraint k JOIN whole l ON l.oid = k.conrelid JOIN whole r ON r.oid = k.confrelid
        JOIN pg_class f ON f.oid = r.whole JOIN pg_namespace fn ON fn.oid = f.relnamespace
        WHERE k.contype = 'f' AND NOT k.condeferred AND l.whole = c.oid AND r.whole <> c.oid) AS needs
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname || '.' || c.relname <> ALL ($2)
    ORDER BY 1, 2`,
    [SCHEMAS, EXCLUDED_TABLES],
  )
  return inLoadingOrder(rows)
}

function inLoadingOrder(tables: readonly (Table & { needs: string[] })[]): Table[] {
  const left = new Map(tables.map((table) => [plainName(table), table]))
  const ordered: Table[] = []
  while (left.size > 0) {
    const ready = [...left].filter(([, { needs }]) => needs.every((name) => !left.has(name)))
    if (ready.length === 0) throw new Error(`these tables refer to each other: ${[...left.keys()].join(', ')}`)
    for (const [name, { needs: _needs, ...table }] of ready) {
      ordered.push(table)
      left.delete(name)
    }
  }
  return ordered
}

/** Lists the sequences, including those of identity columns, with their positions. */
export async function listSequences(client: pg.ClientBase) {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `SELECT n.nspname::text AS schema, c.relname::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY ($1) AND c.relkind = 'S' ORDER BY 1, 2`,
    [SCHEMAS],
  )
  const sequences: { schema: string; name: string; last: string; called: boolean }[] = []
  for (const sequence of rows) {
    const { rows: states } = await client.query<{ last: string; called: boolean }>(
      `SELECT last_value::text AS last, is_called AS called FROM ${quoted(sequence)}`,
    )
    if (states[0]) sequences.push({ ...sequence, ...states[0] })
  }
  return sequences
}

export async function countRows(client: pg.ClientBase, table: Pick<Table, 'schema' | 'name'>): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`SELECT count(*)::text AS n FROM ${quoted(table)}`)
  return Number(rows[0]?.n)
}
