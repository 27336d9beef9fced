import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { minimalEnv, startChildProcess } from './child-process.ts'
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
 * Starts the sandbox payment gateway as a child process and waits until it is ready. After a crash, the gateway
 * restarts automatically. The child process gets only the environment variables that it needs.
 * @throws StartError if the gateway does not become ready
 */
export async function startGateway(config: Config, databaseUrl: string, log: Log): Promise<GatewayProcess> {
  const { gateway, host } = config
  const env: NodeJS.ProcessEnv = {
    ...minimalEnv(),
    GATEWAY_PORT: String(gateway.port),
    GATEWAY_HOST: host,
    GATEWAY_DATABASE_URL: databaseUrl,
    GATEWAY_API_KEY: gateway.apiKey,
    GATEWAY_WEBHOOK_URL: gateway.webhookUrl,
    GATEWAY_WEBHOOK_SECRET: gateway.webhookSecret,
    GATEWAY_FRAME_ANCESTORS: gateway.frameAncestors.join(' '),
  }
  // Logs ready lines at debug level, because the startup already reports that the gateway is ready.
  const level = (line: string) => (line.startsWith('gateway ready') ? 'debug' : 'info')
  const beside = startChildProcess({ name: 'sandbox gateway', entry: ENTRY, env, log, level })
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
 * Starts the gateway on a new database and waits until it has created its tables.
 * @throws StartError if the gateway cannot create them
 */
export async function prepareGateway(databaseUrl: string): Promise<void> {
  const env = { ...minimalEnv(), GATEWAY_DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [PREPARATION], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new StartError(`The sandbox gateway could not make its tables: ${complaint.trim()}`)
}

/**
 * Waits until the gateway prints the line `gateway ready on …`. If the process ends first, its last error output
 * becomes the error message.
 */
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
    // Listens to `close`, because `exit` may arrive before the last output has been read.
    child.once('close', (code) => {
      clearTimeout(timer)
      fail(last || `it ended with ${code}.`)
    })
  })
  await ready
}
