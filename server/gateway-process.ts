import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { leastEnv, startBeside } from './child-process.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { StartError } from './start-error.ts'

const ENTRY = fileURLToPath(new URL('../gateway/main.ts', import.meta.url))
const PREPARATION = fileURLToPath(new URL('../gateway/prepare.ts', import.meta.url))
const MAX_START_MS = 20_000

export interface GatewayProcess {
  stop(): Promise<void>
}

/**
 * Starts the sandbox payment gateway as a process of its own and waits until it is ready. It comes back by itself when
 * it dies. Of our environment it is given what it needs, and nothing else.
 * @throws StartError when it does not get ready
 */
export async function startGateway(config: Config, databaseUrl: string, log: Log): Promise<GatewayProcess> {
  const { gateway, host } = config
  const env: NodeJS.ProcessEnv = {
    ...leastEnv(),
    GATEWAY_PORT: String(gateway.port),
    GATEWAY_HOST: host,
    GATEWAY_DATABASE_URL: databaseUrl,
    GATEWAY_API_KEY: gateway.apiKey,
    GATEWAY_WEBHOOK_URL: gateway.webhookUrl,
    GATEWAY_WEBHOOK_SECRET: gateway.webhookSecret,
    GATEWAY_FRAME_ANCESTORS: gateway.frameAncestors.join(' '),
  }
  // Whoever starts the portal is told that it is ready, once.
  const level = (line: string) => (line.startsWith('gateway ready') ? 'debug' : 'info')
  const beside = startBeside({ name: 'sandbox gateway', entry: ENTRY, env, log, level })
  try {
    await readiness(beside.first, gateway.port)
  } catch (error) {
    beside.first.kill('SIGKILL')
    throw error
  }
  beside.keep()
  return beside
}

/**
 * Has the gateway make its tables, in a database where it never ran, and waits for it.
 * @throws StartError
 */
export async function prepareGateway(databaseUrl: string): Promise<void> {
  const env = { ...leastEnv(), GATEWAY_DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [PREPARATION], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new StartError(`The sandbox gateway could not make its tables: ${complaint.trim()}`)
}

/** Waits for its line `gateway ready on …`. What it says instead is the reason it did not start. */
async function readiness(child: ChildProcess, port: number): Promise<void> {
  let last = ''
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (why: string) =>
      reject(new StartError(`The sandbox gateway did not start on GATEWAY_PORT ${port}: ${why}`))
    const timer = setTimeout(() => fail('it took too long.'), MAX_START_MS)
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
