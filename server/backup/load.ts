import { once } from 'node:events'
import { PassThrough, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Files } from '../files.ts'
import { StartError } from '../start-error.ts'
import { readArchive, type ArchiveConsumer } from './archive.ts'
import { type ArchivedTable, FILES, type Manifest, SECRETS, tableItem } from './manifest.ts'
import { countRows, listed, listTables, PLAIN, plainName, quoted, type Table } from './tables.ts'

/**
 * Loads a checked archive into a database of the same version that has no portal data. The load either completes or
 * changes nothing in the database. Stores the files before the commit, so that every row has its file. Returns the
 * secrets from the archive.
 * @throws StartError
 */
export async function load(owner: pg.Client, files: Files, path: string, manifest: Manifest): Promise<Buffer | null> {
  await owner.query(`BEGIN; ${PLAIN}`)
  try {
    const tables = await listTables(owner)
    for (const archived of manifest.tables) refuseUnknown(path, archived, tables)
    const guarded = tables.filter((table) => table.guarded)
    // The owner disables forced row-level security inside this transaction, because it applies even to the owner. No
    // other connection sees the change.
    for (const table of guarded) await owner.query(`ALTER TABLE ${quoted(table)} NO FORCE ROW LEVEL SECURITY`)
    await owner.query('LOCK TABLE company, platform_person')
    if (await holdsPortal(owner))
      throw new StartError('A portal was opened on the database meanwhile: nothing was restored.')
    await owner.query(`TRUNCATE ${tables.map(quoted).join(', ')}`)
    const secrets = await takeIn(owner, files, path, manifest)
    for (const table of manifest.tables) await compareCount(owner, table)
    for (const { schema, name, last, called } of manifest.sequences)
      await owner.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted({ schema, name }), last, called])
    // Runs deferred checks now, because PostgreSQL can't alter a table with pending checks.
    await owner.query('SET CONSTRAINTS ALL IMMEDIATE')
    for (const table of guarded) await owner.query(`ALTER TABLE ${quoted(table)} FORCE ROW LEVEL SECURITY`)
    await owner.query('COMMIT')
    return secrets
  } catch (error) {
    await owner.query('ROLLBACK')
    throw error
  }
}

/** True if the database has companies or people. Rows that migrations insert do not count. */
export async function holdsPortal(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ holds: boolean }>(
    'SELECT EXISTS (SELECT FROM company) OR EXISTS (SELECT FROM platform_person) AS holds',
  )
  return rows[0]?.holds ?? false
}

function refuseUnknown(path: string, archived: ArchivedTable, tables: readonly Table[]): void {
  const here = tables.find((table) => plainName(table) === plainName(archived))
  const missing = here ? archived.columns.find((column) => !here.columns.includes(column)) : archived.name
  if (missing !== undefined)
    throw new StartError(
      `${path} has ${here ? `a column ${archived.name}.${missing}` : `a table ${missing}`} that this version has no place for. Restore it with the version that made it, then update.`,
    )
}

async function takeIn(owner: pg.Client, files: Files, path: string, manifest: Manifest): Promise<Buffer | null> {
  const tables = new Map(manifest.tables.map((table) => [tableItem(table), table]))
  const secrets: Buffer[] = []
  await readArchive(path, (item): ArchiveConsumer => {
    const table = tables.get(item)
    if (table) return into(owner.query(copyFrom(`COPY ${quoted(table)} (${listed(table.columns)}) FROM STDIN`)))
    if (item.startsWith(FILES)) return intoFile(files, item.slice(FILES.length))
    return { take: (part) => void (item === SECRETS && secrets.push(part)), end: () => {} }
  })
  return secrets.length > 0 ? Buffer.concat(secrets) : null
}

function into(stream: Writable): ArchiveConsumer {
  const end = finished(stream)
  end.catch(() => {})
  return {
    take: async (part) => {
      // After an error, COPY accepts no more data. `end` then rejects with the error, which states the reason.
      if (stream.destroyed) await end
      if (!stream.write(part)) await Promise.race([once(stream, 'drain'), end])
    },
    end: async () => {
      stream.end()
      await end
    },
    abort: async () => {
      stream.destroy()
      await end.catch(() => {})
    },
  }
}

function intoFile(files: Files, path: string): ArchiveConsumer {
  const stream = new PassThrough()
  const storing = files.put(path, stream)
  storing.catch((error: unknown) => stream.destroy(error as Error))
  return {
    take: into(stream).take,
    end: async () => {
      stream.end()
      await storing
    },
    abort: async () => {
      stream.destroy(new Error('the archive ended within this file'))
      await storing.catch(() => {})
    },
  }
}

async function compareCount(owner: pg.Client, table: ArchivedTable): Promise<void> {
  const rows = await countRows(owner, table)
  if (rows !== table.rows)
    throw new Error(`${table.name} has ${rows} rows after loading, and the backup ${table.rows}: nothing was restored`)
}
