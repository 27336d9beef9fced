import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../server/ports.ts'
import type { TestDatabase } from '../test/databases.ts'
import type { BenchEnvironment } from './environment.ts'

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export interface PortalProcess {
  port: number
  pid: number
  /** URL of the database, as its owner. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts the portal as in production, on a separate database with one company. `prepare` adds further data.
 */
export async function portalProcess(
  environment: BenchEnvironment,
  { prepare = async () => {} }: { prepare?: (database: TestDatabase) => Promise<void> } = {},
): Promise<PortalProcess> {
  const database = await environment.database()
  await prepare(database)
  const port = await freePort()
  const env = {
    PORT: String(port),
    DATA_DIR: environment.folder,
    DATABASE_URL: database.url,
    DEMO: '0',
    GATEWAY_URL: 'http://127.0.0.1:1',
  }
  const portal = start('portal/main.ts', ['start'], env)
  await waitForOutput(portal, 'Mainstreet is ready')
  return {
    port,
    pid: portal.pid ?? 0,
    url: database.url,
    stop: async () => {
      portal.kill('SIGTERM')
      await once(portal, 'exit')
      await database.drop()
    },
  }
}

/** Runs one of the project's files in a separate process. */
export const start = (entry: string, args: string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [root(entry), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Waits until a process prints the expected text, and returns its output so far. Reads and discards later output. */
export async function waitForOutput(child: ChildProcess, expected: string): Promise<string> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text.includes(expected)) return
      text += chunk.toString()
      if (text.includes(expected)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${text}`)))
  })
  return text
}
