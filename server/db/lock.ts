import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/** Who holds a folder: a process number alone could have been given to somebody else since. */
interface Holder {
  pid: number
  startedAt: string
}

/**
 * Takes the data folder for this process, or says who has it. A lock whose process is gone (or whose number belongs to
 * another process by now) is taken over. Answers how to give it back.
 * @throws StartError when another portal is running on the folder
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

/** Whether a portal is running on the folder. */
export function isLocked(dataDir: string): boolean {
  const holder = readHolder(lockOf(dataDir))
  return holder !== null && isLiving(holder)
}

const lockOf = (dataDir: string) => join(dataDir, 'mainstreet.lock')

/** Linking is atomic: of two that try, one gets the name. */
function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a stale lock; a living one that came in between is put back. */
function takeAway(path: string, aside: string, dataDir: string): void {
  refuseLiving(readHolder(path), dataDir)
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const taken = readHolder(aside)
  if (taken && isLiving(taken)) isLinked(aside, path)
  rmSync(aside, { force: true })
  refuseLiving(taken, dataDir)
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

/** Whether a process of this number exists; one of another user counts. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, as text that differs between two processes of the same number. Null where nobody knows. */
function startOf(pid: number): string | null {
  try {
    // The command's name, in brackets, may hold spaces: fields count from the last bracket; the start is field 22.
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
