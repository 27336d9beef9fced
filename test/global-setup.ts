import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import { ensureRoles } from '../server/db/roles.ts'
import { onDatabase, type TestServer } from './databases.ts'
import { quickFolder } from './quick-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: TestServer
  }
}

/**
 * Uses the PostgreSQL server of TEST_DATABASE_URL, or starts an embedded server in a temporary folder for the test run.
 * Creates and migrates a template database, which each test file clones.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`Random tests use SEED=${process.env['SEED']}\n`)
  const server = await openServer()
  const prefix = `mainstreet_test_${process.pid}`
  const template = onDatabase(server.url, `${prefix}_template`)
  await asOwner(server.url, (client) => client.query(`CREATE DATABASE ${prefix}_template`))
  const roles = await ensureRoles(template, { appUrl: null, platformUrl: null, gatewayUrl: null }, true)
  await migrate(template)
  const testServer: TestServer = { url: server.url, roles, prefix }
  project.provide('server', testServer)
  const loading = process.env['DEMO_AHEAD'] ? loadDemoBeside(testServer) : null
  return async () => {
    loading?.kill()
    await asOwner(server.url, (client) => dropAll(client, prefix))
    await server.stop()
  }
}

/**
 * Starts a process that loads the demo. A test that needs the demo waits for this process. If the process fails, the
 * test loads the demo itself.
 */
const loadDemoBeside = (testServer: TestServer): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL('commands/load-demo.ts', import.meta.url))], {
    env: { ...process.env, DEMO_ON: JSON.stringify(testServer) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })

async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const configuredUrl = process.env['TEST_DATABASE_URL']
  if (configuredUrl) return { url: configuredUrl, stop: async () => {} }
  const dataDir = quickFolder('mainstreet-test-')
  // A socket path may have only about 100 characters. With a long temporary folder, it would be too long.
  const sockets = process.platform === 'linux' && dataDir.length < 60 ? mkdtempSync(join(dataDir, 'sockets-')) : ''
  // If root runs the tests, PostgreSQL runs as another user. That user must be able to create the socket.
  if (sockets) chmodSync(sockets, 0o777)
  const embedded = await startEmbedded({ dataDir, durable: false, sockets })
  const stop = async () => {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    url: sockets ? embedded.url.replace('127.0.0.1', encodeURIComponent(sockets)) : embedded.url,
    stop,
  }
}

async function dropAll(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT datname::text AS name FROM pg_database WHERE starts_with(datname, $1)',
    [`${prefix}_`],
  )
  for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
}

async function asOwner(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
