import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { formFiles } from '../../features/form-library/contract.ts'
import { logoFiles } from '../../features/town-config/contract.ts'
import { PART_BYTES } from '../../shared/attachments.ts'
import { TestClamd, VIRUS } from '../../test/clamd.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../test/company.ts'
import type { Call } from '../call.ts'
import { freePort } from '../ports.ts'
import { deleteExpired } from '../delete-expired.ts'
import { attach, receiveFile } from './keep.ts'

const ADMIN = 'admin.localhost'
const HOST = 'maplegrove.localhost'
const DAY_MS = 86_400_000
const port = await freePort()
const portal = await testPortal({ env: { CLAMD: `tcp://127.0.0.1:${port}` } })
const daemon = new TestClamd()
let [maple, harbor] = [0, 0]
let [keeper, other, staffMember, abroad] = ['', '', '', '']

beforeAll(async () => {
  await daemon.listen({ port })
  maple = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  await portal.owner.query(
    `INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash)
     SELECT 'other@mainstreet.example', 909, 'Olga', 'Other', password_hash FROM platform_person WHERE role_id = 909`,
  )
  keeper = await portal.signIn(ADMIN, 'super@mainstreet.example')
  other = await portal.signIn(ADMIN, 'other@mainstreet.example')
  staffMember = await portal.signIn(HOST, 'admin@maplegrove.example')
  abroad = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
  return () => daemon.close()
})
beforeEach(() => {
  daemon.manner = 'scan'
})

type Fields = Record<string, string>
interface Uploader {
  host?: string
  token?: string
}
const byForm = async (
  path: string,
  fields: Fields,
  file: Buffer | null,
  by: Uploader = {},
  name = 'a.pdf',
): Promise<ApiResponse> => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  if (file) form.append('file', new Blob([new Uint8Array(file)]), name)
  const sent = new Response(form)
  const response = await portal.app.inject({
    method: 'POST',
    url: `/api/v2/${path}`,
    headers: {
      host: by.host ?? ADMIN,
      authorization: `Bearer ${by.token ?? keeper}`,
      'content-type': sent.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

/** Builds a PDF of about this many bytes with this content. The filler does not compress. */
const pdf = (content = '', bytes = 0) => {
  const filling = randomBytes(bytes / 2).toString('hex')
  const text = `BT (${content}) Tj ET %${filling}`
  return Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
      `3 0 obj\n<< /Length ${text.length} >>\nstream\n${text}\nendstream\nendobj\ntrailer\n<< /Size 4 /Root 1 0 R >>\n%%EOF`,
  )
}
const newKey = () => randomBytes(16).toString('hex')
const fields = (title = 'A form') => ({ title, category: 'Permits', description: '' })
const add = (file: Buffer | null, more: Fields = {}, by: Uploader = {}, name?: string) =>
  byForm('admin/create/form', { ...fields(), ...more }, file, by, name)
const startUpload = (key: string, bytes: number, { host = ADMIN, token = keeper }: Uploader = {}, use = formFiles) =>
  portal.post(host, use.start.path, { key, name: 'big.pdf', bytes }, { token })
const part = (key: string, offset: number, content: Buffer, by: Uploader = {}, use = formFiles) =>
  byForm(use.sendPart.path, { key, offset: String(offset) }, content, by)
const sendAll = async (key: string, content: Buffer, from = 0) => {
  for (let at = from; at < content.length; at += PART_BYTES)
    expect((await part(key, at, content.subarray(at, at + PART_BYTES))).status).toBe(200)
}
const download = async (templateId: number) => {
  const { status, body } = await portal.post(ADMIN, 'admin/download/form', { templateId }, { token: keeper })
  if (status !== 200) return { status, message: body.message as string, content: null }
  const { statusCode, rawPayload } = await portal.app.inject({ url: body.url, headers: { host: ADMIN } })
  return { status: statusCode, message: '', content: rawPayload }
}
const inStore = () =>
  readdirSync(join(portal.config.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length
const rowsOf = async (sql: string, values: unknown[] = []) => (await portal.owner.query(sql, values)).rows

describe('upload in parts', () => {
  it('resumes after a break and saves every byte', async () => {
    const content = pdf('large', 3 * PART_BYTES)
    const key = newKey()
    expect((await startUpload(key, content.length)).body).toEqual({ success: true, offset: 0 })
    expect((await part(key, 0, content.subarray(0, PART_BYTES))).body.offset).toBe(PART_BYTES)
    // The client did not receive the response to the second part. It sends the part again and gets the next position.
    await part(key, PART_BYTES, content.subarray(PART_BYTES, 2 * PART_BYTES))
    expect(await part(key, PART_BYTES, content.subarray(PART_BYTES, 2 * PART_BYTES))).toMatchObject({
      status: 409,
      body: { code: 'other_offset', details: { offset: 2 * PART_BYTES } },
    })
    expect(await add(null, { upload: key })).toMatchObject({
      status: 409,
      body: { details: { offset: 2 * PART_BYTES } },
    })
    expect((await startUpload(key, content.length)).body.offset).toBe(2 * PART_BYTES)
    await sendAll(key, content, 2 * PART_BYTES)
    const { status, body } = await add(null, { upload: key })
    expect([status, body.success]).toEqual([200, true])
    expect((await download(body.templateId)).content?.equals(content)).toBe(true)
    // The file is stored once, and its parts are deleted.
    expect(await rowsOf('SELECT FROM upload_part WHERE key = $1', [key])).toEqual([])
    expect((await add(null, { upload: key })).status).toBe(404)
  })

  it('saves the same file with any parts, breaks and repeats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 6 }), async (lengths) => {
        const content = pdf('parts', 600)
        const key = newKey()
        await startUpload(key, content.length)
        for (let at = 0, nth = 0; at < content.length; nth++) {
          const piece = content.subarray(at, at + (lengths[nth % lengths.length] ?? 1))
          await part(key, at, piece)
          expect((await part(key, at, piece)).status).toBe(409)
          at += piece.length
        }
        const { body } = await add(null, { upload: key })
        expect((await download(body.templateId)).content?.equals(content)).toBe(true)
      }),
      { numRuns: process.env['NIGHTLY'] ? 60 : 4 },
    )
  })

  it('keeps the parts if the final call is refused, for another attempt', async () => {
    const content = pdf('kept', PART_BYTES)
    const key = newKey()
    await startUpload(key, content.length)
    await sendAll(key, content)
    expect((await add(null, { upload: key, title: ' ' })).status).toBe(400)
    expect((await add(null, { upload: key })).status).toBe(200)
  })

  it('checks the file like any other', async () => {
    const content = Buffer.alloc(1000, 'MZ')
    const key = newKey()
    await startUpload(key, content.length)
    await sendAll(key, content)
    expect(await add(null, { upload: key })).toMatchObject({
      status: 415,
      body: { message: formFiles.unsupportedType },
    })
  })

  it('belongs to one person, company and use', async () => {
    const content = pdf('mine', 100)
    const key = newKey()
    await startUpload(key, content.length)
    expect((await part(key, 0, content, { token: other })).status).toBe(404)
    await sendAll(key, content)
    expect((await add(null, { upload: key }, { token: other })).status).toBe(404)
    const logo = newKey()
    await startUpload(logo, 10, { host: HOST, token: staffMember }, logoFiles)
    expect(
      (await part(logo, 0, Buffer.alloc(5), { host: 'harborcity.localhost', token: abroad }, logoFiles)).status,
    ).toBe(404)
    expect((await part(logo, 0, Buffer.alloc(5), { host: HOST, token: staffMember }, logoFiles)).status).toBe(200)
    const asLogo = await byForm('admin/save/company/logo/details', { company: String(maple), upload: key }, null)
    expect(asLogo.status).toBe(404)
    expect((await startUpload(logo, 11, { host: HOST, token: staffMember }, logoFiles)).status).toBe(409)
  })

  it.each<[string, () => Promise<ApiResponse>, number, RegExp]>([
    ['a file that is too large', () => startUpload(newKey(), formFiles.maxBytes + 1), 413, /larger than 5 MB/],
    ['an empty file', () => startUpload(newKey(), 0), 400, /empty/],
    ['a made-up key', () => startUpload('../../etc/passwd', 5), 400, /key/],
    ['a part of nothing', () => part(newKey(), 0, Buffer.from('x')), 404, /upload has expired/],
    ['a part that is too large', () => part(newKey(), 0, Buffer.alloc(PART_BYTES + 1)), 413, /larger than 256 KB/],
    [
      'a part at no place',
      () => byForm(formFiles.sendPart.path, { key: newKey(), offset: '-1' }, pdf()),
      400,
      /byte offset/,
    ],
    ['both a file and an upload', () => add(pdf(), { upload: newKey() }), 400, /exactly one/],
    ['an upload that is none', () => add(null, { upload: "'; DROP" }), 404, /upload has expired/],
  ])('refuses %s with a message', async (_what, callAs, status, text) => {
    const response = await callAs()
    expect([response.status, response.body.success]).toEqual([status, false])
    expect(response.body.message).toMatch(text)
  })

  it('refuses more bytes than announced', async () => {
    const key = newKey()
    await startUpload(key, 10)
    expect((await part(key, 0, Buffer.alloc(11))).status).toBe(409)
    expect((await part(key, 0, Buffer.alloc(10))).status).toBe(200)
    expect((await part(key, 10, Buffer.alloc(1))).status).toBe(409)
  })

  it('replaces the oldest of ten open uploads, each lasting a day', async () => {
    const keys = Array.from({ length: 12 }, newKey)
    for (const key of keys) {
      await startUpload(key, 10)
      portal.clock.advance(1000)
    }
    const left = await rowsOf(`SELECT key FROM upload WHERE owner = 'platform ' || $1 ORDER BY expires_at`, [
      (await rowsOf(`SELECT id FROM platform_person WHERE email = 'super@mainstreet.example'`))[0].id,
    ])
    expect(left.map((row) => row.key)).toEqual(keys.slice(2))
    await part(keys[11] ?? '', 0, Buffer.alloc(4))
    portal.clock.advance(DAY_MS + 60_000)
    keeper = await portal.signIn(ADMIN, 'super@mainstreet.example')
    other = await portal.signIn(ADMIN, 'other@mainstreet.example')
    staffMember = await portal.signIn(HOST, 'admin@maplegrove.example')
    expect((await part(keys[11] ?? '', 4, Buffer.alloc(6))).status).toBe(404)
    await deleteExpired(portal.context)
    expect(await rowsOf('SELECT FROM upload')).toEqual([])
    expect(await rowsOf('SELECT FROM upload_part')).toEqual([])
  })
})

describe('virus scanner', () => {
  it('scans each file, audits a refused one and never stores it', async () => {
    const before = inStore()
    const { status, body } = await add(pdf(VIRUS))
    expect([status, body.message]).toEqual([
      422,
      'The virus scanner found a problem and rejected this file. Choose another file.',
    ])
    expect(inStore()).toBe(before)
    const [auditEntry] = await rowsOf(`SELECT detail FROM platform_audit_event WHERE action = 'attachment.refused'`)
    expect(auditEntry.detail).toEqual({ kind: 'form', file: 'a.pdf', finding: 'Mainstreet.Test' })
    const good = pdf('good')
    const { body: added } = await add(good)
    expect((await download(added.templateId)).content?.equals(good)).toBe(true)
    expect(daemon.seen.at(-1)?.equals(good)).toBe(true)
  })

  it('holds the file while unavailable and scans it later', async () => {
    daemon.manner = 'hang up at once'
    const good = pdf('waits')
    const { status, body } = await add(good)
    expect(status).toBe(200)
    const text = 'a.pdf is still being checked for viruses. Try again in a few minutes.'
    expect(await download(body.templateId)).toMatchObject({ status: 409, message: text })
    await portal.runJobs('attachments.scan')
    expect(await download(body.templateId)).toMatchObject({ status: 409, message: text })
    daemon.manner = 'scan'
    await portal.runJobs('attachments.scan')
    expect((await download(body.templateId)).content?.equals(good)).toBe(true)
  })

  it('deletes a file that it refuses later and audits the refusal', async () => {
    daemon.manner = 'half an answer'
    const before = inStore()
    const { body } = await add(pdf(VIRUS), {}, {}, 'late.pdf')
    expect(inStore()).toBe(before + 1)
    daemon.manner = 'scan'
    await portal.runJobs('attachments.scan')
    expect(inStore()).toBe(before)
    expect(await download(body.templateId)).toMatchObject({
      status: 404,
      message: 'The virus scanner rejected late.pdf, so the file is not available.',
    })
    const [row] = await rowsOf(
      `SELECT state, path, finding FROM attachment WHERE subject_kind = 'form' AND subject_id = $1`,
      [body.templateId],
    )
    expect(row).toEqual({ state: 'refused', path: null, finding: 'Mainstreet.Test' })
    const auditEntries = await rowsOf(
      `SELECT subject_kind, detail FROM platform_audit_event WHERE action = 'attachment.refused' AND detail->>'file' = 'late.pdf'`,
    )
    expect(auditEntries).toEqual([
      { subject_kind: 'attachment', detail: { kind: 'form', file: 'late.pdf', finding: 'Mainstreet.Test' } },
    ])
  })

  it('refuses a logo while unavailable', async () => {
    const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#8a1c3c' } })
      .png()
      .toBuffer()
    const send = () =>
      byForm(
        'admin/save/company/logo/details',
        { company: String(maple) },
        image,
        { host: HOST, token: staffMember },
        'a.png',
      )
    daemon.manner = 'hang up at once'
    expect(await send()).toMatchObject({
      status: 503,
      body: { message: 'Files cannot be checked for viruses right now. Try again in a few minutes.' },
    })
    daemon.manner = 'scan'
    expect((await send()).status).toBe(200)
  })
})

describe('use of attachments', () => {
  /** Declaration of attachments, as a feature would write it. */
  const use = { ...formFiles, kind: 'test', subject: 'company', maxFiles: 2, keepDays: 7 }
  const callOf = (company: number) =>
    ({
      context: portal.context,
      session: null,
      requestId: 'test',
      address: '203.0.113.50',
      file: { name: 'b.pdf', content: pdf('kept a while') },
      company: { id: company },
    }) as unknown as Call
  const keep = (company: number) =>
    receiveFile(callOf(company), use, company as never, (received) =>
      portal.context.inCompany(company as never, (tx) => attach(tx, received, company)),
    )

  it('limits the files of a subject and stores no refused one', async () => {
    expect([(await keep(maple)).nth, (await keep(maple)).nth]).toEqual([1, 2])
    const before = inStore()
    await expect(keep(maple)).rejects.toThrow('You can attach up to 2 files here. Files already attached: 2.')
    expect(inStore()).toBe(before)
    // The other company has its own files and sees none of the first company's files.
    expect((await keep(harbor)).nth).toBe(1)
    const seen = await portal.context.inCompany(harbor as never, (tx) =>
      tx.selectFrom('attachment').select('company_id').where('kind', '=', 'test').execute(),
    )
    expect(seen).toEqual([{ company_id: harbor }])
  })

  it('deletes rows with their files after a number of days', async () => {
    const before = inStore()
    portal.clock.advance(6 * DAY_MS)
    await deleteExpired(portal.context)
    expect(inStore()).toBe(before)
    portal.clock.advance(2 * DAY_MS)
    await deleteExpired(portal.context)
    expect(inStore()).toBe(before - 3)
    expect(await rowsOf(`SELECT FROM attachment WHERE kind = 'test'`)).toEqual([])
  })
})
