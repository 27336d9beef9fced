import pg from 'pg'

/** The portal's ways into the database, one for each role. */
export interface Pools {
  /** The application's: row-level security shows it one town at a time. Pipelined, for `tenancy.ts` alone. */
  app: pg.Pool
  /** The platform's: sees all towns. For the named features of the administrator portal and the doors of jobs. Pipelined. */
  platform: pg.Pool
  /** The application's role again, not pipelined: COPY and long reports. */
  streams: pg.Pool
  /** The platform's role, likewise. */
  platformStreams: pg.Pool
  /** How to open a connection that nobody pools, for LISTEN. */
  connection: pg.ClientConfig
  close(): Promise<void>
}

const { builtins } = pg.types

/** A bigint column holds an id or cents; past 2^53 a number would lie, so it says so instead. */
function safeInteger(digits: string): number {
  const value = Number(digits)
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer of the database is too large')
  return value
}

const asText = (value: string) => value
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, safeInteger],
  [builtins.NUMERIC, asText],
  // A date is a day in the town, without an hour or a zone: a Date would make it another day somewhere.
  [builtins.DATE, asText],
  [builtins.TIMESTAMPTZ, (value) => new Date(pg.types.getTypeParser(builtins.TIMESTAMPTZ)(value) as Date)],
])

/** Arrays of int8 and date, whose elements would else be parsed by pg's own defaults. */
const arrays = new Map<number, (value: string) => unknown>([
  [1016, safeInteger],
  [1182, asText],
])

/** How column values become JavaScript's: bigint as number, numeric and date as text, timestamptz as Date. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    const parse = parsers.get(oid)
    if (parse && format !== 'binary') return parse
    const element = arrays.get(oid)
    if (element && format !== 'binary')
      return (value: string) => textArray(value).map((item) => (item === null ? null : element(item)))
    return pg.types.getTypeParser(oid, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}

const TEXT_ARRAY: number = 1009
const textArray = (value: string) => pg.types.getTypeParser(TEXT_ARRAY)(value) as (string | null)[]

/** A connection of one role. `name` shows up in pg_stat_activity. */
export const connectionTo = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: `mainstreet ${name}`,
  types: columnTypes,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
})

/**
 * A pool whose broken idle connections are dropped quietly; the next query opens another. One that breaks while it is
 * lent out fails the next query on it: the pool hears nothing of those, and unheard it would end the process.
 */
export function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * `most`: connections of the application's pool; the others have fewer. `listen`: where LISTEN works, if not at `app`.
 * How long a statement may take is not said here but with each BEGIN (tenancy.ts): a pooler of transactions between us
 * and PostgreSQL refuses what is said when a connection is made, or forgets it.
 */
export function openPools(urls: { app: string; platform: string; listen?: string }, most = 20): Pools {
  const connection = connectionTo(urls.listen ?? urls.app, 'listener')
  const app = poolOf({ ...connectionTo(urls.app, 'app'), pipeline: true, max: most })
  const platform = poolOf({ ...connectionTo(urls.platform, 'platform'), pipeline: true, max: Math.ceil(most / 3) })
  const streams = poolOf({ ...connectionTo(urls.app, 'streams'), max: Math.ceil(most / 5) })
  const platformStreams = poolOf({ ...connectionTo(urls.platform, 'platform streams'), max: 2 })
  const close = async () => {
    await Promise.all([app.end(), platform.end(), streams.end(), platformStreams.end()])
  }
  return { app, platform, streams, platformStreams, connection, close }
}
