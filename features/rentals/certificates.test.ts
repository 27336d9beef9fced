import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'

/** Photos of what is rented out, and certificates of insurance: files that residents and staff send each other. */

const TOWN = 'maplegrove.localhost'
const NOW = '2027-03-01T15:00:00.000Z'
const JUNE = '2027-06-12'
const portal = await testPortal({ clock: testClock(NOW) })
const { owner } = portal
const tokens: Record<string, string> = {}
const PEOPLE = ['admin', 'staff', 'resident', 'newcomer'] as const
const picture = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: '#8a1c3c' } })
  .jpeg()
  .toBuffer()

beforeAll(async () => {
  await openTestTown(portal, mapleGrove)
  await openTestTown(portal, harborCity)
  await liftLimits(owner)
})
beforeEach(async () => {
  portal.clock.set(NOW)
  for (const who of PEOPLE) tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
})

const as = (who: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(TOWN, path, body, { token: tokens[who] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function given(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
/** Sends a file with fields beside it. */
async function send(
  who: string,
  path: string,
  fields: Record<string, string>,
  content = picture,
): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(content)]), 'file.jpg')
  const sent = new Response(form)
  const answer = await portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: {
      ...{ host: TOWN, 'content-type': sent.headers.get('content-type') ?? '' },
      authorization: `Bearer ${tokens[who] ?? ''}`,
    },
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

const EVERY_DAY = {
  from: '01-01',
  until: '12-31',
  days: [1, 2, 3, 4, 5, 6, 7],
  opens: '00:00',
  closes: '24:00',
  percent: 100,
}
const form = {
  ...{ kind: 'hall', status: 'open', description: '', place: '', houseRules: '', amenities: '', accessibility: '' },
  ...{ capacity: 0, pieces: 1, needsApproval: false, seasons: [EVERY_DAY], closedOnHolidays: false, stepMinutes: 60 },
  ...{ leastMinutes: 60, mostMinutes: 600, noticeHours: 0, aheadDays: 400, beforeMinutes: 0, afterMinutes: 0 },
  ...{ chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0 },
  ...{ agreement: '', door: '', glAccount: '400', certificateFrom: null },
}
let made = 0
async function aResource(more: object = {}) {
  const set = { ...form, name: `Hall ${(made += 1)}`, ...more }
  const { resourceId } = await given(as('admin', 'muni/add/rental/resource', set))
  return resourceId as number
}
async function book(resourceId: number, guests: number): Promise<number> {
  const { spaces } = await given(as('admin', 'muni/return/rental/resource', { resourceId }))
  const asked = {
    ...{ resourceId, spaceId: spaces[0].id, pieces: 1, addons: [], purpose: 'Reunion', guests, phone: '' },
    ...{ agrees: true, quotedCents: 0, day: JUNE, from: '10:00', until: '24:00', mostMinutes: 840 },
  }
  return (await given(as('resident', 'book/rental', { ...asked, until: '20:00' }))).reservationId
}

describe('photos of a resource', () => {
  const photos = async (resourceId: number) =>
    (await given(as('admin', 'muni/return/rental/photos', { resourceId }))).photos
  const seen = async (resourceId: number) => (await given(as('resident', 'return/rental', { resourceId }))).photos
  const add = (who: string, resourceId: number) =>
    send(who, 'muni/add/rental/photo', { resourceId: String(resourceId) })

  test('are described, put in order and taken off by staff, and residents see them so, the first one in the list', async () => {
    const resourceId = await aResource()
    expect(await seen(resourceId)).toEqual([])
    for (const alt of ['From the north', 'The kitchen']) {
      const { file_id: photoId } = await given(add('admin', resourceId))
      await given(as('admin', 'muni/describe/rental/photo', { resourceId, photoId, alt }))
    }
    const [first, second] = await photos(resourceId)
    await given(as('admin', 'muni/order/rental/photo', { resourceId, photoId: second.id }))
    expect((await seen(resourceId)).map(({ alt }: { alt: string }) => alt)).toEqual(['The kitchen', 'From the north'])
    const { resources } = await given(as('resident', 'return/rentals'))
    const { photo } = resources.find(({ id }: { id: number }) => id === resourceId)
    expect(photo.alt).toBe('The kitchen')
    const shown = await portal.app.inject({ url: photo.path, headers: { host: TOWN } })
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': expect.stringMatching(/immutable/),
    })
    // As large as a screen shows it, and no larger.
    const { width, height } = await sharp(shown.rawPayload).metadata()
    expect([width, height]).toEqual([1280, 960])
    await given(as('admin', 'muni/remove/rental/photo', { resourceId, photoId: second.id }))
    expect((await photos(resourceId)).map(({ id }: { id: string }) => id)).toEqual([first.id])
    expect((await portal.app.inject({ url: photo.path, headers: { host: TOWN } })).statusCode).toBe(404)
  })

  test('are no other files, no more than eight, and changed by nobody without the right or of another town', async () => {
    const resourceId = await aResource()
    const { file_id: photoId } = await given(add('admin', resourceId))
    expect(
      (
        await send(
          'admin',
          'muni/add/rental/photo',
          { resourceId: String(resourceId) },
          Buffer.from('%PDF-1.7 no photo'),
        )
      ).status,
    ).toBeGreaterThan(399)
    for (const who of ['staff', 'resident']) expect((await add(who, resourceId)).status).toBe(403)
    expect((await as('staff', 'muni/remove/rental/photo', { resourceId, photoId })).status).toBe(403)
    expect(
      (await as('admin', 'muni/describe/rental/photo', { resourceId: await aResource(), photoId, alt: 'Another hall' }))
        .status,
    ).toBe(404)
    const elsewhere = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const there = await portal.post(
      'harborcity.localhost',
      'muni/return/rental/photos',
      { resourceId },
      { token: elsewhere },
    )
    expect(there.status).toBe(404)
    for (let n = 0; n < 7; n += 1) await given(add('admin', resourceId))
    expect((await add('admin', resourceId)).status).toBe(422)
  })
})

describe('a certificate of insurance', () => {
  const shown = (reservationId: number) => given(as('resident', 'return/my/rental/certificate', { reservationId }))
  const upload = (who: string, reservationId: number, validThrough = '2027-12-31', content = picture) =>
    send(who, 'send/my/rental/certificate', { reservationId: String(reservationId), validThrough }, content)
  const desk = (reservationId: number) => given(as('admin', 'muni/return/rental/certificate', { reservationId }))
  const step = (certificateId: number, event: string, reason?: string) =>
    as('admin', 'muni/move/rental/certificate', { certificateId, event, reason })
  const checkIn = (reservationId: number) => as('admin', 'muni/move/rental', { reservationId, event: 'check_in' })

  test('is needed from so many people on, always, or never', async () => {
    const needed = async (certificateFrom: number | null, guests: number) =>
      (await shown(await book(await aResource({ certificateFrom }), guests))).isNeeded
    expect([await needed(50, 49), await needed(50, 50), await needed(0, 0), await needed(null, 500)]).toEqual([
      ...[false, true, true, false],
    ])
  })

  test('is sent, refused with a reason that is mailed, sent anew and accepted; nobody is checked in before', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    expect(await shown(reservationId)).toMatchObject({
      isNeeded: true,
      day: JUNE,
      by: '2027-06-12T14:00:00.000Z',
      certificate: null,
      canSend: true,
    })
    expect((await checkIn(reservationId)).body).toMatchObject({
      code: 'no_certificate',
      message: expect.stringMatching(/no certificate of insurance/),
    })
    await given(upload('resident', reservationId))
    expect((await checkIn(reservationId)).body.code).toBe('no_certificate')
    const { certificate } = await desk(reservationId)
    expect(certificate).toMatchObject({ status: 'sent', validThrough: '2027-12-31', isTooShort: false })
    const waiting = await given(as('admin', 'muni/return/rentals', { filters: { certificate: true } }))
    expect(waiting.rows.map(({ id }: { id: number }) => id)).toContain(reservationId)
    expect((await step(certificate.id, 'refuse')).status).toBe(422)
    await given(step(certificate.id, 'refuse', 'The town is not named.'))
    expect(await shown(reservationId)).toMatchObject({
      certificate: { status: 'refused', reason: 'The town is not named.' },
    })
    const mail = (await portal.mails()).at(-1)
    expect(mail).toMatchObject({
      to_address: 'resident@maplegrove.example',
      subject: expect.stringMatching(/another insurance certificate/),
    })
    expect(mail?.text_body).toContain('The town is not named.')
    await given(upload('resident', reservationId))
    const { certificate: second } = await desk(reservationId)
    expect(second.id).not.toBe(certificate.id)
    expect((await step(certificate.id, 'accept')).status).toBe(409)
    await given(step(second.id, 'accept'))
    const { url } = await given(as('admin', 'muni/download/rental/certificate', { certificateId: second.id }))
    expect((await portal.app.inject({ url, headers: { host: TOWN } })).headers['content-type']).toBe('image/jpeg')
    expect((await checkIn(reservationId)).body.code).toBe('early')
    portal.clock.set('2027-06-12T13:00:00.000Z')
    for (const who of PEOPLE) tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
    await given(checkIn(reservationId))
    expect((await upload('resident', reservationId)).body.code).toBe('wrong_status')
  })

  test('has to cover the day, also once the reservation is at a later one', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    const early = await upload('resident', reservationId, '2027-06-11')
    expect(early).toMatchObject({
      status: 422,
      body: { details: { fields: { validThrough: expect.stringMatching(/June 12, 2027/) } } },
    })
    await given(upload('resident', reservationId, JUNE))
    await given(step((await desk(reservationId)).certificate.id, 'accept'))
    const later = { reservationId, day: '2027-06-13', from: '10:00', until: '20:00' }
    await given(as('resident', 'change/my/rental', later))
    expect(await shown(reservationId)).toMatchObject({ certificate: { status: 'accepted', isTooShort: true } })
    expect((await checkIn(reservationId)).body).toMatchObject({
      code: 'no_certificate',
      message: expect.stringMatching(/ends June 12, 2027/),
    })
  })

  test('is a PDF or a picture, of one’s own reservation, and judged by staff of this town who have the right', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    expect(
      (await upload('resident', reservationId, '2027-12-31', Buffer.from('MZ no certificate'))).status,
    ).toBeGreaterThan(399)
    expect((await upload('newcomer', reservationId)).status).toBe(404)
    expect((await upload('resident', reservationId, 'tomorrow')).status).toBe(400)
    expect((await desk(reservationId)).certificate).toBeNull()
    await given(
      send('admin', 'muni/add/rental/certificate', {
        reservationId: String(reservationId),
        validThrough: '2027-12-31',
      }),
    )
    const { certificate } = await desk(reservationId)
    const body = { certificateId: certificate.id, event: 'accept' }
    expect((await as('staff', 'muni/move/rental/certificate', body)).status).toBe(403)
    expect((await as('resident', 'muni/move/rental/certificate', body)).status).toBe(403)
    const elsewhere = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    for (const path of ['muni/move/rental/certificate', 'muni/download/rental/certificate'])
      expect((await portal.post('harborcity.localhost', path, body, { token: elsewhere })).status).toBe(404)
  })

  test('of two that are sent at once one counts, and the other is replaced', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    const answers = await Promise.all([upload('resident', reservationId), upload('resident', reservationId)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await owner.query(`SELECT status FROM rental_certificate WHERE reservation_id = $1 ORDER BY id`, [
      reservationId,
    ])
    expect(rows).toEqual([{ status: 'replaced' }, { status: 'sent' }])
  })
})
