import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/town.ts'

/** Tests photos of rental resources and certificates of insurance, which residents and staff exchange. */

const HOST = 'maplegrove.localhost'
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
  await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await liftLimits(owner)
})
beforeEach(async () => {
  portal.clock.set(NOW)
  for (const role of PEOPLE) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
})

const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function expectOk(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
/** Sends a file with form fields. */
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
      ...{ host: HOST, 'content-type': sent.headers.get('content-type') ?? '' },
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
  const { resourceId } = await expectOk(as('admin', 'muni/add/rental/resource', set))
  return resourceId as number
}
async function book(resourceId: number, guests: number): Promise<number> {
  const { spaces } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId }))
  const input = {
    ...{ resourceId, spaceId: spaces[0].id, pieces: 1, addons: [], purpose: 'Reunion', guests, phone: '' },
    ...{ agrees: true, quotedCents: 0, day: JUNE, from: '10:00', until: '24:00', mostMinutes: 840 },
  }
  return (await expectOk(as('resident', 'book/rental', { ...input, until: '20:00' }))).reservationId
}

describe('photos of a resource', () => {
  const photos = async (resourceId: number) =>
    (await expectOk(as('admin', 'muni/return/rental/photos', { resourceId }))).photos
  const seen = async (resourceId: number) => (await expectOk(as('resident', 'return/rental', { resourceId }))).photos
  const add = (role: string, resourceId: number) =>
    send(role, 'muni/add/rental/photo', { resourceId: String(resourceId) })

  test('appear to residents in the order and with the text of staff', async () => {
    const resourceId = await aResource()
    expect(await seen(resourceId)).toEqual([])
    for (const alt of ['From the north', 'The kitchen']) {
      const { file_id: photoId } = await expectOk(add('admin', resourceId))
      await expectOk(as('admin', 'muni/describe/rental/photo', { resourceId, photoId, alt }))
    }
    const [first, second] = await photos(resourceId)
    await expectOk(as('admin', 'muni/order/rental/photo', { resourceId, photoId: second.id }))
    expect((await seen(resourceId)).map(({ alt }: { alt: string }) => alt)).toEqual(['The kitchen', 'From the north'])
    const { resources } = await expectOk(as('resident', 'return/rentals'))
    const { photo } = resources.find(({ id }: { id: number }) => id === resourceId)
    expect(photo.alt).toBe('The kitchen')
    const response = await portal.app.inject({ url: photo.path, headers: { host: HOST } })
    expect(response.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': expect.stringMatching(/immutable/),
    })
    // The photo has the size that screens show, not the original size.
    const { width, height } = await sharp(response.rawPayload).metadata()
    expect([width, height]).toEqual([1280, 960])
    await expectOk(as('admin', 'muni/remove/rental/photo', { resourceId, photoId: second.id }))
    expect((await photos(resourceId)).map(({ id }: { id: string }) => id)).toEqual([first.id])
    expect((await portal.app.inject({ url: photo.path, headers: { host: HOST } })).statusCode).toBe(404)
  })

  test('accept only eight images from staff with the privilege', async () => {
    const resourceId = await aResource()
    const { file_id: photoId } = await expectOk(add('admin', resourceId))
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
    for (const role of ['staff', 'resident']) expect((await add(role, resourceId)).status).toBe(403)
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
    for (let n = 0; n < 7; n += 1) await expectOk(add('admin', resourceId))
    expect((await add('admin', resourceId)).status).toBe(422)
  })
})

describe('certificate of insurance', () => {
  const ownCertificate = (reservationId: number) =>
    expectOk(as('resident', 'return/my/rental/certificate', { reservationId }))
  const upload = (role: string, reservationId: number, validThrough = '2027-12-31', content = picture) =>
    send(role, 'send/my/rental/certificate', { reservationId: String(reservationId), validThrough }, content)
  const staffCertificate = (reservationId: number) =>
    expectOk(as('admin', 'muni/return/rental/certificate', { reservationId }))
  const step = (certificateId: number, event: string, reason?: string) =>
    as('admin', 'muni/transition/rental/certificate', { certificateId, event, reason })
  const checkIn = (reservationId: number) => as('admin', 'muni/transition/rental', { reservationId, event: 'check_in' })

  test('is required from a number of guests, always or never', async () => {
    const needed = async (certificateFrom: number | null, guests: number) =>
      (await ownCertificate(await book(await aResource({ certificateFrom }), guests))).isNeeded
    expect([await needed(50, 49), await needed(50, 50), await needed(0, 0), await needed(null, 500)]).toEqual([
      ...[false, true, true, false],
    ])
  })

  test('is refused with a reason, sent again and accepted', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    expect(await ownCertificate(reservationId)).toMatchObject({
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
    await expectOk(upload('resident', reservationId))
    expect((await checkIn(reservationId)).body.code).toBe('no_certificate')
    const { certificate } = await staffCertificate(reservationId)
    expect(certificate).toMatchObject({ status: 'sent', validThrough: '2027-12-31', isTooShort: false })
    const waiting = await expectOk(as('admin', 'muni/return/rentals', { filters: { certificate: true } }))
    expect(waiting.rows.map(({ id }: { id: number }) => id)).toContain(reservationId)
    expect((await step(certificate.id, 'request_replacement')).status).toBe(422)
    await expectOk(step(certificate.id, 'request_replacement', 'The town is not named.'))
    expect(await ownCertificate(reservationId)).toMatchObject({
      certificate: { status: 'replacement_needed', reason: 'The town is not named.' },
    })
    const mail = (await portal.mails()).at(-1)
    expect(mail).toMatchObject({
      to_address: 'resident@maplegrove.example',
      subject: expect.stringMatching(/another insurance certificate/),
    })
    expect(mail?.text_body).toContain('The town is not named.')
    await expectOk(upload('resident', reservationId))
    const { certificate: second } = await staffCertificate(reservationId)
    expect(second.id).not.toBe(certificate.id)
    expect((await step(certificate.id, 'accept')).status).toBe(409)
    await expectOk(step(second.id, 'accept'))
    const { url } = await expectOk(as('admin', 'muni/download/rental/certificate', { certificateId: second.id }))
    expect((await portal.app.inject({ url, headers: { host: HOST } })).headers['content-type']).toBe('image/jpeg')
    expect((await checkIn(reservationId)).body.code).toBe('early')
    portal.clock.set('2027-06-12T13:00:00.000Z')
    for (const role of PEOPLE) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
    await expectOk(checkIn(reservationId))
    expect((await upload('resident', reservationId)).body.code).toBe('wrong_status')
  })

  test('must cover the day, even after a move to a later one', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    const early = await upload('resident', reservationId, '2027-06-11')
    expect(early).toMatchObject({
      status: 422,
      body: { details: { fields: { validThrough: expect.stringMatching(/June 12, 2027/) } } },
    })
    await expectOk(upload('resident', reservationId, JUNE))
    await expectOk(step((await staffCertificate(reservationId)).certificate.id, 'accept'))
    const later = { reservationId, day: '2027-06-13', from: '10:00', until: '20:00' }
    await expectOk(as('resident', 'change/my/rental', later))
    expect(await ownCertificate(reservationId)).toMatchObject({ certificate: { status: 'accepted', isTooShort: true } })
    expect((await checkIn(reservationId)).body).toMatchObject({
      code: 'no_certificate',
      message: expect.stringMatching(/ends June 12, 2027/),
    })
  })

  test('is a PDF or image that only privileged staff decide on', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    expect(
      (await upload('resident', reservationId, '2027-12-31', Buffer.from('MZ no certificate'))).status,
    ).toBeGreaterThan(399)
    expect((await upload('newcomer', reservationId)).status).toBe(404)
    expect((await upload('resident', reservationId, 'tomorrow')).status).toBe(400)
    expect((await staffCertificate(reservationId)).certificate).toBeNull()
    await expectOk(
      send('admin', 'muni/add/rental/certificate', {
        reservationId: String(reservationId),
        validThrough: '2027-12-31',
      }),
    )
    const { certificate } = await staffCertificate(reservationId)
    const body = { certificateId: certificate.id, event: 'accept' }
    expect((await as('staff', 'muni/transition/rental/certificate', body)).status).toBe(403)
    expect((await as('resident', 'muni/transition/rental/certificate', body)).status).toBe(403)
    const elsewhere = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    for (const path of ['muni/transition/rental/certificate', 'muni/download/rental/certificate'])
      expect((await portal.post('harborcity.localhost', path, body, { token: elsewhere })).status).toBe(404)
  })

  test('counts once if two are sent in parallel', async () => {
    const reservationId = await book(await aResource({ certificateFrom: 0 }), 10)
    const answers = await Promise.all([upload('resident', reservationId), upload('resident', reservationId)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await owner.query(`SELECT status FROM rental_certificate WHERE reservation_id = $1 ORDER BY id`, [
      reservationId,
    ])
    expect(rows).toEqual([{ status: 'replaced' }, { status: 'sent' }])
  })
})
