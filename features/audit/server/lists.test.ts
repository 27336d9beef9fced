import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { auditIn } from '../../../server/audit.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestTown } from '../../../test/town.ts'
import { sealWaiting } from './seal.ts'

const TOWN = 'maplegrove.localhost'
const RESIDENT = 'resident@maplegrove.example'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })
const { house, clock } = portal
let maple: CompanyId
let [resident, admin] = ['', '']

const idOf = async (email: string, table = 'person') =>
  (await portal.owner.query<{ id: number }>(`SELECT id FROM ${table} WHERE email = $1`, [email])).rows[0]?.id ?? 0
const write = (action: string, more: { person?: number; detail?: Record<string, unknown> } = {}) =>
  house.inCompany(maple, (tx) =>
    auditIn(tx, clock, maple, { session: null, requestId: '', kind: 'system' }, { action, ...more }),
  )
const activity = async (body: object = {}, token = resident) =>
  (await portal.post(TOWN, 'return/activity/log', body, { token })).body
const log = async (body: object = {}) =>
  (await portal.post(TOWN, 'muni/return/audit/events', body, { token: admin })).body
const csv = async (path: string, body: object, token: string) => {
  const { body: ticket } = await portal.post(TOWN, path, body, { token })
  return (await portal.get(TOWN, ticket.url)).body as string
}

beforeAll(async () => {
  maple = await openTestTown(portal, mapleGrove)
  await openTestTown(portal, harborCity)
  await addTestPlatformStaff(portal)
  await portal.post(TOWN, 'login', { email: RESIDENT, password: 'not this one' })
  clock.advance(1000)
  resident = await portal.signIn(TOWN, RESIDENT)
  clock.advance(1000)
  admin = await portal.signIn(TOWN, 'admin@maplegrove.example')
})

describe('a person’s own activity', () => {
  it('holds what they did and what was done to them, the newest first, and nothing of others', async () => {
    await write('profile.saved', { person: await idOf(RESIDENT) })
    await write('profile.saved', { person: await idOf('newcomer@maplegrove.example') })
    const { entries, next } = await activity()
    expect(entries.map(({ what }: { what: string }) => what)).toEqual([
      'Profile saved',
      'Signed in',
      'A sign-in was refused',
    ])
    expect(next).toBeNull()
  })

  it('names whoever acted in their name, and why', async () => {
    const [me, staff] = [await idOf(RESIDENT), await idOf('staff@maplegrove.example')]
    await portal.owner.query(
      `INSERT INTO audit_event (company_id, at, actor_kind, actor_id, impersonator_id, action, detail)
       VALUES ($1, $2, 'citizen', $3, $4, 'impersonation.begun', '{"reason": "asked by phone"}')`,
      [maple, clock.now(), me, staff],
    )
    const { entries } = await activity({ filters: { kind: 'impersonation' } })
    expect(entries).toEqual([expect.objectContaining({ by: expect.stringMatching(/^\w+ \w+/), why: 'asked by phone' })])
  })

  it('comes a page at a time, by kind and by days of the town', async () => {
    const person = await idOf(RESIDENT)
    for (let n = 0; n < 30; n++) await write('payment.captured', { person, detail: { n } })
    const first = await activity({ filters: { kind: 'payment' } })
    const second = await activity({ filters: { kind: 'payment' }, cursor: first.next })
    expect([first.entries.length, second.entries.length, second.next]).toEqual([25, 5, null])
    expect(new Set([...first.entries, ...second.entries].map(({ id }: { id: number }) => id)).size).toBe(30)
    expect((await activity({ filters: { toDate: '2026-11-19' } })).entries).toEqual([])
    expect((await activity({ filters: { fromDate: '2026-11-20' } })).entries).toHaveLength(25)
    expect((await portal.post(TOWN, 'return/activity/log', { cursor: 'made up' }, { token: resident })).status).toBe(
      400,
    )
  })

  it('is a CSV', async () => {
    const lines = (await csv('export/activity/log', { filters: { kind: 'sign_in' } }, resident)).trim().split('\n')
    expect(lines).toEqual([
      'Date,Action,By,Reason',
      '2026-11-20 10:00,sign_in.accepted,,',
      '2026-11-20 10:00,sign_in.refused,,',
    ])
  })
})

describe('the audit log', () => {
  it('names who did what, and finds what one person did or had done to them', async () => {
    const found = await log({ search: ` ${RESIDENT.toUpperCase()} `, filters: { kind: 'sign_in' } })
    expect(found.rows.map(({ what, who }: { what: string; who: string }) => [what, who])).toEqual([
      ['Signed in', expect.stringMatching(/^\w+ \w+$/)],
      ['A sign-in was refused', 'A guest'],
    ])
    expect((await log({ search: 'nobody@maplegrove.example' })).rows).toEqual([])
  })

  it('pages forth and back without a gap, in both orders', async () => {
    for (const direction of ['desc', 'asc']) {
      const pages = [await log({ direction })]
      while (pages.at(-1).next) pages.push(await log({ direction, cursor: pages.at(-1).next }))
      const ids = pages.flatMap(({ rows }) => rows.map(({ id }: { id: number }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.length).toBe(pages[0].count)
      const back = await log({ direction, cursor: pages.at(-1).previous })
      expect(back.rows).toEqual(pages.at(-2).rows)
    }
  })

  it('says which records are sealed', async () => {
    await sealWaiting(house)
    await write('test.done')
    const { rows } = await log({ pageSize: 5 })
    expect(rows.map(({ sealed }: { sealed: boolean }) => sealed)).toEqual([false, true, true, true, true])
  })

  it('is a CSV, whose making is in the log', async () => {
    const text = await csv('muni/export/audit/events', { filters: {} }, admin)
    expect(text.split('\n')[0]).toBe('Number,Date,Kind,Who,In the name of somebody,Action,About,Person,Facts,Request')
    expect((await log({ filters: { kind: 'export' } })).rows[0].action).toBe('export.audit')
  })

  it.each(['staff', 'manager', 'resident'])('is not for the %s', async (name) => {
    const token = await portal.signIn(TOWN, `${name}@maplegrove.example`)
    expect((await portal.post(TOWN, 'muni/return/audit/events', {}, { token })).status).toBe(403)
  })

  it('of another town stays there', async () => {
    const token = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const { body } = await portal.post('harborcity.localhost', 'muni/return/audit/events', {}, { token })
    expect(body.rows.map(({ action }: { action: string }) => action)).toEqual(['sign_in.accepted', expect.any(String)])
    expect(JSON.stringify(body)).not.toContain('Maple')
  })
})
