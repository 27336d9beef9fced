import pg from 'pg'

/** Connection pools of the portal, one for each role. */
export interface Pools {
  /**
   * Pool of the application role, pipelined. Row-level security shows one company at a time. Only `tenancy.ts` uses it.
   */
  app: pg.Pool
  /**
   * Pool of the platform role, pipelined. It sees all companies. Only for jobs and for administrator portal features
   * that use `acrossCompanies`.
   */
  platform: pg.Pool
  /** Pool of the application role, not pipelined. For COPY and long reports. */
  streams: pg.Pool
  /** Pool of the platform role, not pipelined. */
  platformStreams: pg.Pool
  /** Settings of a separate connection outside the pools, for LISTEN. */
  connection: pg.ClientConfig
  close(): Promise<void>
}

const { builtins } = pg.types

/**
 * Parses a bigint, which is an id or an amount in cents. Throws above 2^53, because a JavaScript number would be
 * inexact.
 */
function safeInteger(digits: string): number {
  const value = Number(digits)
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer of the database is too large')
  return value
}

const asText = (value: string) => value
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, safeInteger],
  [builtins.NUMERIC, asText],
  // A date is a day in the company's time zone, without a time. A conversion to a Date could change the day.
  [builtins.DATE, asText],
  [builtins.TIMESTAMPTZ, (value) => new Date(pg.types.getTypeParser(builtins.TIMESTAMPTZ)(value) as Date)],
])

/** Parsers for the elements of int8 and date arrays. Without these parsers, pg would use its own defaults. */
const arrays = new Map<number, (value: string) => unknown>([
  [1016, safeInteger],
  [1182, asText],
])

/** Parsers from column values to JavaScript: bigint as number, numeric and date as text, timestamptz as Date. */
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

/** Returns the connection settings of one role. `name` appears in pg_stat_activity. */
export const connectionTo = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: `mainstreet ${name}`,
  types: columnTypes,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
})

/**
 * Creates a pool that silently drops idle connections that break. The next query opens another connection. If a
 * connection breaks while in use, its next query fails. Without the empty error handlers, a broken connection would end
 * the process.
 */
export function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Opens the pools. `max` limits the application's pool, and the others are smaller. `listen` is the URL for LISTEN, if
 * different from `app`. Time limits are set in each transaction (tenancy.ts), because a transaction pooler refuses or
 * loses connection settings.
 */
export function openPools(urls: { app: string; platform: string; listen?: string }, max = 20): Pools {
  const connection = connectionTo(urls.listen ?? urls.app, 'listener')
  const app = poolOf({ ...connectionTo(urls.app, 'app'), pipeline: true, max })
  const platform = poolOf({ ...connectionTo(urls.platform, 'platform'), pipeline: true, max: Math.ceil(max / 3) })
  const streams = poolOf({ ...connectionTo(urls.app, 'streams'), max: Math.ceil(max / 5) })
  const platformStreams = poolOf({ ...connectionTo(urls.platform, 'platform streams'), max: 2 })
  const close = async () => {
    await Promise.all([app.end(), platform.end(), streams.end(), platformStreams.end()])
  }
  return { app, platform, streams, platformStreams, connection, close }
}
