import { beforeAll, expect, it } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../test/harness.ts'
import { addTestPlatformStaff, openTestTown } from '../test/town.ts'
import { fading, sweep } from './sweep.ts'

const TOWN = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const CLERK = 'admin@harborcity.example'
const DAY = 86_400_000
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

const counts = async (...tables: string[]) =>
  Promise.all(tables.map(async (table) => (await portal.owner.query(`SELECT FROM ${table}`)).rowCount))

beforeAll(async () => {
  await openTestTown(portal, harborCity)
  await addTestPlatformStaff(portal)
})

it('takes away what has expired, and nothing that somebody may still come with', async () => {
  const token = await portal.signIn(TOWN, CLERK)
  const above = await portal.signIn(ADMIN, 'super@mainstreet.example')
  await portal.post(TOWN, 'muni/export/audit/events', {}, { token })
  await portal.post(ADMIN, 'admin/export/audit/events', {}, { token: above })
  await portal.post(TOWN, 'login', { email: CLERK, password: 'not this one' })
  const tables = ['session', 'platform_session', 'download_ticket', 'platform_download_ticket', 'failed_guess']
  expect(await counts(...tables)).toEqual([1, 1, 1, 1, 2])
  expect(await sweep(portal.house)).toBe(0)

  portal.clock.advance(DAY + 120_000)
  expect(await sweep(portal.house)).toBe(4)
  expect(await counts(...tables)).toEqual([1, 1, 0, 0, 0])

  portal.clock.advance(90 * DAY)
  await sweep(portal.house)
  expect(await counts(...tables)).toEqual([0, 0, 0, 0, 0])
  expect(await portal.signIn(TOWN, CLERK)).toMatch(/^[\w-]{43}$/)
})

it('takes more than one batch away', async () => {
  await portal.owner.query(
    `INSERT INTO failed_guess (scope, key_hash, failures, window_started_at)
     SELECT 'test', decode(md5(n::text), 'hex'), 1, $1::timestamptz - interval '2 days' FROM generate_series(1, 10001) n`,
    [portal.clock.now()],
  )
  expect(await sweep(portal.house)).toBe(10_001)
})

it('knows every table whose rows expire, but for what is history', async () => {
  const { rows } = await portal.owner.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'expires_at' ORDER BY 1`,
  )
  // Who was impersonated by whom stays, and a checkout with its order; an invitation that is over is shown until it is made anew.
  const kept = ['guest_checkout', 'impersonation', 'invitation', 'platform_invitation']
  expect(rows.map(({ name }) => name).filter((name) => !kept.includes(name))).toEqual(
    fading
      .filter(([, column]) => column === 'expires_at')
      .map(([table]) => table)
      .sort(),
  )
})
