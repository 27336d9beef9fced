import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { StartError } from './start-error.ts'

const ENTRY = fileURLToPath(new URL('../gateway/main.ts', import.meta.url))
const PREPARATION = fileURLToPath(new URL('../gateway/prepare.ts', import.meta.url))
const LONGEST_START_MS = 20_000
const LONGEST_STOP_MS = 5000
const RESTART_MS = 1000

export interface GatewayProcess {
  stop(): Promise<void>
}

/** What the gateway gets of our environment: where commands are, and compiled code, with which it starts in half the time. */
const ours = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
})

/**
 * Starts the sandbox payment gateway as a process of its own and waits until it is ready. It comes back by itself when
 * it dies. Of our environment it is given what it needs, and nothing else.
 * @throws StartError when it does not get ready
 */
export async function startGateway(config: Config, databaseUrl: string, log: Log): Promise<GatewayProcess> {
  const { gateway, host } = config
  const env: NodeJS.ProcessEnv = {
    ...ours(),
    GATEWAY_PORT: String(gateway.port),
    GATEWAY_HOST: host,
    GATEWAY_DATABASE_URL: databaseUrl,
    GATEWAY_API_KEY: gateway.apiKey,
    GATEWAY_WEBHOOK_URL: gateway.webhookUrl,
    GATEWAY_WEBHOOK_SECRET: gateway.webhookSecret,
    GATEWAY_FRAME_ANCESTORS: gateway.frameAncestors.join(' '),
  }
  let child = spawnGateway(env, log)
  let stopped = false
  let restart: NodeJS.Timeout | null = null
  const watch = (watched: ChildProcess) =>
    watched.once('exit', (code, signal) => {
      if (stopped) return
      log.warn({ code, signal }, 'the sandbox gateway ended and is started again')
      restart = setTimeout(() => watch((child = spawnGateway(env, log))), RESTART_MS)
    })
  const killAtOnce = () => child.kill('SIGKILL')
  process.once('exit', killAtOnce)
  try {
    await readiness(child, gateway.port)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  watch(child)
  return {
    stop: async () => {
      stopped = true
      process.off('exit', killAtOnce)
      if (restart) clearTimeout(restart)
      await end(child)
    },
  }
}

/**
 * Has the gateway make its tables, in a database where it never ran, and waits for it.
 * @throws StartError
 */
export async function prepareGateway(databaseUrl: string): Promise<void> {
  const env = { ...ours(), GATEWAY_DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [PREPARATION], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new StartError(`The sandbox gateway could not make its tables: ${complaint.trim()}`)
}

/**
 * In a process group of its own, so that Ctrl-C reaches it through the portal, after the portal's own work. The channel
 * between the two carries nothing: it breaks when the portal is killed, and then the gateway ends too.
 */
function spawnGateway(env: NodeJS.ProcessEnv, log: Log): ChildProcess {
  const child = spawn(process.execPath, [ENTRY], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  })
  child.on('error', (error) => log.error({ err: error }, 'the sandbox gateway could not be started'))
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface({ input: stream }).on('line', (line) =>
        // Whoever starts the portal is told that it is ready, once.
        log[line.startsWith('gateway ready') ? 'debug' : 'info']({ gateway: line }, 'gateway'),
      )
  return child
}

/** Waits for its line `gateway ready on …`. What it says instead is the reason it did not start. */
async function readiness(child: ChildProcess, port: number): Promise<void> {
  let last = ''
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (why: string) =>
      reject(new StartError(`The sandbox gateway did not start on GATEWAY_PORT ${port}: ${why}`))
    const timer = setTimeout(() => fail('it took too long.'), LONGEST_START_MS)
    child.stdout?.on('data', (text: Buffer) => {
      if (!text.includes('gateway ready on')) return
      clearTimeout(timer)
      resolve()
    })
    child.stderr?.on('data', (text: Buffer) => (last = text.toString().trim().split('\n')[0] || last))
    child.once('error', (error) => fail(error.message))
    // `close` comes when its last words were read; `exit` may come before.
    child.once('close', (code) => {
      clearTimeout(timer)
      fail(last || `it ended with ${code}.`)
    })
  })
  await ready
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP_MS)
  await ended
  clearTimeout(timer)
}
