import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import type { Company } from '../../server/hosts.ts'
import { transition } from '../../server/states.ts'
import type { ApiResponse } from '../../test/harness.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import {
  reservationBody as inputOf,
  expectOk,
  HOST,
  NOW,
  openRentals,
  PAID,
  type TestResource as Added,
} from '../../test/rentals.ts'
import { openAccounts, openTestCompany } from '../../test/company.ts'
import { type FeeRules, quoteOf } from '../../test/fees.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { offerUntil } from './rules.ts'
import { findReservation } from './server/reservation-rows.ts'
import { bySystem, lockedRental, rentalStateStore } from './server/reservations.ts'
import { expireRentals, offerWaitlisted, notifyRentals } from './server/notify.ts'

/** Tests the waitlist for reserved times: who receives an offer and when, and that no one receives it twice. */

const HOURS = 60
const fees: FeeRules = {
  ...{ program: 'convenience', absorb: 0, cardBps: 275, cardFixedCents: 30, cardMinCents: 195, cardMaxCents: 4995 },
  echeckCents: 150,
}
const { portal, owner, context, company, as, signIn, signInAt, addResource } = await openRentals({
  ...PAID,
  noticeHours: 24,
})
let provider: ProviderModel

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
  await openAccounts(portal)
})
beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  await signInAt()
  // Each test starts with an empty waitlist, because a person may have at most ten waitlist entries.
  await owner.query(`UPDATE rental_reservation SET status = 'cancelled' WHERE status = 'waitlisted'`)
})

/** Sets the clock to `minutes` after `NOW`. */
const later = (minutes: number) => signInAt(new Date(new Date(NOW).getTime() + minutes * 60_000).toISOString())

const free = { residentCents: 0, otherCents: 0, depositCents: 0 }
interface TestResource extends Added {
  cents: number
}
async function aResource(more: object = {}, parts: string[] = []): Promise<TestResource> {
  const { residentCents, depositCents } = { ...PAID, ...more }
  return { ...(await addResource(more, parts, 100)), cents: 2 * residentCents + depositCents }
}
const at = (day: string, from: string, until: string) => ({ day, from, until })
const JUNE = at('2027-06-12', '10:00', '12:00')
const reservationBody = ({ cents, ...of }: TestResource, when: object, more: object = {}) =>
  inputOf(of, { quotedCents: cents, ...when, ...more })
const book = async (role: string, of: TestResource, when: object = JUNE, more: object = {}): Promise<number> =>
  (await expectOk(as(role, 'book/rental', reservationBody(of, when, more)))).reservationId
const wait = async (role: string, of: TestResource, when: object = JUNE, more: object = {}): Promise<number> =>
  (await expectOk(as(role, 'wait/for/rental', reservationBody(of, when, more)))).reservationId
const leave = (role: string, reservationId: number) => as(role, 'leave/my/rental/waitlist', { reservationId })
const cancel = (role: string, reservationId: number) => expectOk(as(role, 'cancel/my/rental', { reservationId }))
const ownRental = (role: string, reservationId: number) => expectOk(as(role, 'return/my/rental', { reservationId }))
const statusOf = async (role: string, reservationId: number) => (await ownRental(role, reservationId)).status
const positionFor = async (role: string, reservationId: number) =>
  (await expectOk(as(role, 'return/my/rental/waitlist', { reservationId }))).position
async function pay(role: string, reservationId: number, cents = 7000): Promise<ApiResponse> {
  const { token } = await expectOk(as(role, 'pay/my/rental', { reservationId }))
  return as(role, 'pay/guest/bill', {
    ...{ token, payType: 1, method: 1, billCents: cents, email: `${role}@maplegrove.example` },
    methodToken: provider.token('ok'),
    expectedTotalCents: quoteOf(fees, 1, cents).totalCents,
  })
}
const emailsTo = async (role: string) =>
  (await portal.emails()).filter(({ to_address }) => to_address === `${role}@maplegrove.example`)
const occupied = async (reservationId: number): Promise<number> =>
  (await owner.query(`SELECT FROM rental_occupancy WHERE reservation_id = $1`, [reservationId])).rows.length

/** Reserves and pays for a time as the newcomer, a test account. Adds the resident to the waitlist for this time. */
async function setUpBooked(more: object = {}) {
  const resource = await aResource(more)
  const has = await book('newcomer', resource)
  if (resource.cents > 0) expect((await pay('newcomer', has, resource.cents)).body).toMatchObject({ state: 'paid' })
  return { resource, has, waits: await wait('resident', resource) }
}

describe('a time that becomes available', () => {
  test('is held for the waitlisted resident, who is notified and pays', async () => {
    const { resource, has, waits } = await setUpBooked()
    expect(await statusOf('resident', waits)).toBe('waitlisted')
    expect(await positionFor('resident', waits)).toBe(1)
    expect((await as('resident', 'pay/my/rental', { reservationId: waits })).body.code).toBe('wrong_status')
    await cancel('newcomer', has)
    expect(await ownRental('resident', waits)).toMatchObject({
      ...{ status: 'held', heldUntil: '2027-03-02T15:00:00.000Z', totalCents: 7000, can: { pay: true } },
    })
    expect((await as('newcomer', 'book/rental', reservationBody(resource, JUNE))).body.code).toBe('taken')
    await notifyRentals(context)
    expect((await emailsTo('resident')).at(-1)?.subject).toMatch(
      /^Reservation R-\d+: pay to reserve the available time/,
    )
    expect((await pay('resident', waits)).body).toMatchObject({ state: 'paid' })
    expect(await ownRental('resident', waits)).toMatchObject({ status: 'confirmed', paidCents: 7000 })
  })

  test('becomes a request if staff approve, and a reservation if free of charge', async () => {
    const resource = await aResource({ needsApproval: true })
    const has = await book('newcomer', resource)
    const waits = await wait('resident', resource)
    const decline = { reservationId: has, event: 'decline', reason: 'The roof leaks.' }
    await expectOk(as('admin', 'muni/transition/rental', decline))
    expect(await statusOf('resident', waits)).toBe('requested')
    const { has: other, waits: forFree } = await setUpBooked(free)
    await cancel('newcomer', other)
    expect(await statusOf('resident', forFree)).toBe('confirmed')
    const { rows } = await owner.query(`SELECT FROM scheduled_item WHERE source_kind = 'rental' AND source_id = $1`, [
      forFree,
    ])
    expect(rows).toHaveLength(1)
  })

  test('is held for half of the remaining hours if it starts soon', () => {
    const now = new Date(NOW)
    const hoursOf = (hours: number) =>
      (offerUntil(now, new Date(now.getTime() + hours * 3_600_000)).getTime() - now.getTime()) / 3_600_000
    expect([1000, 48, 30, 2].map(hoursOf)).toEqual([24, 24, 15, 1])
  })

  test('goes to the next applicant if the first does not pay in time', async () => {
    const { resource, has, waits } = await setUpBooked()
    await cancel('newcomer', has)
    const next = await wait('newcomer', resource)
    expect(await positionFor('newcomer', next)).toBe(1)
    await later(24 * HOURS + 1)
    await expireRentals(context)
    expect(await statusOf('resident', waits)).toBe('expired')
    expect(await statusOf('newcomer', next)).toBe('held')
    expect([await occupied(waits), await occupied(next)]).toEqual([0, 1])
  })

  test('charges the price at the time of the offer', async () => {
    const { resource, has, waits } = await setUpBooked(free)
    const { form: storedForm } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId: resource.id }))
    const dearer = { ...storedForm, residentCents: 700, otherCents: 700 }
    await expectOk(as('admin', 'muni/save/rental/resource', { resourceId: resource.id, ...dearer, basis: storedForm }))
    await expectOk(as('admin', 'muni/transition/rental', { reservationId: has, event: 'cancel' }))
    expect(await ownRental('resident', waits)).toMatchObject({ status: 'held', totalCents: 1400 })
  })

  test('is offered after a change of time or a cancelled series', async () => {
    const { has, waits } = await setUpBooked(free)
    const moved = { reservationId: has, ...at('2027-06-13', '10:00', '12:00') }
    await expectOk(as('newcomer', 'change/my/rental', moved))
    expect(await statusOf('resident', waits)).toBe('confirmed')
    const resource = await aResource(free)
    const series = {
      ...{ resourceId: resource.id, spaceId: resource.spaces[0], pieces: 1, from: '10:00', until: '12:00', guests: 1 },
      ...{ isResident: true, name: 'Olive Ortiz', email: '', phone: '', purpose: 'League', startsOn: JUNE.day },
      repeats: { unit: 'week', every: 1, weekdays: [6], by: 'day', until: '2027-06-26' },
      ...{ choices: [], quotedCents: 0 },
    }
    const { seriesId } = await expectOk(as('admin', 'muni/book/rental/series', series))
    const second = await wait('resident', resource, at('2027-06-19', '11:00', '13:00'))
    await expectOk(as('admin', 'muni/cancel/rental/series', { seriesId }))
    expect(await statusOf('resident', second)).toBe('confirmed')
  })

  test('is offered only after all dates of a series are cancelled', async () => {
    const resource = await aResource(free)
    const instead = at(JUNE.day, '12:00', '14:00')
    const series = {
      ...{ resourceId: resource.id, spaceId: resource.spaces[0], pieces: 1, from: '10:00', until: '12:00', guests: 1 },
      ...{ isResident: true, name: 'Olive Ortiz', email: '', phone: '', purpose: 'League', startsOn: JUNE.day },
      repeats: { unit: 'week', every: 1, weekdays: [6], by: 'day', until: '2027-06-19' },
      ...{ choices: [{ of: '2027-06-19', instead }], quotedCents: 0 },
    }
    const { seriesId } = await expectOk(as('admin', 'muni/book/rental/series', series))
    const long = await wait('resident', resource, at(JUNE.day, '10:00', '14:00'))
    const short = await wait('newcomer', resource)
    await expectOk(as('admin', 'muni/cancel/rental/series', { seriesId }))
    expect(await statusOf('resident', long)).toBe('confirmed')
    expect(await statusOf('newcomer', short)).toBe('waitlisted')
  })

  test('is offered after a closure is removed', async () => {
    const resource = await aResource(free)
    const resourceId = resource.id
    const closed = { resourceId, from: JUNE.day, until: JUNE.day, reason: 'New roof' }
    await expectOk(as('admin', 'muni/add/rental/blackout', closed))
    const waits = await wait('resident', resource)
    expect(await offerWaitlisted(context)).toBe(0)
    const { blackouts } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId }))
    await expectOk(as('admin', 'muni/remove/rental/blackout', { blackoutId: blackouts[0].id }))
    expect(await statusOf('resident', waits)).toBe('confirmed')
  })
})

describe('several waitlisted residents', () => {
  test('receive the time in waitlist order and see their position', async () => {
    const { resource, has, waits } = await setUpBooked(free)
    const second = await expectOk(as('newcomer', 'wait/for/rental', reservationBody(resource, JUNE)))
    expect(second.message).toBe('You are number 2 on the waitlist.')
    expect(await positionFor('newcomer', second.reservationId)).toBe(2)
    await cancel('newcomer', has)
    expect(await statusOf('resident', waits)).toBe('confirmed')
    expect(await ownRental('newcomer', second.reservationId)).toMatchObject({ status: 'waitlisted' })
    expect(await positionFor('newcomer', second.reservationId)).toBe(1)
    await cancel('resident', waits)
    expect(await statusOf('newcomer', second.reservationId)).toBe('confirmed')
  })

  test('with overlapping times: the first with a fully free time receives it', async () => {
    const resource = await aResource(free)
    const morning = await book('newcomer', resource, at(JUNE.day, '08:00', '10:00'))
    const noon = await book('newcomer', resource, at(JUNE.day, '10:00', '12:00'))
    const wantsBoth = await wait('resident', resource, at(JUNE.day, '08:00', '12:00'))
    const wantsNoon = await wait('newcomer', resource, at(JUNE.day, '11:00', '13:00'))
    await cancel('newcomer', noon)
    expect(await statusOf('resident', wantsBoth)).toBe('waitlisted')
    expect(await statusOf('newcomer', wantsNoon)).toBe('confirmed')
    await cancel('newcomer', wantsNoon)
    await cancel('newcomer', morning)
    expect(await statusOf('resident', wantsBoth)).toBe('confirmed')
  })

  test('for a half and the whole: a half becomes available separately', async () => {
    const field = await aResource(free, ['North', 'South'])
    const [whole, north, south] = field.spaces
    const has = await book('newcomer', field, JUNE, { spaceId: whole })
    const all = await wait('resident', field, JUNE, { spaceId: whole })
    const half = await wait('newcomer', field, JUNE, { spaceId: north })
    expect(await positionFor('newcomer', half)).toBe(2)
    await cancel('newcomer', has)
    expect([await statusOf('resident', all), await statusOf('newcomer', half)]).toEqual(['confirmed', 'waitlisted'])
    await cancel('resident', all)
    expect(await statusOf('newcomer', half)).toBe('confirmed')
    expect(await book('resident', field, JUNE, { spaceId: south })).toBeGreaterThan(0)
  })

  test('for equipment: the first request that fits the returned pieces receives them', async () => {
    const chairs = await aResource({ ...free, kind: 'equipment', pieces: 10 })
    const has = await book('newcomer', chairs, JUNE, { pieces: 4 })
    await book('newcomer', chairs, JUNE, { pieces: 6 })
    const six = await wait('resident', chairs, JUNE, { pieces: 6 })
    const three = await wait('newcomer', chairs, JUNE, { pieces: 3 })
    await cancel('newcomer', has)
    expect([await statusOf('resident', six), await statusOf('newcomer', three)]).toEqual(['waitlisted', 'confirmed'])
  })

  test('move up if one leaves, and expire when their time passes', async () => {
    const { resource, has, waits } = await setUpBooked(free)
    const second = await wait('newcomer', resource)
    await expectOk(leave('resident', waits))
    expect(await statusOf('resident', waits)).toBe('cancelled')
    expect(await positionFor('newcomer', second)).toBe(1)
    expect((await leave('resident', waits)).status).toBe(409)
    // The resource needs one day of notice, so residents can no longer reserve the time.
    portal.clock.set('2027-06-11T14:01:00.000Z')
    await signIn()
    await expireRentals(context)
    await cancel('newcomer', has)
    expect(await statusOf('newcomer', second)).toBe('expired')
    await notifyRentals(context)
    expect(
      (await emailsTo('newcomer')).some(({ subject }) =>
        /^Reservation R-\d+: the time did not become available/.test(subject),
      ),
    ).toBe(true)
  })
})

describe('waitlist limits', () => {
  test('refuse free times, duplicates, times against the rules, and an eleventh entry', async () => {
    const resource = await aResource(free)
    const tried = (when: object, more: object = {}) =>
      as('resident', 'wait/for/rental', reservationBody(resource, when, more))
    expect((await tried(JUNE)).body.code).toBe('free')
    await book('newcomer', resource)
    expect((await tried(JUNE, { quotedCents: 100 })).body.code).toBe('changed_since')
    expect((await tried(JUNE, { guests: 81 })).body.details.fields).toHaveProperty('guests')
    expect((await tried(at('2027-03-01', '17:00', '18:00'))).status).toBe(422)
    await expectOk(tried(JUNE))
    expect((await tried(at(JUNE.day, '11:00', '13:00'))).body.code).toBe('waits_already')
    await owner.query(`UPDATE rental_reservation SET status = 'cancelled' WHERE status = 'waitlisted'`)
    await book('newcomer', resource, at('2027-07-01', '08:00', '18:00'))
    const hour = (n: number) =>
      at('2027-07-01', `${String(8 + n).padStart(2, '0')}:00`, `${String(9 + n).padStart(2, '0')}:00`)
    for (let n = 0; n < 10; n += 1) await expectOk(tried(hour(n)))
    const other = await aResource(free)
    await book('newcomer', other)
    expect((await as('resident', 'wait/for/rental', reservationBody(other, JUNE))).body.code).toBe('waits_enough')
  })

  test('hide and protect the entries of other people and other companies', async () => {
    const { waits, resource } = await setUpBooked(free)
    for (const path of ['return/my/rental/waitlist', 'leave/my/rental/waitlist'])
      expect((await as('newcomer', path, { reservationId: waits })).status).toBe(404)
    const elsewhere = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const there = (path: string, body: object) => portal.post('harborcity.localhost', path, body, { token: elsewhere })
    expect((await there('muni/return/rental/waitlist', { resourceId: resource.id })).body.waitlisted ?? []).toEqual([])
    expect((await there('muni/transition/rental', { reservationId: waits, event: 'offer' })).status).toBe(404)
    expect((await as('resident', 'muni/return/rental/waitlist', { resourceId: resource.id })).status).toBe(403)
    expect((await as('staff', 'muni/transition/rental', { reservationId: waits, event: 'offer' })).status).toBe(403)
  })

  test('keep others from booking ahead of the waitlist when a hold expires', async () => {
    const resource = await aResource()
    const holdId = await book('newcomer', resource)
    const waits = await wait('resident', resource)
    await later(16)
    expect((await as('newcomer', 'book/rental', reservationBody(resource, JUNE))).body).toMatchObject({
      ...{ code: 'taken', message: expect.stringMatching(/on the waitlist get this time first/) },
    })
    await expireRentals(context)
    expect([await statusOf('newcomer', holdId), await statusOf('resident', waits)]).toEqual(['expired', 'held'])
  })

  test('leave waitlisted requests out of the calendar of reserved times', async () => {
    const { resource } = await setUpBooked(free)
    const { occupancyFeedPath } = await expectOk(as('resident', 'return/rental', { resourceId: resource.id }))
    const ics = await portal.app.inject({ url: occupancyFeedPath, headers: { host: HOST } })
    expect(ics.body.match(/BEGIN:VEVENT/g)).toHaveLength(1)
  })
})

describe('staff', () => {
  const rows = async (resource: TestResource, reservationId?: number) =>
    (
      await expectOk(as('admin', 'muni/return/rental/waitlist', { resourceId: resource.id, reservationId }))
    ).waitlisted.map(({ id }: { id: number }) => id)
  const step = (reservationId: number, event: string) => as('admin', 'muni/transition/rental', { reservationId, event })

  test('list the waitlist by resource and reservation, and remove an entry', async () => {
    const { resource, has, waits } = await setUpBooked(free)
    await book('newcomer', resource, at('2027-06-20', '10:00', '12:00'))
    const other = await wait('resident', resource, at('2027-06-20', '10:00', '12:00'))
    expect(await rows(resource)).toEqual([waits, other])
    expect(await rows(resource, has)).toEqual([waits])
    await expectOk(step(waits, 'leave'))
    expect(await rows(resource)).toEqual([other])
    await notifyRentals(context)
    expect((await emailsTo('resident')).at(-1)?.subject).toMatch(/you are no longer on the waitlist/)
  })

  test('offer a free time to a chosen person without another approval', async () => {
    const { resource, has, waits } = await setUpBooked({ ...free, needsApproval: true })
    const second = await wait('newcomer', resource)
    expect((await step(second, 'offer')).body.code).toBe('taken')
    // Residents can no longer reserve the time. Only staff can still reserve it before it starts.
    portal.clock.set('2027-06-12T10:00:00.000Z')
    await signIn()
    await cancel('newcomer', has)
    expect(await statusOf('resident', waits)).toBe('waitlisted')
    await expectOk(step(second, 'offer'))
    expect(await statusOf('newcomer', second)).toBe('confirmed')
    expect((await step(second, 'offer')).body.code).toBe('wrong_status')
    expect((await step(waits, 'offer')).body.code).toBe('taken')
  })
})

describe('exactly one offer', () => {
  /** Cancels a reservation without offering its time, as if the server stopped between the two steps. */
  const freeAndDie = (reservationId: number) =>
    context.inCompany(company, async (tx) => {
      const record = (await context.hosts.byId(company)) as Company
      const row = await findReservation(tx, company, reservationId)
      const locked = lockedRental(row)
      await transition(tx, rentalStateStore, {
        scope: company,
        id: row.id,
        locked,
        event: 'cancel',
        actor: { ...bySystem(context.clock), as: 'requester' },
        deps: { context, company: record, isPart: true },
      })
    })
  const offers = async (reservationId: number) =>
    (
      await owner.query(
        `SELECT FROM status_history WHERE machine = 'rental_reservation' AND subject_id = $1 AND event = 'offer'`,
        [reservationId],
      )
    ).rows.length

  test('is made a minute later if the server stops after the cancellation', async () => {
    const { has, waits } = await setUpBooked(free)
    await freeAndDie(has)
    expect(await statusOf('resident', waits)).toBe('waitlisted')
    const counts = await Promise.all([offerWaitlisted(context), offerWaitlisted(context), offerWaitlisted(context)])
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1)
    expect([await statusOf('resident', waits), await offers(waits), await occupied(waits)]).toEqual(['confirmed', 1, 1])
  })

  test('goes to the waitlist despite concurrent bookings, without a deadlock', async () => {
    const deadlocks = async () =>
      Number(
        (await owner.query(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)).rows[0]
          .deadlocks,
      )
    const before = await deadlocks()
    for (let round = 0; round < 4; round += 1) {
      const { resource, has, waits } = await setUpBooked(free)
      const second = await wait('newcomer', resource)
      const reach = Array.from({ length: 6 }, () => as('newcomer', 'book/rental', reservationBody(resource, JUNE)))
      const leaves = round % 2 === 0 ? [leave('newcomer', second)] : []
      const [done, ...others] = await Promise.all([
        as('newcomer', 'cancel/my/rental', { reservationId: has }),
        ...[...reach, offerWaitlisted(context), ...leaves],
      ])
      expect(done.status).toBe(200)
      expect(others.slice(0, 6).map((one) => (one as ApiResponse).body.code)).toEqual(Array(6).fill('taken'))
      expect([await statusOf('resident', waits), await offers(waits), await offers(second)]).toEqual([
        'confirmed',
        1,
        0,
      ])
    }
    expect(await deadlocks()).toBe(before)
  })
})
