import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { emptyDatabase, testDatabase, testFolder } from '../test/harness.ts'
import { ADMIN, call } from '../test/portals.ts'
import { bareEnv } from '../test/processes.ts'
import { PSEUDO, writePseudo } from '../test/pseudo.ts'
import { freePort } from '../server/ports.ts'
import { nightly } from '../test/nightly.ts'

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url))
const children: ChildProcess[] = []
afterAll(() => children.map((child) => child.kill('SIGKILL')))

interface Portal {
  child: ChildProcess
  /** Returns the output of both streams so far. */
  printed(): string
  /** Resolves when the output meets the condition. */
  until(hasIt: () => boolean): Promise<void>
  /** Resolves when the portal reports that it is ready. Rejects with the output if the portal ends before that. */
  ready: Promise<void>
  ended: Promise<number | null>
}

/** Starts the portal as a process without demo data and without a running gateway. */
function startPortal(env: Record<string, string>): Portal {
  const child = spawn(process.execPath, [ENTRY, 'start'], {
    env: { ...bareEnv, DEMO: '0', GATEWAY_URL: 'http://127.0.0.1:1', ...env },
  })
  children.push(child)
  let printed = ''
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        if (printed.includes('Mainstreet is ready')) resolve()
      })
    ended.then(() => reject(new Error(printed)), reject)
  })
  ready.catch(() => {})
  const until = (hasIt: () => boolean) =>
    new Promise<void>((resolve) => {
      const watch = () => hasIt() && resolve()
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', watch)
      watch()
    })
  return { child, printed: () => printed, until, ready, ended }
}

const health = async (port: number) => (await fetch(`http://127.0.0.1:${port}/healthz`)).json()

test('starts on its own database and refuses a second portal', async () => {
  const [dataDir, port] = [testFolder(), await freePort()]
  const portal = startPortal({ DATA_DIR: dataDir, PORT: String(port) })
  await portal.ready
  expect(await health(port)).toEqual({ status: 'ok' })

  const second = startPortal({ DATA_DIR: dataDir, PORT: String(await freePort()) })
  expect(await second.ended).toBe(1)
  expect(second.printed()).toContain(`Another portal (process ${portal.child.pid}) is running on DATA_DIR ${dataDir}.`)

  portal.child.kill('SIGTERM')
  // In a terminal, one Ctrl-C sends the portal two signals: one directly and one through npm.
  portal.child.kill('SIGINT')
  expect(await portal.ended).toBe(0)
  await expect(health(port)).rejects.toThrow()
  expect(portal.printed()).not.toContain('    at ')
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down')
})

/** Output of a portal that received a request and then a stop signal. A later test checks the output. */
const left = Promise.withResolvers<string>()

test('finishes running requests after a stop signal, then ends', async () => {
  const { url } = await testDatabase()
  const port = await freePort()
  const portal = startPortal({ DATA_DIR: testFolder(), DATABASE_URL: url, PORT: String(port), DRAIN_SECONDS: '1' })
  void portal.ended.then(() => left.resolve(portal.printed()))
  await portal.ready
  await fetch(`http://127.0.0.1:${port}/api/v2/return/company/id?secret-query`, {
    method: 'POST',
    body: JSON.stringify({ subdomain: 'secret-town' }),
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token' },
  })
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect(await status('/readyz')).toBe(200)
  // Sends only half of a request on a keep-alive connection. The other half follows after the stop signal.
  const socket = connect(port, '127.0.0.1')
  const body = '{"subdomain":"maplegrove"}'
  socket.write(
    `POST /api/v2/return/company/id HTTP/1.1\r\nhost: maplegrove.localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  portal.child.kill('SIGTERM')
  await expect.poll(() => status('/readyz')).toBe(503)
  expect(await status('/healthz')).toBe(200)
  await expect.poll(() => status('/healthz').catch(() => 'closed')).toBe('closed')
  socket.write(body)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*"company":null/)
  // A connection that was busy when the port closed does not delay the exit.
  expect(await portal.ended).toBe(0)
})

test('runs jobs in a worker process that restarts after a crash', async () => {
  const { url, owner } = await testDatabase()
  const env = { DATA_DIR: testFolder(), DATABASE_URL: url, PORT: String(await freePort()), JOBS: 'beside' }
  const portal = startPortal(env)
  const atTheQueue = async () =>
    (
      await owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'mainstreet jobs listener'",
      )
    ).rows.length
  const workers = () =>
    [...portal.printed().matchAll(/^.*"worker":(\d+).*the jobs are done here.*$/gm)].map(([, pid]) => Number(pid))
  await portal.ready
  await portal.until(() => workers().length === 1)
  // Only the worker listens for jobs. The portal process does not.
  expect(await atTheQueue()).toBe(1)
  process.kill(workers()[0] ?? 0, 'SIGKILL')
  await portal.until(() => workers().length === 2)
  portal.child.kill('SIGKILL')
  await portal.ended
  await expect.poll(atTheQueue).toBe(0)
})

test('writes an email of a worker’s job in the language of the caller', async () => {
  const { url, owner } = await testDatabase()
  const [languages, port] = [testFolder(), await freePort()]
  await writePseudo(languages)
  const env = {
    DATA_DIR: testFolder(),
    DATABASE_URL: url,
    PORT: String(port),
    JOBS: 'beside',
    LANGUAGES_DIR: languages,
  }
  const portal = startPortal(env)
  await portal.ready
  await portal.until(() => portal.printed().includes('the jobs are done here'))
  await owner.query(
    `INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash)
     VALUES ('ann@mainstreet.example', 907, 'Ann', 'Reese', 'set')`,
  )
  await call(
    port,
    'reset/profile/password',
    { email: 'ann@mainstreet.example' },
    { host: ADMIN, headers: { 'accept-language': PSEUDO } },
  )
  const subjects = async () =>
    (await owner.query('SELECT subject FROM platform_email')).rows.map(({ subject }) => subject)
  await expect.poll(subjects, { timeout: 60_000 }).toEqual(['⟦Set a new password for Mainstreet⟧'])
  portal.child.kill('SIGTERM')
  await portal.ended
})

// Runs at night. By day, the test runs only to find a fault that was planted in the code (`MUTANT`).
test.runIf(process.env['NIGHTLY'] || process.env['MUTANT'])(
  'ends the gateway after a kill and reuses its ports',
  async () => {
    const { url } = await testDatabase()
    const [port, gatewayPort] = [await freePort(), await freePort()]
    const env = { DATA_DIR: testFolder(), DATABASE_URL: url, GATEWAY_URL: '', PORT: String(port) }
    const first = startPortal({ ...env, GATEWAY_PORT: String(gatewayPort) })
    await first.ready
    expect(await health(gatewayPort)).toEqual({ status: 'ok' })
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const next = startPortal({ ...env, GATEWAY_PORT: String(gatewayPort) })
    await next.ready
    expect(await health(port)).toEqual({ status: 'ok' })
    expect(await health(gatewayPort)).toEqual({ status: 'ok' })
  },
)

nightly('two portals start at once on one database server', async () => {
  const { url } = await emptyDatabase()
  const ports = [await freePort(), await freePort()]
  const portals = ports.map((port) => startPortal({ DATA_DIR: testFolder(), DATABASE_URL: url, PORT: String(port) }))
  await Promise.all(portals.map((portal) => portal.ready))
  for (const port of ports) expect(await health(port)).toEqual({ status: 'ok' })
})

test('logs one line for each request, without query string, names or tokens', async () => {
  const printed = await left.promise
  const lines = printed.split('\n').filter((line) => line.includes('return/company/id'))
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    method: 'POST',
    route: '/api/v2/return/company/id',
    status: 200,
    company: null,
    user: null,
    impersonator: null,
  })
  expect(printed).not.toContain('secret')
})

/** Returns the error output of a failed start. Expects one line, exit code 1 and no stack. */
async function complaintOf(env: Record<string, string>): Promise<string> {
  const portal = startPortal({ DATA_DIR: testFolder(), PORT: String(await freePort()), ...env })
  expect(await portal.ended).toBe(1)
  expect(portal.printed()).not.toMatch(/^\s+at /m)
  return portal.printed().trim()
}

// Each case needs a full start of the portal, so daytime runs have only two cases. One covers the checks before the
// portal opens anything, and the other covers the later checks. Other tests check the text of each message.
test('reports a port in use in one line', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  expect(await complaintOf({ PORT: String(port) })).toBe(
    `PORT ${port} is in use. Stop what listens there, or set PORT to another port.`,
  )
  server.close()
})

test('reports a DATABASE_URL that does not answer in one line', async () => {
  expect(await complaintOf({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/portal' })).toBe(
    'DATABASE_URL does not answer: 127.0.0.1:1/portal (connect ECONNREFUSED 127.0.0.1:1).',
  )
})

nightly('a DATA_DIR that cannot be written is one line', async () => {
  expect(await complaintOf({ DATA_DIR: '/dev/null/data' })).toMatch(
    /^DATA_DIR \/dev\/null\/data cannot be written \(.*\)\.$/,
  )
})

nightly('a bucket that cannot be reached is one line', async () => {
  const keys = { S3_ACCESS_KEY_ID: 'portal', S3_SECRET_ACCESS_KEY: 'secret-word' }
  expect(await complaintOf({ S3_BUCKET: 'town-files', S3_ENDPOINT: 'http://127.0.0.1:1', ...keys })).toBe(
    'S3_BUCKET town-files cannot be written at http://127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1).',
  )
})

nightly('a malformed variable is one line', async () => {
  expect(await complaintOf({ PORT: 'three thousand' })).toBe(
    'PORT must be a port from 1 to 65535, not "three thousand".',
  )
})
