import { readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { RoleUrls } from '../db/roles.ts'
import { connectOwner } from '../db/owner.ts'
import { connectionTo } from '../db/pool.ts'
import { type Files, flush } from '../files.ts'
import { sealedWith } from '../secret-key.ts'
import { reasonOf, StartError } from '../start-error.ts'
import { ArchiveWriter } from './archive.ts'
import { checkArchive } from './check-archive.ts'
import { FilesDigest } from './files-digest.ts'
import { FILES, FORMAT, type Manifest, MANIFEST, SECRETS, tableItem } from './manifest.ts'
import { countRows, listed, listSequences, listTables, PLAIN, quoted, type Table } from './tables.ts'

export interface BackupParts {
  config: Config
  clock: Clock
  files: Files
  database: { ownerUrl: string; urls: Pick<RoleUrls, 'platform'> }
}

/**
 * Writes all data of an installation into one archive, as of a single point in time. Portals may keep running. The
 * archive contains the tables, the uploaded files and the generated secrets, but not the key that sealed texts are
 * encrypted with. The file gets its final name only after it passes a complete check.
 * @throws StartError
 */
export async function backUp(parts: BackupParts, path: string): Promise<Manifest> {
  const target = resolve(path)
  if (await stat(target).catch(() => null))
    throw new StartError(`${path} is there already. Name another file, or remove that one.`)
  const unfinished = `${target}.unfinished`
  try {
    await stat(dirname(target))
    await writeArchive(parts, unfinished)
    const manifest = await checkArchive(unfinished)
    await rename(unfinished, target)
    await flush(dirname(target))
    return manifest
  } catch (error) {
    await rm(unfinished, { force: true })
    const { code, path: at = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || [unfinished, dirname(target)].includes(at))
      throw new StartError(`${path} cannot be written (${reasonOf(error)}).`)
    throw error
  }
}

async function writeArchive(parts: BackupParts, path: string): Promise<void> {
  const { config, clock, files } = parts
  const archive = await ArchiveWriter.create(path)
  try {
    const manifest = await atOneMoment(parts.database, async ({ owner, platform }) => {
      const takenAt = clock.now().toISOString()
      const tables: Manifest['tables'] = []
      for (const table of await listTables(owner))
        tables.push(await addTable(archive, table, table.guarded ? platform : owner))
      const { rows: migrations } = await owner.query<Manifest['migrations'][number]>(
        'SELECT name, sha256 FROM schema_migration ORDER BY name',
      )
      const { rows } = await owner.query<{ postgres: string }>("SELECT current_setting('server_version') AS postgres")
      return {
        format: FORMAT,
        portal: config.version,
        postgres: rows[0]?.postgres ?? '',
        takenAt,
        migrations,
        tables,
        // Reads the sequences after the tables, so that no sequence is behind a row in the archive.
        sequences: await listSequences(owner),
        sealedWith: await sealedWith(platform),
        ...(await addFiles(archive, platform, files, tables)),
      }
    })
    const secrets = await readFile(join(config.dataDir, SECRETS)).catch(() => null)
    if (secrets) await archive.add(SECRETS, secrets)
    await archive.finish(MANIFEST, JSON.stringify(manifest, null, 1))
  } catch (error) {
    await archive.discard()
    throw error
  }
}

interface Readers {
  /** Connection for tables without row-level security. */
  owner: pg.Client
  /**
   * Connection that bypasses row-level security. The owner's connection can't, because row-level security applies even
   * to the owner.
   */
  platform: pg.Client
}

/** Runs `work` with two connections that see the database as of the same point in time. */
async function atOneMoment<T>(
  { ownerUrl, urls }: BackupParts['database'],
  work: (readers: Readers) => Promise<T>,
): Promise<T> {
  const owner = await connectOwner(ownerUrl)
  const platform = new pg.Client(connectionTo(urls.platform, 'backup'))
  platform.on('error', () => {})
  try {
    await platform.connect()
    const startText = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
    await owner.query(`${startText}; ${PLAIN}`)
    const { rows } = await owner.query<{ id: string }>('SELECT pg_export_snapshot() AS id')
    await platform.query(`${startText}; SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(rows[0]?.id ?? '')}; ${PLAIN}`)
    return await work({ owner, platform })
  } finally {
    await platform.end().catch(() => {})
    await owner.end().catch(() => {})
  }
}

/**
 * Adds a table's rows to the archive, one per line. Checks that the number of lines matches the number that the server
 * reports.
 */
async function addTable(archive: ArchiveWriter, table: Table, reader: pg.Client): Promise<Manifest['tables'][number]> {
  const copy = reader.query(copyTo(`COPY (SELECT ${listed(table.columns)} FROM ${quoted(table)}) TO STDOUT`))
  const lines = { count: 0 }
  const { bytes, sha256 } = await archive.add(tableItem(table), countingLines(copy, lines))
  const rows = await countRows(reader, table)
  if (rows !== lines.count)
    throw new Error(
      `${tableItem(table)} has ${rows} rows, and ${lines.count} of them were read: the backup is not made`,
    )
  const { schema, name, columns } = table
  return { schema, name, columns, rows, bytes, sha256: sha256.toString('hex') }
}

/**
 * Passes lines on and counts them. In COPY's text format, every row is one line, because COPY escapes a line break
 * within a value.
 */
async function* countingLines(content: AsyncIterable<unknown>, lines: { count: number }): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines.count++
    yield chunk
  }
}

const FILES_PER_BATCH = 500

/** Tables with rows that refer to a file, including tables of older portal versions. */
const NAME_FILES = ['attachment', 'stored_file', 'form_template_version']

/**
 * Adds the files that the rows refer to. If a file is missing from the store or damaged, reports the file and continues
 * the backup.
 */
async function addFiles(archive: ArchiveWriter, reader: pg.Client, files: Files, tables: readonly { name: string }[]) {
  const digest = new FilesDigest()
  const lost: string[] = []
  const existingTables = NAME_FILES.filter((name) => tables.some((table) => table.name === name))
  const named = existingTables
    .map((name) => `SELECT path, sha256 FROM ${name} WHERE path IS NOT NULL`)
    .join(' UNION ALL ')
  await reader.query(`DECLARE kept CURSOR FOR ${named} ORDER BY path`)
  for (;;) {
    const { rows } = await reader.query<{ path: string; sha256: Buffer }>(`FETCH ${FILES_PER_BATCH} FROM kept`)
    if (rows.length === 0) return { files: digest.summary(), lost }
    for (const { path, sha256 } of rows) {
      try {
        const measured = await archive.add(FILES + path, files.read(path))
        digest.add(path, measured)
        if (!measured.sha256.equals(sha256)) lost.push(path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        lost.push(path)
      }
    }
  }
}
