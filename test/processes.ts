import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The processes that a file's tests start. Whatever happens, they end when the tests do. */

export interface RunningProcess {
  child: ChildProcess
  /** What it printed until now, on both streams. */
  printed(): string
  /** Its exit code, once it ended; null where a signal ended it. */
  ended: Promise<number | null>
}

const children: ChildProcess[] = []
export const killAll = () => children.splice(0).forEach((child) => child.kill('SIGKILL'))
process.once('exit', killAll)

export const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Where a command is, also one that only root has on the path. Null where it is not installed. */
export const findCommand = (name: string): string | null =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find(existsSync) ?? null

/**
 * What a process of the portal needs of our environment. Code that was compiled once starts in half the time, and jobs are done in
 * the portal's own process, which starts in half of it again and dies as a whole.
 */
export const bareEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  JOBS: 'here',
}

/** Starts a process with this environment and nothing else, as another user where one is named. */
export function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  user: { uid: number; gid: number } | null = null,
): RunningProcess {
  const child = spawn(command, args, { env: { ...bareEnv, ...env }, cwd: '/', ...user })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, printed: () => text, ended }
}

/** Waits until it says this. Rejects with what it said instead, where it ended before. */
export async function said(running: RunningProcess, words: string): Promise<void> {
  const { child, printed, ended } = running
  await new Promise<void>((resolve, reject) => {
    const look = () => printed().includes(words) && resolve()
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    ended.then(() => reject(new Error(printed())), reject)
    look()
  })
}
