import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { readWithPdfJs } from '../../test/read-pdf.ts'
import { addTestPlatformStaff, openTestCompany } from '../../test/company.ts'
import { type TypeForm, usualType } from './rules.ts'

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const clock = testClock()
const portal = await testPortal({ database: await testDatabase(), clock })
let manager = ''
let resident = ''

beforeAll(async () => {
  clock.set('2026-03-10T16:00:00Z')
  await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await liftLimits(portal.owner)
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  resident = await portal.signIn(HOST, 'resident@maplegrove.example')
})

const callApi = (path: string, body: object | FormData = {}, token = manager, host = HOST) =>
  portal.post(host, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
async function file(path: string, body: object, token = manager): Promise<Uint8Array> {
  const { url } = await expectOk(callApi(path, body, token))
  const { rawPayload } = await portal.app.inject({ url, headers: { host: HOST } })
  return new Uint8Array(rawPayload)
}
const textOf = async (content: Uint8Array) => (await readWithPdfJs(content)).text

/** PDF forms made by other programs. The sources are in server/acroform/fixtures/README.md. */
const madeByOthers = (name: string) =>
  readFileSync(new URL(`../../server/acroform/fixtures/${name}.pdf`, import.meta.url))

function formOf(content: Uint8Array, fields: Record<string, string>, name = 'town.pdf'): FormData {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  data.append('file', new Blob([new Uint8Array(content)]), name)
  return data
}
const add = (typeId: number, content: Uint8Array, fieldsTo: 'form' | 'match' = 'form') =>
  callApi('muni/add/form/pdf', formOf(content, { typeId: String(typeId), fieldsTo }))

let forms = 0
async function aForm(form: Partial<TypeForm> = {}, templateId: number | null = null): Promise<number> {
  const whole = { ...usualType, category: 'licenses', description: '', ...form, title: `Form ${(forms += 1)}` }
  return (await expectOk(callApi('muni/create/form/type', { form: whole, templateId }))).typeId
}
const loadFormType = (typeId: number) => expectOk(callApi('muni/return/form/type', { typeId }))
const pdfOf = async (typeId: number) => (await expectOk(callApi('muni/return/form/pdf', { typeId }))).pdf

/** Publishes the draft and returns its questions. */
async function publish(typeId: number): Promise<Definition> {
  const { draft } = await loadFormType(typeId)
  await expectOk(callApi('muni/publish/form/fields', { typeId, definition: draft }))
  const { status } = await loadFormType(typeId)
  if (status === 'draft') await expectOk(callApi('muni/change/form/type/status', { typeId, event: 'publish' }))
  return draft as Definition
}
const slugOf = async (typeId: number) => String((await loadFormType(typeId)).url).split('/forms-documents/')[1] ?? ''

const texts = ['Zoë Núñez', 'Ærø Łódź', 'François', 'Søren', 'Jürgen']
function answerTo(field: Field, index: number) {
  if (field.type === 'choice') return field.options.at(-1)?.value
  if (field.type === 'choices') return field.options.slice(0, 1).map(({ value }) => value)
  if (field.type === 'checkbox') return true
  return field.type === 'text' ? texts[index % texts.length]?.slice(0, field.maxLength) : undefined
}
async function fillIn(typeId: number, definition: Definition) {
  const { submissionId } = await expectOk(callApi('start/form', { slug: await slugOf(typeId) }, resident))
  const answers = Object.fromEntries(allFields(definition).map((field, index) => [field.name, answerTo(field, index)]))
  const contact = { name: 'Rosa Resident', email: 'rosa@example.com', phone: '' }
  const { version } = await expectOk(callApi('return/form/draft', { submissionId }, resident))
  const sent = { submissionId, version, answers, contact, signer: { name: '', email: '' } }
  const { token } = await expectOk(callApi('send/form', sent, resident))
  return { id: submissionId as number, token: token as string, answers }
}

describe.each(['qpdf-from-odt', 'pypdf-libreoffice', 'pdfbox-basic-fields', 'pdfbox-comb', 'pdfbox-multiline'])(
  '%s, a PDF with fields from another program',
  (name) => {
    test('becomes questions, renders in two programs and receives a resident’s answers', async () => {
      const typeId = await aForm()
      const { linkedCount, kind } = await expectOk(add(typeId, madeByOthers(name)))
      const definition = await publish(typeId)
      expect([kind, linkedCount]).toEqual(['fillable', allFields(definition).length])
      const { filled, empty, proof } = await pdfOf(typeId)
      expect({ filled, empty, proof }).toEqual({
        ...{ filled: linkedCount, empty: [] },
        proof: {
          of: linkedCount,
          unseen: [],
          rendered: ['PDFium', 'PDF.js'].map((by) => ({ by, count: linkedCount })),
        },
      })
      const { id, token, answers } = await fillIn(typeId, definition)
      const copies = [
        await file('muni/print/form/submission', { subjectId: id, which: 'filled' }),
        await file('print/form/submission', { token, which: 'filled' }, ''),
      ]
      for (const copy of copies) {
        const text = await textOf(copy)
        for (const { type, name: field } of allFields(definition))
          if (type === 'text') expect(text).toContain(String(answers[field]).replaceAll(/\s/g, ''))
        expect((await PDFDocument.load(copy)).getForm().getFields()).toEqual([])
      }
      // The PDF for download keeps the company's design, but the portal removes its scripts.
      const original = await file('download/form/pdf', { slug: await slugOf(typeId) }, resident)
      const runsScripts = name === 'pdfbox-basic-fields'
      expect(Buffer.from(original).equals(madeByOthers(name))).toBe(!runsScripts)
      expect(Buffer.from(original).includes('JavaScript')).toBe(false)
    })
  },
)

test('keeps the PDF of a submission after it is replaced or removed', async () => {
  const typeId = await aForm()
  await expectOk(add(typeId, madeByOthers('pdfbox-multiline')))
  const definition = await publish(typeId)
  const before = await fillIn(typeId, definition)
  const print = (subjectId: number) => file('muni/print/form/submission', { subjectId, which: 'filled' })
  const first = await textOf(await print(before.id))
  clock.advance(60_000)
  await expectOk(add(typeId, madeByOthers('pdfbox-comb'), 'match'))
  const { filled, empty } = await pdfOf(typeId)
  expect([filled, empty.length]).toEqual([0, 6])
  clock.advance(60_000)
  const after = await fillIn(typeId, definition)
  expect(await textOf(await print(before.id))).toBe(first)
  expect(await textOf(await print(after.id))).not.toBe(first)
  await expectOk(callApi('muni/remove/form/pdf', { typeId }))
  clock.advance(60_000)
  const last = await fillIn(typeId, definition)
  expect(await textOf(await print(before.id))).toBe(first)
  expect(await callApi('muni/print/form/submission', { subjectId: last.id, which: 'filled' })).toMatchObject({
    status: 404,
  })
  expect(await expectOk(callApi('muni/return/issued/document', { subjectId: last.id }))).toMatchObject({
    hasPdf: false,
  })
})

test('fills in the PDF from existing questions of the same names', async () => {
  const typeId = await aForm()
  const label = 'First Name'
  const steps = oneStep(
    { ...blankField('text', 'given'), label },
    { ...blankField('text', 'company'), label: 'Municipality' },
  )
  await expectOk(callApi('muni/save/form/fields', { typeId, definition: steps }))
  const { linkedCount } = await expectOk(add(typeId, madeByOthers('pypdf-libreoffice'), 'match'))
  expect(linkedCount).toBe(1)
  const { draft } = await loadFormType(typeId)
  expect(allFields(draft as Definition).map(({ name }) => name)).toEqual(['given', 'company'])
  expect((await pdfOf(typeId)).empty).toHaveLength(7)
})

test('writes each question into the PDF field that staff choose', async () => {
  const typeId = await aForm()
  const steps = oneStep({ ...blankField('text', 'company'), label: 'Where from?' })
  await expectOk(callApi('muni/save/form/fields', { typeId, definition: steps }))
  await expectOk(add(typeId, madeByOthers('pypdf-libreoffice'), 'match'))
  const { pdf, questions } = await expectOk(callApi('muni/return/form/pdf', { typeId }))
  expect(questions).toEqual([{ name: 'company', label: 'Where from?' }])
  const [first] = pdf.links as { pdf: string }[]
  const save = (name: string) => callApi('muni/save/form/pdf/links', { typeId, links: { [first?.pdf ?? '']: name } })
  expect(await save('unasked')).toMatchObject({ status: 422 })
  await expectOk(save('company'))
  expect((await pdfOf(typeId)).filled).toBe(1)
  const { id } = await fillIn(typeId, await publish(typeId))
  const filled = await textOf(await file('muni/print/form/submission', { subjectId: id, which: 'filled' }))
  expect(filled).toContain(texts[0]?.replaceAll(' ', ''))
})

describe('PDF of a form', () => {
  test('is downloaded and returned as a file if it has no fields', async () => {
    const flat = await PDFDocument.create()
    flat.addPage()
    const typeId = await aForm()
    expect(await expectOk(add(typeId, await flat.save()))).toMatchObject({ kind: 'flat', linkedCount: 0 })
    const definition = await publish(typeId)
    expect(allFields(definition).map(({ type, required }) => [type, required])).toEqual([['file', true]])
    const { pdf } = await expectOk(callApi('return/form', { slug: await slugOf(typeId) }, resident))
    expect(pdf).toMatchObject({ kind: 'flat', name: 'town.pdf' })
  })

  test('is refused with a sentence if protected, damaged or not a PDF', async () => {
    const locked = await PDFDocument.create()
    locked.addPage()
    locked.encrypt({ userPassword: 'secret', ownerPassword: 'owner' })
    const typeId = await aForm()
    for (const [content, expectedMessage] of [
      [await locked.save(), /PDF/],
      [Buffer.from('%PDF-1.7 and nothing else'), /PDF/],
      [Buffer.from('hello'), /PDF/],
    ] as const) {
      const { status, body } = await add(typeId, content)
      expect([Math.floor(status / 100), body.message]).toEqual([4, expect.stringMatching(expectedMessage)])
    }
    expect(await pdfOf(typeId)).toBeNull()
  })

  test('is added only by staff to a form of their company', async () => {
    const typeId = await aForm()
    const data = formOf(madeByOthers('pdfbox-comb'), { typeId: String(typeId), fieldsTo: 'form' })
    expect([401, 403]).toContain((await callApi('muni/add/form/pdf', data, resident)).status)
    expect(await callApi('muni/return/form/pdf', { typeId: 999_999 })).toMatchObject({ status: 404 })
  })
})

test('is copied from the form template', async () => {
  const provider = await portal.signIn(ADMIN, 'super@mainstreet.example')
  const fields = { title: 'Fence permit', description: 'For all towns.', category: 'Permits' }
  const { templateId } = await expectOk(
    callApi('admin/create/form', formOf(madeByOthers('qpdf-from-odt'), fields, 'fence.pdf'), provider, ADMIN),
  )
  const { rows } = await portal.owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const typeId = await aForm({}, templateId)
  expect(await expectOk(callApi('muni/return/form/pdf', { typeId }))).toMatchObject({ pdf: null, libraryFile: '' })
  await portal.owner.query(
    'INSERT INTO form_template_assignment (template_id, company_id, assigned_at, assigned_by) SELECT $1, $2, now(), min(id) FROM platform_person',
    [templateId, rows[0]?.id],
  )
  expect(await expectOk(callApi('muni/return/form/pdf', { typeId }))).toMatchObject({ libraryFile: 'fence.pdf' })
  expect(await expectOk(callApi('muni/import/form/pdf', { typeId, fieldsTo: 'form' }))).toMatchObject({
    kind: 'fillable',
    linkedCount: 7,
  })
  const copy = await file('muni/download/form/pdf', { typeId, which: 'original' })
  expect(Buffer.from(copy).equals(madeByOthers('qpdf-from-odt'))).toBe(true)
  const sample = await textOf(await file('muni/download/form/pdf', { typeId, which: 'sample' }))
  expect(sample).toContain('ABC123')
})
