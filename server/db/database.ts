import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { findRunning, isMade, startEmbedded } from './embedded.ts'
import { proveListening } from './listener.ts'
import { isLocked, lockFolder } from './lock.ts'
import { migrate } from './migrate.ts'
import { openPools, type Pools } from './pool.ts'
import { ensureRoles, type RoleUrls } from './roles.ts'

export interface Database {
  /** URL for the owner role. Only for migrations and for deleting half-loaded demo data. */
  ownerUrl: string
  urls: RoleUrls & { listen: string }
  pools: Pools
  /** Migrations that were applied during this startup. */
  applied: string[]
  /** Embedded server. `adopted` is true if the server was already running. Null if DATABASE_URL is set. */
  embedded: { adopted: boolean; onDeath(callback: () => void): void } | null
  close(): Promise<void>
}

export interface OpenOptions {
  /** False leaves the tables unchanged, for a command that only reads or that runs its own migrations. */
  migrates?: boolean
  /** True to create the role and schema of the sandbox gateway. By default, the configuration decides. */
  gateway?: boolean
}

/**
 * Opens the database: the server of DATABASE_URL or the embedded one. Creates its roles and migrates its schema.
 * @throws StartError
 */
export async function openDatabase(config: Config, how: OpenOptions = {}): Promise<Database> {
  return prepare(
    config,
    config.database.url === null ? await ownServer(config.dataDir) : otherServer(config.database.url),
    how,
  )
}

/** Opens the database for a command. If a portal is running on the same data folder, uses that portal's server. */
export async function joinDatabase(config: Config, how: OpenOptions = {}): Promise<Database> {
  const running = config.database.url === null && isLocked(config.dataDir) ? await findRunning(config.dataDir) : null
  return running ? prepare(config, otherServer(running.url), how) : openDatabase(config, how)
}

/**
 * Opens the database of an existing portal without changes, for a command that only reads.
 * @throws StartError if no portal exists
 */
export async function joinPortal(config: Config): Promise<Database> {
  const none = new StartError(
    `${config.database.url === null ? `DATA_DIR ${config.dataDir}` : 'The database'} holds no portal yet.`,
  )
  if (config.database.url === null && !isMade(config.dataDir)) throw none
  const database = await joinDatabase(config, { migrates: false, gateway: false })
  const { rows } = await database.pools.platform.query<{ there: boolean }>(
    "SELECT to_regclass('public.company') IS NOT NULL AS there",
  )
  if (rows[0]?.there) return database
  await database.close()
  throw none
}

interface Server {
  url: string
  embedded: Database['embedded']
  stop(): Promise<void>
}

async function prepare(config: Config, server: Server, how: OpenOptions): Promise<Database> {
  try {
    const roles = await ensureRoles(server.url, config.database, how.gateway ?? config.gateway.run)
    const urls = { ...roles, listen: config.database.listenUrl ?? roles.app }
    const applied = how.migrates === false ? [] : await migrate(server.url)
    const pools = openPools(urls)
    // Commands that leave the tables unchanged do not listen for notifications, so they skip this check.
    if (how.migrates !== false) await proveListening(pools.connection, pools.app)
    const close = async () => {
      await pools.close()
      await server.stop()
    }
    return { ownerUrl: server.url, urls, pools, applied, embedded: server.embedded, close }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function ownServer(dataDir: string): Promise<Server> {
  const unlock = lockFolder(dataDir)
  try {
    const embedded = await startEmbedded({ dataDir })
    const stop = async () => {
      await embedded.stop()
      unlock()
    }
    return { url: embedded.url, embedded, stop }
  } catch (error) {
    unlock()
    throw error
  }
}

const otherServer = (url: string): Server => ({ url, embedded: null, stop: async () => {} })
