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

/** The moment at which tests happen, unless they say otherwise: a Friday, 10 in the morning in Pennsylvania. */
export const TEST_NOW = '2026-11-20T15:00:00.000Z'

/** Of every portal that is tested, so that each can open what the demo towns have sealed. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** A database of one test's own. */
export interface TestDatabase {
  /** The owner's URL, and those of the portal's roles. */
  url: string
  urls: RoleUrls
  pools: Pools
  /** A pool as the owner, who may all. */
  owner: pg.Pool
  drop(): Promise<void>
}

/** Where databases are cloned: a server, its roles, and what the names of this run begin with. */
export interface TestServer {
  url: string
  roles: RoleUrls
  prefix: string
}

/** The same server, another database. */
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

/** A database with nothing in it, or a copy of one that nobody uses, in a server where the portal's roles exist already. */
export const createDatabase = (server: TestServer, template = 'template0') => create(server, template)

/** Clones the migrated template, or the one with the demo towns as of `clock`'s day. */
export async function cloneDatabase(
  server: TestServer,
  demo: { clock: Clock; dataDir: string } | null,
): Promise<TestDatabase> {
  return create(server, demo ? await demoTemplate(server, demo) : `${server.prefix}_template`)
}

/** By copying its files, which costs a third of writing all of it to the log as well. */
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

/** The demo towns, loaded by whoever asks first (`load-demo.ts` in a whole run); the others wait for it. */
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
      { clock, log: openLog(config).log, files, secrets, tell: () => {} },
      loadDemo,
    )
    // Owner's work, as nobody else may touch the accounts of all towns.
    const owner = poolOf({ connectionString: ownerUrl, types: columnTypes, max: 1 })
    const password = await quickHash(DEMO_PASSWORD)
    for (const table of ['person', 'platform_person'])
      await owner.query(`UPDATE ${table} SET password_hash = $1 WHERE password_hash IS NOT NULL`, [password])
    await Promise.all([pools.close(), owner.end()])
    await client.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`)
  })
  return name
}

/** Argon2id at its least: tests sign in thousands of times, and what a password costs is not what they ask. */
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

/** Gives a database to a role that may make none and that row-level security binds. Answers its URL, and its end. */
export async function poorOwnerOf({ url, owner }: Pick<TestDatabase, 'url' | 'owner'>) {
  const name = `owner_${randomBytes(4).toString('hex')}`
  const theirs = new URL(url)
  await owner.query(
    `CREATE ROLE ${name} LOGIN PASSWORD 'owner-secret'; ALTER DATABASE ${theirs.pathname.slice(1)} OWNER TO ${name}`,
  )
  theirs.username = name
  theirs.password = 'owner-secret'
  const drop = async () => {
    await owner.query(`REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}; DROP ROLE ${name}`)
  }
  return { url: theirs.href, drop }
}

/**
 * Lets one address do as much as a whole town would: each try is counted for itself alone. For those who play a crowd;
 * `server/limits.test.ts` tries the limits.
 */
export async function liftLimits(owner: pg.Pool): Promise<void> {
  await owner.query(`
    CREATE FUNCTION count_apart() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.key_hash := uuid_send(gen_random_uuid()); RETURN NEW; END $$;
    CREATE TRIGGER count_apart BEFORE INSERT ON failed_guess FOR EACH ROW EXECUTE FUNCTION count_apart()`)
}
