import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { expectOk, HOST, openRentals } from '../../test/rentals.ts'
import { openTestCompany } from '../../test/company.ts'

/** Tests photos of rental resources. */

const { portal, as, signInAt, addResource, send } = await openRentals()
const image = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: '#8a1c3c' } })
  .jpeg()
  .toBuffer()

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
})
beforeEach(() => signInAt())

const aResource = async (more: object = {}) => (await addResource(more)).id

describe('photos of a resource', () => {
  const photos = async (resourceId: number) =>
    (await expectOk(as('admin', 'muni/return/rental/photos', { resourceId }))).photos
  const seen = async (resourceId: number) => (await expectOk(as('resident', 'return/rental', { resourceId }))).photos
  const add = (role: string, resourceId: number) =>
    send(role, 'muni/add/rental/photo', { resourceId: String(resourceId) }, image)

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
    // The portal serves the photo in the size that screens show, not in the original size.
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
