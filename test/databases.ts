import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { loadDemo } from '../portal/demo.ts'
import type { Clock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import { columnTypes, openPools, poolOf, type Pools } from '../server/db/pool.ts'
import type { RoleUrls } from '../server/db/roles.ts'
import { loadDemoOnce } from '../server/demo.ts'
import { openLog } from '../server/log.ts'
import { openFiles } from '../server/open-files.ts'
import { openSecrets } from '../server/secrets.ts'

/** Default time in all tests: a Friday at 10 a.m. in Pennsylvania. */
export const TEST_NOW = '2026-11-20T15:00:00.000Z'

/** Key for sealed texts. All test portals use it, so that each can open the demo's sealed data. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** A database for one test file. */
export interface TestDatabase {
  /** Database URLs: `url` for the owner and `urls` for the portal's roles. */
  url: string
  urls: RoleUrls
  pools: Pools
  /** Connection pool of the database owner, who has all permissions. */
  owner: pg.Pool
  drop(): Promise<void>
}

/** Database server of a test run, with its roles and the prefix of its database names. */
export interface TestServer {
  url: string
  roles: RoleUrls
  prefix: string
}

/** Returns the URL of another database on the same server. */
export function onDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

const urlsOn = ({ app, platform, gateway }: RoleUrls, name: string): RoleUrls => ({
  app: onDatabase(app, name),
  platform: onDatabase(platform, name),
  gateway: gateway && onDatabase(gateway, name),
})

/** Creates an empty database, or a copy of an unused one, on a server that already has the portal's roles. */
export const createDatabase = (server: TestServer, template = 'template0') => create(server, template)

/**
 * Clones the migrated template. With `demo`, clones the template that also contains the demo companies, as of the
 * current day of `clock`.
 */
export async function cloneDatabase(
  server: TestServer,
  demo: { clock: Clock; dataDir: string } | null,
): Promise<TestDatabase> {
  return create(server, demo ? await demoTemplate(server, demo) : `${server.prefix}_template`)
}

/**
 * Copies the database as files. PostgreSQL's default strategy also writes all data to the write-ahead log, which takes
 * three times as long.
 */
const copyDatabase = (client: pg.Client, name: string, template: string) =>
  client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)

async function create(server: TestServer, template: string): Promise<TestDatabase> {
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => copyDatabase(client, name, template))
  const url = onDatabase(server.url, name)
  const urls = urlsOn(server.roles, name)
  const pools = openPools(urls, 6)
  const owner = poolOf({ connectionString: url, types: columnTypes, max: 2 })
  const drop = async () => {
    await Promise.all([pools.close(), owner.end()])
    await onServer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  }
  return { url, urls, pools, owner, drop }
}

/**
 * Returns the template with the demo companies. The first caller loads the demo, and the others wait. In a full run,
 * the first caller is `load-demo.ts`.
 */
export async function demoTemplate(
  server: TestServer,
  { clock, dataDir }: { clock: Clock; dataDir: string },
): Promise<string> {
  const name = `${server.prefix}_demo`
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock(7061728)')
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount) return
    await client.query(`DROP DATABASE IF EXISTS ${name}_unfinished WITH (FORCE)`)
    await copyDatabase(client, `${name}_unfinished`, `${server.prefix}_template`)
    const ownerUrl = onDatabase(server.url, `${name}_unfinished`)
    const pools = openPools(urlsOn(server.roles, `${name}_unfinished`), 6)
    const config = readConfig({ DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY }, 'test')
    const files = await openFiles(config, clock)
    const secrets = openSecrets(config.secretKey)
    await loadDemoOnce(
      { ownerUrl, pools },
      { clock, log: openLog(config).log, files, secrets, report: () => {} },
      loadDemo,
    )
    // Connects as the owner, because only the owner may change the accounts of all companies.
    const owner = poolOf({ connectionString: ownerUrl, types: columnTypes, max: 1 })
    const password = await quickHash(DEMO_PASSWORD)
    for (const table of ['person', 'platform_person'])
      await owner.query(`UPDATE ${table} SET password_hash = $1 WHERE password_hash IS NOT NULL`, [password])
    await Promise.all([pools.close(), owner.end()])
    await client.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`)
  })
  return name
}

/** Hashes a password with minimal Argon2id settings, because tests sign in thousands of times. */
export const quickHash = (password: string): Promise<string> => hash(password, { memoryCost: 8, timeCost: 1 })

async function onServer<T>({ url }: TestServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Transfers a database to an owner role without superuser privileges, so that row-level security also restricts the
 * owner. Returns the new URL and a function that removes the role.
 */
export async function poorOwnerOf({ url, owner }: Pick<TestDatabase, 'url' | 'owner'>) {
  const name = `owner_${randomBytes(4).toString('hex')}`
  const roleUrl = new URL(url)
  await owner.query(
    `CREATE ROLE ${name} LOGIN PASSWORD 'owner-secret'; ALTER DATABASE ${roleUrl.pathname.slice(1)} OWNER TO ${name}`,
  )
  roleUrl.username = name
  roleUrl.password = 'owner-secret'
  const drop = async () => {
    await owner.query(`REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}; DROP ROLE ${name}`)
  }
  return { url: roleUrl.href, drop }
}

/**
 * Disables the rate limits by counting each attempt separately. For tests that simulate many people.
 * `server/limits.test.ts` tests the limits themselves.
 */
export async function liftLimits(owner: pg.Pool): Promise<void> {
  await owner.query(`
    CREATE FUNCTION count_apart() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.key_hash := uuid_send(gen_random_uuid()); RETURN NEW; END $$;
    CREATE TRIGGER count_apart BEFORE INSERT ON failed_guess FOR EACH ROW EXECUTE FUNCTION count_apart()`)
}
