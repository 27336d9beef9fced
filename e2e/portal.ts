import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { writePseudo } from '../test/pseudo.ts'
import { quickFolder } from '../test/quick-folder.ts'
import { recordedStripe } from '../test/stripe/recorded-stripe.ts'
import { billsToPay } from './bills.ts'

const BIN = fileURLToPath(new URL('../bin/mainstreet.mjs', import.meta.url))
const MAX_START_MS = 300_000

/**
 * Starts a portal with the demo companies for the whole test run, with the `start` command that users run. It uses the
 * embedded database, or a separate one on the server of TEST_DATABASE_URL. Then it imports the bills that the tests
 * pay.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  process.stdout.write(`Journeys use START_AT=${process.env['START_AT']}\n`)
  const folder = quickFolder('mainstreet-e2e-')
  // Data folder of a stopped portal with the demo data. A copy saves the minute that loading the demo takes.
  const loaded = process.env['E2E_DATA']
  if (loaded) execFileSync('cp', ['-a', `${loaded}/.`, folder])
  const database = await openDatabase()
  const [port, gatewayPort] = await Promise.all([freePort(), freePort()])
  const stripe = await recordedStripe(() => new Date(), { inBrowser: true })
  stripe.connect(`http://127.0.0.1:${port}`)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...stripe.env,
    STRIPE_JS_URL: stripe.scriptUrl,
    PORT: String(port),
    GATEWAY_PORT: String(gatewayPort),
    DATA_DIR: folder,
    DEMO: '1',
    LOG_LEVEL: 'warn',
    // Each test uses a separate IP address, as each guest does (`fixtures.ts`).
    TRUST_PROXY: 'loopback',
    DATABASE_URL: database.url ?? '',
    LANGUAGES_DIR: join(folder, 'languages'),
  }
  const portal = spawn(process.execPath, [BIN, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  portal.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  // The portal reads its languages only after it has loaded the demo companies. Writing the language files takes less
  // time than that.
  await Promise.all([writePseudo(join(folder, 'languages')), ready(portal, port)])

  const bills = join(folder, 'bills.csv')
  writeFileSync(bills, billsToPay())
  await Promise.all(
    ['maplegrove', 'harborcity'].map((company) =>
      promisify(execFile)(process.execPath, [BIN, 'import', 'bills', '--company', company, bills], { env }),
    ),
  )

  const { apiKey } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { apiKey: string }
  // Environment for commands that use the same portal.
  const E2E_ENV = JSON.stringify({
    PORT: env['PORT'],
    GATEWAY_PORT: env['GATEWAY_PORT'],
    DATA_DIR: folder,
    DATABASE_URL: env['DATABASE_URL'],
  })
  Object.assign(process.env, {
    E2E_ENV,
    E2E_PORT: String(port),
    E2E_PRINTED: printed,
    E2E_GATEWAY_PORT: String(gatewayPort),
    E2E_GATEWAY_KEY: apiKey,
    E2E_STRIPE_URL: stripe.url,
  })
  return async () => {
    const ended = once(portal, 'exit')
    portal.kill('SIGTERM')
    await ended
    await stripe.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ready(portal: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + MAX_START_MS
  while (Date.now() < until) {
    if (portal.exitCode !== null) throw new Error(`the portal ended with ${portal.exitCode}`)
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  portal.kill('SIGKILL')
  throw new Error('the portal did not get ready')
}

async function openDatabase(): Promise<{ url: string | null; drop(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) return { url: null, drop: async () => {} }
  const name = `mainstreet_e2e_${process.pid}`
  const asOwner = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await asOwner(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asOwner(`DROP DATABASE ${name} WITH (FORCE)`) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
