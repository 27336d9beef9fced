import { readFileSync } from 'node:fs'
import type pg from 'pg'

/**
 * Builds `schema.ts` from the catalog of a migrated database and `column-types.ts`. Each table and view gets a type
 * with its columns in order. The database's comments become comments in the file.
 */
export async function schemaText(owner: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows } = await owner.query<Column>(COLUMNS)
  const relations = Map.groupBy(rows, ({ relation }) => relation)
  const named = readNamed()
  for (const name of named)
    if (!rows.some(({ relation, column }) => name === `${relation}.${column}`))
      throw new Error(`server/db/column-types.ts has a type for ${name}, which the database does not have.`)
  const bodies = [...relations].map(([relation, columns]) => {
    const lines = columns.map(
      (column) => `${doc(column.comment, '    ')}    ${column.column}: ${typeOf(column, named)}\n`,
    )
    return `${doc(columns[0]?.about ?? null, '  ')}  ${relation}: {\n${lines.join('')}  }\n`
  })
  const text = bodies.join('')
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ')
  return `// Made of the migrated database by \`npm run schema\`: write a migration or column-types.ts, never this file.
import type { Generated } from 'kysely'
import type { ${used(['ColumnTypes', 'Computed', 'Defaulted', 'DefaultedInstant', 'DefaultedJson', 'Instant', 'Json', 'Point'])} } from './column-types.ts'

export interface Schema {
${text}}
`
}

interface Column {
  relation: string
  about: string | null
  column: string
  /** Name of the PostgreSQL type, without a length. */
  type: string
  nullable: boolean
  /** True if the column has a default. */
  hasDefault: boolean
  identity: boolean
  computed: boolean
  /** CHECK constraints that involve only this column. */
  checks: string[]
  comment: string | null
  /** For a view column: the table column behind it, as `table.column`. Null if unknown. */
  origin: string | null
}

/**
 * Finds the table column behind each column of a single-table view, because the catalog reports all view columns as
 * nullable. To do so, parses the view's definition. Before version 16, PostgreSQL prefixes column names in the
 * definition with the table name.
 */
const COLUMNS = `
  WITH own AS (
    SELECT c.oid, c.relname::text AS relation, c.relkind, obj_description(c.oid, 'pg_class') AS about,
      a.attnum, a.attname::text AS column, format_type(a.atttypid, NULL) AS type, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated,
      col_description(c.oid, a.attnum) AS comment
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped
  ), reads AS (
    SELECT w.ev_class AS view, min(d.refobjid) AS source FROM pg_rewrite w
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> w.ev_class
    GROUP BY 1 HAVING count(DISTINCT d.refobjid) = 1 AND pg_get_viewdef(w.ev_class) !~ 'JOIN|GROUP BY|UNION'
  ), taken AS (
    SELECT r.view, r.source, m[1] AS original, coalesce(m[2], m[1]) AS column
    FROM reads r, regexp_split_to_table(pg_get_viewdef(r.view, true), E'\\n') AS line,
      regexp_match(line, '^ +(?:SELECT )?(?:"?[a-z0-9_]+"?[.])?"?([a-z0-9_]+)"?(?: AS "?([a-z0-9_]+)"?)?,?$') AS m WHERE m IS NOT NULL
  )
  SELECT o.relation, o.about, o.column, o.type, NOT coalesce(t.attnotnull, o.attnotnull) AS nullable, o.atthasdef AS "hasDefault",
    o.attidentity <> '' AS identity, o.attgenerated <> '' AS computed, o.comment,
    t.relation || '.' || t.column AS origin,
    array(SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.contype = 'c' AND k.conkey = ARRAY[coalesce(t.attnum, o.attnum)]
      AND k.conrelid = coalesce(t.oid, o.oid) ORDER BY 1) AS checks
  FROM own o LEFT JOIN taken x ON x.view = o.oid AND x.column = o.column LEFT JOIN own t ON t.oid = x.source AND t.column = x.original
  ORDER BY o.relation COLLATE "C", o.attnum`

/** JavaScript types that the parsers of `pool.ts` return, by PostgreSQL type. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  numeric: 'string',
  point: 'Point',
  polygon: 'string',
  smallint: 'number',
  text: 'string',
  tsvector: 'string',
  uuid: 'string',
}

function typeOf(column: Column, named: ReadonlySet<string>): string {
  const { type, nullable, hasDefault, identity, computed } = column
  const value = valueOf(column, named)
  const isDefaulted = hasDefault || identity
  const wrapped = (): string => {
    // The expressions of computed columns never produce null, although the catalog reports these columns as nullable.
    if (computed) return `Computed<${value}>`
    if (type === 'timestamp with time zone') return isDefaulted ? 'DefaultedInstant' : 'Instant'
    if (type === 'jsonb') return isDefaulted ? `DefaultedJson<${value}>` : `Json<${value}>`
    if (identity) return `Generated<${value}>`
    return isDefaulted ? `Defaulted<${value}>` : value
  }
  return nullable && !computed && value !== 'null' ? `${wrapped()} | null` : wrapped()
}

function valueOf({ relation, column, type, checks, origin }: Column, named: ReadonlySet<string>): string {
  const columnName = [`${relation}.${column}`, origin ?? ''].find((name) => named.has(name))
  if (columnName) return `ColumnTypes['${columnName}']`
  if (type === 'jsonb')
    throw new Error(`Nothing says what ${relation}.${column} holds: add it to server/db/column-types.ts.`)
  for (const check of checks) {
    const allowed = allowedBy(check)
    if (allowed) return allowed
  }
  if (type === 'timestamp with time zone') return 'Date'
  const plain = type.endsWith('[]') ? `${TYPES[type.slice(0, -2)]}[]` : TYPES[type]
  if (!plain || plain.startsWith('undefined'))
    throw new Error(`${relation}.${column} has the type ${type}, which server/db/schema-text.ts does not know.`)
  return plain
}

/**
 * Returns the values that a CHECK constraint allows, as a TypeScript type. Examples of constraints: `x = ANY
 * (ARRAY['a'::text, 'b'::text])`, `id = 1`, `x IS NULL`.
 */
function allowedBy(check: string): string | null {
  if (/^CHECK \(\("?\w+"? IS NULL\)\)$/.test(check)) return 'null'
  const [, one, list] = /^CHECK \(\("?\w+"? = (?:(\d+)|ANY \(ARRAY\[(.+)\]\))\)\)$/.exec(check) ?? []
  if (one) return one
  const values = list?.split(', ').map((value) => value.replace(/::text$/, ''))
  return values?.every((value) => /^(\d+|'[^']*')$/.test(value)) ? values.join(' | ') : null
}

const doc = (comment: string | null, indent: string) =>
  comment ? `${indent}/** ${comment.replaceAll('*/', '* /')} */\n` : ''

/** Returns the columns that have a type in `column-types.ts`. */
function readNamed(): ReadonlySet<string> {
  const text = readFileSync(new URL('column-types.ts', import.meta.url), 'utf8')
  return new Set([...text.matchAll(/^ {2}'(\w+\.\w+)': /gm)].map(([, name = '']) => name))
}
