import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { addCompanies } from '../../../bench/rows.ts'
import { testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { documentPdf } from '../../companies/server/document-pdf.ts'
import { parseText } from '../../companies/server/document-text.ts'
import { nightly } from '../../../test/nightly.ts'

const ADMIN = 'admin.localhost'
const portal = await testPortal()
let [superToken, manager, callcenter] = ['', '', '']
let [maple, harbor] = [0, 0]

const pdf = (title: string, lines = 'Name: ______'): Promise<Buffer> =>
  buffer(documentPdf(parseText(`# ${title}\n\n${lines}`), null, '2026-11-20'))

interface UploadInput {
  name?: string
  content: Buffer
  fields?: Record<string, string>
  path?: string
  as?: string
}

const send = async ({
  name = 'form.pdf',
  content,
  fields = {},
  path = 'admin/create/form',
  as = superToken,
}: UploadInput) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(content)]), name)
  const sent = new Response(form)
  const response = await portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: { host: ADMIN, authorization: `Bearer ${as}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return { status: response.statusCode, body: response.json() }
}

let sequence = 0
const fieldsOf = (changes: Record<string, string> = {}) => ({
  ...{ title: `Form ${++sequence}`, description: 'For everybody.', category: 'Permits' },
  ...changes,
})
const add = async (changes: Record<string, string> = {}, content?: Buffer, name?: string): Promise<number> => {
  const fields = fieldsOf(changes)
  const sent = { content: content ?? (await pdf(fields.title)), fields, ...(name && { name }) }
  const { status, body } = await send(sent)
  expect([status, body.message]).toEqual([200, `${fields.title} added to the library.`])
  return body.templateId
}
const replace = (templateId: number, content: Buffer, name = 'form.pdf') =>
  send({ path: 'admin/replace/form/file', content, name, fields: { templateId: String(templateId) } })

const callApi = (path: string, body: object = {}, token = superToken) =>
  portal.post(ADMIN, `admin/${path}`, body, { token })
const list = async (question: object = {}) => (await callApi('return/forms', { direction: 'asc', ...question })).body
const titles = async (question: object = {}) => (await list(question)).rows.map(({ title }: { title: string }) => title)
const one = async (templateId: number) => (await callApi('return/form', { templateId })).body
const fetched = async (body: object) => {
  const { body: ticket } = await callApi('download/form', body)
  return portal.app.inject({ url: ticket.url, headers: { host: ADMIN } })
}
const audits = async (action: string, table = 'platform_audit_event') =>
  (await portal.owner.query(`SELECT * FROM ${table} WHERE action = $1 ORDER BY id DESC`, [action])).rows
const storedFileCount = (): number =>
  readdirSync(join(portal.config.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  ).length

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, { ...harborCity, modulesOff: [] })
  await addTestPlatformStaff(portal)
  await portal.owner.query(
    `INSERT INTO platform_person (email, role_id, first_name, last_name, password_hash, privileges)
     SELECT 'clerk@mainstreet.example', 907, 'Cleo', 'Clerk', password_hash, '{"manage_others_forms": 1}' FROM platform_person WHERE role_id = 909`,
  )
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  callcenter = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
  manager = await portal.signIn(ADMIN, 'clerk@mainstreet.example')
})

describe('file type by content', () => {
  const zip = (parts: Record<string, string>): Buffer =>
    Buffer.from(
      zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])), { level: 1 }),
    )
  const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  const docx = (more: Record<string, string> = {}, body = ''): Buffer =>
    zip({
      '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${WORD}"/></Types>`,
      'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
      ...more,
    })
  const leads = (type: string, more = 'TargetMode="External"') =>
    `<Relationships><Relationship Id="r1" Type="http://schemas.example/relationships/${type}" Target="https://elsewhere.example/x" ${more}/></Relationships>`
  /** Builds a PDF from these objects. The first object is its catalog. */
  const raw = (objects: string[], trailer = '') =>
    Buffer.from(
      `%PDF-1.7\n${objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Size 9 /Root 1 0 R ${trailer} >>\n%%EOF`,
      'latin1',
    )
  const PAGES = '<< /Type /Pages /Kids [] /Count 0 >>'
  const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
  const SCRIPT = '<< /S /JavaScript /JS (app.alert(1)) >>'
  const opens = (action: string) => `<< /Type /Catalog /Pages 2 0 R /OpenAction ${action} >>`
  const packed = (type: string, text: string) => {
    const bytes = deflateSync(Buffer.from(text), { level: 1 }).toString('latin1')
    return `<< /Type /${type} /N 1 /First 4 /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`
  }

  it.each<[string, string, () => Promise<Buffer> | Buffer, string]>([
    ['a PDF', 'a.pdf', () => pdf('A'), 'application/pdf'],
    [
      'a Word document',
      'b.docx',
      () => docx(),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [
      'a PNG',
      'c.png',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
      'image/png',
    ],
    [
      'a JPG that calls itself PDF',
      'd.pdf',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
          .jpeg()
          .toBuffer(),
      'image/jpeg',
    ],
  ])('accepts %s', async (_what, name, content, type) => {
    const { form } = await one(await add({}, await content(), name))
    expect(form.contentType).toBe(type)
    const extension = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' }[type] ?? 'docx'
    expect(form.fileName).toBe(`${name[0]}.${extension}`)
  })

  it.each<[string, string, () => Promise<Buffer> | Buffer, number, RegExp]>([
    [
      'an .exe called .pdf',
      'bill.pdf',
      () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]),
      415,
      /Upload a PDF/,
    ],
    ['a text', 'a.pdf', () => Buffer.from('hello'), 415, /Upload a PDF/],
    ['nothing', 'a.pdf', () => Buffer.alloc(0), 415, /Upload a PDF/],
    ['another zip', 'a.docx', () => zip({ 'readme.txt': 'x' }), 415, /Upload a PDF/],
    ['a Word document with macros', 'a.docx', () => docx({ 'word/vbaProject.bin': 'x' }), 415, /macros/],
    [
      'a Word document with macros by another name',
      'a.docx',
      () => docx({ 'word/_rels/document.xml.rels': leads('vba&#80;roject', '') }),
      415,
      /macros/,
    ],
    [
      'a Word document whose template is elsewhere',
      'a.docx',
      () => docx({ 'word/_rels/settings.xml.rels': leads('attachedTemplate', "TargetMode='&#x45;xternal'") }),
      415,
      /from another location/,
    ],
    [
      'a Word document that holds a program',
      'a.docx',
      () => docx({ 'word/embeddings/oleObject1.bin': 'x' }),
      415,
      /other files/,
    ],
    [
      'a Word document that starts a program',
      'a.docx',
      () => docx({}, '<w:instrText>DDE</w:instrText><w:instrText>AUTO c:\\cmd.exe</w:instrText>'),
      415,
      /starts programs/,
    ],
    [
      'a Word document that unpacks to far too much',
      'a.docx',
      () => docx({ 'word/settings.xml': ' '.repeat(26_000_000) }),
      415,
      /could not be read/,
    ],
    [
      'an old or locked Office file',
      'a.docx',
      () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      415,
      /has a password/,
    ],
    [
      'a PDF with a password',
      'a.pdf',
      () => raw([CATALOG, PAGES, '<< /Filter /Standard /V 1 >>'], '/Encrypt 3 0 R'),
      415,
      /password/,
    ],
    ['a PDF that runs a script', 'a.pdf', () => raw([opens(SCRIPT), PAGES]), 415, /scripts/],
    [
      'a PDF that writes its script otherwise',
      'a.pdf',
      () => raw([opens('<< /S /J#61vaScript >>'), PAGES]),
      415,
      /scripts/,
    ],
    [
      'a PDF that packs its script',
      'a.pdf',
      () => raw([CATALOG, PAGES, packed('ObjStm', `8 0 ${SCRIPT}`)]),
      415,
      /scripts/,
    ],
    [
      'a PDF that packs its script by another name',
      'a.pdf',
      () => raw([CATALOG, PAGES, packed('Obj#53tm', `8 0 ${SCRIPT}`)]),
      415,
      /scripts/,
    ],
    [
      'a PDF whose script stands between comments',
      'a.pdf',
      () => raw([`% stream\n${opens(SCRIPT)} % endstream`, PAGES]),
      415,
      /scripts/,
    ],
    [
      'a PDF whose script was replaced, for some programs',
      'a.pdf',
      () =>
        Buffer.concat([
          raw([opens(SCRIPT), PAGES]),
          Buffer.from(`\n1 0 obj\n${CATALOG}\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF`),
        ]),
      415,
      /scripts/,
    ],
    [
      'a PDF with an object within a picture',
      'a.pdf',
      () =>
        raw([CATALOG, PAGES, `<< /Length 60 >>\nstream\n7 0%\nobj ${SCRIPT.replaceAll('J', '#4A')} endobj\nendstream`]),
      415,
      /could not be read/,
    ],
    [
      'a PDF whose parts cannot be unpacked',
      'a.pdf',
      () =>
        raw([CATALOG, PAGES, '<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\nnot packed\nendstream']),
      415,
      /could not be read/,
    ],
    [
      'a PDF that unpacks to far too much',
      'a.pdf',
      () => raw([CATALOG, PAGES, packed('ObjStm', `8 0 (${' '.repeat(40_000_000)})`)]),
      415,
      /could not be read/,
    ],
    [
      'half a picture',
      'a.png',
      async () =>
        (
          await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0a0' } })
            .png()
            .toBuffer()
        ).subarray(0, 90),
      415,
      /could not be read/,
    ],
    ['more than 5 MB', 'a.pdf', () => Buffer.alloc(5 * 1024 * 1024 + 1), 413, /larger than 5 MB/],
  ])('refuses %s and saves no file', async (_what, name, content, expected, expectedMessage) => {
    const before = storedFileCount()
    const { status, body } = await send({ name, content: await content(), fields: fieldsOf() })
    expect([status, body.success]).toEqual([expected, false])
    expect(body.message).toMatch(expectedMessage)
    expect(storedFileCount()).toBe(before)
  })

  nightly('ends the reader of a PDF that would keep it busy for more than a minute', async () => {
    const used = process.cpuUsage()
    const { status } = await send({
      content: Buffer.from(`%PDF-1.7\n${'stream\n'.repeat(700_000)}`),
      fields: fieldsOf(),
    })
    expect(status).toBe(415)
    // The check stops after 6 s of wall-clock time, so each of its threads uses at most 6 s of processor time.
    expect(process.cpuUsage(used).user / 1e6).toBeLessThan(20)
  })

  it('removes the camera’s metadata from a photo', async () => {
    const camera = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#8a1c3c' } })
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '40/1 26/1 46/1' } })
      .jpeg()
      .toBuffer()
    expect((await sharp(camera).metadata()).exif).toBeDefined()
    const { rawPayload } = await fetched({ templateId: await add({}, camera, 'scan.jpg') })
    const { width, exif } = await sharp(rawPayload).metadata()
    expect([width, exif]).toEqual([60, undefined])
  })

  it.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['C:\\forms\\dog license.PDF', 'dog license.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.pdf'],
    ['.pdf', 'form.pdf'],
  ])('saves a name such as %j as %j', async (sent, name) => {
    expect((await one(await add({}, await pdf(sent), sent))).form.fileName).toBe(name)
  })
})

describe('form of the library', () => {
  it('gives its questions and settings to a new form of a municipality', async () => {
    const id = await add({ title: 'Dog License' })
    const { sources } = (await callApi('return/form/question/sources')).body
    expect(sources).toHaveLength(20)
    expect((await one(id)).form).toMatchObject({ questions: 0, source: '' })
    expect((await callApi('save/form/questions', { templateId: id, source: 'unknown' })).status).toBe(422)
    const saved = await callApi('save/form/questions', { templateId: id, source: 'dog-license' })
    expect([saved.status, saved.body.message]).toEqual([200, 'Dog License has questions now.'])
    expect((await one(id)).form).toMatchObject({ questions: 7, source: 'dog-license' })
    // A new version of the file keeps the questions.
    await replace(id, await pdf('Dog License 2027'))
    expect((await one(id)).form).toMatchObject({ questions: 7, version: 2 })

    await callApi('assign/form', { templateId: id, add: [maple] })
    const staff = await portal.signIn('maplegrove.localhost', 'admin@maplegrove.example')
    const staffCall = async (path: string, body: object = {}) =>
      (await portal.post('maplegrove.localhost', path, body, { token: staff })).body
    const { library } = await staffCall('muni/return/form/type/choices')
    const chosen = library.find((form: { id: number }) => form.id === id)
    expect(chosen.content.settings).toMatchObject({ feeKind: 'computed', issues: 'Dog license', validMonths: 12 })
    const values = { ...chosen.content.settings, departmentId: null, reviewerId: null }
    const form = { ...values, title: chosen.title, description: chosen.description }
    const { typeId } = await staffCall('muni/create/form/type', { form, templateId: id })
    const made = await staffCall('muni/return/form/type', { typeId })
    expect(made.draft).toEqual(chosen.content.definition)
    expect(made).toMatchObject({ status: 'draft', latestVersion: 0 })

    // A municipality without the template gets no questions.
    const other = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const foreign = await portal.post(
      'harborcity.localhost',
      'muni/create/form/type',
      { form, templateId: id },
      { token: other },
    )
    const { body: blank } = await portal.post(
      'harborcity.localhost',
      'muni/return/form/type',
      { typeId: foreign.body.typeId },
      { token: other },
    )
    expect(blank.draft.steps[0].fields).toEqual([])

    await callApi('save/form/questions', { templateId: id, source: '' })
    expect((await one(id)).form).toMatchObject({ questions: 0, source: '' })
    expect((await staffCall('muni/return/form/type', { typeId })).draft).toEqual(chosen.content.definition)
  })

  it('is added with its author and found by parts of its text', async () => {
    const id = await add({ title: 'Sewer Connection', description: 'For new laterals.', category: 'Public Works' })
    const { rows, count } = await list({ search: 'LATERAL' })
    expect(count).toBe(1)
    expect((await list({ search: 'lateral  sewer' })).count).toBe(1)
    expect(rows[0]).toMatchObject({
      ...{ id, title: 'Sewer Connection', category: 'Public Works', status: 'active', version: 1, assignedCount: 0 },
      ...{ changedBy: expect.stringMatching(/\S/), assigned: false },
      can: { edit: true, assign: true, inactivate: true, activate: false, remove: true, unassign: false },
    })
    expect((await audits('form.added'))[0]).toMatchObject({ subject: String(id), subject_kind: 'form' })
  })

  it.each([
    [{ title: ' ' }, /Enter a title/],
    [{ title: 'x'.repeat(121) }, /no more than 120/],
    [{ description: 'x'.repeat(501) }, /no more than 500/],
    [{ category: 'Cars' }, /Choose a category/],
    [{ title: 'Bullshit form' }, /other words/],
  ])('is refused with %j', async (changes, expectedMessage) => {
    const before = storedFileCount()
    const { status, body } = await send({
      content: await pdf('x'),
      fields: fieldsOf(changes as Record<string, string>),
    })
    expect([status, body.message]).toEqual([400, expect.stringMatching(expectedMessage)])
    expect(storedFileCount()).toBe(before)
  })

  it('accepts a description of the maximum length in any script', async () => {
    const description = 'ä€'.repeat(250)
    const id = await add({ description })
    expect((await one(id)).form.description).toBe(description)
  })

  it('is changed, but not by a save without changes', async () => {
    const id = await add()
    portal.clock.advance(60_000)
    const values = { templateId: id, title: 'Tree Removal', description: '', category: 'Other' }
    expect((await callApi('save/form', values)).body.message).toBe('Tree Removal saved.')
    const { form } = await one(id)
    expect(form).toMatchObject({ title: 'Tree Removal', changedAt: portal.clock.now().toISOString() })
    const [event] = await audits('form.changed')
    expect(event.detail).toMatchObject({ after: { title: 'Tree Removal' } })
    portal.clock.advance(60_000)
    await callApi('save/form', values)
    expect((await one(id)).form.changedAt).toBe(form.changedAt)
    expect((await callApi('save/form', { ...values, title: '' })).status).toBe(400)
    expect((await callApi('save/form', { ...values, templateId: 999_999 })).status).toBe(404)
  })

  it('keeps each complete version of its file with its name', async () => {
    const [first, second] = [await pdf('One'), await pdf('Two')]
    const id = await add({ title: 'Versions' }, first, 'one.pdf')
    expect((await replace(id, first)).body).toMatchObject({
      success: false,
      message: 'This file is the same as version 1. Choose another file.',
    })
    expect((await replace(id, second, 'two words.pdf')).body).toMatchObject({ version: 2 })
    const { form, versions } = await one(id)
    expect([form.version, versions.map((row: { fileName: string }) => row.fileName)]).toEqual([
      2,
      ['two words.pdf', 'one.pdf'],
    ])
    const newest = await fetched({ templateId: id })
    expect(newest.rawPayload.equals(second)).toBe(true)
    expect(newest.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="two_words.pdf"',
      'x-content-type-options': 'nosniff',
    })
    expect((await fetched({ templateId: id, version: 1 })).rawPayload.equals(first)).toBe(true)
    expect((await callApi('download/form', { templateId: id, version: 3 })).status).toBe(404)
  })

  it('gets two versions from two simultaneous replacements', async () => {
    const id = await add()
    const responses = await Promise.all([replace(id, await pdf('left')), replace(id, await pdf('right'))])
    expect(responses.map(({ body }) => body.version).sort()).toEqual([2, 3])
    expect((await one(id)).form.version).toBe(3)
  })

  it('is downloaded once with a download token', async () => {
    const id = await add()
    const { body } = await callApi('download/form', { templateId: id })
    const get = () => portal.app.inject({ url: body.url, headers: { host: ADMIN } })
    expect([(await get()).statusCode, (await get()).statusCode]).toEqual([200, 404])
  })

  it('leaves no file behind if the save fails', async () => {
    const before = storedFileCount()
    expect((await replace(999_999, await pdf('nobody'))).status).toBe(404)
    expect(storedFileCount()).toBe(before)
  })

  it('is removed if never assigned, otherwise only made inactive', async () => {
    const before = storedFileCount()
    const id = await add({ title: 'Gone soon' })
    await replace(id, await pdf('again'))
    expect(storedFileCount()).toBe(before + 2)
    expect((await callApi('remove/form', { templateId: id })).body.message).toBe('Gone soon removed.')
    expect(storedFileCount()).toBe(before)
    expect((await callApi('return/form', { templateId: id })).status).toBe(404)

    const used = await add({ title: 'Used' })
    await callApi('assign/form', { templateId: used, add: [maple] })
    await callApi('assign/form', { templateId: used, remove: [maple] })
    expect((await one(used)).form).toMatchObject({ assignedCount: 0, can: { remove: false } })
    expect((await callApi('remove/form', { templateId: used })).body).toMatchObject({
      code: 'assigned',
      message: 'Used was assigned to a company, so you cannot remove the form. You can deactivate it instead.',
    })
    expect((await callApi('change/form/status', { templateId: used, event: 'inactivate' })).body.message).toBe(
      'Used is now inactive.',
    )
    expect((await callApi('change/form/status', { templateId: used, event: 'inactivate' })).status).toBe(409)
    expect(await callApi('assign/form', { templateId: used, add: [maple] })).toMatchObject({
      status: 409,
      body: { message: 'Used is inactive. Activate it first.' },
    })
    expect(await titles({ search: 'used', filters: { status: 'inactive' } })).toEqual(['Used'])
    await callApi('change/form/status', { templateId: used, event: 'activate' })
    expect(await titles({ search: 'used', filters: { status: 'inactive' } })).toEqual([])
  })

  it('requires a separate permission for each action', async () => {
    const id = await add()
    const content = await pdf('no')
    const deeds: [string, object][] = [
      ['save/form', { templateId: id, ...fieldsOf() }],
      ['change/form/status', { templateId: id, event: 'inactivate' }],
      ['remove/form', { templateId: id }],
      ['assign/form', { templateId: id, add: [maple] }],
    ]
    for (const [path, body] of deeds) expect((await callApi(path, body, manager)).status, path).toBe(403)
    expect((await send({ content, fields: fieldsOf(), as: manager })).status).toBe(403)
    const seen = (await callApi('return/form', { templateId: id }, manager)).body.form
    expect(seen.can).toEqual({
      ...{ view: true, download: true, edit: false, assign: false, unassign: false },
      ...{ activate: false, inactivate: false, remove: false },
    })
    for (const path of ['return/forms', 'return/form', 'export/forms', 'download/form', 'return/form/companies'])
      expect((await callApi(path, { templateId: id }, callcenter)).status, path).toBe(403)
  })
})

describe('list of forms', () => {
  it('pages in both directions by title and by change', async () => {
    for (let n = 0; n < 7; n++) {
      portal.clock.advance(1000)
      await add({ title: `Walk ${String.fromCodePoint(71 - n)}`, category: 'Elections' })
    }
    for (const [sort, direction, expected] of [
      ['title', 'asc', 'ABCDEFG'],
      ['title', 'desc', 'GFEDCBA'],
      ['changedAt', 'desc', 'ABCDEFG'],
    ] as const) {
      const question = { sort, direction, pageSize: 3, filters: { category: 'Elections' } }
      const seen: string[] = []
      let page = await list(question)
      for (;;) {
        seen.push(page.rows.map(({ title }: { title: string }) => title.at(-1)).join(''))
        if (!page.next) break
        page = await list({ ...question, cursor: page.next })
      }
      expect(seen.join('')).toBe(expected)
      const back = await list({ ...question, cursor: page.previous })
      expect(back.rows.map(({ title }: { title: string }) => title.at(-1)).join('')).toBe(expected.slice(3, 6))
      expect(page.count).toBe(7)
    }
    for (const cursor of ['nonsense', Buffer.from('[1,1,0]').toString('base64url')])
      expect((await callApi('return/forms', { cursor })).status).toBe(400)
  })

  it('shows and filters the forms that a company has or lacks', async () => {
    const [has, lacks] = [await add({ title: 'Zoning has' }), await add({ title: 'Zoning lacks' })]
    await callApi('assign/form', { templateId: has, add: [harbor] })
    const ofHarbor = await list({ search: 'zoning', filters: { company: harbor } })
    expect(
      ofHarbor.rows.map((row: { id: number; assigned: boolean; can: object }) => [row.id, row.assigned, row.can]),
    ).toEqual([
      [has, true, expect.objectContaining({ assign: false, unassign: true })],
      [lacks, false, expect.objectContaining({ assign: true, unassign: false })],
    ])
    expect(await titles({ search: 'zoning', filters: { company: harbor, has: 'yes' } })).toEqual(['Zoning has'])
    expect(await titles({ search: 'zoning', filters: { company: harbor, has: 'no' } })).toEqual(['Zoning lacks'])
    expect((await callApi('return/forms', { filters: { company: 999_999 } })).status).toBe(404)
  })

  it('exports CSV with escaped formulas and logs the export', async () => {
    await add({ title: '=1+1 form', description: '@SUM' })
    // Spreadsheets treat full-width signs such as `＝` like the ASCII signs, which start a formula.
    await add({ title: '＝2+2 form', description: '＋1' })
    await add({ title: '－3 form', description: '＠SUM' })
    const { body } = await callApi('export/forms', { search: 'form', direction: 'asc', filters: { company: maple } })
    const { body: csv, headers } = await portal.app.inject({ url: body.url, headers: { host: ADMIN } })
    expect(headers['content-disposition']).toContain('forms-platform-')
    expect(csv.split('\n')[0]).toContain('Title,Category,Description,Version,File,Bytes,Companies,Assigned,')
    expect(csv).toContain("'=1+1 form")
    expect(csv).toContain("'@SUM")
    for (const cell of ['＝2+2 form', '＋1', '－3 form', '＠SUM']) expect(csv).toContain(`,'${cell},`.slice(1, -1))
    expect(await audits('export.forms')).not.toEqual([])
  })
})

describe('form assignment', () => {
  const many = 400
  beforeAll(async () => {
    await addCompanies(portal.owner, { first: 5001, count: many, name: 'Borough', subdomain: 'borough' })
    await portal.owner.query(`UPDATE company SET name = 'Borough ' || lpad((id - 5000)::text, 3, '0') WHERE id > 5000`)
  })
  const companies = async (
    templateId: number,
    { filters = {}, ...question }: { filters?: object; [name: string]: unknown } = {},
  ) => (await callApi('return/form/companies', { filters: { templateId, ...filters }, ...question })).body
  const companyNames = async (templateId: number, question: { filters?: object; search?: string } = {}) =>
    (await companies(templateId, question)).rows.map(({ name }: { name: string }) => name)

  it('adds and removes companies in one call, all or nothing', async () => {
    const id = await add({ title: 'Shared' })
    const first = await callApi('assign/form', { templateId: id, add: [maple, 5001, 5002] })
    expect(first.body).toMatchObject({ added: 3, removed: 0, message: 'Shared: 3 companies added, 0 removed.' })
    const second = await callApi('assign/form', { templateId: id, add: [harbor, 5001], remove: [5002] })
    expect(second.body).toMatchObject({ added: 1, removed: 1, message: 'Shared: 1 company added, 1 removed.' })
    expect(await companyNames(id, { filters: { has: 'yes' } })).toEqual(['Borough 001', 'Harbor City', 'Maple Grove'])
    const invalid = await callApi('assign/form', { templateId: id, add: [5003, 999_999] })
    expect(invalid.status).toBe(404)
    expect(await one(id)).toMatchObject({ companies: many + 2, form: { assignedCount: 3 } })
    expect((await callApi('assign/form', { templateId: id })).status).toBe(400)
    expect((await callApi('assign/form', { templateId: id, add: [maple], remove: [maple] })).status).toBe(400)
    expect((await callApi('assign/form', { templateId: 999_999, add: [maple] })).status).toBe(404)
  })

  it('assigns all companies, with an entry in each sealed audit log', async () => {
    const id = await add({ title: 'For all' })
    await callApi('assign/form', { templateId: id, add: [maple] })
    const { body } = await callApi('assign/form', { templateId: id, everyone: true })
    expect(body).toMatchObject({ added: many + 1, removed: 0 })
    const assignedEvents = (await audits('form.assigned', 'audit_event')).filter(
      ({ subject }) => subject === String(id),
    )
    expect(assignedEvents).toHaveLength(many + 2)
    expect(assignedEvents[0]).toMatchObject({ actor_kind: 'platform', detail: { title: 'For all' } })
    const [summary] = await audits('form.assignments_saved')
    expect(summary.detail).toMatchObject({ title: 'For all', added: { count: many + 1 }, removed: { count: 0 } })
    expect(summary.detail.added.companies).toHaveLength(100)
    await portal.runJobs('audit.seal')
    const { rows } = await portal.owner.query('SELECT count(*)::int AS n FROM audit_unsealed')
    expect(rows[0].n).toBe(0)
    expect((await callApi('assign/form', { templateId: id, everyone: true })).body).toMatchObject({ added: 0 })
    const all = Array.from({ length: many }, (_, n) => 5001 + n)
    expect((await callApi('assign/form', { templateId: id, remove: all })).body).toMatchObject({ removed: many })
    expect((await one(id)).form.assignedCount).toBe(2)
  })

  it('finds companies by the start and by a part of the name', async () => {
    const id = await add()
    await callApi('assign/form', { templateId: id, add: [5007] })
    expect(await companyNames(id, { search: 'ha' })).toEqual(['Harbor City'])
    expect(await companyNames(id, { search: 'grove' })).toEqual(['Maple Grove'])
    expect(await companyNames(id, { search: 'grove  map' })).toEqual(['Maple Grove'])
    expect(await companyNames(id, { search: 'ough 00', filters: { has: 'yes' } })).toEqual(['Borough 007'])
    expect(await companyNames(id, { search: '%' })).toEqual([])
    expect(await companyNames(id, { search: 'nowhere' })).toEqual([])
    const page = await companies(id, { search: 'borough', pageSize: 50 })
    expect([page.rows.length, page.count]).toEqual([50, many])
    const next = await companies(id, { search: 'borough', pageSize: 50, cursor: page.next })
    expect([next.rows[0].name, Boolean(next.previous)]).toEqual(['Borough 051', true])
    expect((await callApi('return/form/companies', { filters: { templateId: 999_999 } })).status).toBe(404)
  })
})

it('recognizes a locked PDF of a real program', async () => {
  const doc = new PDFDocument({ userPassword: 'secret', pdfVersion: '1.7' })
  doc.text('Nobody reads this.')
  doc.end()
  const { status, body } = await send({
    content: await buffer(doc),
    fields: fieldsOf(),
    name: `${randomBytes(4).toString('hex')}.pdf`,
  })
  expect([status, body.message]).toEqual([415, expect.stringMatching(/password/)])
})
