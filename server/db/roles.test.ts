import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { poorOwnerOf, type TestDatabase } from '../../test/databases.ts'
import { emptyDatabase, testDatabase } from '../../test/harness.ts'
import { migrate } from './migrate.ts'
import { ensureRoles } from './roles.ts'
import { nightly } from '../../test/nightly.ts'

const NO_URLS = { appUrl: null, platformUrl: null, gatewayUrl: null }

async function runSql(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Cleanup functions that run after all tests. Roles belong to the whole server, so the tests must drop their roles. */
const made: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of made) await drop()
})

async function poorOwner(database: TestDatabase): Promise<string> {
  const { url, drop } = await poorOwnerOf(database)
  made.push(drop)
  return url
}

describe('created roles', () => {
  test('have only the permissions of their names', async () => {
    const { owner, urls } = await testDatabase()
    const { rows } = await owner.query(
      "SELECT rolname, rolcanlogin, rolbypassrls, rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname LIKE 'mainstreet\\_%' ORDER BY rolname",
    )
    const plain = { rolcanlogin: true, rolbypassrls: false, rolsuper: false, rolcreaterole: false, rolcreatedb: false }
    expect(rows).toEqual([
      { ...plain, rolname: 'mainstreet_app' },
      { ...plain, rolname: 'mainstreet_gateway' },
      { ...plain, rolname: 'mainstreet_platform', rolbypassrls: true },
      { ...plain, rolname: 'mainstreet_search', rolbypassrls: true, rolcanlogin: false },
    ])
    expect(await runSql(urls.app, 'SELECT current_user::text AS me')).toEqual([{ me: 'mainstreet_app' }])
    expect(await runSql(urls.platform, 'SELECT current_user::text AS me')).toEqual([{ me: 'mainstreet_platform' }])
  })

  test('own only the search views and the gateway’s schema', async () => {
    const { owner } = await testDatabase()
    const { rows } = await owner.query(
      `SELECT r.rolname AS role, 'relation' AS kind, c.relname AS name FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname LIKE 'mainstreet\\_%'
       UNION ALL SELECT r.rolname, 'schema', n.nspname FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE r.rolname LIKE 'mainstreet\\_%' ORDER BY name`,
    )
    // `test/catalog.ts` compares the columns of each search view with its table.
    const { rows: views } = await owner.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'v' AND relname LIKE 'found\\_%' ORDER BY relname`,
    )
    expect(views.length).toBeGreaterThan(8)
    expect(rows).toEqual([
      ...views.map(({ name }) => ({ role: 'mainstreet_search', kind: 'relation', name })),
      { role: 'mainstreet_gateway', kind: 'schema', name: 'sandbox_gateway' },
    ])
  })

  test('deny the gateway every table of the portal', async () => {
    const { urls } = await testDatabase()
    await expect(runSql(urls.gateway ?? '', 'SELECT * FROM company')).rejects.toThrow(/permission denied/)
  })

  test('are equal for portals that start together', async () => {
    const { url } = await emptyDatabase()
    const all = await Promise.all(Array.from({ length: 8 }, () => ensureRoles(url, NO_URLS, true)))
    for (const urls of all) expect(urls).toEqual(all[0])
    expect(await runSql(all[0]?.app ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('owner without permission to create roles', () => {
  nightly('it serves when they are there and it may act as them', async () => {
    const database = await emptyDatabase()
    const owner = new URL(await poorOwner(database))
    await database.owner.query(`GRANT mainstreet_search, mainstreet_gateway TO ${owner.username}`)
    const { urls } = database
    await ensureRoles(owner.href, { appUrl: urls.app, platformUrl: urls.platform, gatewayUrl: urls.gateway }, true)
    await migrate(owner.href)
    expect(await runSql(urls.app, 'SELECT count(*)::int AS n FROM company')).toEqual([{ n: 0 }])
  })

  test('gets the SQL for a role that may', async () => {
    const url = await poorOwner(await emptyDatabase())
    const message = await ensureRoles(url, NO_URLS, true).catch((error: Error) => error.message)
    expect(message).toMatch(/^DATABASE_URL's role may not make the portal's roles\./)
    // The roles already exist, but their passwords derive from another owner's password.
    expect(message).toMatch(/\nALTER ROLE mainstreet_app NOBYPASSRLS LOGIN PASSWORD '[\w-]{43}';\n/)
    expect(message).toMatch(/\nGRANT mainstreet_search TO owner_\w+;\n/)
  })
})

describe('existing roles', () => {
  test('must have the permissions that the portal needs', async () => {
    const { url, urls } = await emptyDatabase()
    await expect(ensureRoles(url, { ...NO_URLS, appUrl: urls.platform }, false)).rejects.toThrow(
      "DATABASE_APP_URL's role must obey row-level security",
    )
    await expect(ensureRoles(url, { ...NO_URLS, platformUrl: urls.app }, false)).rejects.toThrow(
      "DATABASE_PLATFORM_URL's role must pass row-level security",
    )
  })

  test('must accept the portal’s passwords', async () => {
    const { url, urls } = await emptyDatabase()
    const invalidUrl = new URL(urls.app)
    invalidUrl.password = 'wrong'
    await expect(ensureRoles(url, { ...NO_URLS, appUrl: invalidUrl.href }, false)).rejects.toThrow(
      'DATABASE_APP_URL does not let us in (password authentication failed',
    )
  })
})

test('tells an owner without a password what to do', async () => {
  const url = new URL((await emptyDatabase()).url)
  url.password = ''
  await expect(ensureRoles(url.href, NO_URLS, true)).rejects.toThrow(/^DATABASE_URL needs a password/)
})

test('reports an unreachable server in one line without the password', async () => {
  const attempt = ensureRoles('postgres://me:secret-word@127.0.0.1:1/portal', NO_URLS, true)
  await expect(attempt).rejects.toThrow(
    'DATABASE_URL does not answer: 127.0.0.1:1/portal (connect ECONNREFUSED 127.0.0.1:1).',
  )
})
