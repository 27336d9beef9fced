import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Wait before a crashed portal restarts, in seconds. It doubles after each crash up to `LONGEST_WAIT`. After
 * `STEADY_MS` without a crash, it starts again at `FIRST_WAIT`.
 */
const FIRST_WAIT = 1
const LONGEST_WAIT = 60
const STEADY_MS = 10 * 60_000

/**
 * Runs a command as a child process. Forwards signals to it and exits with its exit code.
 * @param {string} node
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, keeps: boolean, say: (line: string) => void }} options `keeps`: true
 *   to restart the command if it dies after it was ready
 */
export function handOver(node, args, { cwd, env, keeps, say }) {
  let child = null
  let isStopping = false
  let wasReady = false
  let wait = FIRST_WAIT
  const stop = (signal) => {
    isStopping = true
    if (child) child.kill(signal)
    else process.exit(128 + constants.signals[signal])
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  // npm forwards a signal only to its shell. The shell ends, but this process would keep running. So this process stops
  // when its parent process changes.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || stop('SIGTERM'), 300).unref()

  const start = () => {
    let since = Infinity
    child = spawn(node, args, { cwd, stdio: keeps ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit', env })
    child.on('message', () => {
      wasReady = true
      since = performance.now()
    })
    child.on('error', (error) => {
      say(error.message)
      process.exit(1)
    })
    child.on('exit', (code, signal) => {
      child = null
      if (isStopping || code === 0 || !keeps || !wasReady)
        process.exit(code ?? 128 + (constants.signals[signal ?? ''] ?? 1))
      if (performance.now() - since > STEADY_MS) wait = FIRST_WAIT
      say(`The portal ended (${signal ?? `exit code ${code}`}). It starts again in ${wait} s.`)
      setTimeout(start, wait * 1000)
      wait = Math.min(2 * wait, LONGEST_WAIT)
    })
  }
  start()
}
