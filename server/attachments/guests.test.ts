import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { MAX_GUEST_BYTES, MAX_COMPANY_GUEST_BYTES } from './parts.ts'

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
const company = await openTestCompany(portal, mapleGrove)
const MB = 1_000_000

const startUpload = async (remoteAddress: string, bytes = 10 * MB) => {
  const key = randomBytes(16).toString('hex')
  const { statusCode } = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/start/upload/request_file',
    headers: { host: HOST },
    payload: { key, name: 'a.pdf', bytes },
    remoteAddress,
  })
  portal.clock.advance(1000)
  return { key, status: statusCode }
}
const uploads = async () => {
  const { rows } = await portal.owner.query(
    `SELECT owner, array_agg(key ORDER BY expires_at) AS keys, sum(bytes)::int AS bytes FROM upload GROUP BY owner`,
  )
  return new Map<string, { keys: string[]; bytes: number }>(rows.map((row) => [row.owner, row]))
}
beforeEach(() => portal.owner.query('DELETE FROM upload'))

test('limits the pending bytes of one address and drops the oldest first', async () => {
  const started = []
  for (let n = 0; n < 12; n += 1) started.push(await startUpload('203.0.113.1'))
  expect(started.every(({ status }) => status === 200)).toBe(true)
  const own = (await uploads()).get('guest 203.0.113.1')
  expect(own?.bytes).toBeLessThanOrEqual(MAX_GUEST_BYTES)
  const keys = own?.keys ?? []
  expect(keys.length).toBeGreaterThan(0)
  expect(keys).toEqual(started.slice(-keys.length).map(({ key }) => key))
})

test('limits many addresses to the municipality’s share and locks out no one', async () => {
  const honest = await startUpload('198.51.100.1', 5 * MB)
  await portal.owner.query(
    `INSERT INTO upload (company_id, owner, key, kind, name, bytes, expires_at)
     SELECT $1, 'guest 203.0.' || n || '.' || k, replace(gen_random_uuid()::text, '-', ''), 'request_file', 'a.pdf', 10000000, $2::timestamptz + make_interval(mins => 90)
     FROM generate_series(1, 40) n, generate_series(1, 3) k`,
    [company, portal.clock.now()],
  )
  const late = await startUpload('198.51.100.2', 5 * MB)
  expect(late.status).toBe(200)
  const left = await uploads()
  expect([...left.values()].reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MAX_COMPANY_GUEST_BYTES)
  expect(left.get('guest 198.51.100.1')?.keys).toEqual([honest.key])
  expect(left.get('guest 198.51.100.2')?.keys).toEqual([late.key])
})

test('applies the limit to parallel uploads', async () => {
  await Promise.all(Array.from({ length: 12 }, () => startUpload('203.0.113.2')))
  expect((await uploads()).get('guest 203.0.113.2')?.bytes).toBeLessThanOrEqual(MAX_GUEST_BYTES)
})
