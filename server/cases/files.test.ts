import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { definePayable } from '../../features/payments/server/orders/payable.ts'
import { openCheckout } from '../../features/payments/server/orders/checkout.ts'
import { provideInstead } from '../../features/payments/server/providers/providers.ts'
import { applyEvent } from '../../features/payments/server/providers/apply-event.ts'
import { quoteOf } from '../../test/fees.ts'
import { supportCase } from '../../features/support/contract.ts'
import type { CaseEntry } from '../../shared/cases.ts'
import { TestClamd, VIRUS } from '../../test/clamd.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { addPermits, makePermitTables, permits } from '../../test/permits.ts'
import { makePotholeTable, potholeCalls, potholeCase, potholes, showPothole } from '../../test/potholes.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import { addTestPlatformStaff, openAccounts, openTestCompany } from '../../test/company.ts'
import { mountCalls } from '../mount.ts'
import { freePort } from '../ports.ts'
import { deleteExpired } from '../delete-expired.ts'
import type { CompanyId } from '../tenancy.ts'
import { emailPerson } from './emails.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const PLAIN_FEES = { program: 'convenience', absorb: 0, cardBps: 275, cardFixedCents: 30, cardMinCents: 195 } as const
const FEES = { ...PLAIN_FEES, cardMaxCents: 4995, echeckCents: 150 }
const DAY_MS = 86_400_000
const port = await freePort()
const portal = await testPortal({ env: { CLAMD: `tcp://127.0.0.1:${port}` } })
const daemon = new TestClamd()
afterAll(definePayable(permits))
let maple: CompanyId
let [staffMember, abroad, support] = ['', '', '']

beforeAll(async () => {
  await daemon.listen({ port })
  mountCalls(portal.app, portal.context, potholeCalls)
  maple = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  await makePotholeTable(portal.owner)
  await makePermitTables(portal.owner)
  await signIn()
  return () => daemon.close()
})
beforeEach(async () => {
  daemon.manner = 'scan'
  await portal.owner.query('DELETE FROM failed_guess')
})
async function signIn() {
  staffMember = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  abroad = await portal.signIn(HARBOR, 'admin@harborcity.example')
  support = await portal.signIn(ADMIN, 'support@mainstreet.example')
}

/** Uploads a file in the same format as a browser's form. Without a token, the uploader is a guest. */
async function send(of: { attach: { path: string } }, file: Buffer, more: Record<string, string> = {}, host = MAPLE) {
  const form = new FormData()
  const { token, name = 'a.png', ...fields } = more
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(file)]), name)
  const sent = new Response(form)
  const { statusCode, body } = await portal.app.inject({
    method: 'POST',
    url: `/api/v2/${of.attach.path}`,
    headers: {
      host,
      'content-type': sent.headers.get('content-type') ?? '',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  return { status: statusCode, body: JSON.parse(body) }
}
const image = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()
/**
 * Photo with a location in Pennsylvania, in the format of a phone. `lon` is the longitude in degrees, minutes and
 * seconds.
 */
const photo = (lon = '76/1 53/1 2988/100') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } })
    .withExif({
      IFD0: { Make: 'Camera of Kim Park' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 16/1 1200/100', GPSLongitudeRef: 'W', GPSLongitude: lon },
    })
    .jpeg()
    .toBuffer()
const attached = async (color = '#123456') => (await send(potholeCase, await image(color))).body.file_id as string

const callAs = (call: { path: string }, body: object, token = staffMember, host = MAPLE): Promise<ApiResponse> =>
  portal.post(host, call.path, body, { token, headers: { 'idempotency-key': randomUUID() } })
const guest = (call: { path: string }, body: object, host = MAPLE): Promise<ApiResponse> =>
  portal.post(host, call.path, body, { headers: { 'idempotency-key': randomUUID() } })
const fetched = async (url: string, host = MAPLE) => {
  const { statusCode, rawPayload, headers } = await portal.app.inject({ url, headers: { host } })
  return { status: statusCode, content: rawPayload, name: String(headers['content-disposition']) }
}
let nth = 0
async function reported(id = (nth += 1)) {
  const to = `kim${id}@example.org`
  const company = await portal.context.hosts.byId(maple)
  if (!company) throw new Error('there is no Maple Grove')
  await portal.context.inCompany(maple, async (tx) => {
    const { rows } = await sql<never>`
      INSERT INTO pothole (company_id, id, street, email) VALUES (${maple}, ${id}, 'Canal Street', ${to}) RETURNING *`.execute(
      tx,
    )
    await emailPerson(tx, portal.context, potholes, company, rows[0] as never, () => ({
      subject: 'Thank you',
      paragraphs: ['We look.'],
    }))
  })
  const emailMessage = (await portal.emails()).find(({ to_address }) => to_address === to)
  return { subjectId: id, token: /\/pothole\/([\w-]{43})/.exec(emailMessage?.text_body ?? '')?.[1] ?? '' }
}
const entriesOf = async (subjectId: number): Promise<CaseEntry[]> =>
  (await callAs(showPothole, { subjectId })).body.entries
const entriesByLink = async (token: string): Promise<CaseEntry[]> =>
  (await guest(potholeCase.messages, { token })).body.entries

describe('files of a message', () => {
  test('come from a guest first, then show to staff and the link', async () => {
    const { subjectId, token } = await reported()
    const content = await image('#8a1c3c')
    const { body } = await send(potholeCase, content, { name: '../../hole <1>.png' })
    expect(body).toMatchObject({ success: true, name: 'hole 1.png', path: expect.stringMatching(/^data:image\/jpeg/) })
    expect((await guest(potholeCase.message, { token, message: 'Look.', files: [body.file_id] })).status).toBe(200)
    const expectedFiles = [
      { id: body.file_id, name: 'hole 1.png', contentType: 'image/png', state: 'clean', position: null },
    ]
    for (const entries of [await entriesOf(subjectId), await entriesByLink(token)])
      expect(entries.map(({ text, files }) => [text, files])).toMatchObject([['Look.', expectedFiles]])
    const fileId = body.file_id as string
    for (const preview of [
      await callAs(potholeCase.previewFile, { subjectId, fileId }),
      await guest(potholeCase.previewByLink, { token, fileId }),
    ])
      expect(preview.body.preview).toMatch(/^data:image\/jpeg;base64,/)
  })

  test('stay with staff in a note and open through one case', async () => {
    const { subjectId, token } = await reported()
    const other = await reported()
    const [secret, open] = [await attached('#000'), await attached('#fff')]
    await callAs(potholeCase.note, { subjectId, message: 'Between us.', files: [secret] })
    await callAs(potholeCase.reply, {
      ...{ subjectId, message: 'To you.', files: [open] },
      seen: (await callAs(showPothole, { subjectId })).body.lastMessageId,
    })
    expect((await entriesOf(subjectId)).map(({ files }) => files.map(({ id }) => id))).toEqual([[secret], [open]])
    expect((await entriesByLink(token)).map(({ files }) => files.map(({ id }) => id))).toEqual([[open]])
    for (const call of [potholeCase.downloadByLink, potholeCase.previewByLink]) {
      expect((await guest(call, { token, fileId: open })).status).toBe(200)
      expect((await guest(call, { token, fileId: secret })).status).toBe(404)
      expect((await guest(call, { token: other.token, fileId: open })).status).toBe(404)
      expect((await guest(call, { token, fileId: open }, HARBOR)).status).toBe(404)
    }
    for (const call of [potholeCase.downloadFile, potholeCase.previewFile]) {
      expect((await callAs(call, { subjectId, fileId: secret })).status).toBe(200)
      expect((await callAs(call, { subjectId: other.subjectId, fileId: secret })).status).toBe(404)
      expect((await callAs(call, { subjectId, fileId: secret }, abroad, HARBOR)).status).toBe(404)
    }
  })

  test('belong to one message of one company, five at most', async () => {
    const { subjectId } = await reported()
    const gone = expect.stringMatching(/^A file that you attached is no longer available/)
    const note = (files: string[]) => callAs(potholeCase.note, { subjectId, message: 'See.', files })
    const file = await attached()
    expect((await note([file, file])).status).toBe(200)
    expect(await note([file])).toMatchObject({ status: 422, body: { details: { fields: { files: gone } } } })
    const ofSupport = (await send(supportCase, await image('#444'))).body.file_id
    const elsewhere = (await send(potholeCase, await image('#444'), {}, HARBOR)).body.file_id
    for (const id of [ofSupport, elsewhere, randomUUID()]) expect((await note([id])).status).toBe(422)
    expect((await note(['../../etc/passwd'])).status).toBe(400)
    const six = await Promise.all(Array.from({ length: 6 }, () => attached()))
    expect(await note(six)).toMatchObject({ status: 400, body: { message: /^Attach at most 5 files/ } })
    // A refused message saves nothing, and its files stay available.
    expect(await entriesOf(subjectId)).toHaveLength(1)
    expect((await note(six.slice(0, 5))).status).toBe(200)
    const late = await attached()
    portal.clock.advance(DAY_MS + 1000)
    await deleteExpired(portal.context)
    await signIn()
    expect(await note([late])).toMatchObject({ status: 422, body: { message: gone } })
    const { rows } = await portal.owner.query(
      `SELECT DISTINCT subject_kind FROM attachment WHERE kind = 'pothole_file'`,
    )
    expect(rows).toEqual([{ subject_kind: 'case_entry' }])
  })

  test('await the virus scanner in the timeline and show a refusal there', async () => {
    const { subjectId, token } = await reported()
    const bad = Buffer.concat([await image('#777')])
    daemon.manner = 'hang up at once'
    const { body } = await send(potholeCase, bad)
    expect(body.path).toBe('')
    await guest(potholeCase.message, { token, message: 'Look.', files: [body.file_id] })
    const stateNow = async () => (await entriesByLink(token))[0]?.files[0]?.state
    expect(await stateNow()).toBe('waiting')
    expect(await guest(potholeCase.downloadByLink, { token, fileId: body.file_id })).toMatchObject({
      status: 409,
      body: { message: 'a.png is still being checked for viruses. Try again in a few minutes.' },
    })
    await portal.owner.query(`UPDATE attachment SET state = 'refused', path = NULL, refused_at = now() WHERE id = $1`, [
      body.file_id,
    ])
    expect(await stateNow()).toBe('refused')
    expect((await callAs(potholeCase.downloadFile, { subjectId, fileId: body.file_id })).status).toBe(404)
    daemon.manner = 'scan'
    const infected = Buffer.from(
      `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n%${VIRUS}\ntrailer\n<< /Size 3 /Root 1 0 R >>\n%%EOF`,
    )
    expect(await send(potholeCase, infected)).toMatchObject({ status: 422, body: { message: /virus scanner found/ } })
  })

  test('accompany a support request and its replies', async () => {
    const { body: first } = await send(supportCase, await image('#246'))
    const { status, body } = await guest(
      { path: 'send/support/request' },
      {
        ...{ name: 'Dot', email: 'dot@example.org', phone: '', category: 'site', files: [first.file_id] },
        message: 'The page stays white, see the picture.',
      },
    )
    expect(status, body.message).toBe(200)
    const subject = { companyId: maple, subjectId: Number(body.number.slice(1)) }
    const byStaff = await send(supportCase, await image('#135'), { token: support, company: String(maple) }, ADMIN)
    expect(byStaff.status).toBe(200)
    const at = (path: string, more: object = {}) => callAs({ path }, { ...subject, ...more }, support, ADMIN)
    await at('admin/reply/support/request', { message: 'Like this?', seen: 0, files: [byStaff.body.file_id] })
    const { entries } = (await at('admin/return/support/request')).body
    const messages = entries.filter(({ text }: CaseEntry) => text !== '')
    expect(messages.map(({ files }: CaseEntry) => files.map(({ id }) => id))).toEqual([
      [first.file_id],
      [byStaff.body.file_id],
    ])
    const fileId = first.file_id as string
    const emailMessage = (await portal.emails()).find(({ to_address }) => to_address === 'dot@example.org')
    const token = /\/support\/([\w-]{43})/.exec(emailMessage?.text_body ?? '')?.[1] ?? ''
    const byLink = async () => (await guest(supportCase.downloadByLink, { token, fileId })).body.url as string
    const asStaff = (await at('admin/download/support/request/file', { fileId })).body.url as string
    for (const [url, host] of [
      [await byLink(), MAPLE],
      [asStaff, ADMIN],
    ] as const) {
      const got = await fetched(url, host)
      expect([got.status, got.name]).toEqual([200, 'attachment; filename="a.png"'])
      expect((await sharp(got.content).metadata()).width).toBe(60)
      // A download token works once.
      expect((await fetched(url, host)).status).toBe(404)
    }
    expect((await fetched(await byLink(), HARBOR)).status).toBe(404)
    const late = await byLink()
    portal.clock.advance(61_000)
    expect((await fetched(late)).status).toBe(404)
  })
})

describe('location of a photo', () => {
  const savePhoto = async (fields: Record<string, string>, file: Buffer) => {
    const { body } = await send(potholeCase, file, { name: 'hole.jpg', ...fields })
    const { rows } = await portal.owner.query(
      'SELECT taken_lat AS lat, taken_lon AS lon FROM attachment WHERE id = $1',
      [body.file_id],
    )
    return { ...rows[0], id: body.file_id as string }
  }

  test('is saved with the person’s consent and removed from the image', async () => {
    const { subjectId, token } = await reported()
    const { id, ...position } = await savePhoto({ keepPosition: 'yes' }, await photo())
    expect(position).toEqual({ lat: 40.27, lon: -76.891633 })
    await guest(potholeCase.message, { token, message: 'Here.', files: [id] })
    expect((await entriesOf(subjectId))[0]?.files[0]?.position).toEqual(position)
    const { rows } = await portal.owner.query('SELECT path FROM attachment WHERE id = $1', [id])
    const content = await buffer(portal.context.files.read(rows[0].path))
    expect((await sharp(content).metadata()).exif).toBeUndefined()
    expect(content.includes('Kim Park')).toBe(false)
  })

  test('is not saved without consent or if the use does not ask', async () => {
    const nowhere = { lat: null, lon: null }
    expect(await savePhoto({}, await photo())).toMatchObject(nowhere)
    expect(await savePhoto({ keepPosition: 'no' }, await photo())).toMatchObject(nowhere)
    const { body } = await send(supportCase, await photo(), { keepPosition: 'yes' })
    const { rows } = await portal.owner.query(
      'SELECT taken_lat AS lat, taken_lon AS lon FROM attachment WHERE id = $1',
      [body.file_id],
    )
    expect(rows).toEqual([nowhere])
    expect((await send(potholeCase, await photo(), { keepPosition: 'maybe' })).status).toBe(400)
  })

  test('is empty if the photo has none or an impossible one', async () => {
    const nowhere = { lat: null, lon: null }
    expect(await savePhoto({ keepPosition: 'yes' }, await image('#111'))).toMatchObject(nowhere)
    expect(await savePhoto({ keepPosition: 'yes' }, await photo('999/1 0/1 0/1'))).toMatchObject(nowhere)
  })
})

test('shows payments for the subject in the timeline and updates refunds', async () => {
  const { subjectId, token } = await reported(9001)
  const provider = new ProviderModel()
  provideInstead(portal.config, provider)
  await openAccounts(portal)
  await addPermits(portal.owner, maple, 9001, 2, 40_00)
  const pay = async (id: number, scenario: 'ok' | 'declined') => {
    const refs = [{ kind: permits.kind, id }]
    const checkout = await portal.context.inCompany(maple, (tx) => openCheckout(tx, portal.context, maple, refs))
    const response = await guest(
      { path: 'pay/guest/bill' },
      {
        ...{ token: checkout, payType: 1, method: 1, billCents: 40_00, email: 'ada@example.com' },
        ...{ expectedTotalCents: quoteOf(FEES, 1, 40_00).totalCents, methodToken: provider.token(scenario) },
      },
    )
    return response.body.state
  }
  const listen = async () => {
    for (const event of provider.events.splice(0)) await applyEvent(portal.context, event)
  }
  const paid = (entries: CaseEntry[]) => entries.map(({ kind, by, payment }) => [kind, by, payment?.state])
  expect(await pay(9001, 'declined')).not.toBe('paid')
  expect(await entriesOf(subjectId)).toEqual([])
  expect(await pay(9001, 'ok')).toBe('paid')
  // The payment of another permit does not appear here.
  expect(await pay(9002, 'ok')).toBe('paid')
  expect((await entriesOf(subjectId)).map(({ payment }) => payment)).toEqual([
    { state: 'paid', cents: 40_00, refundCents: 0, number: expect.stringMatching(/^P\d+$/) },
  ])
  // The requester sees the payment but not the payer.
  expect(paid(await entriesOf(subjectId))).toEqual([['payment', 'Ada Quill', 'paid']])
  expect(paid(await entriesByLink(token))).toEqual([['payment', '', 'paid']])
  provider.refund(0, 50)
  await listen()
  const [{ payment } = { payment: null }] = await entriesOf(subjectId)
  expect(payment).toMatchObject({ state: 'paid', cents: 40_00 })
  expect(payment?.refundCents).toBeGreaterThan(19_00)
  provider.refund(0, 100)
  await listen()
  expect(paid(await entriesByLink(token))).toEqual([['payment', '', 'refunded']])
})
