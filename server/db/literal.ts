import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import pg from 'pg'

const compiling = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/**
 * Returns a query as a string that contains its parameter values, because COPY accepts no parameters. Quotes values as
 * the driver does. Accepts only text, numbers, dates and null.
 */
export function inlined(query: RawBuilder<unknown>): string {
  const { sql, parameters }: CompiledQuery = query.compile(compiling)
  // Skips quoted names, because a column may have a name such as `Stickers at $3`.
  return sql.replaceAll(/"(?:[^"]|"")*"|\$(\d+)/g, (all, number?: string) =>
    number === undefined ? all : literal(parameters[Number(number) - 1]),
  )
}

function literal(value: unknown): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (value instanceof Date) return `${pg.escapeLiteral(value.toISOString())}::timestamptz`
  throw new Error(`this value cannot be written into a query: ${typeof value}`)
}
