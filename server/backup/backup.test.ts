import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../../features/payments/server/ledger/verify-ledger.ts'
import { isSound } from '../verify.ts'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { catalogFaults } from '../../test/catalog.ts'
import { poorOwnerOf, type TestDatabase } from '../../test/databases.ts'
import { payAsGuest } from '../../test/guest.ts'
import { emptyDatabase, testClock, testDatabase, testFolder, type TestPortal, testPortal } from '../../test/harness.ts'
import { bareEnv } from '../../test/processes.ts'
import { startS3 } from '../../test/s3-server.ts'
import { openPaidCompany } from '../../test/company.ts'
import { PLATFORM } from '../audit.ts'
import { type Config, type Env, readConfig } from '../config.ts'
import { joinPortal, openDatabase } from '../db/database.ts'
import { lockFolder } from '../db/lock.ts'
import { connectOwner } from '../db/owner.ts'
import { prepareGateway } from '../gateway-process.ts'
import { readMigrations } from '../db/migrate.ts'
import type { Files } from '../files.ts'
import { openFiles } from '../open-files.ts'
import { companyIdFrom } from '../tenancy.ts'
import { ArchiveWriter, readArchive } from './archive.ts'
import { backUp } from './back-up.ts'
import { checkArchive } from './check-archive.ts'
import { load } from './load.ts'
import type { Manifest } from './manifest.ts'
import { restore } from './restore.ts'
import { nightly } from '../../test/nightly.ts'

const HOST = 'maplegrove.localhost'
const companyId = companyIdFrom('import', 101)
const attachmentContent = Buffer.from('a letter that a resident sent')

/** Runs `npm run …` as a process. Returns the output of both streams and the exit code. */
async function run(command: string, args: string[], env: Record<string, string>) {
  const entry = fileURLToPath(new URL(`../../portal/commands/${command}.ts`, import.meta.url))
  const options = { env: { ...bareEnv, ...env } }
  return promisify(execFile)(process.execPath, [entry, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      printed: error.stdout + error.stderr,
    }),
  )
}

const configOn = ({ url }: Pick<TestDatabase, 'url'>, dataDir = testFolder(), env: Env = {}): Config =>
  readConfig({ DATA_DIR: dataDir, DATABASE_URL: url, ...env }, 'test')

const opened: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of opened) await close()
})

async function backUpOf(database: Pick<TestDatabase, 'url' | 'urls'>, config: Config, path: string): Promise<Manifest> {
  const files = await openFiles(config, testClock())
  const parts = { config, clock: testClock(), files, database: { ownerUrl: database.url, urls: database.urls } }
  return backUp(parts, path)
}

async function restoreTo(config: Config, path: string, sqlFolder?: string): Promise<Manifest> {
  const { manifest, database } = await restore(config, await openFiles(config, testClock()), path, sqlFolder)
  await database.close()
  return manifest
}

/**
 * Portal with two companies. Each has a year of payments, one guest payment and one uploaded file. The backup ran while
 * guests searched for their bills.
 */
interface BackupFixture {
  database: TestDatabase
  portal: TestPortal
  archive: string
  orderId: number
  path: string
}

const fixture = Promise.withResolvers<BackupFixture>()
beforeAll(async () => {
  const database = await testDatabase()
  const where = { db: database.pools, clock: testClock() }
  await openPaidCompany(where, mapleGrove)
  await openPaidCompany(where, harborCity)
  // A service point and its responsible party refer to each other, so one statement inserts both.
  await database.owner.query(`
    WITH point AS (INSERT INTO service_point (company_id, premise_key, premise)
      SELECT id, 't1 elm street', '1 Elm Street' FROM company WHERE subdomain = 'maplegrove' RETURNING company_id, id)
    INSERT INTO service_point_party (company_id, service_point_id, from_on, party, name)
    SELECT company_id, id, '0001-01-01', 'company', '' FROM point`)
  const portal = await testPortal({ gateway: true, database })
  const orderId = await payAsGuest(portal, HOST, '100001', '17011')
  const { path } = await saveAttachment(portal, portal.context.files)
  const archive = join(testFolder(), 'portal.backup')
  const made = run('backup', [archive], { DATA_DIR: portal.config.dataDir, DATABASE_URL: database.url })
  let visiting = true
  void made.finally(() => (visiting = false))
  while (visiting) await portal.post(HOST, 'find/guest/bill', { accountNumber: '100002', zip: '00000' })
  const { code, printed } = await made
  if (code !== 0) throw new Error(printed)
  fixture.resolve({ database, portal, archive, orderId, path })
})

async function saveAttachment({ owner }: Pick<TestDatabase, 'owner'>, files: Files) {
  const written = await files.write(companyId, attachmentContent)
  await owner.query(
    `INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path, created_at, created_by_kind)
     VALUES ($1::int, 'test', 'company', $1::int, 1, 'clean', 'letter.txt', 'text/plain', $3, $4, $2, now(), 'system')`,
    [companyId, written.path, written.bytes, written.sha256],
  )
  return written
}

describe('backup made while the portal ran', () => {
  test('writes one file that only its owner may read', async () => {
    const { archive } = await fixture.promise
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(() => statSync(`${archive}.unfinished`)).toThrow('ENOENT')
  })

  nightly('comes back into an empty database, where a portal goes on', async () => {
    const { archive, orderId, path, portal: before } = await fixture.promise
    const database = await emptyDatabase()
    const config = configOn(database)
    const manifest = await restoreTo(config, archive)
    expect(manifest.files.count).toBe(1)
    expect(readFileSync(join(config.dataDir, 'secrets.json'))).toEqual(
      readFileSync(join(before.config.dataDir, 'secrets.json')),
    )

    // A backup of the restored database is byte-for-byte identical, with the same row-level security.
    const again = await backUpOf(database, config, join(testFolder(), 'again.backup'))
    expect(again).toEqual({ ...manifest, takenAt: again.takenAt })
    expect(await catalogFaults(database.owner)).toEqual([])
    const verified = await verifyLedger(database.urls.platform)
    expect(isSound(verified)).toBe(true)
    expect(verified.companies.map(({ name }) => name)).toEqual(['Maple Grove', 'Harbor City'])

    const portal = await testPortal({ gateway: true, database, env: { DATA_DIR: config.dataDir } })
    const token = await portal.signIn(HOST, 'staff@maplegrove.example')
    const report = { filters: {}, search: `P${orderId}` }
    const { body } = await portal.post(HOST, 'muni/return/payment/transactions', report, { token })
    expect(body.rows).toMatchObject([{ receipt: `P${orderId}`, status: 1 }])
    const { body: receipt } = await portal.post(HOST, 'muni/print/payment/receipt', { paymentId: orderId }, { token })
    expect((await portal.get(HOST, receipt.url)).body).toMatch(/^%PDF-/)
    expect(await buffer(portal.context.files.read(path))).toEqual(attachmentContent)

    const next = await payAsGuest(portal, HOST, ...(await accountWithBalance(portal)))
    expect(next).toBeGreaterThan(orderId)
    expect(isSound(await verifyLedger(database.urls.platform))).toBe(true)
  })
})

/** Counts the companies in a database. After a failed restore, the count shows what remained. */
const companiesIn = async ({ owner }: TestDatabase) => (await owner.query('SELECT FROM company')).rowCount

describe('backup and restore by command', () => {
  const DATA_DIR = testFolder()
  const refused = `DATA_DIR ${DATA_DIR} holds a portal already, and nothing of it is overwritten. Restore into another DATA_DIR.`

  test('restores into an empty data folder and verifies the ledger', async () => {
    const { archive, path } = await fixture.promise
    const restored = await run('restore', [archive], { DATA_DIR })
    expect(restored).toMatchObject({ code: 0, printed: expect.stringMatching(/^Restored the backup of 2/) })
    expect(restored.printed).toContain('✓ the trial balance of each company is zero (2 checked)')
    expect(readFileSync(join(DATA_DIR, 'files', path))).toEqual(attachmentContent)
  })

  nightly('and no second time', async () => {
    const { archive } = await fixture.promise
    expect(await run('restore', [archive], { DATA_DIR })).toEqual({ code: 1, printed: `${refused}\n` })
  })

  nightly('beside a portal that runs on the folder they use its server', async () => {
    const { archive } = await fixture.promise
    const running = await openDatabase(readConfig({ DATA_DIR, DEMO: '0' }, 'test'))
    opened.push(running.close)
    const verified = await run('verify', [], { DATA_DIR })
    expect(verified).toMatchObject({ code: 0, printed: expect.stringMatching(/\nMaple Grove: \d{3} payments, \$/) })
    const backedUp = await run('backup', [join(testFolder(), 'again.backup')], { DATA_DIR })
    expect(backedUp).toMatchObject({
      code: 0,
      printed: expect.stringMatching(
        / rows of \d+ tables, 1 files\.\nThe file does not contain the key of sealed texts\. .*\n$/,
      ),
    })
    const third = await run('restore', [archive], { DATA_DIR })
    expect(third.printed).toContain(`Another portal (process ${process.pid}) is running on DATA_DIR ${DATA_DIR}.`)
  })
})

nightly('uploads move with it from the disk into a bucket, and from there into the next backup', async () => {
  const { archive, path } = await fixture.promise
  const s3 = await startS3(testFolder())
  opened.push(s3.close)
  const database = await testDatabase()
  const config = configOn(database, testFolder(), s3.env)
  await restoreTo(config, archive)
  expect(s3.objects()).toEqual([path])
  const { files, lost } = await backUpOf(database, config, join(testFolder(), 'again.backup'))
  expect({ files: files.count, lost }).toEqual({ files: 1, lost: [] })
})

test('migrates the backup of an older version', async () => {
  const { archive } = await fixture.promise
  const newer = await emptyDatabase()
  const sqlFolder = testFolder()
  cpSync(fileURLToPath(new URL('../../database', import.meta.url)), sqlFolder, { recursive: true })
  const added = `${String(readMigrations().length).padStart(4, '0')}_made_up.sql`
  writeFileSync(
    join(sqlFolder, 'migrations', added),
    "ALTER TABLE company ADD COLUMN motto text NOT NULL DEFAULT 'Made up'; CREATE TABLE motto (company_id int PRIMARY KEY)",
  )
  await restoreTo(configOn(newer), archive, sqlFolder)
  const { rows } = await newer.owner.query('SELECT name FROM schema_migration ORDER BY name')
  expect(rows.map(({ name }) => name)).toEqual([...readMigrations().map(({ name }) => name), added])
  expect((await newer.owner.query('SELECT DISTINCT motto FROM company')).rows).toEqual([{ motto: 'Made up' }])
  // The new table also has row-level security by company.
  const secured = "SELECT relforcerowsecurity AS is_secured FROM pg_class WHERE relname = 'motto'"
  expect((await newer.owner.query(secured)).rows).toEqual([{ is_secured: true }])
  expect(isSound(await verifyLedger(newer.urls.platform))).toBe(true)
})

nightly('an owner who is no superuser, and whom row-level security binds, backs up and restores as well', async () => {
  const { archive } = await fixture.promise
  const database = await emptyDatabase()
  const { url, drop } = await poorOwnerOf(database)
  opened.unshift(drop)
  await database.owner.query(`GRANT mainstreet_search, mainstreet_gateway TO ${new URL(url).username}`)
  const { app, platform, gateway } = database.urls
  const env = { DATABASE_APP_URL: app, DATABASE_PLATFORM_URL: platform, GATEWAY_DATABASE_URL: gateway ?? '' }
  const config = configOn({ url }, testFolder(), env)
  const manifest = await restoreTo(config, archive)
  const again = await backUpOf({ url, urls: database.urls }, config, join(testFolder(), 'again.backup'))
  expect(again.tables).toEqual(manifest.tables)
  expect(await catalogFaults(database.owner)).toEqual([])
})

describe('refused backup', () => {
  test('fails without a file if row-level security would hide rows', async () => {
    const { database } = await fixture.promise
    const path = join(testFolder(), 'none.backup')
    const urls = { ...database.urls, platform: database.urls.app }
    await expect(backUpOf({ url: database.url, urls }, configOn(database), path)).rejects.toThrow(
      /row-level security policy/,
    )
    expect(readdirSync(dirname(path))).toEqual([])
  })

  test('refuses an existing file, a missing folder and an empty portal', async () => {
    const { database, archive } = await fixture.promise
    await expect(backUpOf(database, configOn(database), archive)).rejects.toThrow(/portal\.backup is there already\./)
    await expect(backUpOf(database, configOn(database), '/none/at/all')).rejects.toThrow(
      '/none/at/all cannot be written (ENOENT: no such file or directory).',
    )
    await expect(joinPortal(configOn(await emptyDatabase()))).rejects.toThrow('The database holds no portal yet.')
    const DATA_DIR = testFolder()
    await expect(joinPortal(readConfig({ DATA_DIR }, 'test'))).rejects.toThrow(
      `DATA_DIR ${DATA_DIR} holds no portal yet.`,
    )
  })

  test('reports once why the file cannot be written', async () => {
    const writer = await ArchiveWriter.create('/none/x')
    const written = writer.add('noise', randomBytes(20_000_000)).then(() => writer.finish('manifest.json', '{}'))
    await expect(written).rejects.toThrow('ENOENT: no such file or directory')
    await writer.discard()
  })

  nightly('without saying which uploads the store has lost', async () => {
    const { database } = await fixture.promise
    const config = configOn(database)
    const files = await openFiles(config, testClock())
    const { rows } = await database.owner.query<{ path: string }>('SELECT path FROM attachment')
    const path = rows[0]?.path ?? ''
    const missing = await backUpOf(database, config, join(testFolder(), 'a.backup'))
    expect(missing).toMatchObject({ lost: [path], files: { count: 0 } })
    await files.put(path, Buffer.from('another letter'))
    const damaged = await backUpOf(database, config, join(testFolder(), 'b.backup'))
    expect(damaged).toMatchObject({ lost: [path], files: { count: 1 } })
  })
})

describe('refused restore without changes', () => {
  test('fails if the file does not exist', async () => {
    await expect(restoreTo(configOn(await testDatabase()), '/none.backup')).rejects.toThrow(
      '/none.backup cannot be read (ENOENT: no such file or directory).',
    )
  })

  test.each<[what: string, damage: (bytes: Buffer) => Buffer]>([
    ['a byte of it is another', (bytes) => bytes.fill((bytes[5000] ?? 0) ^ 1, 5000, 5001)],
    ['its end is missing', (bytes) => bytes.subarray(0, bytes.length - 100)],
    ['its second half is missing', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['it is something else', () => Buffer.from('a letter')],
    ['it is empty', () => Buffer.alloc(0)],
  ])('fails if %s', async (_what, damage) => {
    const { archive } = await fixture.promise
    const path = join(testFolder(), 'damaged.backup')
    writeFileSync(path, damage(readFileSync(archive)))
    const database = await testDatabase()
    await expect(restoreTo(configOn(database), path)).rejects.toThrow(/ damaged/)
    expect(await companiesIn(database)).toBe(0)
  })

  test.each<[what: string, change: (manifest: Manifest) => void, text: string]>([
    ['of a layout to come', (manifest) => void (manifest.format = 2), 'by a newer version of Mainstreet (layout 2)'],
    [
      'of a newer version',
      ({ migrations }) => void migrations.push({ name: '0999_x.sql', sha256: 'a'.repeat(64) }),
      'by a newer version of Mainstreet (migration 0999_x.sql)',
    ],
    [
      'of another migration',
      ({ migrations }) => migrations.forEach((migration) => (migration.sha256 = 'a'.repeat(64))),
      'Migration 0000_schema is another one here',
    ],
    [
      'with other rows than were written',
      ({ tables }) => tables.forEach((table) => table.bytes++),
      'is not what was written',
    ],
    ['with fewer files than were written', ({ files }) => void files.count++, 'its files are not what was written'],
    [
      'with a column that is gone',
      ({ tables }) => tables.forEach(({ columns }) => columns.push('gone')),
      'that this version has no place',
    ],
    ['with fewer rows than it says', ({ tables }) => tables.forEach((table) => table.rows++), 'nothing was restored'],
  ])('fails for an archive %s', async (_what, change, text) => {
    const { archive } = await fixture.promise
    const path = await rewritten(archive, change)
    const database = await testDatabase()
    await expect(restoreTo(configOn(database), path)).rejects.toThrow(text)
    expect(await companiesIn(database)).toBe(0)
  })

  nightly('and what fails half way leaves a database that the next try takes', async () => {
    const { archive } = await fixture.promise
    const database = await testDatabase()
    const config = configOn(database)
    const files = await openFiles(config, testClock())
    const full = { ...files, put: () => Promise.reject(new Error('the disk is full')) }
    await expect(restore(config, full, archive)).rejects.toThrow('the disk is full')
    expect(await companiesIn(database)).toBe(0)
    await restoreTo(config, archive)
    expect(await companiesIn(database)).toBe(2)
  })

  test('rolls back an archive that breaks during a table or a file', async () => {
    const { archive } = await fixture.promise
    const manifest = await checkArchive(archive)
    const database = await testDatabase()
    await prepareGateway(database.urls.gateway ?? '')
    const whole = readFileSync(archive)
    for (const share of process.env['NIGHTLY'] ? [0.3, 0.6, 0.9] : [0.6]) {
      const path = join(testFolder(), 'short.backup')
      writeFileSync(path, whole.subarray(0, whole.length * share))
      const owner = await connectOwner(database.url)
      const files = await openFiles(configOn(database), testClock())
      await expect(load(owner, files, path, manifest)).rejects.toThrow('unexpected end of file')
      await owner.end()
    }
    expect(await companiesIn(database)).toBe(0)
  })

  test('fails if a portal or other data uses the folder or database', async () => {
    const { archive, database: running } = await fixture.promise
    const dataDir = testFolder()
    const unlock = lockFolder(dataDir)
    await expect(restoreTo(readConfig({ DATA_DIR: dataDir }, 'test'), archive)).rejects.toThrow(
      `Another portal (process ${process.pid}) is running on DATA_DIR ${dataDir}.`,
    )
    unlock()
    await expect(restoreTo(configOn(running), archive)).rejects.toThrow('The database holds a portal already')
    const fresh = await testDatabase()
    await fresh.pools.app.query('SELECT 1')
    await expect(restoreTo(configOn(fresh), archive)).rejects.toThrow('A portal is running on the database.')
    const other = await emptyDatabase()
    await other.owner.query('CREATE TABLE theirs (id int)')
    await expect(restoreTo(configOn(other), archive)).rejects.toThrow('The database holds tables of something else.')
  })
})

/** Copies an archive with a changed manifest. Returns the path of the copy. */
async function rewritten(archive: string, change: (manifest: Manifest) => void): Promise<string> {
  const path = join(testFolder(), 'rewritten.backup')
  const writer = await ArchiveWriter.create(path)
  let manifest = ''
  await readArchive(archive, (item) => {
    const parts: Buffer[] = []
    return {
      take: (part) => void parts.push(part),
      end: async () => {
        const content = Buffer.concat(parts)
        if (item === 'manifest.json') manifest = content.toString()
        else await writer.add(item, content)
      },
    }
  })
  const parsed = JSON.parse(manifest) as Manifest
  change(parsed)
  await writer.finish('manifest.json', JSON.stringify(parsed))
  return path
}

/** Returns the number and ZIP code of another account that has an amount due and no pending payment. */
async function accountWithBalance(portal: TestPortal): Promise<[number: string, zip: string]> {
  const { rows } = await portal.owner.query<{ account_number: string; zipcode: string }>(
    `SELECT a.account_number, a.zipcode FROM utility_account a
     -- Wrong tries were counted against 100002 while the backup ran.
     WHERE a.company_id = 101 AND a.account_number <> '100002' AND NOT EXISTS (
       SELECT FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
       WHERE l.company_id = 101 AND l.kind = 'utility' AND l.payable_id = a.id AND o.status = 0)
       AND (SELECT sum(b.amount_cents - b.paid_elsewhere_cents) FROM utility_bill b WHERE b.company_id = 101 AND b.account_id = a.id)
         - coalesce((SELECT sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) FROM remittance r
           WHERE r.company_id = 101 AND r.account_id = a.id), 0) BETWEEN 3000 AND 100000
     ORDER BY a.id LIMIT 1`,
  )
  return [rows[0]?.account_number ?? '', rows[0]?.zipcode ?? '']
}

test('includes the platform’s own files, such as form templates', async () => {
  const database = await testDatabase()
  const config = configOn(database)
  const files = await openFiles(config, testClock())
  const { path, bytes, sha256 } = await files.write(PLATFORM, attachmentContent)
  await database.owner.query(
    "INSERT INTO form_template (title, category, created_at, changed_at) VALUES ('Dog License', 'Licenses', now(), now())",
  )
  await database.owner.query(
    `INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path, created_at, created_by_kind)
     SELECT 0, 'form', 'form', id, 1, 'clean', 'dog.pdf', 'application/pdf', $2, $3, $1, now(), 'platform' FROM form_template`,
    [path, bytes, sha256],
  )
  const made = await backUpOf(database, config, join(testFolder(), 'forms.backup'))
  expect(made).toMatchObject({ lost: [], files: { count: 1, bytes } })
})
