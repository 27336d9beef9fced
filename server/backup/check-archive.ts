import { isDeepStrictEqual } from 'node:util'
import { readMigrations } from '../db/migrate.ts'
import { reasonOf, StartError } from '../start-error.ts'
import { type StreamDigest, Meter } from '../streams.ts'
import { readArchive } from './archive.ts'
import { FilesDigest } from './files-digest.ts'
import { FILES, FORMAT, type Manifest, MANIFEST, manifestSchema, tableItem } from './manifest.ts'

/**
 * Reads an archive to its end and compares its content with its manifest.
 * @throws StartError if it is damaged, is not an archive, or is from a newer version
 */
export async function checkArchive(path: string, sqlFolder?: string): Promise<Manifest> {
  const items = new Map<string, StreamDigest>()
  const digest = new FilesDigest()
  let manifestJson: unknown
  try {
    await readArchive(path, (item) => {
      const meter = new Meter()
      const text: Buffer[] = []
      return {
        take: (part) => {
          meter.add(part)
          if (item === MANIFEST) text.push(part)
        },
        end: () => {
          if (item === MANIFEST) manifestJson = JSON.parse(Buffer.concat(text).toString())
          else if (item.startsWith(FILES)) digest.add(item.slice(FILES.length), meter.measured())
          else items.set(item, meter.measured())
        },
      }
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).path === path)
      throw new StartError(`${path} cannot be read (${reasonOf(error)}).`)
    throw new StartError(`${path} cannot be read as a backup: it is damaged, or something else (${reasonOf(error)}).`)
  }
  const manifest = understand(path, manifestJson, sqlFolder)
  for (const table of manifest.tables) {
    const entry = items.get(tableItem(table))
    if (entry?.bytes !== table.bytes || entry.sha256.toString('hex') !== table.sha256)
      throw new StartError(`${path} is damaged: the table ${table.name} is not what was written.`)
  }
  if (!isDeepStrictEqual(digest.summary(), manifest.files))
    throw new StartError(`${path} is damaged: its files are not what was written.`)
  return manifest
}

function understand(path: string, manifestJson: unknown, sqlFolder: string | undefined): Manifest {
  if (manifestJson === undefined) throw new StartError(`${path} is damaged: its end is missing.`)
  const format = (manifestJson as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > FORMAT) throw newer(path, `layout ${format}`)
  const parsed = manifestSchema.safeParse(manifestJson)
  if (!parsed.success) throw new StartError(`${path} is damaged: its manifest makes no sense.`)
  const migrationHashes = new Map(readMigrations(sqlFolder).map(({ name, sha256 }) => [name, sha256]))
  for (const { name, sha256 } of parsed.data.migrations) {
    if (!migrationHashes.has(name)) throw newer(path, `migration ${name}`)
    if (migrationHashes.get(name) !== sha256)
      throw new StartError(`Migration ${name} is another one here than where ${path} was made.`)
  }
  return parsed.data
}

const newer = (path: string, what: string) =>
  new StartError(`${path} was made by a newer version of Mainstreet (${what}). Restore it with that version.`)
