import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { poorOwnerOf, type TestDatabase } from '../../test/databases.ts'
import { emptyDatabase, testDatabase } from '../../test/harness.ts'
import { migrate } from './migrate.ts'
import { ensureRoles } from './roles.ts'
import { nightly } from '../../test/nightly.ts'

const NOTHING_GIVEN = { appUrl: null, platformUrl: null, gatewayUrl: null }

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Roles belong to the whole server, so those that a test makes go when it ends. */
const made: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of made) await drop()
})

async function poorOwner(database: TestDatabase): Promise<string> {
  const { url, drop } = await poorOwnerOf(database)
  made.push(drop)
  return url
}

describe('the roles that the start makes', () => {
  test('have the rights of their names, and no more', async () => {
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
    expect(await ask(urls.app, 'SELECT current_user::text AS me')).toEqual([{ me: 'mainstreet_app' }])
    expect(await ask(urls.platform, 'SELECT current_user::text AS me')).toEqual([{ me: 'mainstreet_platform' }])
  })

  test('own nothing, but for the views that searches read and the gateway’s schema', async () => {
    const { owner } = await testDatabase()
    const { rows } = await owner.query(
      `SELECT r.rolname AS role, 'relation' AS kind, c.relname AS name FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname LIKE 'mainstreet\\_%'
       UNION ALL SELECT r.rolname, 'schema', n.nspname FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner WHERE r.rolname LIKE 'mainstreet\\_%' ORDER BY name`,
    )
    // What such a view may show is held against its table in test/catalog.ts.
    const { rows: views } = await owner.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'v' AND relname LIKE 'found\\_%' ORDER BY relname`,
    )
    expect(views.length).toBeGreaterThan(8)
    expect(rows).toEqual([
      ...views.map(({ name }) => ({ role: 'mainstreet_search', kind: 'relation', name })),
      { role: 'mainstreet_gateway', kind: 'schema', name: 'sandbox_gateway' },
    ])
  })

  test('the gateway cannot read a table of the portal', async () => {
    const { urls } = await testDatabase()
    await expect(ask(urls.gateway ?? '', 'SELECT * FROM company')).rejects.toThrow(/permission denied/)
  })

  test('are the same for portals that start at once', async () => {
    const { url } = await emptyDatabase()
    const all = await Promise.all(Array.from({ length: 8 }, () => ensureRoles(url, NOTHING_GIVEN, true)))
    for (const urls of all) expect(urls).toEqual(all[0])
    expect(await ask(all[0]?.app ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('where the owner may not make roles', () => {
  nightly('it serves when they are there and it may act as them', async () => {
    const database = await emptyDatabase()
    const owner = new URL(await poorOwner(database))
    await database.owner.query(`GRANT mainstreet_search, mainstreet_gateway TO ${owner.username}`)
    const { urls } = database
    await ensureRoles(owner.href, { appUrl: urls.app, platformUrl: urls.platform, gatewayUrl: urls.gateway }, true)
    await migrate(owner.href)
    expect(await ask(urls.app, 'SELECT count(*)::int AS n FROM company')).toEqual([{ n: 0 }])
  })

  test('it is told the SQL for one who may', async () => {
    const url = await poorOwner(await emptyDatabase())
    const told = await ensureRoles(url, NOTHING_GIVEN, true).catch((error: Error) => error.message)
    expect(told).toMatch(/^DATABASE_URL's role may not make the portal's roles\./)
    // They exist here, with passwords derived from another owner's.
    expect(told).toMatch(/\nALTER ROLE mainstreet_app NOBYPASSRLS LOGIN PASSWORD '[\w-]{43}';\n/)
    expect(told).toMatch(/\nGRANT mainstreet_search TO owner_\w+;\n/)
  })
})

describe('roles that somebody else made', () => {
  test('must have the rights that the portal relies on', async () => {
    const { url, urls } = await emptyDatabase()
    await expect(ensureRoles(url, { ...NOTHING_GIVEN, appUrl: urls.platform }, false)).rejects.toThrow(
      "DATABASE_APP_URL's role must obey row-level security",
    )
    await expect(ensureRoles(url, { ...NOTHING_GIVEN, platformUrl: urls.app }, false)).rejects.toThrow(
      "DATABASE_PLATFORM_URL's role must pass row-level security",
    )
  })

  test('must let us in', async () => {
    const { url, urls } = await emptyDatabase()
    const wrong = new URL(urls.app)
    wrong.password = 'wrong'
    await expect(ensureRoles(url, { ...NOTHING_GIVEN, appUrl: wrong.href }, false)).rejects.toThrow(
      'DATABASE_APP_URL does not let us in (password authentication failed',
    )
  })
})

test('an owner without a password is told what to do', async () => {
  const url = new URL((await emptyDatabase()).url)
  url.password = ''
  await expect(ensureRoles(url.href, NOTHING_GIVEN, true)).rejects.toThrow(/^DATABASE_URL needs a password/)
})

test('a server that does not answer is one line, without the password', async () => {
  const ask = ensureRoles('postgres://me:secret-word@127.0.0.1:1/portal', NOTHING_GIVEN, true)
  await expect(ask).rejects.toThrow(
    'DATABASE_URL does not answer: 127.0.0.1:1/portal (connect ECONNREFUSED 127.0.0.1:1).',
  )
})
