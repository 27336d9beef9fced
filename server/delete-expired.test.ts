import { beforeAll, expect, it } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../test/company.ts'
import { deleteExpired } from './delete-expired.ts'

const HOST = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const STAFF = 'admin@harborcity.example'
const DAY = 86_400_000
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

const { retention } = portal.context
const counts = async (...tables: string[]) =>
  Promise.all(tables.map(async (table) => (await portal.owner.query(`SELECT FROM ${table}`)).rowCount))

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
})

it('deletes expired rows and keeps those still in use', async () => {
  const token = await portal.signIn(HOST, STAFF)
  const above = await portal.signIn(ADMIN, 'super@mainstreet.example')
  await portal.post(HOST, 'muni/export/audit/events', {}, { token })
  await portal.post(ADMIN, 'admin/export/audit/events', {}, { token: above })
  await portal.post(HOST, 'login', { email: STAFF, password: 'not this one' })
  const tables = ['session', 'platform_session', 'download_token', 'platform_download_token', 'failed_guess']
  expect(await counts(...tables)).toEqual([1, 1, 1, 1, 5])
  expect(await deleteExpired(portal.context)).toBe(0)

  portal.clock.advance(DAY + 120_000)
  expect(await deleteExpired(portal.context)).toBe(7)
  expect(await counts(...tables)).toEqual([1, 1, 0, 0, 0])

  portal.clock.advance(90 * DAY)
  await deleteExpired(portal.context)
  expect(await counts(...tables)).toEqual([0, 0, 0, 0, 0])
  expect(await portal.signIn(HOST, STAFF)).toMatch(/^[\w-]{43}$/)
})

it('deletes more than one batch', async () => {
  await portal.owner.query(
    `INSERT INTO failed_guess (scope, key_hash, failures, window_started_at)
     SELECT 'test', decode(md5(n::text), 'hex'), 1, $1::timestamptz - interval '2 days' FROM generate_series(1, 10001) n`,
    [portal.clock.now()],
  )
  expect(await deleteExpired(portal.context)).toBe(10_001)
})

it('deletes emails, saved answers and provider events after their retention period', async () => {
  const { owner, clock } = portal
  const company = (await owner.query(`SELECT id FROM company WHERE subdomain = 'harborcity'`)).rows[0].id
  await owner.query('DELETE FROM email_outbox')
  const days = (n: number) => new Date(clock.now().getTime() - n * DAY)
  const message = (what: string, created: Date, sent: Date | null, failed: string | null) =>
    owner.query(
      `WITH given AS (SELECT $2 AS to_address, 'Hello' AS subject, '' AS text_body, '' AS html_body, $3::timestamptz AS created_at,
          $4::timestamptz AS sent_at, $5 AS last_error),
        platform AS (INSERT INTO platform_email (to_address, subject, text_body, html_body, created_at, sent_at, last_error) SELECT * FROM given)
      INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, created_at, sent_at, last_error) SELECT $1, * FROM given`,
      [company, what, created, sent, failed],
    )
  await message('sent long ago', days(120), days(91), null)
  await message('sent of late', days(120), days(89), null)
  await message('never sent', days(181), null, '550')
  await message('not sent yet', days(179), null, '550')
  await owner.query(
    `INSERT INTO idempotency_key (company_id, call, key, body_hash, lease_until, created_at)
     SELECT $1, 'pay', 'key-' || at, '', at, at FROM unnest($2::timestamptz[]) AS at`,
    [company, [days(61), days(59)]],
  )
  await owner.query(
    `INSERT INTO provider_event (provider, event_id, received_at, body, applied_at)
     VALUES ('sandbox', 'old', $1, '{}', $1), ('sandbox', 'waiting', $1, '{}', NULL), ('sandbox', 'of late', $1, '{}', $2)`,
    [days(91), days(89)],
  )
  await deleteExpired(portal.context)
  const left = async (column: string, table: string) =>
    (await owner.query(`SELECT ${column} AS name FROM ${table} ORDER BY 1`)).rows.map(({ name }) => name)
  expect(await left('to_address', 'email_outbox')).toEqual(['not sent yet', 'sent of late'])
  expect(await left('to_address', 'platform_email')).toEqual(['not sent yet', 'sent of late'])
  expect(await left('key', 'idempotency_key')).toHaveLength(1)
  expect(await left('event_id', 'provider_event')).toEqual(['of late', 'waiting'])
})

it('finds expired rows by an index in every table', async () => {
  const { rows } = await portal.owner.query<{ table: string; column: string }>(
    `SELECT c.relname AS "table", a.attname AS "column" FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]`,
  )
  const first = new Set(rows.map(({ table, column }) => `${table}.${column}`))
  expect(retention.filter(({ table, since }) => !first.has(`${table}.${since}`))).toEqual([])
})

it('covers every table with expiring rows, except history', async () => {
  const { rows } = await portal.owner.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'expires_at' ORDER BY 1`,
  )
  // These rows stay as history: impersonations, shares, checkouts with orders, and alerts. Expired invitations and
  // codes stay visible until new ones replace them.
  const retained = [
    'account_share',
    'alert',
    'found_alert',
    'guest_checkout',
    'impersonation',
    'invitation',
    'platform_invitation',
    'utility_link_code',
  ]
  expect(rows.map(({ name }) => name).filter((name) => !retained.includes(name))).toEqual(
    retention
      .filter(({ since }) => since === 'expires_at')
      .map(({ table }) => table)
      .sort(),
  )
})
