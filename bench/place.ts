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
import { openMailer } from '../server/mail.ts'
import { createDatabase, type TestDatabase, type TestServer } from '../test/databases.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { openTestTown } from '../test/town.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { features } from '../portal/server.ts'

/** Where a benchmark happens: a server, and a migrated template with one town and its people. */
export interface BenchEnvironment {
  server: TestServer
  folder: string
  /** A database of its own with one town, Maple Grove, and nothing that anybody did there. */
  database(): Promise<TestDatabase>
  /** A copy of a database that nobody is connected to. */
  copyOf(database: TestDatabase): Promise<TestDatabase>
  close(): Promise<void>
}

/** On the server of DATABASE_URL, else on an embedded one that keeps its promises (fsync on), in a folder that goes away. */
export async function openPlace(): Promise<BenchEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), 'mainstreet-bench-'))
  // Where root runs this, PostgreSQL is another user, who must get through here.
  chmodSync(folder, 0o755)
  const given = process.env['DATABASE_URL']
  const embedded = given ? null : await startEmbedded({ dataDir: folder })
  const url = given ?? embedded?.url ?? ''
  const prefix = `mainstreet_bench_${process.pid}`
  const bare: TestServer = { url, roles: { app: url, platform: url, gateway: null }, prefix }
  const first = await createDatabase(bare)
  const roles = await ensureRoles(first.url, { appUrl: null, platformUrl: null, gatewayUrl: null }, true)
  await first.drop()
  const server: TestServer = { url, roles, prefix }
  const opened: TestDatabase[] = []
  const keep = (database: TestDatabase) => {
    opened.push(database)
    return database
  }
  return {
    server,
    folder,
    database: async () => {
      const database = keep(await createDatabase(server))
      await migrate(database.url)
      await openTestTown({ db: database.pools, clock: { now: () => new Date() } }, mapleGrove)
      return database
    },
    copyOf: async (database) => keep(await createDatabase(server, new URL(database.url).pathname.slice(1))),
    close: async () => {
      for (const database of opened) await database.drop().catch(() => {})
      await embedded?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A portal within this process, without pages, gateway and jobs at work. */
export interface BenchPortal {
  app: FastifyInstance
  context: AppContext
  config: Config
  /** A call on Maple Grove's host. @throws unless it answers 200 */
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
      const answer = await app.inject({
        method: 'POST',
        url,
        payload: body,
        headers: { host: 'maplegrove.localhost', ...headers },
      })
      if (answer.statusCode !== 200)
        throw new Error(`${path} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`)
      return answer.json<T>()
    },
    close: async () => {
      await app.close()
      await jobs.stop()
    },
  }
}

/** The header of a signed-in clerk. */
export async function clerk(portal: BenchPortal): Promise<Record<string, string>> {
  const { company } = await portal.post<{ company: { id: number } }>('return/company/id', { subdomain: 'maplegrove' })
  const body = { companyId: company.id, email: 'staff@maplegrove.example', password: DEMO_PASSWORD }
  const { token } = await portal.post<{ token: string }>('login', body)
  return { authorization: `Bearer ${token}` }
}

/** One plain connection as one of the portal's roles. */
export async function plain(database: TestDatabase, role: 'app' | 'platform' = 'app'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.urls[role] })
  // When a benchmark fails the database ends first; the failure itself is what is to be read.
  client.on('error', () => {})
  await client.connect()
  return client
}
