import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { openTestCompany } from '../../test/company.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testDatabase, testPortal } from '../../test/harness.ts'
import { importerOf } from '../../test/imported-records.ts'
import { type TypeForm, usualType } from './rules.ts'

const HOST = 'maplegrove.localhost'
const HEAD = 'number,form,name,email,phone,address,issued,expires,status,fee,details'
const RESIDENT = 'resident@maplegrove.example'
const clock = testClock()
const portal = await testPortal({ database: await testDatabase(), clock })
const { owner } = portal
let manager = ''
let resident = ''
let made = 0

async function signIn() {
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  resident = await portal.signIn(HOST, RESIDENT)
}
beforeAll(async () => {
  clock.set('2026-11-20T16:00:00Z')
  await openTestCompany(portal, mapleGrove)
  await liftLimits(owner)
  await signIn()
})

const callApi = (path: string, body: object = {}, token = manager) =>
  portal.post(HOST, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
const dog = { ...blankField('text', 'dog'), label: 'Name of the dog', required: true }
const holder = { ...blankField('text', 'holder'), label: 'Owner', prefill: 'full_name' as const }
/** Adds a form with fields. */
async function addForm(form: Partial<TypeForm> = {}, isPublished = true) {
  const no = (made += 1)
  const whole = { ...usualType, category: 'licenses', description: '', issues: `Dog license ${no}`, validMonths: 12 }
  const title = form.title ?? `Application ${no}`
  const { typeId } = await expectOk(callApi('muni/create/form/type', { form: { ...whole, ...form, title } }))
  if (isPublished) {
    for (const path of ['muni/save/form/fields', 'muni/publish/form/fields'])
      await expectOk(callApi(path, { typeId, definition: oneStep(holder, dog) }))
    await expectOk(callApi('muni/change/form/type/status', { typeId, event: 'publish' }))
  }
  return { typeId: typeId as number, title, issues: form.issues ?? `Dog license ${no}` }
}
const imported = (lines: string[], more: Parameters<ReturnType<typeof importerOf>>[2] = {}, head = HEAD) =>
  importerOf(portal, HOST, manager)('permits', [head, ...lines].join('\n'), { rowErrors: 'leave out', ...more })
/** Returns the submission and document with this number. */
async function permitOf(number: string) {
  const { rows } = await owner.query(
    `SELECT s.*, p.code, p.title AS document, p.holder, p.issued_on::text, p.expires_on::text, p.remind_on::text, o.no,
      (SELECT string_agg(event, ' ') FROM status_history h WHERE h.company_id = s.company_id AND machine = 'form_submission' AND subject_id = s.id) AS events
     FROM issued_document p JOIN form_submission s ON (s.company_id, s.id) = (p.company_id, p.submission_id)
     JOIN form_round o ON (o.company_id, o.submission_id) = (s.company_id, s.id) WHERE p.number = $1 ORDER BY s.id`,
    [number],
  )
  return rows.length > 1 ? rows : rows[0]
}
const documentOf = async (subjectId: number) =>
  (await expectOk(callApi('muni/return/issued/document', { subjectId }))).issuedDocument
const hourly = () => portal.runJobs('forms.documents')
const emailCount = async () => (await portal.emails()).length

describe('import of permits', () => {
  test('keeps number, days and status, and sends no email', async () => {
    const { title, issues } = await addForm()
    const before = await emailCount()
    const { body } = await imported([
      `A-1,${title},Ann Lee,ann@example.com,(717) 555-0100,12 Oak Street,2026-01-15,2027-01-14,Active,$15.00,Juno`,
      `A-2,${issues.toUpperCase()},Bo Lee,,,,1/15/2025,12/31/2025,Active,,`,
      `A-3,${title},Cy Lee,,,,2026-02-01,2027-01-31,Revoked,,`,
      `A-4,${title},Di Lee,,,,2019-02-01,2020-01-31,Expired,,`,
      `A-5,${title},Ed Lee,,,,2026-06-01,,Issued,,`,
    ])
    expect(body).toMatchObject({ imported: true, created: 5, errorCount: 0 })
    const permit = await permitOf('A-1')
    expect(permit).toMatchObject({
      ...{ status: 3, made_by: 'import', name: 'Ann Lee', email: 'ann@example.com', phone: '7175550100', no: 1 },
      ...{ document: issues, holder: 'Ann Lee', issued_on: '2026-01-15', expires_on: '2027-01-14' },
      ...{ remind_on: '2026-12-15', events: 'import', fee_cents: 0, paid_cents: 0, answers: { holder: 'Ann Lee' } },
    })
    expect(permit.number).toMatch(/^F-2026-/)
    expect(await permitOf('A-2')).toMatchObject({ status: 14, events: 'import_expired', document: issues })
    expect(await permitOf('A-3')).toMatchObject({ status: 13, events: 'import_revoked' })
    const old = await permitOf('A-4')
    expect([old.status, old.number.slice(0, 7)]).toEqual([14, 'F-2019-'])
    // Without a day in the file, the term of the form counts from the day of issue.
    expect(await permitOf('A-5')).toMatchObject({ expires_on: '2027-05-31' })
    expect(await documentOf(permit.id)).toMatchObject({ number: 'A-1', status: 'valid', expiresOn: '2027-01-14' })
    expect((await documentOf((await permitOf('A-3')).id)).status).toBe('revoked')
    await portal.runJobs()
    expect(await emailCount()).toBe(before)
  })

  test('appears in the list and shows the details of the previous system', async () => {
    const { title } = await addForm()
    await imported([`2019-00417,${title},Flo Reese,,,14 Elm Street,2026-01-15,,Active,15.00,"Max, terrier"`])
    const { rows } = await expectOk(callApi('muni/return/form/submissions', { search: '2019-00417' }))
    expect(rows).toMatchObject([{ name: 'Flo Reese', title, status: 3 }])
    const byDetails = await expectOk(callApi('muni/return/form/submissions', { search: 'terrier' }))
    expect(byDetails.rows).toHaveLength(1)
    const { submission } = await expectOk(callApi('muni/return/form/submission', { subjectId: rows[0].id }))
    expect(submission).toMatchObject({ isImported: true, personId: null, feeCents: 0 })
    expect(submission.answers.map(({ label, value }: { label: string; value: string }) => [label, value])).toEqual([
      ['Owner', 'Flo Reese'],
      ['Address', '14 Elm Street'],
      ['Details', 'Max, terrier'],
      ['Fee paid', '$15.00'],
    ])
  })

  test('lets the resident renew, and keeps the number and the old term', async () => {
    const { title } = await addForm()
    await imported([`B-1,${title},Rose Ito,${RESIDENT.toUpperCase()},,,2025-12-10,2026-12-09,Active,,`])
    const { id, code, person_id } = await permitOf('B-1')
    expect(person_id).not.toBeNull()
    const { own } = await expectOk(callApi('return/forms', {}, resident))
    expect(own).toContainEqual(expect.objectContaining({ id, title, status: 3 }))
    const { submissionId } = await expectOk(callApi('renew/issued/document', { submissionId: id }, resident))
    expect((await expectOk(callApi('return/form/draft', { submissionId }, resident))).raw).toEqual({
      holder: 'Rose Ito',
    })
    const sent = { version: 1, answers: { holder: 'Rose Ito', dog: 'Juno' }, signer: { name: '', email: '' } }
    const contact = { name: 'Rose Ito', email: RESIDENT, phone: '' }
    await expectOk(callApi('send/form', { submissionId, ...sent, contact }, resident))
    await expectOk(callApi('muni/change/form/submission/status', { subjectId: submissionId, event: 'approve' }))
    const { issuedDocument } = await expectOk(callApi('return/verified/document', { code }, ''))
    expect(issuedDocument).toMatchObject({ number: 'B-1', expiresOn: '2027-12-09', status: 'valid' })
    expect((await documentOf(id)).status).toBe('renewed')
  })

  test('treats equal numbers of two forms as two permits', async () => {
    const [one, other] = [await addForm(), await addForm()]
    const { body } = await imported([
      `101,${one.title},Ann Lee,,,,2026-01-15,2027-01-14,,,`,
      `101,${other.title},Bo Lee,,,,2026-01-15,2027-01-14,,,`,
      `101,${one.title},Cy Lee,,,,2026-01-15,2027-01-14,,,`,
    ])
    expect(body).toMatchObject({ created: 2, errorCount: 1 })
    expect(body.invalidRows[0]?.reason).toBe('This row repeats an earlier row of the file: Line 2.')
    const [first] = await permitOf('101')
    expect((await documentOf(first.id)).status).toBe('valid')
  })

  test('sends the reminder of a later day only, and expires with the last day', async () => {
    const { title } = await addForm({ remindDays: 30 })
    const before = await emailCount()
    await imported([
      `C-1,${title},Ann Lee,ann@example.com,,,2025-12-01,2026-11-30,,,`,
      `C-2,${title},Bo Lee,bo@example.com,,,2026-01-01,2026-12-31,,,`,
    ])
    expect((await permitOf('C-1')).remind_on).toBeNull()
    await hourly()
    expect(await emailCount()).toBe(before)
    clock.set('2026-12-02T16:00:00Z')
    await signIn()
    await hourly()
    expect((await permitOf('C-1')).status).toBe(14)
    const reminded = async () => (await portal.emails()).filter(({ subject }) => subject.includes('C-2 expires on'))
    expect(await reminded()).toHaveLength(1)
    expect((await reminded())[0]?.to_address).toBe('bo@example.com')
    clock.set('2026-11-20T16:00:00Z')
    await signIn()
  })

  test('belongs to a resident only after the resident confirmed the email', async () => {
    const { title } = await addForm()
    const { rows } = await owner.query(
      `UPDATE person SET email_confirmed_at = NULL WHERE email = 'newcomer@maplegrove.example' RETURNING id`,
    )
    expect(rows).toHaveLength(1)
    await imported([`D-1,${title},Ann Lee,newcomer@maplegrove.example,,,2026-01-15,,,,`])
    expect((await permitOf('D-1')).person_id).toBeNull()
  })

  test('explains each invalid row', async () => {
    const { title } = await addForm()
    const silent = await addForm({ issues: '', validMonths: null })
    const draft = await addForm({ title: 'Never published' }, false)
    await addForm({ title: 'Twin form' })
    await addForm({ title: 'Twin form' })
    const row = (more: Record<string, string>) => {
      const values: Record<string, string> = {
        ...{ number: `E-${(made += 1)}`, form: title, name: 'Ann Lee', issued: '2026-01-15' },
        ...more,
      }
      return HEAD.split(',')
        .map((column) => `"${values[column] ?? ''}"`)
        .join(',')
    }
    const invalid: [Record<string, string>, string][] = [
      [{ number: '' }, 'Enter the number of the permit.'],
      [{ number: 'x'.repeat(41) }, 'The number has more than 40 characters.'],
      [{ form: '' }, 'Enter the form of the permit, such as “Dog license”.'],
      [{ form: 'Cat license' }, 'No form has the title “Cat license” or issues a document with this name.'],
      [{ form: 'twin form' }, 'Several forms match “twin form”. Give them different titles first.'],
      [{ form: silent.title }, `The form “${silent.title}” issues no document.`],
      [{ form: draft.title }, 'The form “Never published” has no published fields. Publish the form first.'],
      [{ name: '' }, 'Enter the name of the holder.'],
      [{ name: 'x'.repeat(121) }, 'Use up to 120 characters.'],
      [{ email: 'ann at home' }, 'Enter an email address, such as name@example.com.'],
      [{ email: 'ann@example.com; bo@example.com' }, 'Enter an email address, such as name@example.com.'],
      [{ phone: '555-0100' }, '10-digit phone number'],
      [{ issued: '' }, 'Enter the day of issue.'],
      [{ issued: '2026-02-30' }, '“2026-02-30” in “Issued on” is not a date.'],
      [{ issued: '2026-11-21' }, 'The day of issue is in the future.'],
      [{ issued: 'last spring' }, '“last spring” in “Issued on” is not a date.'],
      [{ issued: '15.01.2026' }, '“15.01.2026” in “Issued on” is not a date.'],
      [{ expires: 'never' }, '“never” in “Valid until” is not a date.'],
      [{ expires: '2025-12-31' }, 'The last valid day is before the day of issue.'],
      [{ status: 'Pending' }, 'A permit with the status “Pending” is not issued. Leave out the row.'],
      [{ status: 'Denied' }, 'A permit with the status “Denied” is not issued. Leave out the row.'],
      [{ status: 'Lost' }, '“Lost” in “Status” was not found. Use Active, Expired or Revoked.'],
      [{ fee: 'free' }, '“free” in “Fee paid” is not an amount.'],
      [{ fee: '-5.00' }, 'The amount in “Fee paid” is less than zero.'],
      [{ details: 'x'.repeat(1001) }, '1000'],
      [{ address: 'Oak\uFFFD Street' }, 'characters that cannot be read'],
    ]
    const { body } = await imported(invalid.map(([values]) => row(values)))
    for (const [at, [, reason]] of invalid.entries()) expect(body.invalidRows[at]?.reason).toContain(reason)
    expect(body).toMatchObject({ created: 0, errorCount: invalid.length })
  })

  test('changes nothing in a preview, or if the same file comes again', async () => {
    const { title } = await addForm()
    const lines = [`G-1,${title},Ann Lee,,,,2026-01-15,,,,`, `G-2,${title},Bo Lee,,,,2024-02-29,2025-02-28,,,`]
    expect((await imported(lines, { mode: 'preview' })).body).toMatchObject({ imported: false, created: 2 })
    expect(await permitOf('G-1')).toBeUndefined()
    expect((await imported(lines)).body).toMatchObject({ created: 2, unchanged: 0 })
    const again = (await imported(lines)).body
    expect(again).toMatchObject({ created: 0, unchanged: 2, errorCount: 0 })
    expect(again.importId).toBeUndefined()
  })

  test('is not undone after a renewal, a message or a revocation', async () => {
    const { title } = await addForm()
    const causesAfter = async (number: string, use: (id: number) => Promise<unknown>) => {
      const email = number === 'H-1' ? RESIDENT : ''
      const { body } = await imported([`${number},${title},Rose Ito,${email},,,2026-01-15,,,,`])
      await use((await permitOf(number)).id)
      const undone = await callApi('muni/undo/import', { importId: body.importId })
      return [undone.status, undone.body.details?.causes]
    }
    const renewed = await causesAfter('H-1', (submissionId) =>
      expectOk(callApi('renew/issued/document', { submissionId }, resident)),
    )
    expect(renewed).toEqual([409, ['linked']])
    const noted = await causesAfter('H-2', (subjectId) =>
      expectOk(callApi('muni/note/form/submission', { subjectId, message: 'Seen' })),
    )
    expect(noted).toEqual([409, ['answered']])
    const revoked = await causesAfter('H-3', (subjectId) =>
      expectOk(callApi('muni/change/form/submission/status', { subjectId, event: 'revoke', reason: 'Lost' })),
    )
    expect(revoked[0]).toBe(409)
  })

  test('takes its sample file without questions', async () => {
    await addForm({ title: 'Dog license' })
    const { url } = await expectOk(callApi('muni/download/import/sample', { kind: 'permits', format: 'csv' }))
    const sample = await portal.app.inject({ url, headers: { host: HOST } })
    const choices = { mode: 'preview', columns: '' } as const
    const { body } = await importerOf(portal, HOST, manager)('permits', sample.payload, choices)
    expect(body).toMatchObject({ read: 1, created: 1, errorCount: 0, columns: { isOpen: false } })
  })

  test('needs the permission to process submissions', async () => {
    const asResident = importerOf(portal, HOST, resident)
    expect((await asResident('permits', HEAD)).status).toBe(403)
  })
})
