import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { Schema } from './db/schema.ts'

/**
 * Id of a company that the caller may access. Only `companyIdFrom` creates one. It is called only for hosts, sessions,
 * jobs, provider events, imports, platform features and records that municipalities share.
 */
export type CompanyId = number & { readonly brand: unique symbol }

export type CompanyIdSource = 'host' | 'job' | 'provider-event' | 'import' | 'platform' | 'shared-records'

export function companyIdFrom(_source: CompanyIdSource, id: number): CompanyId {
  if (!Number.isSafeInteger(id) || id <= 0) throw new Error(`not a company id: ${id}`)
  return id as CompanyId
}

/** Database transaction. In most cases, only one company's rows are visible in it. */
export type Tx = Kysely<Schema>
export type InCompany = <T>(company: CompanyId, work: (tx: Tx) => Promise<T>) => Promise<T>

/** PostgreSQL's error code for any query in a transaction in which an earlier query failed. */
const ABORTED = '25P02'

class ClientConnection implements DatabaseConnection {
  readonly #client: PoolClient
  /**
   * Result of the opening statement, which is sent together with the first query. That query awaits this result. Null
   * afterward.
   */
  #opening: Promise<unknown> | null
  /** First error of the transaction. Queries that were sent after it report only that the transaction was aborted. */
  #failure: unknown

  constructor(client: PoolClient, opening: Promise<unknown>) {
    this.#client = client
    this.#opening = opening
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Records a failure when its response arrives, so that the earliest failure is recorded.
    const sent = this.#client
      .query<R & QueryResultRow>(query.sql, query.parameters as unknown[])
      .catch((error: { code?: string }) => {
        this.#failure ??= error
        throw error.code === ABORTED ? this.#failure : error
      })
    if (this.#opening) {
      const opening = this.#opening
      this.#opening = null
      sent.catch(() => {})
      await opening
    }
    const { rows, rowCount, command } = await sent
    const changed = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    return changed ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }

  async opened(): Promise<void> {
    await this.#opening
    this.#opening = null
  }

  streamQuery(): never {
    throw new Error('Streams go through the streaming pool.')
  }
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

const kyselyOn = (connection: DatabaseConnection): Tx =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => adapter,
      createQueryCompiler: () => compiler,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: refuseNesting,
        commitTransaction: refuseNesting,
        rollbackTransaction: refuseNesting,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  })

const refuseNesting = async () => {
  throw new Error('This already is a transaction.')
}

/** Raw connection of each transaction, for the job queue, which can't use Kysely. */
const clients = new WeakMap<Tx, PoolClient>()
export function clientOf(tx: Tx): PoolClient {
  const client = clients.get(tx)
  if (!client) throw new Error('not a transaction of tenancy.ts')
  return client
}

type Ending<T = unknown> = (tx: Tx, parts: T[]) => Promise<unknown>
const endings = new WeakMap<Tx, Map<Ending, unknown[]>>()

/**
 * Runs `ending` once, directly before COMMIT, with all parts that this transaction passed. Used for rows that many
 * transactions write, such as sums. These rows are then locked only briefly, and no other row is locked after them.
 */
export function beforeCommit<T>(tx: Tx, ending: Ending<T>, part: T): void {
  const all = endings.get(tx) ?? new Map<Ending, unknown[]>()
  endings.set(tx, all)
  all.set(ending as Ending, [...(all.get(ending as Ending) ?? []), part])
}

/** Runs a transaction. If `reads` is true, the transaction is read-only and the caller does not wait for COMMIT. */
async function transact<T>(pool: Pool, startText: string, work: (tx: Tx) => Promise<T>, reads = false): Promise<T> {
  const client = await pool.connect()
  const opening = client.query(startText)
  opening.catch(() => {})
  const connection = new ClientConnection(client, opening)
  const tx = kyselyOn(connection)
  clients.set(tx, client)
  try {
    const result = await work(tx)
    await connection.opened()
    for (const [ending, parts] of endings.get(tx) ?? []) await ending(tx, parts)
    if (reads) {
      client.query('COMMIT').then(
        () => client.release(),
        (error: unknown) => client.release(error instanceof Error ? error : true),
      )
      return result
    }
    // For an aborted transaction, COMMIT returns ROLLBACK without an error, so the code checks the response.
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    client.release()
    return result
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      (error) => client.release(error instanceof Error ? error : true),
    )
    throw error
  }
}

/** Time limits in milliseconds for a statement and for idling between two statements. */
interface Limits {
  statementMs: number
  idleMs: number
}

const CALL: Limits = { statementMs: 15_000, idleMs: 30_000 }
const STREAM: Limits = { statementMs: 10 * 60_000, idleMs: 10 * 60_000 }

/**
 * Returns the statements that set the time limits. The settings end with the transaction, so they are safe on
 * connections that a pooler shares.
 */
const limited = ({ statementMs, idleMs }: Limits) =>
  `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`
const ofCompany = (company: CompanyId) => `SET LOCAL app.company_id = '${Number(company)}'`

/**
 * Returns the function that every access to company data uses. It runs transactions in which row-level security shows
 * only one company's rows. The company id is inserted into the SQL as a literal integer, because the statement is sent
 * together with the first query. `pool` must be pipelined (`pipeline: true`) and belong to the application role.
 */
export function tenancyOn(pool: Pool, limits = CALL): InCompany {
  const startText = `BEGIN; ${limited(limits)}; `
  return (company, work) => transact(pool, startText + ofCompany(company), work)
}

/**
 * Returns a version of `tenancyOn` for read-only transactions. The database refuses writes in them. It saves one round
 * trip.
 */
export function readingOn(pool: Pool, limits = CALL): InCompany {
  const startText = `BEGIN READ ONLY; ${limited(limits)}; `
  return (company, work) => transact(pool, startText + ofCompany(company), work, true)
}

/**
 * Returns a function for read-only transactions of a municipality that shares its records. The database itself reads the
 * setting. If the municipality does not share its records, no row is visible.
 */
export function readingSharedOn(pool: Pool, limits = CALL): InCompany {
  const startText = `BEGIN READ ONLY; ${limited(limits)}; `
  const ofSharing = (company: CompanyId) =>
    `SELECT set_config('app.company_id', coalesce((SELECT id::text FROM company WHERE id = ${Number(company)} AND shares_records = 1), ''), true)`
  return (company, work) => transact(pool, startText + ofSharing(company), work, true)
}

/**
 * Returns a function that runs transactions without a company, for reference and local tables only. Tables with company
 * data return no rows.
 */
export function outsideCompanies(pool: Pool, limits = CALL): <T>(work: (tx: Tx) => Promise<T>) => Promise<T> {
  const startText = `BEGIN; ${limited(limits)}`
  return (work) => transact(pool, startText, work)
}

/** Returns a read-only version of `outsideCompanies`. */
export function readingOutside(pool: Pool, limits = CALL): <T>(work: (tx: Tx) => Promise<T>) => Promise<T> {
  const startText = `BEGIN READ ONLY; ${limited(limits)}`
  return (work) => transact(pool, startText, work, true)
}

/**
 * Returns the statement that starts a read-only transaction for COPY on the streaming pool. Only one company's rows are
 * visible in it. If `company` is null, all rows are visible, and the connection must be a platform connection.
 */
export const startStream = (company: CompanyId | null): string =>
  `BEGIN READ ONLY; ${limited(STREAM)}${company === null ? '' : `; ${ofCompany(company)}`}`

/**
 * Function that runs a platform transaction, which sees all companies. Only the named features of the administrator
 * portal receive it.
 */
export type AcrossCompanies = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
