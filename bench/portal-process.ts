import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../server/ports.ts'
import type { BenchEnvironment } from './place.ts'

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The portal as it is run, on a database of its own, with one town. */
export async function portalProcess(place: BenchEnvironment): Promise<{ port: number; stop(): Promise<void> }> {
  const database = await place.database()
  const port = await freePort()
  const env = {
    PORT: String(port),
    DATA_DIR: place.folder,
    DATABASE_URL: database.url,
    DEMO: '0',
    GATEWAY_URL: 'http://127.0.0.1:1',
  }
  const portal = start('portal/main.ts', ['start'], env)
  await said(portal, 'Mainstreet is ready')
  return {
    port,
    stop: async () => {
      portal.kill('SIGTERM')
      await once(portal, 'exit')
      await database.drop()
    },
  }
}

/** Starts one of our files in a process of its own. */
export const start = (entry: string, args: string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [root(entry), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** What a process printed, once it said this. What it prints later is read and forgotten. */
export async function said(child: ChildProcess, wanted: string): Promise<string> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text.includes(wanted)) return
      text += chunk.toString()
      if (text.includes(wanted)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${text}`)))
  })
  return text
}
