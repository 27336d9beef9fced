import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { reservationBody, EVERY_DAY, expectOk, NOW, openRentals } from '../../test/rentals.ts'
import { type AccessCodes, bridge, replaceAccessCodes, sandboxCodes } from './server/access-codes.ts'
import { syncAccessCodes } from './server/sync-access-codes.ts'

/** Tests that door codes match the reservations, even if calls to the lock service fail. */

const { portal, owner, context, as, addResource, signInAt } = await openRentals({
  seasons: [{ ...EVERY_DAY, opens: '08:00', closes: '22:00' }],
  ...{ beforeMinutes: 30, afterMinutes: 15 },
})

/** Fake lock service that records requests and fails on demand. */
class Locks implements AccessCodes {
  readonly live = new Map<string, string>()
  requestCount = 0
  fails: 'grant' | 'lost answer' | 'revoke' | null = null

  async grant(key: string) {
    this.requestCount += 1
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

beforeEach(async () => {
  await owner.query(`DELETE FROM rental_access; UPDATE rental_resource SET door = ''`)
  await signInAt(NOW)
  locks = new Locks()
  replaceAccessCodes(locks)
})
afterAll(() => replaceAccessCodes(null))

let made = 0
/**
 * Creates a reservation, free of charge, of a hall with a door. The hall has half an hour of setup and cleanup time.
 * The portal confirms the reservation immediately.
 */
async function aReservation(more: object = {}): Promise<number> {
  const hall = await addResource({ door: `hall-${(made += 1)}`, ...more })
  const input = reservationBody(hall, { guests: 5, day: '2027-03-10', from: '18:00', until: '20:00' })
  const { totalCents } = await expectOk(as('resident', 'return/rental/price', input))
  return (await expectOk(as('resident', 'book/rental', { ...input, quotedCents: totalCents }))).reservationId
}
const ownAccess = (reservationId: number, role = 'resident') => as(role, 'return/my/rental/access', { reservationId })
const staffAccess = (reservationId: number) => expectOk(as('admin', 'muni/return/rental/access', { reservationId }))
const emails = async () => (await portal.emails()).filter(({ subject }) => subject.includes('your door code'))
const DAY_BEFORE = '2027-03-09T22:30:00.000Z'

describe('code', () => {
  test('is created once and shown and emailed a day before', async () => {
    const id = await aReservation()
    expect((await ownAccess(id)).body).toMatchObject({ is: 'none' })
    await syncAccessCodes(context)
    await syncAccessCodes(context)
    expect(locks.requestCount).toBe(1)
    expect((await ownAccess(id)).body).toEqual({
      ...{ is: 'later', code: '', from: '2027-03-10T22:30:00.000Z', until: '2027-03-11T01:15:00.000Z' },
    })
    expect(await emails()).toEqual([])
    const { rows } = await owner.query('SELECT code_sealed FROM rental_access WHERE reservation_id = $1', [id])
    expect(rows[0].code_sealed).not.toContain('1000#')
    await signInAt(DAY_BEFORE)
    await syncAccessCodes(context)
    await syncAccessCodes(context)
    expect((await ownAccess(id)).body).toMatchObject({ is: 'here', code: '1000#' })
    expect(await emails()).toMatchObject([{ text_body: expect.stringContaining('Your door code is 1000#.') }])
    expect((await ownAccess(id, 'newcomer')).status).toBe(404)
  })

  test('is not created without a confirmation or a lock', async () => {
    await aReservation({ needsApproval: true })
    await aReservation({ residentCents: 500, otherCents: 500 })
    await aReservation({ door: '' })
    await syncAccessCodes(context)
    expect(locks.requestCount).toBe(0)
  })

  test('ends with the reservation and is replaced after a move', async () => {
    const id = await aReservation()
    await syncAccessCodes(context)
    await expectOk(
      as('resident', 'change/my/rental', { reservationId: id, day: '2027-03-11', from: '18:00', until: '20:00' }),
    )
    await syncAccessCodes(context)
    expect(locks.requestCount).toBe(2)
    expect(locks.live.size).toBe(1)
    expect((await ownAccess(id)).body).toMatchObject({ from: '2027-03-11T22:30:00.000Z' })
    await expectOk(as('resident', 'cancel/my/rental', { reservationId: id }))
    await syncAccessCodes(context)
    expect(locks.live.size).toBe(0)
    expect((await ownAccess(id)).body).toMatchObject({ is: 'none', code: '' })
    const { rows } = await owner.query('SELECT count(*)::int FROM rental_access WHERE code_sealed IS NOT NULL')
    expect(rows[0].count).toBe(0)
  })

  test('is retried after a failure without creating a second code', async () => {
    const id = await aReservation()
    locks.fails = 'grant'
    await syncAccessCodes(context)
    expect(await staffAccess(id)).toMatchObject({ is: 'wanted', lastError: 'the bridge answered 503' })
    // The job does not retry now, because it waits one minute after a failure.
    locks.fails = 'lost answer'
    await syncAccessCodes(context)
    expect(locks.requestCount).toBe(1)
    portal.clock.set('2027-03-01T15:01:00.000Z')
    await syncAccessCodes(context)
    locks.fails = null
    portal.clock.set('2027-03-01T15:03:00.000Z')
    await syncAccessCodes(context)
    expect(await staffAccess(id)).toMatchObject({ is: 'here', code: '1000#' })
    expect(locks.live.size).toBe(1)
    await expectOk(as('resident', 'cancel/my/rental', { reservationId: id }))
    locks.fails = 'revoke'
    await syncAccessCodes(context)
    expect(locks.live.size).toBe(1)
    locks.fails = null
    portal.clock.set('2027-03-01T16:30:00.000Z')
    await syncAccessCodes(context)
    expect(locks.live.size).toBe(0)
  })

  test('is replaced by staff with a reason in the audit log', async () => {
    const id = await aReservation()
    await syncAccessCodes(context)
    const renewCode = (reason: string) => as('admin', 'muni/renew/rental/access', { reservationId: id, reason })
    expect((await renewCode('')).body.details.fields).toHaveProperty('reason')
    await expectOk(renewCode('It stood on a poster.'))
    await syncAccessCodes(context)
    expect(locks.requestCount).toBe(2)
    expect(locks.live.size).toBe(1)
    const { rows } = await owner.query(`SELECT detail FROM audit_event WHERE action = 'rental.access_renewed'`)
    expect(rows).toMatchObject([{ detail: { reason: 'It stood on a poster.' } }])
  })

  test('expires and is deleted after its reservation', async () => {
    const id = await aReservation()
    await syncAccessCodes(context)
    await signInAt('2027-03-11T01:15:00.000Z')
    await syncAccessCodes(context)
    expect((await ownAccess(id)).body).toMatchObject({ is: 'none' })
    const { rows } = await owner.query('SELECT status, code_sealed FROM rental_access WHERE reservation_id = $1', [id])
    expect(rows).toEqual([{ status: 'ended', code_sealed: null }])
  })
})

describe('bridge', () => {
  test('receives the documented calls with its key', async () => {
    const requests: { method: string; url: string; key: string; body: string }[] = []
    let reply = { status: 200, body: JSON.stringify({ id: 'lock-7', code: '4711#' }) }
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        requests.push({ method, url, key: headers.authorization ?? '', body })
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      const { port } = server.address() as AddressInfo
      const accessCodes = bridge({ url: `http://127.0.0.1:${port}/v1/`, key: 'a key of the bridge' })
      const times = { from: new Date('2027-03-10T22:30:00Z'), until: new Date('2027-03-11T00:15:00Z') }
      const request = { door: 'hall-1', ...times, label: 'R-100001' }
      expect(await accessCodes.grant('101-7', request)).toEqual({ id: 'lock-7', code: '4711#' })
      expect(requests).toEqual([
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
      for (const invalid of ['{"id": "x"}', '{"id": "x", "code": "<b>1</b>"}', 'no json']) {
        reply = { status: 200, body: invalid }
        await expect(accessCodes.grant('101-7', request)).rejects.toThrow()
      }
      reply = { status: 503, body: '{}' }
      await expect(accessCodes.revoke('101-7')).rejects.toThrow('503')
      // If the bridge does not know a code, its revocation counts as successful.
      reply = { status: 404, body: '{}' }
      await accessCodes.revoke('101-7')
    } finally {
      server.close()
    }
  })
})

test('returns a constant sandbox code for each key', async () => {
  const codes = sandboxCodes(context.secrets)
  const at7 = { door: 'hall', from: new Date(), until: new Date(), label: '' }
  const one = await codes.grant('101-7', at7)
  expect(one.code).toMatch(/^\d{6}$/)
  expect(await codes.grant('101-7', at7)).toEqual(one)
  expect((await codes.grant('101-8', at7)).code).not.toBe(one.code)
})
