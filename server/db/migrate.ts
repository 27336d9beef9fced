import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { StartError } from '../start-error.ts'
import { installJobs } from './install-jobs.ts'
import { withAdvisoryLock, connectOwner } from './owner.ts'

/** Folder with `schema/`, the tables of the first version, and `migrations/`, all later changes. */
const DATABASE = fileURLToPath(new URL('../../database', import.meta.url))
/** Name that the list of applied migrations uses for the baseline. */
const BASELINE = '0000_schema'
/** Arbitrary number that no other advisory lock uses. */
const LOCK = 7_061_726
const TABLE = `
  CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now());
  COMMENT ON TABLE schema_migration IS 'local: which migrations this database has had'`

interface SqlFile {
  name: string
  sql: string
}

interface Migration {
  name: string
  /** SQL files: one file for a migration, all schema files for the baseline. */
  files: SqlFile[]
  sha256: string
}

/** Migrations to apply: null for all, or only those with these names, as listed in a backup. */
type MigrationTarget = readonly Pick<Migration, 'name'>[] | null

/**
 * Migrates the database of `ownerUrl`: the baseline, then numbered SQL files, each in a separate transaction.
 * Migrations only go forward. Other portals that start at the same time wait. Returns the applied names.
 * @throws StartError if an applied migration was edited, or the database is newer than this code
 */
export async function migrate(
  ownerUrl: string,
  folder: string = DATABASE,
  upTo: MigrationTarget = null,
): Promise<string[]> {
  const migrations = readMigrations(folder).filter(({ name }) => upTo?.some((target) => target.name === name) ?? true)
  const owner = await connectOwner(ownerUrl)
  try {
    return await withAdvisoryLock(owner, LOCK, async () => {
      const pending = await findPending(owner, migrations)
      for (const migration of pending) await apply(owner, migration)
      if (pending.length > 0) await secureTenantTables(owner)
      await installJobs(owner, ownerUrl)
      return pending.map(({ name }) => name)
    })
  } finally {
    await owner.end()
  }
}

/** Reads the baseline and the migrations of a folder, in order. */
export function readMigrations(folder: string = DATABASE): Migration[] {
  const baseline = readSql(join(folder, 'schema'))
  const migrations = readSql(join(folder, 'migrations'))
  for (const [index, { name }] of migrations.entries())
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name) || Number(name.slice(0, 4)) !== index + 1)
      throw new StartError(
        `Migration ${name} is not number ${index + 1}: names are 0001_what_it_does.sql, without gaps or doubles.`,
      )
  return [
    ...(baseline.length > 0 ? [migrationOf(BASELINE, baseline)] : []),
    ...migrations.map((file) => migrationOf(file.name, [file])),
  ]
}

/** Reads the SQL files of a folder in the order of their names. Empty if the folder does not exist. */
function readSql(folder: string): SqlFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n') }))
}

const migrationOf = (name: string, files: SqlFile[]): Migration => ({
  name,
  files,
  sha256: createHash('sha256')
    .update(files.map(({ sql }) => sql).join('\n'))
    .digest('hex'),
})

async function findPending(owner: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await owner.query(TABLE)
  const { rows } = await owner.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY name',
  )
  const landed = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  for (const { name, sha256 } of migrations)
    if (landed.has(name) && landed.get(name) !== sha256)
      throw new StartError(
        `Migration ${name} was edited after it had been applied here. Put it back and write a new one.`,
      )
  const unknown = rows.find(({ name }) => migrations.every((migration) => migration.name !== name))
  if (unknown)
    throw new StartError(
      `The database has had migration ${unknown.name}, which this version does not know. Start a newer version.`,
    )
  return migrations.filter(({ name }) => !landed.has(name))
}

async function apply(owner: pg.Client, { name, files, sha256 }: Migration): Promise<void> {
  let current = files[0]
  await owner.query('BEGIN')
  try {
    for (current of files) await owner.query(current.sql)
    await owner.query('INSERT INTO schema_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
    await owner.query('COMMIT')
  } catch (error) {
    await owner.query('ROLLBACK')
    throw new StartError(
      `Migration ${current?.name ?? name} failed: ${(error as Error).message}${lineOf(current?.sql ?? '', error as pg.DatabaseError)}`,
      { cause: error },
    )
  }
}

const lineOf = (sql: string, { position }: pg.DatabaseError) =>
  position === undefined ? '' : ` (line ${sql.slice(0, Number(position)).split('\n').length})`

/** Calls the function of the baseline that sets row-level security on every table with a company. */
async function secureTenantTables(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ there: boolean }>(
    "SELECT to_regproc('public.secure_tenant_tables') IS NOT NULL AS there",
  )
  if (rows[0]?.there) await owner.query('SELECT secure_tenant_tables()')
}
