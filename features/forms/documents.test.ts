import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { addDays, addMonths } from '../../shared/dates.ts'
import { maskedName } from '../../shared/person-names.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { readWithPdfJs } from '../../test/read-pdf.ts'
import { openTestCompany } from '../../test/company.ts'
import { type TypeForm, usualType } from './rules.ts'
import { termOf } from './server/documents/issued.ts'
import { nightly } from '../../test/nightly.ts'

const HOST = 'maplegrove.localhost'
const OTHER = 'cedarfalls.localhost'
const clock = testClock()
const portal = await testPortal({ database: await testDatabase(), clock })
const { owner } = portal
let manager = ''
let resident = ''

async function signIn() {
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  resident = await portal.signIn(HOST, 'resident@maplegrove.example')
}
beforeAll(async () => {
  clock.set('2026-03-10T16:00:00Z')
  await openTestCompany(portal, mapleGrove)
  await liftLimits(owner)
  await signIn()
})

const callApi = (path: string, body: object = {}, token = '') =>
  portal.post(HOST, path, body, { ...(token && { token }), headers: { 'idempotency-key': randomUUID() } })
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
async function fetched(response: Promise<ApiResponse>) {
  const { url } = await expectOk(response)
  return portal.app.inject({ url, headers: { host: HOST } })
}

const dog = { ...blankField('text', 'dog'), label: 'Name of the dog', required: true }
let forms = 0
async function aForm(form: Partial<TypeForm> = {}) {
  const title = `Dog license ${(forms += 1)}`
  const whole = {
    ...usualType,
    category: 'licenses',
    description: '',
    issues: 'Dog license',
    validMonths: 12,
    ...form,
    title,
  }
  const { typeId } = await expectOk(callApi('muni/create/form/type', { form: whole }, manager))
  for (const path of ['muni/save/form/fields', 'muni/publish/form/fields'])
    await expectOk(callApi(path, { typeId, definition: oneStep(dog) }, manager))
  await expectOk(callApi('muni/change/form/type/status', { typeId, event: 'publish' }, manager))
  const { url } = await expectOk(callApi('muni/return/form/type', { typeId }, manager))
  return { typeId: typeId as number, slug: String(url).split('/forms-documents/')[1] ?? '' }
}
async function send(submissionId: number, name = 'Zoë Ada Müller') {
  const contact = { name, email: 'zoe@example.com', phone: '' }
  const signer = { name: '', email: '' }
  return expectOk(
    callApi('send/form', { submissionId, version: 1, answers: { dog: 'Ñandú' }, contact, signer }, resident),
  )
}
const startForm = async (slug: string) =>
  (await expectOk(callApi('start/form', { slug }, resident))).submissionId as number
const step = (subjectId: number, event: string, reason?: string) =>
  expectOk(callApi('muni/change/form/submission/status', { subjectId, event, reason }, manager))
async function issued(slug: string) {
  const id = await startForm(slug)
  const { token } = await send(id)
  await step(id, 'approve')
  const { verifyUrl } = await expectOk(callApi('muni/return/issued/document', { subjectId: id }, manager))
  return { id, token: token as string, code: String(verifyUrl).split('/verify/')[1] ?? '' }
}
const verify = (code: string) => callApi('return/verified/document', { code })
const statusOf = async (code: string) => (await expectOk(verify(code))).issuedDocument.status
const hourly = () => portal.runJobs('forms.documents')

describe('approval', () => {
  test('issues a number that anyone can verify, with limited holder data', async () => {
    const { slug } = await aForm()
    const { code, token } = await issued(slug)
    const { issuedDocument } = await expectOk(verify(code))
    expect(issuedDocument).toEqual({
      number: expect.stringMatching(/^L-2026-\d{6}$/),
      title: 'Dog license',
      holder: 'Z. A. Müller',
      issuedOn: '2026-03-10',
      expiresOn: '2027-03-09',
      status: 'valid',
    })
    expect(await verify('A'.repeat(22))).toMatchObject({ status: 404 })
    expect(await portal.post(OTHER, 'return/verified/document', { code })).not.toMatchObject({ status: 200 })
    for (const which of ['copy', 'issued']) {
      const pdf = await fetched(callApi('print/form/submission', { token, which }))
      expect([which, pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([which, 200, '%PDF-'])
    }
  })

  test('emails a PDF to the address on the form if requested', async () => {
    const { slug } = await aForm()
    const { token } = await issued(slug)
    const emailMessage = () => callApi('mail/form/copy', { token })
    expect((await expectOk(emailMessage())).message).toMatch(/^Sending a copy to \S+@\S+\.$/)
    const { rows } = await owner.query(
      `SELECT company_id, attachments FROM email_outbox WHERE attachments <> '[]' ORDER BY id DESC LIMIT 1`,
    )
    const [{ company_id, attachments }] = rows
    expect(attachments).toEqual([expect.objectContaining({ contentType: 'application/pdf' })])
    const pdf = await portal.context.mailer.rendered(company_id, attachments[0])
    expect((await readWithPdfJs(new Uint8Array(pdf))).text).toContain('Müller')
    expect(await callApi('mail/form/copy', { token: 'A'.repeat(43) })).toMatchObject({ status: 404 })
  })

  test('issues no document if the form is set that way', async () => {
    const { slug } = await aForm({ issues: '', validMonths: null })
    const id = await startForm(slug)
    await send(id)
    await step(id, 'approve')
    expect(await expectOk(callApi('muni/return/issued/document', { subjectId: id }, manager))).toMatchObject({
      issuedDocument: null,
    })
    const issuedDocument = { subjectId: id, which: 'issued' }
    expect(await callApi('muni/print/form/submission', issuedDocument, manager)).toMatchObject({ status: 404 })
  })

  test('is not valid or renewable once revoked', async () => {
    const { slug } = await aForm()
    const { id, code } = await issued(slug)
    await step(id, 'revoke', 'The dog has moved away.')
    expect(await statusOf(code)).toBe('revoked')
    expect(await callApi('renew/issued/document', { submissionId: id }, resident)).toMatchObject({ status: 409 })
  })
})

test('reminds the holder once, renews with stored answers and keeps the number', async () => {
  const { slug } = await aForm({ remindDays: 30 })
  const { id, code } = await issued(slug)
  const reminders = async () =>
    (await portal.emails()).filter(
      ({ subject, to_address }) => subject.includes('expires on') && to_address === 'zoe@example.com',
    )
  const emails = async () => (await reminders()).length
  const before = await expectOk(verify(code))
  clock.set('2027-02-06T16:00:00Z')
  await hourly()
  expect(await emails()).toBe(0)
  clock.set('2027-02-07T16:00:00Z')
  await hourly()
  const once = await emails()
  expect(once).toBeGreaterThan(0)
  await hourly()
  expect(await emails()).toBe(once)
  await signIn()
  const links = (await reminders()).map(({ text_body }) => /submission\/([\w-]{43})/.exec(text_body)?.[1])
  const own = await Promise.all(links.map((token) => expectOk(callApi('return/issued/document', { token }, resident))))
  expect(own.find(({ issuedDocument }) => issuedDocument.number === before.issuedDocument.number)).toMatchObject({
    canRenew: true,
  })
  const { submissionId } = await expectOk(callApi('renew/issued/document', { submissionId: id }, resident))
  // A second renewal request returns the existing draft.
  expect(await expectOk(callApi('renew/issued/document', { submissionId: id }, resident))).toEqual({ submissionId })
  expect((await expectOk(callApi('return/form/draft', { submissionId }, resident))).raw).toEqual({ dog: 'Ñandú' })
  await send(submissionId)
  expect(await callApi('renew/issued/document', { submissionId: id }, resident)).toMatchObject({ status: 409 })
  await step(submissionId, 'approve')
  const after = await expectOk(verify(code))
  expect(after.issuedDocument).toMatchObject({
    number: before.issuedDocument.number,
    expiresOn: addDays(addMonths(addDays(before.issuedDocument.expiresOn, 1), 12), -1),
    status: 'valid',
  })
  // The earlier document ends automatically after its last day. Its number stays valid for the renewed document.
  clock.set('2027-03-10T16:00:00Z')
  await hourly()
  await signIn()
  const ended = await expectOk(callApi('muni/return/form/submission', { subjectId: id }, manager))
  expect(ended.submission.status).toBe(14)
  expect(await statusOf(code)).toBe('valid')
  clock.set('2028-03-10T16:00:00Z')
  expect(await statusOf(code)).toBe('expired')
})

nightly('chosen submissions, or all of a form, come as one zip of PDFs', async () => {
  await signIn()
  const { slug, typeId } = await aForm()
  const ids: number[] = []
  for (let n = 0; n < 22; n += 1) {
    const id = await startForm(slug)
    await send(id)
    ids.push(id)
  }
  const names = async (of: object) => {
    const zip = await fetched(callApi('muni/zip/form/submissions', { of }, manager))
    const files = unzipSync(zip.rawPayload)
    for (const file of Object.values(files)) expect(Buffer.from(file).subarray(0, 5).toString()).toBe('%PDF-')
    return Object.keys(files).length
  }
  expect(await names({ typeId })).toBe(22)
  expect(await names({ ids: ids.slice(0, 3) })).toBe(3)
  await startForm(slug)
  expect(await callApi('muni/zip/form/submissions', { of: { ids: [1] } }, manager)).toMatchObject({ status: 404 })
  expect(await callApi('muni/zip/form/submissions', { of: { typeId } }, resident)).toMatchObject({ status: 403 })
})

test('shortens a name for verifiers, and ends a term before its anniversary', () => {
  expect(['Zoë Ada Müller', 'Prince', ' Ann  Lee '].map(maskedName)).toEqual(['Z. A. Müller', 'Prince', 'A. Lee'])
  const year = { validMonths: 12, remindDays: 30 }
  expect(termOf('2026-03-10', year, null)).toEqual({ expires_on: '2027-03-09', remind_on: '2027-02-07' })
  // The renewal is too late to continue the earlier term, so the new term starts today.
  expect(termOf('2027-06-01', year, '2027-03-09').expires_on).toBe('2028-05-31')
  expect(termOf('2026-03-10', { validMonths: null, remindDays: 30 }, null).expires_on).toBeNull()
})
