import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import type { ApiResponse } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import {
  EVERY_DAY,
  reservationBody as inputOf,
  expectOk,
  HOST,
  NOW,
  openRentals,
  PAID,
  type TestResource,
} from '../../test/rentals.ts'
import { openAccounts } from '../../test/company.ts'
import { type FeeRules, quoteOf } from '../../test/fees.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { bufferOf, timesOf } from './rules.ts'
import { findReservation } from './server/reservation-rows.ts'
import { bySystem, lockedRental, rentalStateStore } from './server/reservations.ts'
import { lockResourceTimes } from './server/resources.ts'
import { type ReservationInput, reserve } from './server/reserve.ts'
import { expireRentals, notifyRentals } from './server/notify.ts'
import { transition } from '../../server/states.ts'

/** Tests rentals end to end, and that no time is reserved twice. */

const ZONE = 'America/New_York'
const fees: FeeRules = {
  ...{ program: 'convenience', absorb: 0, cardBps: 275, cardFixedCents: 30, cardMinCents: 195, cardMaxCents: 4995 },
  echeckCents: 150,
}
const { portal, owner, context, company, as, signIn, signInAt, addResource } = await openRentals(PAID)
let provider: ProviderModel

beforeAll(() => openAccounts(portal))
beforeEach(async () => {
  await signInAt()
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
})

const free = { residentCents: 0, otherCents: 0, depositCents: 0 }
const at = (day: string, from: string, until: string) => ({ day, from, until })
const JUNE = at('2027-06-12', '10:00', '12:00')
const reservationBody = (of: TestResource, when: object = JUNE, more: object = {}) =>
  inputOf(of, { quotedCents: 7000, ...when, ...more })
const book = (of: TestResource, when: object = JUNE, more: object = {}, role = 'resident') =>
  as(role, 'book/rental', reservationBody(of, when, more))
const ownRental = async (reservationId: number) => expectOk(as('resident', 'return/my/rental', { reservationId }))
async function pay(reservationId: number, scenario: 'ok' | 'declined' = 'ok', cents = 7000): Promise<ApiResponse> {
  const { token } = await expectOk(as('resident', 'pay/my/rental', { reservationId }))
  return payBy(token, scenario, cents)
}
const payBy = (token: string, scenario: 'ok' | 'declined', cents: number) =>
  as('resident', 'pay/guest/bill', {
    ...{ token, payType: 1, method: 1, billCents: cents, email: 'resident@maplegrove.example' },
    methodToken: provider.token(scenario),
    expectedTotalCents: quoteOf(fees, 1, cents).totalCents,
  })
const later = (minutes: number) => portal.clock.set(new Date(new Date(NOW).getTime() + minutes * 60_000).toISOString())

describe('resident', () => {
  test('holds, pays and receives a time that others cannot reserve', async () => {
    const resource = await addResource()
    const price = await expectOk(as('resident', 'return/rental/price', reservationBody(resource)))
    expect(price).toMatchObject({ mistake: '', totalCents: 7000 })
    const { reservationId, next } = await expectOk(book(resource))
    expect(next).toBe('pay')
    expect((await book(resource, JUNE, {}, 'newcomer')).body).toMatchObject({ code: 'taken' })
    const { token } = await expectOk(as('resident', 'pay/my/rental', { reservationId }))
    later(1)
    const { payables, payment } = await expectOk(as('resident', 'return/guest/checkout', { token }))
    // The countdown uses the server's time, whatever the computer's clock shows.
    expect(payables).toMatchObject([{ heldSeconds: 14 * 60, closed: null }])
    expect(payment.next).toEqual([])
    const { body: paid } = await payBy(token, 'ok', 7000)
    const has = {
      text: expect.stringMatching(/reserved for you on June 12, 2027, 10:00.AM.+R-\d+/),
      path: `/resource-rentals/reservation/${reservationId}`,
    }
    expect(paid).toMatchObject({ state: 'paid', next: [has] })
    expect((await expectOk(as('resident', 'return/guest/checkout', { token }))).payment).toMatchObject({ next: [has] })
    expect(await ownRental(reservationId)).toMatchObject({
      status: 'confirmed',
      paidCents: 7000,
      can: { cancel: true },
    })
    await notifyRentals(context)
    const emailMessage = (await portal.emails()).findLast(({ subject }) => subject.includes('is confirmed'))
    expect(JSON.stringify(emailMessage)).toContain(`R-${100_000 + reservationId}`)
    const { days } = await expectOk(
      as('resident', 'return/rental/days', { ...reservationBody(resource), from: JUNE.day, days: 1 }),
    )
    expect(
      days[0].steps.filter(({ is }: { is: string }) => is === 'taken').map(({ time }: { time: string }) => time),
    ).toEqual(['10:00', '11:00'])
  })

  test('loses an unpaid hold without a charge', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource))
    const { token } = await expectOk(as('resident', 'pay/my/rental', { reservationId }))
    later(16)
    const other = await expectOk(book(resource, JUNE, {}, 'newcomer'))
    expect(other.next).toBe('pay')
    expect((await payBy(token, 'ok', 7000)).status).toBe(409)
    expect(await expireRentals(context)).toBeGreaterThan(0)
    expect(await ownRental(reservationId)).toMatchObject({ status: 'expired', paidCents: 0, can: { pay: false } })
  })

  test('retains the hold after a declined card', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource))
    expect((await pay(reservationId, 'declined')).body).toMatchObject({ state: 'declined' })
    expect(await ownRental(reservationId)).toMatchObject({ status: 'held', can: { pay: true } })
    expect((await pay(reservationId)).body).toMatchObject({ state: 'paid' })
  })

  test('receives a full refund after an early cancellation', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource))
    await pay(reservationId)
    expect(await ownRental(reservationId)).toMatchObject({
      refundIfCancelledCents: 7000,
      feeRefundIfCancelledCents: 223,
    })
    await expectOk(as('resident', 'cancel/my/rental', { reservationId }))
    expect(await ownRental(reservationId)).toMatchObject({ status: 'cancelled', refundCents: 7000 })
    await expectOk(as('admin', 'muni/refund/rental', { reservationId }))
    expect(await ownRental(reservationId)).toMatchObject({ refundCents: 0, paidCents: 0 })
    expect((await book(resource, JUNE, {}, 'newcomer')).status).toBe(200)
  })

  test('receives only the deposit after a late cancellation', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource, at('2027-03-04', '10:00', '12:00')))
    await pay(reservationId)
    await expectOk(as('resident', 'cancel/my/rental', { reservationId }))
    expect(await ownRental(reservationId)).toMatchObject({ refundCents: 5000 })
  })

  test('moves a reservation to an overlapping time of equal price', async () => {
    const resource = await addResource({ ...free, afterMinutes: 60 })
    const { reservationId, next } = await expectOk(book(resource, JUNE, { quotedCents: 0 }))
    expect(next).toBe('done')
    await expectOk(as('resident', 'change/my/rental', { reservationId, ...at(JUNE.day, '11:00', '13:00') }))
    expect((await book(resource, at(JUNE.day, '08:00', '10:00'), { quotedCents: 0 }, 'newcomer')).status).toBe(200)
    expect(
      (await as('resident', 'change/my/rental', { reservationId, ...at(JUNE.day, '09:00', '11:00') })).body.code,
    ).toBe('taken')
    expect(await ownRental(reservationId)).toMatchObject({ startsAt: '2027-06-12T15:00:00.000Z' })
    const { url } = await expectOk(as('resident', 'export/my/rental', { reservationId }))
    const ics = await portal.app.inject({ url, headers: { host: HOST } })
    expect(ics.body).toContain('DTSTART:20270612T150000Z\r\n')
    expect(ics.body).toContain('SEQUENCE:1\r\n')
  })

  test('cannot find reservations of other people', async () => {
    const { reservationId } = await expectOk(book(await addResource(free), JUNE, { quotedCents: 0 }, 'newcomer'))
    for (const path of ['return/my/rental', 'cancel/my/rental', 'pay/my/rental'])
      expect((await as('resident', path, { reservationId })).status).toBe(404)
  })

  test('learns of a changed price before anything is held', async () => {
    expect((await book(await addResource(), JUNE, { quotedCents: 100 })).body.code).toBe('changed_since')
  })
})

describe('office', () => {
  test('approves a request for payment or declines it with a reason', async () => {
    const resource = await addResource({ needsApproval: true })
    const { reservationId, next } = await expectOk(book(resource))
    expect(next).toBe('wait')
    const { reservationId: other } = await expectOk(book(resource, at(JUNE.day, '14:00', '16:00')))
    const step = (id: number, event: string, reason?: string) =>
      as('admin', 'muni/transition/rental', { reservationId: id, event, reason })
    expect((await step(other, 'decline')).status).toBe(422)
    await expectOk(step(other, 'decline', 'The grass is being sown.'))
    expect(await ownRental(other)).toMatchObject({ status: 'declined', reason: 'The grass is being sown.' })
    await expectOk(step(reservationId, 'approve'))
    later(2 * 24 * 60)
    await signIn()
    expect((await pay(reservationId)).body).toMatchObject({ state: 'paid' })
  })

  test('books by phone and retains part of a deposit after inspection', async () => {
    const { id, spaces } = await addResource()
    const phone = {
      ...reservationBody({ id, spaces }),
      name: 'Phil Phone',
      email: 'phil@example.org',
      isResident: false,
    }
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', phone))
    expect((await book({ id, spaces })).body.code).toBe('taken')
    await owner.query(
      `UPDATE rental_reservation SET person_id = (SELECT id FROM person WHERE company_id = $1 AND email = $2) WHERE id = $3`,
      [...[company, 'resident@maplegrove.example', reservationId]],
    )
    await pay(reservationId)
    const step = (event: string) => as('admin', 'muni/transition/rental', { reservationId, event })
    expect((await step('miss')).body.code).toBe('early')
    const { can, checkInFrom } = await expectOk(as('admin', 'muni/return/rental', { reservationId }))
    // Staff cannot check in a renter months ahead.
    expect(can.steps).toMatchObject({ check_in: false, miss: false })
    expect(checkInFrom).toBe('2027-06-12T12:00:00.000Z')
    expect((await step('check_in')).body).toMatchObject({ code: 'early', message: expect.stringMatching(/two hours/) })
    portal.clock.set(checkInFrom)
    await signIn()
    expect((await expectOk(as('admin', 'muni/return/rental', { reservationId }))).can.steps.check_in).toBe(true)
    await expectOk(step('check_in'))
    const inspect = (retainedCents: number, reason: string) =>
      as('admin', 'muni/inspect/rental', { reservationId, retainedCents, reason })
    expect((await inspect(6000, 'Broken')).status).toBe(422)
    expect((await inspect(2000, '')).body.details.fields).toHaveProperty('reason')
    await expectOk(inspect(2000, 'A bench is broken'))
    expect(await ownRental(reservationId)).toMatchObject({
      status: 'completed',
      refundCents: 3000,
      retainedCents: 2000,
    })
    await expectOk(as('admin', 'muni/refund/rental', { reservationId }))
    expect(await ownRental(reservationId)).toMatchObject({ refundCents: 0, paidCents: 4000 })
    // The first refund included the deposit's share of the fee, so no second refund is possible.
    expect((await as('admin', 'muni/refund/rental', { reservationId })).status).toBe(409)
  })

  test('retains late cancellation terms after a move by the payer', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource, at('2027-03-10', '10:00', '12:00')))
    await pay(reservationId)
    const refundNow = async () => (await ownRental(reservationId)).refundIfCancelledCents
    const change = (day: string, more: object = {}) =>
      as('resident', 'change/my/rental', { reservationId, ...at(day, '10:00', '12:00'), ...more })
    expect(await refundNow(), 'nine days ahead').toBe(7000)
    const nearer = await change('2027-03-07')
    expect([nearer.status, nearer.body.code]).toEqual([409, 'refund_changes'])
    expect(nearer.body).toMatchObject({ details: { refundIfCancelledCents: 5000 } })
    expect(nearer.body.message).toContain('$50.00')
    expect(nearer.body.message).toContain('$70.00')
    expect(await ownRental(reservationId)).toMatchObject({
      startsAt: '2027-03-10T15:00:00.000Z',
      refundIfCancelledCents: 7000,
    })
    const { message } = await expectOk(change('2027-03-07', { refundIfCancelledCents: 5000 }))
    expect(message).toContain('$50.00')
    expect(await refundNow()).toBe(5000)
    await expectOk(change('2027-06-20'))
    expect(await refundNow(), 'months ahead, the late terms stay').toBe(5000)
    await expectOk(as('resident', 'cancel/my/rental', { reservationId }))
    expect(await ownRental(reservationId)).toMatchObject({ status: 'cancelled', refundCents: 5000 })
    // If the payer moves the reservation early, the cancellation terms of the new day apply.
    const { reservationId: other } = await expectOk(book(resource, at('2027-03-20', '10:00', '12:00')))
    await pay(other)
    await expectOk(as('resident', 'change/my/rental', { reservationId: other, ...at('2027-05-01', '10:00', '12:00') }))
    later(60 * 24 * 30)
    await signIn()
    expect((await ownRental(other)).refundIfCancelledCents).toBe(7000)
  })

  test('does not worsen the terms of a reservation that it moves', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource, at('2027-04-20', '10:00', '12:00')))
    await pay(reservationId)
    const { data } = await expectOk(
      as('admin', 'muni/return/municipality/scheduled/items', {
        ...{ selectedOption: 'calendar', fromDate: '2027-04-01', toDate: '2027-04-30', eventType: 2 },
      }),
    )
    const item = data.find(({ path }: { path: string }) => path.endsWith(`reservation=${reservationId}`))
    const was = item.calendar_date
    await expectOk(as('admin', 'muni/transition/scheduled/item', { itemId: item.id, day: '2027-03-03', was }))
    expect(await ownRental(reservationId)).toMatchObject({
      startsAt: '2027-03-03T15:00:00.000Z',
      refundIfCancelledCents: 7000,
    })
  })

  test('refunds once after two parallel clicks', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource, at('2027-09-01', '10:00', '12:00')))
    await pay(reservationId)
    await expectOk(as('resident', 'cancel/my/rental', { reservationId }))
    const stale = { reservationId, basis: { refundCents: 100 } }
    expect((await as('admin', 'muni/refund/rental', stale)).body.code).toBe('seen_otherwise')
    const basis = { refundCents: 7000 }
    const both = await Promise.all([1, 2].map(() => as('admin', 'muni/refund/rental', { reservationId, basis })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { rows } = await owner.query(
      `SELECT count(*)::int AS n FROM payment_refund f JOIN payment_order_line l
      ON l.order_id = f.order_id WHERE l.kind = 'rental' AND l.payable_id = $1`,
      [reservationId],
    )
    expect(rows[0].n).toBe(1)
  })

  test('shows a reservation in the calendar while it is valid', async () => {
    const { reservationId } = await expectOk(
      book(await addResource(free), JUNE, { quotedCents: 0, purpose: 'Picnic of June' }),
    )
    const count = async () =>
      (
        await owner.query(`SELECT event_type_id FROM scheduled_item WHERE source_kind = 'rental' AND source_id = $1`, [
          reservationId,
        ])
      ).rows
    expect(await count()).toEqual([{ event_type_id: 2 }])
    await expectOk(as('resident', 'cancel/my/rental', { reservationId }))
    expect(await count()).toEqual([])
  })

  test('moves and starts a reservation from the calendar', async () => {
    const resource = await addResource(free)
    const { reservationId } = await expectOk(book(resource, JUNE, { quotedCents: 0, purpose: 'Choir' }))
    const items = async () =>
      (
        await expectOk(
          as('admin', 'muni/return/municipality/scheduled/items', {
            ...{ selectedOption: 'calendar', fromDate: '2027-03-01', toDate: '2027-06-30', eventType: 2 },
          }),
        )
      ).data.filter(({ title }: { title: string }) => title.endsWith(': Choir'))
    const [item] = await items()
    expect(item).toMatchObject({ status: 'not_started', moves: { start: true, complete: false, reschedule: true } })
    expect(item.path).toBe(`/municipality/manage/manage-resource-rentals?reservation=${reservationId}`)
    await expectOk(book(resource, at('2027-06-13', '10:00', '12:00'), { quotedCents: 0 }))
    const moved = (day: string, was: string) =>
      as('admin', 'muni/transition/scheduled/item', { itemId: item.id, day, was })
    expect((await moved('2027-06-13', item.calendar_date)).body.code).toBe('taken')
    await expectOk(moved('2027-06-14', item.calendar_date))
    expect(await ownRental(reservationId)).toMatchObject({ startsAt: '2027-06-14T14:00:00.000Z' })
    portal.clock.set('2027-06-14T14:05:00.000Z')
    await signIn()
    const step = (event: string) => as('admin', 'muni/change/scheduled/item/status', { itemId: item.id, event })
    expect(await expectOk(step('start'))).toMatchObject({ status: 'in_progress' })
    expect(await ownRental(reservationId)).toMatchObject({ status: 'in_use' })
    // Only an inspection decides how much of the deposit is refunded, so staff cannot complete the calendar item here.
    expect((await step('complete')).body.code).toBe('by_inspection')
    await expectOk(as('admin', 'muni/inspect/rental', { reservationId, retainedCents: 0, reason: '' }))
    expect(await items()).toMatchObject([{ status: 'completed' }])
  })

  test('prints the day sheet with buffers and without cancelled reservations', async () => {
    const resource = await addResource({ beforeMinutes: 30, afterMinutes: 60, addons: [{ name: 'Grill', cents: 700 }] })
    const day = '2027-07-04'
    const { reservationId } = await expectOk(
      book(resource, at(day, '10:00', '12:00'), { addons: ['Grill'], quotedCents: 7700 }),
    )
    const { reservationId: other } = await expectOk(book(resource, at(day, '15:00', '17:00')))
    await expectOk(as('resident', 'cancel/my/rental', { reservationId: other }))
    const { resources } = await expectOk(as('admin', 'muni/return/rental/day', { day }))
    expect(resources.filter(({ id }: { id: number }) => id === resource.id)).toMatchObject([
      {
        reservations: [
          {
            ...{ id: reservationId, readyAt: '2027-07-04T13:30:00.000Z', clearedAt: '2027-07-04T17:00:00.000Z' },
            ...{ addons: ['Grill'], owedCents: 7700, depositCents: 5000, guests: 20, status: 'held' },
          },
        ],
      },
    ])
  })

  test('reports use by its date and money by its movement', async () => {
    const resource = await addResource()
    const { reservationId } = await expectOk(book(resource, at('2027-08-01', '10:00', '12:00')))
    await pay(reservationId)
    const { reservationId: missed } = await expectOk(book(resource, at('2027-08-02', '10:00', '12:00')))
    await pay(missed)
    portal.clock.set('2027-08-02T15:00:00.000Z')
    await signIn()
    await expectOk(as('admin', 'muni/transition/rental', { reservationId: missed, event: 'miss' }))
    await expectOk(as('admin', 'muni/refund/rental', { reservationId: missed }))
    const use = async (fromDate: string, toDate: string) =>
      (
        await expectOk(as('admin', 'muni/return/rental/use', { filters: { fromDate, toDate }, pageSize: 100 }))
      ).rows.find(({ id }: { id: number }) => id === resource.id)
    expect(await use('2027-08-01', '2027-08-31')).toMatchObject({
      ...{ used: 1, hours: 2, guests: 20, missed: 1, rentCents: 4000, receivedCents: 0, refundCents: 5000 },
    })
    expect(await use('2027-03-01', '2027-03-31')).toMatchObject({
      used: 0,
      missed: 0,
      receivedCents: 14_000,
      refundCents: 0,
    })
  })
})

describe('settings of a resource', () => {
  const summer = { ...EVERY_DAY, from: '05-01', until: '09-30', opens: '08:00', closes: '20:00' }
  const change = async (id: number, more: object) => {
    const { form } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId: id }))
    return as('admin', 'muni/save/rental/resource', { ...form, ...more, resourceId: id, basis: form })
  }

  test.each([
    ['a day that no year has', { from: '02-30' }, 'from', 'Choose a day that exists in the calendar.'],
    ['a month that no year has', { until: '13-01' }, 'until', 'Choose a day that exists in the calendar.'],
    ['no weekday', { days: [] }, 'days', 'Choose at least one weekday.'],
    ['a weekday twice', { days: [1, 1] }, 'days', 'Choose each weekday only once.'],
    ['a time that no day has', { closes: '25:00' }, 'closes', 'Choose a time.'],
    ['hours that end first', { closes: '08:00' }, 'closes', 'The closing time must be after the opening time.'],
    ['a price change above the limit', { percent: 501 }, 'percent', 'Enter a whole number from 0 to 500.'],
  ])('refuses a season with %s, at its field', async (_title, part, field, message) => {
    const { id } = await addResource()
    const { status, body } = await change(id, { seasons: [summer, { ...summer, ...part }] })
    expect({ status, fields: body.details.fields }).toEqual({
      status: 400,
      fields: { [`seasons.1.${field}`]: message },
    })
  })

  test('refuses two add-ons with the same name', async () => {
    const { id } = await addResource()
    const addons = ['Grill', 'grill'].map((name) => ({ name, cents: 1500 }))
    const { status, body } = await change(id, { addons })
    expect({ status, fields: body.details.fields }).toEqual({
      ...{ status: 400, fields: { addons: 'Give each add-on a different name.' } },
    })
  })

  test('accepts February 29, midnight and no GL account', async () => {
    const { id } = await addResource()
    const seasons = [{ ...summer, from: '02-29', until: '02-29', closes: '24:00' }]
    await expectOk(change(id, { seasons, glAccount: '' }))
    const { form } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId: id }))
    expect(form).toMatchObject({ seasons, glAccount: '' })
  })

  test('takes a payment for a resource without a GL account', async () => {
    const resource = await addResource({ glAccount: '' })
    const { reservationId } = await expectOk(book(resource))
    expect((await pay(reservationId)).body).toMatchObject({ state: 'paid' })
    const { rows } = await owner.query(
      `SELECT gl_account FROM payment_order_line WHERE kind = 'rental' AND payable_id = $1`,
      [reservationId],
    )
    expect(rows).toEqual([{ gl_account: '' }])
  })

  test('describes conflicting opening hours and certificates in words', async () => {
    const { id } = await addResource({ seasons: [summer] })
    const { form } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId: id }))
    const save = (more: object) =>
      as('admin', 'muni/save/rental/resource', { ...form, ...more, resourceId: id, basis: form })
    await expectOk(save({ seasons: [{ ...summer, closes: '22:00' }], certificateFrom: 0 }))
    const { status, body } = await save({ seasons: [{ ...summer, closes: '21:00' }], certificateFrom: 80 })
    expect(status).toBe(409)
    expect(body.details.fieldConflicts).toMatchObject([
      {
        label: 'Certificate of insurance',
        texts: { own: 'Required from 80 people', others: 'Always required' },
      },
      {
        label: 'Opening hours',
        texts: {
          own: 'May 1 to September 30, every day, 8:00 AM to 9:00 PM, regular price',
          others: 'May 1 to September 30, every day, 8:00 AM to 10:00 PM, regular price',
        },
      },
    ])
  })
})

describe('series of dates', () => {
  const SUNDAYS = { unit: 'week', every: 1, weekdays: [0], by: 'day', until: '2027-03-28' }
  const series = ({ id, spaces }: { id: number; spaces: number[] }, more: object = {}) => ({
    ...{ resourceId: id, spaceId: spaces[0], pieces: 1, from: '01:00', until: '03:00', guests: 10, isResident: true },
    ...{ name: 'Olive Ortiz', email: 'olive@example.org', phone: '', purpose: 'League', startsOn: '2027-03-07' },
    ...{ repeats: SUNDAYS, choices: [], ...more },
  })
  const preview = (body: object) => expectOk(as('admin', 'muni/preview/rental/series', body))
  const rowsOf = async (seriesId: number) =>
    (
      await expectOk(
        as('admin', 'muni/return/rentals', { filters: { series: seriesId }, sort: 'startsAt', direction: 'asc' }),
      )
    ).rows

  test('shows conflicts, books the other dates and sends one email', async () => {
    const resource = await addResource()
    await expectOk(book(resource, at('2027-03-21', '02:00', '04:00')))
    const { dates, totalCents } = await preview(series(resource))
    expect(dates.map(({ day }: { day: string }) => day)).toEqual([
      ...['2027-03-07', '2027-03-14', '2027-03-21', '2027-03-28'],
    ])
    // On the 14th, clocks skip 2 AM. The reservation spans the skipped hour, so it is one hour shorter.
    expect(dates.map(({ mistake }: { mistake: string }) => mistake)).toEqual([
      '',
      '',
      expect.stringMatching(/taken/),
      '',
    ])
    expect(dates.map((one: { totalCents: number }) => one.totalCents)).toEqual([7000, 1000, 2000, 2000])
    const all = series(resource, { quotedCents: totalCents })
    const refused = await as('admin', 'muni/book/rental/series', all)
    expect(refused.body).toMatchObject({ code: 'taken', message: expect.stringContaining('March 21, 2027') })
    const choices = [
      { of: '2027-03-21', instead: { day: '2027-03-22', from: '18:00', until: '20:00' } },
      { of: '2027-03-28', instead: null },
    ]
    const chosen = series(resource, { choices })
    const finalPreview = await preview(chosen)
    expect(finalPreview.dates.map(({ mistake }: { mistake: string }) => mistake)).toEqual(['', '', '', ''])
    expect(finalPreview.totalCents).toBe(10_000)
    const { seriesId } = await expectOk(as('admin', 'muni/book/rental/series', { ...chosen, quotedCents: 10_000 }))
    const rows = await rowsOf(seriesId)
    expect(
      rows.map(({ startsAt, depositCents }: { startsAt: string; depositCents: number }) => [startsAt, depositCents]),
    ).toEqual([
      ['2027-03-07T06:00:00.000Z', 5000],
      ['2027-03-14T06:00:00.000Z', 0],
      ['2027-03-22T22:00:00.000Z', 0],
    ])
    await notifyRentals(context)
    const emails = (await portal.emails()).filter(({ to_address }) => to_address === 'olive@example.org')
    expect(emails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/3 dates awaiting payment/)])
    const id = rows[1].id
    expect(await expectOk(as('admin', 'muni/return/rental', { reservationId: id }))).toMatchObject({
      series: { id: seriesId, dates: 3, toCome: 3 },
    })
    expect((await expectOk(as('admin', 'muni/cancel/rental/series', { seriesId }))).message).toBe(
      '3 dates were cancelled.',
    )
    expect((await rowsOf(seriesId)).map(({ status }: { status: string }) => status)).toEqual([
      ...['cancelled', 'cancelled', 'cancelled'],
    ])
    expect((await as('admin', 'muni/cancel/rental/series', { seriesId })).status).toBe(404)
  })

  test('books nothing while a date is in a skipped hour', async () => {
    const resource = await addResource(free)
    const body = series(resource, { from: '02:00', until: '04:00' })
    const { dates } = await preview(body)
    expect(dates[1]).toMatchObject({
      day: '2027-03-14',
      mistake: expect.stringMatching(/daylight saving time, the selected hour does not exist/),
    })
    expect((await as('admin', 'muni/book/rental/series', { ...body, quotedCents: 0 })).body).toMatchObject({
      message: expect.stringMatching(/March 14, 2027.*daylight saving time, the selected hour does not exist/),
    })
    const choices = [{ of: '2027-03-14', instead: null }]
    await expectOk(as('admin', 'muni/book/rental/series', { ...body, choices, quotedCents: 0 }))
    expect((await book(resource, at('2027-03-28', '02:00', '04:00'), { quotedCents: 0 })).body.code).toBe('taken')
  })

  test('requires the current price and reports dates that overlap', async () => {
    const resource = await addResource()
    expect((await as('admin', 'muni/book/rental/series', series(resource, { quotedCents: 1 }))).body.code).toBe(
      'changed_since',
    )
    const choices = [{ of: '2027-03-28', instead: { day: '2027-03-21', from: '02:00', until: '05:00' } }]
    const { dates } = await preview(series(resource, { choices }))
    expect(dates[3].mistake).toMatch(/Another one of the selected dates/)
  })
})

describe('spaces and pieces', () => {
  test('excludes the whole for a part but not other parts', async () => {
    const field = await addResource({ ...free }, ['North half', 'South half'])
    const [whole, north, south] = field.spaces
    const of = (spaceId: number | undefined, from: string, until: string) =>
      book(field, at(JUNE.day, from, until), { spaceId, quotedCents: 0 })
    await expectOk(of(north, '10:00', '12:00'))
    expect((await of(whole, '11:00', '13:00')).body.code).toBe('taken')
    await expectOk(of(south, '10:00', '12:00'))
    await expectOk(of(whole, '12:00', '14:00'))
    expect((await of(south, '13:00', '15:00')).body.code).toBe('taken')
  })

  test('reserves pieces until none is left', async () => {
    const chairs = await addResource({ ...free, kind: 'equipment', pieces: 10 })
    const some = (pieces: number) => book(chairs, JUNE, { pieces, quotedCents: 0 })
    await expectOk(some(6))
    expect((await some(5)).body.code).toBe('taken')
    await expectOk(some(4))
    expect((await book(chairs, JUNE, { pieces: 11, quotedCents: 0 })).status).toBe(422)
  })

  test('prevents overlapping times by a database constraint', async () => {
    const resource = await addResource(free)
    const { reservationId } = await expectOk(book(resource, JUNE, { quotedCents: 0 }))
    await expect(
      owner.query(
        `INSERT INTO rental_occupancy (company_id, reservation_id, space_id, piece, buffer_from, buffer_until)
         SELECT company_id, reservation_id, space_id, 1, buffer_from + interval '5 minutes', buffer_until + interval '1 hour'
         FROM rental_occupancy WHERE reservation_id = $1`,
        [reservationId],
      ),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^23(?:P01|505)$/) })
  })
})

const findCompany = () => context.hosts.byId(company)
const person = async (): Promise<number> =>
  Number(
    (await owner.query(`SELECT id FROM person WHERE company_id = $1 AND email LIKE 'resident@%'`, [company])).rows[0]
      .id,
  )

/** Calls the use case directly, because the rate limit for one IP address does not allow this many calls. */
async function take(
  of: { id: number; spaces: number[] },
  when: object,
  more: Partial<ReservationInput> = {},
): Promise<{ id: number } | 'taken'> {
  const here = await findCompany()
  if (!here) throw new Error('the town is gone')
  const input = {
    ...{
      resourceId: of.id,
      spaceId: of.spaces[0] ?? 0,
      pieces: 1,
      addons: [],
      purpose: 'Race',
      guests: 0,
      name: 'Ann',
    },
    ...{ email: '', phone: '', personId: null, isResident: true, byStaff: false, quotedCents: 0, agreed: true },
    ...when,
    ...more,
  } as ReservationInput
  try {
    const id = await context.inCompany(company, async (tx) => {
      await lockResourceTimes(tx, company, of.id)
      return (await reserve(tx, context, here, input, requester())).id
    })
    return { id }
  } catch (error) {
    if ((error as { code?: string }).code === 'taken') return 'taken'
    throw error
  }
}
const requester = () => ({ ...bySystem(context.clock), as: 'requester' as const })

const WHOLE_CENTS = 7000
const PART_CENTS = 6200
const centsOf = (part: number) => (part === 0 ? WHOLE_CENTS : PART_CENTS)

/** Ways in which a person can use a hold: pay after a declined card, pay, get declined, or leave. */
const endings = ['declined, then paid', 'paid', 'declined', 'left'] as const

/**
 * Requests the same hour for all people in parallel. Each requests the whole space or a part of it. Returns the people
 * who got the hour.
 */
async function crowd(people: number, round: number, personId: number) {
  const field = await addResource({}, ['North', 'South'])
  const when = at(addDays('2027-05-01', round % 60), '10:00', '12:00')
  const results = await Promise.all(
    Array.from({ length: people }, (_, n) =>
      take(field, when, { spaceId: field.spaces[n % 3] ?? 0, personId, quotedCents: centsOf(n % 3) }),
    ),
  )
  const winners = results.flatMap((one, n) => (one === 'taken' ? [] : [{ ...one, part: n % 3 }]))
  const { rows } = await owner.query(`SELECT id FROM rental_reservation WHERE company_id = $1 AND resource_id = $2`, [
    ...[company, field.id],
  ])
  // Either one person gets the whole space, or two people get one half each. Failed requests leave no rows in the
  // database.
  expect([[0], [1, 2]]).toContainEqual(winners.map(({ part }) => part).toSorted())
  expect(rows.map(({ id }) => Number(id)).toSorted()).toEqual(winners.map(({ id }) => id).toSorted())
  return winners
}

async function crowds(rounds: number, people: number) {
  const personId = await person()
  const deadlocks = async () =>
    Number(
      (await owner.query(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)).rows[0]
        .deadlocks,
    )
  const before = await deadlocks()
  const stands: [number, string][] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { id, part } of await crowd(people, round, personId)) {
      const ending = endings[(round + part) % endings.length] ?? 'left'
      if (ending.startsWith('declined'))
        expect((await pay(id, 'declined', centsOf(part))).body).toMatchObject({ state: 'declined' })
      if (ending.endsWith('paid')) expect((await pay(id, 'ok', centsOf(part))).body).toMatchObject({ state: 'paid' })
      stands.push([id, ending.endsWith('paid') ? 'confirmed' : 'expired'])
    }
  }
  later(20)
  while ((await expireRentals(context)) > 0);
  const { rows } = await owner.query(
    `SELECT v.id, v.status, v.paid_cents = v.price_cents + v.security_deposit_cents AS paid, v.paid_cents,
       (SELECT count(*)::int FROM rental_occupancy c WHERE c.company_id = v.company_id AND c.reservation_id = v.id) AS occupied,
       (SELECT count(*)::int FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
        WHERE l.company_id = v.company_id AND l.kind = 'rental' AND l.payable_id = v.id AND o.status = 1) AS charges
     FROM rental_reservation v WHERE v.company_id = $1 AND v.id = ANY ($2)`,
    [company, stands.map(([id]) => id)],
  )
  const rowsById = new Map(rows.map((row) => [Number(row.id), row]))
  for (const [id, status] of stands) {
    const { occupied, ...row } = rowsById.get(id)
    const isPaid = status === 'confirmed'
    // No hold remains, and no payer pays for a time that they lost.
    expect(row).toMatchObject({ status, paid: isPaid, charges: isPaid ? 1 : 0, ...(!isPaid && { paid_cents: 0 }) })
    expect(occupied > 0).toBe(isPaid)
  }
  return (await deadlocks()) - before
}

describe('parallel requests', () => {
  test('have one winner per part among 40 people', async () => {
    expect(await crowds(2, 40)).toBe(0)
  })
  nightly('of 200, in 100 rounds, too', { timeout: 900_000 }, async () => {
    expect(await crowds(100, 200)).toBe(0)
  })
})

test('agrees with a plain model after any reservation, change and cancellation', async () => {
  const days = ['2027-03-13', '2027-03-14', '2027-11-06', '2027-11-07']
  const hour = (n: number) => `${String(n).padStart(2, '0')}:00`
  const action = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('take' as const),
        day: fc.nat(3),
        from: fc.nat(23),
        hours: fc.integer({ min: 1, max: 5 }),
        space: fc.nat(2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), which: fc.nat(30) }) },
  )
  const here = await findCompany()
  const personId = await person()
  if (!here) throw new Error('the town is gone')
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 4, maxLength: 14 }),
      fc.nat(2),
      fc.nat(2),
      async (actions, before, after) => {
        const buffers = { beforeMinutes: before * 30, afterMinutes: after * 30 }
        const field = await addResource({ ...free, ...buffers }, ['North', 'South'])
        const parts = [[1, 2], [1], [2]]
        let model: { id: number; leaves: number[]; from: number; until: number }[] = []
        for (const one of actions) {
          if (one.does === 'cancel') {
            const gone = model[one.which % Math.max(1, model.length)]
            if (!gone) continue
            await context.inCompany(company, async (tx) => {
              const row = await findReservation(tx, company, gone.id)
              await transition(tx, rentalStateStore, {
                scope: company,
                id: row.id,
                locked: lockedRental(row),
                event: 'cancel',
                actor: requester(),
                deps: { context, company: here },
              })
            })
            model = model.filter(({ id }) => id !== gone.id)
            continue
          }
          const when = at(days[one.day] ?? '', hour(one.from), hour(Math.min(24, one.from + one.hours)))
          const times = timesOf(ZONE, when)
          if (!times) continue
          const { bufferFrom, bufferUntil } = bufferOf(buffers, times)
          const requested = { leaves: parts[one.space] ?? [], from: bufferFrom.getTime(), until: bufferUntil.getTime() }
          const isFree = !model.some(
            ({ leaves, from, until }) =>
              leaves.some((leaf) => requested.leaves.includes(leaf)) &&
              from < requested.until &&
              requested.from < until,
          )
          const got = await take(field, when, { spaceId: field.spaces[one.space] ?? 0, personId })
          expect(got !== 'taken', JSON.stringify(when)).toBe(isFree)
          if (got !== 'taken') model.push({ id: got.id, ...requested })
        }
      },
    ),
    { numRuns: process.env['NIGHTLY'] ? 300 : 8 },
  )
})
