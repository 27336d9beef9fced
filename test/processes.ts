import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A process that a test file starts. It always ends with the tests. */

export interface RunningProcess {
  child: ChildProcess
  /** Returns the output of the process so far, from both streams. */
  printed(): string
  /** Resolves with the exit code. Null if a signal ended the process. */
  ended: Promise<number | null>
}

const children: ChildProcess[] = []
export const killAll = () => children.splice(0).forEach((child) => child.kill('SIGKILL'))
process.once('exit', killAll)

export const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Returns the path of a command. Also searches folders that are only in root's path. Null if the command is not
 * installed.
 */
export const findCommand = (name: string): string | null =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find(existsSync) ?? null

/**
 * Environment variables that a portal process needs. Cached compiled code halves the start time. Running jobs in the
 * portal's own process halves it again, and both then end together.
 */
export const bareEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  JOBS: 'here',
}

/** Starts a process with only `bareEnv` and this environment. `options` can set another user or folder. */
export function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  options: { uid?: number; gid?: number; cwd?: string } | null = null,
): RunningProcess {
  const child = spawn(command, args, { env: { ...bareEnv, ...env }, cwd: '/', ...options })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, printed: () => text, ended }
}

/** Waits for this output. Rejects with the actual output if the process ends first. */
export async function waitForOutput(running: RunningProcess, text: string): Promise<void> {
  const { child, printed, ended } = running
  await new Promise<void>((resolve, reject) => {
    const check = () => printed().includes(text) && resolve()
    child.stdout?.on('data', check)
    child.stderr?.on('data', check)
    ended.then(() => reject(new Error(printed())), reject)
    check()
  })
}
