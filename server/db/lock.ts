import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/**
 * Process that holds a folder's lock. The lock also stores the start time, because another process may later get the
 * same process id.
 */
interface Holder {
  pid: number
  startedAt: string
}

/**
 * Locks the data folder for this process. Replaces a lock if its process has ended, even if another process now has the
 * same process id. Returns the function that unlocks the folder.
 * @throws StartError if another portal is running on the folder
 */
export function lockFolder(dataDir: string): () => void {
  const path = lockOf(dataDir)
  const own = `${path}.${process.pid}`
  writeFileSync(own, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) ?? '' } satisfies Holder))
  try {
    while (!isLinked(own, path)) takeAway(path, `${own}.stale`, dataDir)
  } finally {
    rmSync(own, { force: true })
  }
  return () => {
    if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true })
  }
}

/** True if a portal is running on the folder. */
export function isLocked(dataDir: string): boolean {
  const holder = readHolder(lockOf(dataDir))
  return holder !== null && isLiving(holder)
}

const lockOf = (dataDir: string) => join(dataDir, 'mainstreet.lock')

/**
 * True if this process got the lock file. Creating a link is atomic, so only one of two competing processes succeeds.
 */
function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a stale lock. If another process created a live lock in between, restores that lock. */
function takeAway(path: string, aside: string, dataDir: string): void {
  refuseLiving(readHolder(path), dataDir)
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const holder = readHolder(aside)
  if (holder && isLiving(holder)) isLinked(aside, path)
  rmSync(aside, { force: true })
  refuseLiving(holder, dataDir)
}

function refuseLiving(holder: Holder | null, dataDir: string): void {
  if (holder && isLiving(holder))
    throw new StartError(
      `Another portal (process ${holder.pid}) is running on DATA_DIR ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    )
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return null
  }
}

const isLiving = (holder: Holder) => isRunning(holder.pid) && startOf(holder.pid) === holder.startedAt

/** True if a process with this id exists, even a process of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Returns the start time of a process as text. The start time distinguishes two processes with the same id. Null if
 * unknown.
 */
function startOf(pid: number): string | null {
  try {
    // The command's name is in parentheses and may contain spaces. So the code counts fields from the last closing
    // parenthesis. The start time is field 22.
    if (process.platform === 'linux')
      return (
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[19] ?? null
      )
    if (process.platform === 'win32') return 'unknown'
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}
