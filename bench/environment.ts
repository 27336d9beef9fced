import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { buildApp } from '../server/app.ts'
import { type Config, readConfig } from '../server/config.ts'
import { startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { ensureRoles } from '../server/db/roles.ts'
import { filesOnDisk } from '../server/files.ts'
import type { AppContext } from '../server/app-context.ts'
import { Jobs } from '../server/jobs.ts'
import { openLog } from '../server/log.ts'
import { openMailer } from '../server/mailer.ts'
import { createDatabase, type TestDatabase, type TestServer } from '../test/databases.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { openTestCompany } from '../test/company.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { features } from '../portal/server.ts'

/** Environment of a benchmark: a database server, and a migrated template database with one company and its people. */
export interface BenchEnvironment {
  server: TestServer
  folder: string
  /** Creates a separate database with one company, Maple Grove, and no activity. */
  database(): Promise<TestDatabase>
  /** Copies a database. The source must have no connections. */
  copyOf(database: TestDatabase): Promise<TestDatabase>
  close(): Promise<void>
}

/**
 * Opens the environment on the database server of DATABASE_URL. Without it, starts an embedded server with fsync on, in
 * a temporary folder.
 */
export async function openEnvironment(): Promise<BenchEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), 'mainstreet-bench-'))
  // If root starts the benchmark, PostgreSQL runs as another user. That user must be able to enter the folder.
  chmodSync(folder, 0o755)
  const externalUrl = process.env['DATABASE_URL']
  const embedded = externalUrl ? null : await startEmbedded({ dataDir: folder })
  const url = externalUrl ?? embedded?.url ?? ''
  const prefix = `mainstreet_bench_${process.pid}`
  const bare: TestServer = { url, roles: { app: url, platform: url, gateway: null }, prefix }
  const first = await createDatabase(bare)
  const roles = await ensureRoles(first.url, { appUrl: null, platformUrl: null, gatewayUrl: null }, true)
  await first.drop()
  const server: TestServer = { url, roles, prefix }
  const opened: TestDatabase[] = []
  const track = (database: TestDatabase) => {
    opened.push(database)
    return database
  }
  return {
    server,
    folder,
    database: async () => {
      const database = track(await createDatabase(server))
      await migrate(database.url)
      await openTestCompany({ db: database.pools, clock: { now: () => new Date() } }, mapleGrove)
      return database
    },
    copyOf: async (database) => track(await createDatabase(server, new URL(database.url).pathname.slice(1))),
    close: async () => {
      for (const database of opened) await database.drop().catch(() => {})
      await embedded?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Portal in this process, without web pages, gateway or jobs. */
export interface BenchPortal {
  app: FastifyInstance
  context: AppContext
  config: Config
  /**
   * Sends a call to Maple Grove's host.
   * @throws Error if the status is not 200
   */
  post<T>(path: string, body: object, headers?: Record<string, string>): Promise<T>
  close(): Promise<void>
}

export async function openPortal(database: TestDatabase, folder: string): Promise<BenchPortal> {
  const config = readConfig({ DATA_DIR: folder, DEMO: '0', LOG_LEVEL: 'silent', TRUST_PROXY: 'loopback' }, 'test')
  const { log } = openLog(config)
  const clock = { now: () => new Date() }
  const jobs = new Jobs(database.urls, clock, log)
  const db = database.pools
  const mailer = openMailer({ config, clock, jobs, db })
  const pages = { development: false, html: async () => '<!doctype html><!--head--><!--boot-->', mount: async () => {} }
  const files = filesOnDisk(join(folder, 'files'), clock)
  const { app, context } = await buildApp({ config, clock, log, jobs, mailer, files, pages, db, features })
  await jobs.open()
  return {
    app,
    context,
    config,
    post: async <T>(path: string, body: object, headers: Record<string, string> = {}) => {
      const url = `/api/v2/${path}`
      const response = await app.inject({
        method: 'POST',
        url,
        payload: body,
        headers: { host: 'maplegrove.localhost', ...headers },
      })
      if (response.statusCode !== 200)
        throw new Error(`${path} answered ${response.statusCode}: ${response.body.slice(0, 300)}`)
      return response.json<T>()
    },
    close: async () => {
      await app.close()
      await jobs.stop()
    },
  }
}

/** Returns the headers of a signed-in staff member. */
export async function staffHeaders(portal: BenchPortal): Promise<Record<string, string>> {
  const { company } = await portal.post<{ company: { id: number } }>('return/company/id', { subdomain: 'maplegrove' })
  const body = { companyId: company.id, email: 'staff@maplegrove.example', password: DEMO_PASSWORD }
  const { token } = await portal.post<{ token: string }>('login', body)
  return { authorization: `Bearer ${token}` }
}

/** Opens one plain connection as one of the portal's database roles. */
export async function plain(database: TestDatabase, role: 'app' | 'platform' = 'app'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.urls[role] })
  // If a benchmark fails, the database stops while this client is connected. The connection error must not hide the
  // failure.
  client.on('error', () => {})
  await client.connect()
  return client
}
