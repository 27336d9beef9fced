import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/** Process that holds a folder. Its number is not enough, because another process may get it later. */
interface Holder {
  pid: number
  startedAt: string
}

/**
 * Locks the data folder for this process. Replaces a lock if its process ended or its number belongs to another
 * process. Returns the function that unlocks it.
 * @throws StartError if another portal runs on the folder
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

/** True if a portal runs on the folder. */
export function isLocked(dataDir: string): boolean {
  const holder = readHolder(lockOf(dataDir))
  return holder !== null && isLiving(holder)
}

const lockOf = (dataDir: string) => join(dataDir, 'mainstreet.lock')

/** Linking is atomic: only one of two competing processes gets the name. */
function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a stale lock. Restores a live lock that another process created in between. */
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

/** True if a process with this number exists, also of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Start time of a process, as text that differs between two processes with one number. Null if unknown. */
function startOf(pid: number): string | null {
  try {
    // The command's name, in brackets, may contain spaces. So fields count from the last bracket, and the start is
    // field 22.
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
