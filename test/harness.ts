import { rmSync } from 'node:fs'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import { inject } from 'vitest'
import { features } from '../portal/server.ts'
import { buildApp } from '../server/app.ts'
import type { Clock } from '../server/clock.ts'
import { type Config, type Env, readConfig } from '../server/config.ts'
import type { Pools } from '../server/db/pool.ts'
import { startGateway } from '../server/gateway-process.ts'
import type { AppContext } from '../server/app-context.ts'
import { Jobs } from '../server/jobs.ts'
import { openLog } from '../server/log.ts'
import { openMailer } from '../server/mailer.ts'
import { openFiles } from '../server/open-files.ts'
import type { PageSource } from '../server/page-texts.ts'
import { freePort } from '../server/ports.ts'
import { cloneDatabase, createDatabase, TEST_NOW, TEST_SECRET_KEY, type TestDatabase } from './databases.ts'
import { quickFolder } from './quick-folder.ts'

const PASSWORD = 'Maple-Grove#2026'

/** A clock that moves only when the test sets it. */
export interface TestClock extends Clock {
  set(instant: string): void
  advance(ms: number): void
}

export function testClock(start: string = TEST_NOW): TestClock {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    set: (instant) => void (now = Date.parse(instant)),
    advance: (ms) => void (now += ms),
  }
}

/** Resources that the tests of the current test file opened. */
const opened: (() => unknown)[] = []

/** Closes the resources, newest first. `after-each-file.ts` calls this after each test file. */
export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).toReversed()) await close()
}

/** Creates a folder. The folder is removed after the tests of the current test file. */
export function testFolder(): string {
  const folder = quickFolder('mainstreet-test-')
  opened.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Creates a migrated database for one test file, which is dropped after the file's tests. `demo` adds the demo
 * companies as of TEST_NOW.
 */
export async function testDatabase({ demo = false }: { demo?: boolean } = {}): Promise<TestDatabase> {
  const database = await cloneDatabase(inject('server'), demo ? { clock: testClock(), dataDir: testFolder() } : null)
  opened.push(database.drop)
  return database
}

/** Creates an empty database, which is dropped after the file's tests. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(inject('server'))
  opened.push(database.drop)
  return database
}

export interface ApiResponse {
  status: number
  /** Parsed JSON, or the text if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows the type of its answer
  body: any
  headers: Record<string, string | number | string[] | undefined>
}

export interface CallOptions {
  token?: string
  headers?: Record<string, string>
}

/** Portal that runs in the test's process, with its own database. */
export interface TestPortal {
  app: FastifyInstance
  context: AppContext
  config: Config
  clock: TestClock
  db: Pools
  owner: pg.Pool
  /** Makes a call. `path` is without `/api/v2/`, and `host` is a name such as `maplegrove.localhost`. */
  post(host: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>
  get(host: string, url: string, options?: CallOptions): Promise<ApiResponse>
  /** Signs in to a demo account and returns the token. */
  signIn(host: string, email: string, password?: string): Promise<string>
  /** Runs these jobs, then all due jobs on the test's clock. */
  runJobs(...names: string[]): Promise<void>
  /** Returns the emails in the outbox, oldest first. */
  emails(): Promise<
    {
      company_id: number
      to_address: string
      subject: string
      text_body: string
      attachments: { filename: string }[]
    }[]
  >
}

export interface PortalOptions {
  clock?: TestClock
  demo?: boolean
  /**
   * True to start the sandbox gateway with the portal. The portal then listens on a port to receive the gateway's
   * events.
   */
  gateway?: boolean
  env?: Env
  /**
   * Database to use instead of a new one. For example, two portals can share it, or a new portal can use it after
   * another was killed.
   */
  database?: TestDatabase
  /** Source of the pages. Default: pages without content. */
  pages?: PageSource
}

export async function testPortal({
  clock = testClock(),
  demo = false,
  gateway = false,
  env = {},
  database: existing,
  pages = barePages,
}: PortalOptions = {}): Promise<TestPortal> {
  const database = existing ?? (await testDatabase({ demo }))
  const dataDir = testFolder()
  const ports = gateway ? { PORT: String(await freePort()), GATEWAY_PORT: String(await freePort()) } : {}
  const config = readConfig({ DATA_DIR: dataDir, DEMO: '0', SECRET_KEY: TEST_SECRET_KEY, ...ports, ...env }, 'test')
  const { log } = openLog(config)
  const db = database.pools
  const jobs = new Jobs(database.urls, clock, log)
  const mailer = openMailer({ config, clock, jobs, db })
  const files = await openFiles(config, clock)
  const { app, context } = await buildApp({ config, clock, log, jobs, mailer, files, pages, db, features })
  opened.push(() => app.close())
  await jobs.open()
  opened.push(() => jobs.stop())
  if (gateway) {
    const running = await startGateway(config, database.urls.gateway ?? '', log)
    opened.push(running.stop)
    await app.listen({ port: config.port, host: config.host })
  }
  return {
    app,
    context,
    config,
    clock,
    db,
    owner: database.owner,
    ...callsOf(app),
    runJobs: jobRunner(jobs, clock, database.owner),
    emails: () => emailsIn(db),
  }
}

/** Pages without scripts. For tests of the content that the server writes into pages. */
const barePages: PageSource = {
  development: false,
  html: async () => '<!doctype html><html lang="en"><head><!--head--></head><body><!--boot--></body></html>',
  mount: async () => {},
}

function callsOf(app: FastifyInstance): Pick<TestPortal, 'post' | 'get' | 'signIn'> {
  const callAs = async (
    request: InjectOptions,
    host: string,
    { token, headers }: CallOptions = {},
  ): Promise<ApiResponse> => {
    const response = await app.inject({
      ...request,
      headers: { host, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return { status: response.statusCode, body: isJson ? response.json() : response.body, headers: response.headers }
  }
  const post: TestPortal['post'] = (host, path, body = {}, options) =>
    callAs({ method: 'POST', url: `/api/v2/${path}`, payload: body as object }, host, options)
  return {
    post,
    get: (host, url, options) => callAs({ method: 'GET', url }, host, options),
    signIn: async (host, email, password = PASSWORD) => {
      const subdomain = host.split('.')[0] ?? ''
      const admin = subdomain === 'admin'
      const companyId = admin ? undefined : (await post(host, 'return/company/id', { subdomain })).body.company?.id
      const { status, body } = await post(host, admin ? 'admin/login' : 'login', { companyId, email, password })
      if (status !== 200) throw new Error(`signing in as ${email} answered ${status}: ${body.message}`)
      return body.token
    },
  }
}

/**
 * Runs jobs on the test's clock. The job queue uses the database's clock. So the runner moves the jobs' due times back
 * by the time that the test clock has advanced.
 */
function jobRunner(jobs: Jobs, clock: Clock, owner: pg.Pool): TestPortal['runJobs'] {
  let last = clock.now().getTime()
  return async (...names) => {
    const passed = clock.now().getTime() - last
    last += passed
    await owner.query(
      "UPDATE jobs.job SET start_after = start_after - make_interval(secs => $1) WHERE state < 'active'",
      [passed / 1000],
    )
    for (const name of names) await jobs.runNow(name)
    await jobs.runDue()
  }
}

async function emailsIn(db: Pools) {
  const { rows } = await db.platform.query('SELECT * FROM email_outbox ORDER BY created_at, id')
  return rows
}
