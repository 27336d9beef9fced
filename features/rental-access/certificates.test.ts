import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { reservationBody, expectOk, HOST, openRentals } from '../../test/rentals.ts'
import { openTestCompany } from '../../test/company.ts'

/** Tests certificates of insurance: residents send them, and staff accept them or request replacements. */

const JUNE = '2027-06-12'
const { portal, owner, as, signIn, signInAt, addResource, send } = await openRentals()
const image = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: '#8a1c3c' } })
  .jpeg()
  .toBuffer()

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
})
beforeEach(() => signInAt())

const aResource = async (more: object = {}) => (await addResource(more)).id
async function book(resourceId: number, guests: number): Promise<number> {
  const { spaces } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId }))
  const resource = { id: resourceId, spaces: [spaces[0].id] }
  const input = reservationBody(resource, { guests, day: JUNE, from: '10:00', until: '20:00' })
  return (await expectOk(as('resident', 'book/rental', input))).reservationId
}

describe('certificate of insurance', () => {
  const ownCertificate = (reservationId: number) =>
    expectOk(as('resident', 'return/my/rental/certificate', { reservationId }))
  const upload = (role: string, reservationId: number, validThrough = '2027-12-31', content = image) =>
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
      message: expect.stringMatching(/no accepted certificate of insurance/),
    })
    await expectOk(upload('resident', reservationId))
    expect((await checkIn(reservationId)).body.code).toBe('no_certificate')
    const { certificate } = await staffCertificate(reservationId)
    expect(certificate).toMatchObject({ status: 'sent', validThrough: '2027-12-31', isTooShort: false })
    const pendingReview = await expectOk(as('admin', 'muni/return/rentals', { filters: { certificate: true } }))
    expect(pendingReview.rows.map(({ id }: { id: number }) => id)).toContain(reservationId)
    expect((await step(certificate.id, 'request_replacement')).status).toBe(422)
    await expectOk(step(certificate.id, 'request_replacement', 'The town is not named.'))
    expect(await ownCertificate(reservationId)).toMatchObject({
      certificate: { status: 'replacement_needed', reason: 'The town is not named.' },
    })
    const email = (await portal.emails()).at(-1)
    expect(email).toMatchObject({
      to_address: 'resident@maplegrove.example',
      subject: expect.stringMatching(/new certificate of insurance needed/),
    })
    expect(email?.text_body).toContain('The town is not named.')
    await expectOk(upload('resident', reservationId))
    const { certificate: second } = await staffCertificate(reservationId)
    expect(second.id).not.toBe(certificate.id)
    expect((await step(certificate.id, 'accept')).status).toBe(409)
    await expectOk(step(second.id, 'accept'))
    const { url } = await expectOk(as('admin', 'muni/download/rental/certificate', { certificateId: second.id }))
    expect((await portal.app.inject({ url, headers: { host: HOST } })).headers['content-type']).toBe('image/jpeg')
    expect((await checkIn(reservationId)).body.code).toBe('early')
    portal.clock.set('2027-06-12T13:00:00.000Z')
    await signIn()
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
      message: expect.stringMatching(/expires on June 12, 2027/),
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
      send(
        'admin',
        'muni/add/rental/certificate',
        { reservationId: String(reservationId), validThrough: '2027-12-31' },
        image,
      ),
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
    const responses = await Promise.all([upload('resident', reservationId), upload('resident', reservationId)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await owner.query(`SELECT status FROM rental_certificate WHERE reservation_id = $1 ORDER BY id`, [
      reservationId,
    ])
    expect(rows).toEqual([{ status: 'replaced' }, { status: 'sent' }])
  })
})
