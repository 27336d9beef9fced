import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'
import { type AccessCodes, bridge, lockInstead, sandboxCodes } from './server/access-codes.ts'
import { bringCodes } from './server/give-codes.ts'

/** Codes of doors follow what the reservations say, whatever fails in between. */

const TOWN = 'maplegrove.localhost'
const NOW = '2027-03-01T15:00:00.000Z'
const portal = await testPortal({ clock: testClock(NOW) })
const { owner, context } = portal
const tokens: Record<string, string> = {}

/** Locks that remember what they were asked, and fail when they are told to. */
class Locks implements AccessCodes {
  readonly live = new Map<string, string>()
  asked = 0
  fails: 'grant' | 'lost answer' | 'revoke' | null = null

  async grant(key: string) {
    this.asked += 1
    if (this.fails === 'grant') throw new Error('the bridge answered 503')
    const code = this.live.get(key) ?? `${1000 + this.live.size}#`
    this.live.set(key, code)
    if (this.fails === 'lost answer') throw new Error('the connection was lost')
    return { id: `lock-${key}`, code }
  }

  async revoke(key: string) {
    if (this.fails === 'revoke') throw new Error('the bridge answered 503')
    this.live.delete(key)
  }
}
let locks: Locks

beforeAll(async () => {
  await openTestTown(portal, mapleGrove)
  await liftLimits(owner)
})
beforeEach(async () => {
  await owner.query(`DELETE FROM rental_access; UPDATE rental_resource SET door = ''`)
  await at(NOW)
  locks = new Locks()
  lockInstead(locks)
})
afterAll(() => lockInstead(null))

async function at(time: string) {
  portal.clock.set(time)
  for (const who of ['admin', 'resident', 'newcomer'])
    tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
}
const as = (who: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(TOWN, path, body, { token: tokens[who] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function given(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

let made = 0
/** A reservation of a hall with a door, half an hour of which is for getting it ready; confirmed, as it costs nothing. */
async function aReservation(more: object = {}): Promise<number> {
  const season = {
    from: '01-01',
    until: '12-31',
    days: [1, 2, 3, 4, 5, 6, 7],
    opens: '08:00',
    closes: '22:00',
    percent: 100,
  }
  const form = {
    ...{ name: `Hall ${(made += 1)}`, kind: 'hall', status: 'open', description: '', place: '', houseRules: '' },
    ...{ amenities: '', accessibility: '', capacity: 0, pieces: 1, needsApproval: false, seasons: [season] },
    ...{ closedOnHolidays: false, stepMinutes: 60, leastMinutes: 60, mostMinutes: 600, noticeHours: 0, aheadDays: 400 },
    ...{ beforeMinutes: 30, afterMinutes: 15, chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0 },
    ...{ addons: [], refundDays: 7, latePercent: 0, agreement: '', door: `hall-${made}`, glAccount: '400' },
  }
  const { resourceId } = await given(as('admin', 'muni/add/rental/resource', { ...form, ...more }))
  const { spaces } = await given(as('admin', 'muni/return/rental/resource', { resourceId }))
  const asked = {
    ...{
      resourceId,
      spaceId: spaces[0].id,
      pieces: 1,
      addons: [],
      purpose: 'Choir',
      guests: 5,
      phone: '',
      agrees: true,
    },
    ...{ day: '2027-03-10', from: '18:00', until: '20:00' },
  }
  const { totalCents } = await given(as('resident', 'return/rental/price', asked))
  return (await given(as('resident', 'book/rental', { ...asked, quotedCents: totalCents }))).reservationId
}
const mine = (reservationId: number, who = 'resident') => as(who, 'return/my/rental/access', { reservationId })
const desk = (reservationId: number) => given(as('admin', 'muni/return/rental/access', { reservationId }))
const mails = async () => (await portal.mails()).filter(({ subject }) => subject.includes('your code for the door'))
const DAY_BEFORE = '2027-03-09T22:30:00.000Z'

describe('a code', () => {
  test('is made once for a confirmed reservation, with its buffers, sealed, and shown and mailed from a day before', async () => {
    const id = await aReservation()
    expect((await mine(id)).body).toMatchObject({ is: 'none' })
    await bringCodes(context)
    await bringCodes(context)
    expect(locks.asked).toBe(1)
    expect((await mine(id)).body).toEqual({
      ...{ is: 'later', code: '', from: '2027-03-10T22:30:00.000Z', until: '2027-03-11T01:15:00.000Z' },
    })
    expect(await mails()).toEqual([])
    const { rows } = await owner.query('SELECT code_sealed FROM rental_access WHERE reservation_id = $1', [id])
    expect(rows[0].code_sealed).not.toContain('1000#')
    await at(DAY_BEFORE)
    await bringCodes(context)
    await bringCodes(context)
    expect((await mine(id)).body).toMatchObject({ is: 'here', code: '1000#' })
    expect(await mails()).toMatchObject([{ text_body: expect.stringContaining('The code is 1000#.') }])
    expect((await mine(id, 'newcomer')).status).toBe(404)
  })

  test('is not made where nothing is confirmed, or nothing is locked', async () => {
    await aReservation({ needsApproval: true })
    await aReservation({ residentCents: 500, otherCents: 500 })
    await aReservation({ door: '' })
    await bringCodes(context)
    expect(locks.asked).toBe(0)
  })

  test('ends with the reservation, and another time is another code', async () => {
    const id = await aReservation()
    await bringCodes(context)
    await given(
      as('resident', 'change/my/rental', { reservationId: id, day: '2027-03-11', from: '18:00', until: '20:00' }),
    )
    await bringCodes(context)
    expect(locks.asked).toBe(2)
    expect(locks.live.size).toBe(1)
    expect((await mine(id)).body).toMatchObject({ from: '2027-03-11T22:30:00.000Z' })
    await given(as('resident', 'cancel/my/rental', { reservationId: id }))
    await bringCodes(context)
    expect(locks.live.size).toBe(0)
    expect((await mine(id)).body).toMatchObject({ is: 'none', code: '' })
    const { rows } = await owner.query('SELECT count(*)::int FROM rental_access WHERE code_sealed IS NOT NULL')
    expect(rows[0].count).toBe(0)
  })

  test('that could not be made or ended is tried again later; a lost answer makes no second one', async () => {
    const id = await aReservation()
    locks.fails = 'grant'
    await bringCodes(context)
    expect(await desk(id)).toMatchObject({ is: 'wanted', lastError: 'the bridge answered 503' })
    // Not at once: a bridge that is away is left alone for a minute.
    locks.fails = 'lost answer'
    await bringCodes(context)
    expect(locks.asked).toBe(1)
    portal.clock.set('2027-03-01T15:01:00.000Z')
    await bringCodes(context)
    locks.fails = null
    portal.clock.set('2027-03-01T15:03:00.000Z')
    await bringCodes(context)
    expect(await desk(id)).toMatchObject({ is: 'here', code: '1000#' })
    expect(locks.live.size).toBe(1)
    await given(as('resident', 'cancel/my/rental', { reservationId: id }))
    locks.fails = 'revoke'
    await bringCodes(context)
    expect(locks.live.size).toBe(1)
    locks.fails = null
    portal.clock.set('2027-03-01T16:30:00.000Z')
    await bringCodes(context)
    expect(locks.live.size).toBe(0)
  })

  test('is made anew by staff with a reason, which the audit log keeps; only those who may change see it', async () => {
    const id = await aReservation()
    await bringCodes(context)
    const renew = (reason: string) => as('admin', 'muni/renew/rental/access', { reservationId: id, reason })
    expect((await renew('')).body.details.fields).toHaveProperty('reason')
    await given(renew('It stood on a poster.'))
    await bringCodes(context)
    expect(locks.asked).toBe(2)
    expect(locks.live.size).toBe(1)
    const { rows } = await owner.query(`SELECT detail FROM audit_event WHERE action = 'rental.access_renewed'`)
    expect(rows).toMatchObject([{ detail: { reason: 'It stood on a poster.' } }])
  })

  test('is over with its reservation, and forgotten', async () => {
    const id = await aReservation()
    await bringCodes(context)
    await at('2027-03-11T01:15:00.000Z')
    await bringCodes(context)
    expect((await mine(id)).body).toMatchObject({ is: 'none' })
    const { rows } = await owner.query('SELECT status, code_sealed FROM rental_access WHERE reservation_id = $1', [id])
    expect(rows).toEqual([{ status: 'ended', code_sealed: null }])
  })
})

describe('a bridge', () => {
  test('is asked by the calls of its document, with its key, and what it answers is judged', async () => {
    const asked: { method: string; url: string; key: string; body: string }[] = []
    let answer = { status: 200, body: JSON.stringify({ id: 'lock-7', code: '4711#' }) }
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        asked.push({ method, url, key: headers.authorization ?? '', body })
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      const { port } = server.address() as AddressInfo
      const locksOfTown = bridge({ url: `http://127.0.0.1:${port}/v1/`, key: 'a key of the bridge' })
      const times = { from: new Date('2027-03-10T22:30:00Z'), until: new Date('2027-03-11T00:15:00Z') }
      const wanted = { door: 'hall-1', ...times, label: 'R-100001' }
      expect(await locksOfTown.grant('101-7', wanted)).toEqual({ id: 'lock-7', code: '4711#' })
      expect(asked).toEqual([
        {
          ...{ method: 'PUT', url: '/v1/codes/101-7', key: 'Bearer a key of the bridge' },
          body: JSON.stringify({
            ...{
              door: 'hall-1',
              from: '2027-03-10T22:30:00.000Z',
              until: '2027-03-11T00:15:00.000Z',
              label: 'R-100001',
            },
          }),
        },
      ])
      for (const wrong of ['{"id": "x"}', '{"id": "x", "code": "<b>1</b>"}', 'no json']) {
        answer = { status: 200, body: wrong }
        await expect(locksOfTown.grant('101-7', wanted)).rejects.toThrow()
      }
      answer = { status: 503, body: '{}' }
      await expect(locksOfTown.revoke('101-7')).rejects.toThrow('503')
      // What it does not know any more is ended.
      answer = { status: 404, body: '{}' }
      await locksOfTown.revoke('101-7')
    } finally {
      server.close()
    }
  })
})

test('the sandbox makes the same code for the same key, and another for another one', async () => {
  const codes = sandboxCodes(context.secrets)
  const at7 = { door: 'hall', from: new Date(), until: new Date(), label: '' }
  const one = await codes.grant('101-7', at7)
  expect(one.code).toMatch(/^\d{6}$/)
  expect(await codes.grant('101-7', at7)).toEqual(one)
  expect((await codes.grant('101-8', at7)).code).not.toBe(one.code)
})
