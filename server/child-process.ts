import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Log } from './log.ts'

const MAX_STOP_MS = 5000
/**
 * Delay before a crashed process restarts, in milliseconds. The delay doubles with each crash up to `MAX_RESTART_MS`.
 * It starts over after the process has run for `STEADY_MS`.
 */
const FIRST_RESTART_MS = 1000
const MAX_RESTART_MS = 60_000
const STEADY_MS = 10 * 60_000

interface ChildOptions {
  /** Name in the log. */
  name: string
  entry: string
  /** Options of Node. */
  flags?: readonly string[]
  env: NodeJS.ProcessEnv
  log: Log
  /** Chooses the log level of each output line. Null if the process writes log lines itself. */
  level: ((line: string) => 'debug' | 'info') | null
  /** Called with each started process, including after a restart. */
  watch?: (child: ChildProcess) => void
}

/** Child process of the portal. */
export interface ChildHandle {
  /** Process of the first start, for callers that wait until it is ready. */
  first: ChildProcess
  /** Starts to monitor the process and restarts it whenever it ends unexpectedly. */
  keep(): void
  stop(): Promise<void>
}

/**
 * Returns the minimal environment of a child process: PATH and the folder of Node's compile cache. The cache halves the
 * startup time.
 */
export const minimalEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
})

/**
 * Starts a child in a separate process group, so that Ctrl-C stops the portal first. An IPC channel, which carries no
 * messages, connects the child with the portal. If the portal is killed, the channel closes and the child ends.
 */
export function startChildProcess(wanted: ChildOptions): ChildHandle {
  const { name, log } = wanted
  let child = spawnOne(wanted)
  let stopped = false
  let restart: NodeJS.Timeout | null = null
  let waitMs = FIRST_RESTART_MS
  const watch = (watched: ChildProcess) => {
    const since = performance.now()
    watched.once('exit', (code, signal) => {
      if (stopped) return
      if (performance.now() - since > STEADY_MS) waitMs = FIRST_RESTART_MS
      log.warn({ code, signal }, `the ${name} ended and is started again in ${waitMs / 1000} s`)
      restart = setTimeout(() => watch((child = spawnOne(wanted))), waitMs)
      waitMs = Math.min(2 * waitMs, MAX_RESTART_MS)
    })
  }
  const killAtOnce = () => child.kill('SIGKILL')
  process.once('exit', killAtOnce)
  return {
    first: child,
    keep: () => watch(child),
    stop: async () => {
      stopped = true
      process.off('exit', killAtOnce)
      if (restart) clearTimeout(restart)
      await end(child)
    },
  }
}

function spawnOne({ name, entry, flags = [], env, log, level, watch }: ChildOptions): ChildProcess {
  const child = spawn(process.execPath, [...flags, entry], {
    env,
    stdio: ['ignore', ...(level ? (['pipe', 'pipe'] as const) : (['inherit', 'inherit'] as const)), 'ipc'],
    detached: process.platform !== 'win32',
  })
  watch?.(child)
  child.on('error', (error) => log.error({ err: error }, `the ${name} could not be started`))
  for (const stream of [child.stdout, child.stderr])
    if (stream && level) createInterface({ input: stream }).on('line', (line) => log[level(line)]({ line }, name))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS)
  await ended
  clearTimeout(timer)
}
