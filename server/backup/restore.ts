import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { lockFolder } from '../db/lock.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { connectOwner } from '../db/owner.ts'
import { GATEWAY_SCHEMA } from '../db/roles.ts'
import { DEMO_MARK } from '../demo.ts'
import type { Files } from '../files.ts'
import { makeFolder } from '../folders.ts'
import { prepareGateway } from '../gateway-process.ts'
import { refuseOtherKey } from '../secret-key.ts'
import { StartError } from '../start-error.ts'
import { checkArchive } from './check-archive.ts'
import { holdsPortal, load } from './load.ts'
import { type Manifest, SECRETS } from './manifest.ts'

/**
 * Restores an archive into a data folder without a portal, or into an empty database. Creates the tables of the
 * archive's version, loads them in one transaction, then migrates them. The database stays open, so that the caller can
 * check the result.
 * @param sqlFolder Folder of the baseline and the migrations. A test has its own.
 * @throws StartError, before any change, if the archive or the target is unsuitable
 */
export async function restore(
  config: Config,
  files: Files,
  path: string,
  sqlFolder?: string,
): Promise<{ manifest: Manifest; database: Database }> {
  const manifest = await checkArchive(path, sqlFolder)
  refuseOtherKey(manifest.sealedWith, config.secretKey)
  makeFolder(config.dataDir)
  const unlock = config.database.url === null ? () => {} : lockFolder(config.dataDir)
  try {
    const hasGateway = manifest.tables.some(({ schema }) => schema === GATEWAY_SCHEMA)
    const database = await openDatabase(config, { migrates: false, gateway: hasGateway })
    try {
      await restoreInto({ config, files, path, sqlFolder }, manifest, database)
      return { manifest, database }
    } catch (error) {
      await database.close()
      throw error
    }
  } finally {
    unlock()
  }
}

interface RestoreInput {
  config: Config
  files: Files
  path: string
  sqlFolder: string | undefined
}

async function restoreInto({ config, files, path, sqlFolder }: RestoreInput, manifest: Manifest, database: Database) {
  const owner = await connectOwner(database.ownerUrl)
  try {
    await refuseFull(owner, config, manifest)
    await migrate(database.ownerUrl, sqlFolder, manifest.migrations)
    if (manifest.tables.some(({ name }) => name === 'demo_load')) await owner.query(DEMO_MARK)
    if (database.urls.gateway) await prepareGateway(database.urls.gateway)
    const secrets = await load(owner, files, path, manifest)
    if (secrets) await keepSecrets(config, secrets)
    if (manifest.migrations.length < readMigrations(sqlFolder).length) await migrate(database.ownerUrl, sqlFolder)
    // Updates the row statistics. Without them, PostgreSQL would choose poor plans for the first queries.
    await owner.query('ANALYZE')
  } finally {
    await owner.end()
  }
}

/**
 * Refuses a database that contains companies or people, because it belongs to a portal. Leftovers of a migration or an
 * unfinished restore are allowed.
 */
async function refuseFull(owner: pg.Client, config: Config, manifest: Manifest): Promise<void> {
  const target = config.database.url === null ? `DATA_DIR ${config.dataDir}` : 'The database'
  const empty = config.database.url === null ? 'another DATA_DIR' : 'an empty database'
  const query = async <T extends pg.QueryResultRow>(sql: string) => (await owner.query<T>(sql)).rows
  const [tables] = await query<{ ours: boolean; any: boolean; companies: boolean }>(
    `SELECT to_regclass('public.schema_migration') IS NOT NULL AS ours, to_regclass('public.company') IS NOT NULL AS companies,
      EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')) AS any`,
  )
  if (!tables?.any) return
  if (!tables.ours) throw new StartError(`${target} holds tables of something else. Restore into ${empty}.`)
  if (tables.companies && (await holdsPortal(owner)))
    throw new StartError(`${target} holds a portal already, and nothing of it is overwritten. Restore into ${empty}.`)
  const [others] = await query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^mainstreet (app|platform|jobs|listener)'",
  )
  if (others && others.n > 0) throw new StartError('A portal is running on the database. Stop it, then restore.')
  const had = await query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')
  const beyond = had.find(({ name }) => manifest.migrations.every((migration) => migration.name !== name))
  if (beyond)
    throw new StartError(
      `${target} has had migration ${beyond.name}, which is newer than the backup. Restore into ${empty}.`,
    )
}

async function keepSecrets(config: Config, secrets: Buffer): Promise<void> {
  const target = join(config.dataDir, SECRETS)
  await writeFile(`${target}.unfinished`, secrets, { mode: 0o600 })
  await rename(`${target}.unfinished`, target)
}
