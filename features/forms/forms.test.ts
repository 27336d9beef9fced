import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testDatabase, testPortal } from '../../test/harness.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import { readWithPdfJs } from '../../test/read-pdf.ts'
import { openAccounts, openTestCompany } from '../../test/company.ts'
import { type FeeRules, quoteOf } from '../../test/fees.ts'
import { seed } from '../../test/seed.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { type DemoForm, demoForms } from './demo-forms.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import { answerText } from '../../shared/fields/labels.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import { answersAsText, type TypeForm, usualType } from './rules.ts'

const HOST = 'maplegrove.localhost'
const fees: FeeRules = {
  program: 'convenience',
  absorb: 0,
  cardBps: 275,
  cardFixedCents: 30,
  cardMinCents: 195,
  cardMaxCents: 4995,
  echeckCents: 150,
}
const database = await testDatabase()
const portal = await testPortal({ database })
const { owner } = portal
const tokens = { staff: '', manager: '', resident: '', newcomer: '' }
let company: CompanyId
let provider: ProviderModel

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(owner)
  await openAccounts(portal)
})
beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  for (const name of ['staff', 'manager', 'resident', 'newcomer'] as const)
    tokens[name] = await portal.signIn(HOST, `${name}@maplegrove.example`)
})

const callApi = (path: string, body: object = {}, token = '') => portal.post(HOST, path, body, token ? { token } : {})
const asManager = (path: string, body: object = {}) => callApi(path, body, tokens.manager)
const asStaff = (path: string, body: object = {}) => callApi(path, body, tokens.staff)
/** Calls as staff with an idempotency key. */
const asStaffOnce = (path: string, body: object, key: string) =>
  portal.post(HOST, path, body, { token: tokens.staff, headers: { 'idempotency-key': key } })
const asResident = (path: string, body: object = {}) =>
  portal.post(HOST, path, body, { token: tokens.resident, headers: { 'idempotency-key': randomUUID() } })
/** Returns the body of a successful call. */
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

type Fields = Parameters<typeof oneStep>
async function publish(typeId: number, ...fields: Fields): Promise<number> {
  await expectOk(asManager('muni/save/form/fields', { typeId, definition: oneStep(...fields) }))
  return (await expectOk(asManager('muni/publish/form/fields', { typeId, definition: oneStep(...fields) }))).version
}
let forms = 0
async function aForm(form: Partial<TypeForm>, ...fields: Fields) {
  const title = `${form.title ?? 'Form'} ${(forms += 1)}`
  const whole = { ...usualType, category: 'permits', description: '', ...form, title }
  const { typeId } = await expectOk(asManager('muni/create/form/type', { form: whole }))
  await publish(typeId, ...fields)
  await expectOk(asManager('muni/change/form/type/status', { typeId, event: 'publish' }))
  const { url } = await expectOk(asManager('muni/return/form/type', { typeId }))
  return { typeId: typeId as number, title, slug: String(url).split('/forms-documents/')[1] ?? '' }
}

/** Publishes a demo form as staff do. */
async function published({ form, definition }: DemoForm) {
  const { typeId } = await expectOk(asManager('muni/create/form/type', { form: { ...usualType, ...form } }))
  await expectOk(asManager('muni/save/form/fields', { typeId, definition }))
  await expectOk(asManager('muni/publish/form/fields', { typeId, definition }))
  await expectOk(asManager('muni/change/form/type/status', { typeId, event: 'publish' }))
  const { url } = await expectOk(asManager('muni/return/form/type', { typeId }))
  return { typeId: typeId as number, slug: String(url).split('/forms-documents/')[1] ?? '' }
}

const contact = { name: 'Ada Quill', email: 'ada@example.com', phone: '' }
const nobody = { name: '', email: '' }
const startForm = async (slug: string): Promise<number> =>
  (await expectOk(asResident('start/form', { slug }))).submissionId
const draft = (submissionId: number) => expectOk(asResident('return/form/draft', { submissionId }))
const send = (submissionId: number, answers: object, { version = 1, signer = nobody, ...contactPatch } = {}) =>
  asResident('send/form', { submissionId, version, answers, contact: { ...contact, ...contactPatch }, signer })
const loadByLink = (token: string) => expectOk(callApi('return/form/submission/by/link', { token }))
const step = (subjectId: number, event: string, reason?: string) =>
  asStaff('muni/change/form/submission/status', { subjectId, event, reason })
const loadSubmission = (subjectId: number) => expectOk(asStaff('muni/return/form/submission', { subjectId }))

const event = { ...blankField('text', 'event'), label: 'What is celebrated?', required: true }
const day = { ...blankField('date', 'day'), label: 'Day', required: true }
const guests = { ...blankField('number', 'guests'), label: 'Guests' }

describe('form', () => {
  test('is saved as a draft, sent, questioned, changed and approved', async () => {
    const { slug, title } = await aForm({ title: 'Block party' }, event, day, guests)
    const id = await startForm(slug)
    await expectOk(
      asResident('save/form/draft', { submissionId: id, version: 1, raw: { event: 'Summer', day: 'not yet' } }),
    )
    // Another device with another session.
    tokens.resident = await portal.signIn(HOST, 'resident@maplegrove.example')
    expect((await draft(id)).raw).toEqual({ event: 'Summer', day: 'not yet' })
    expect(await send(id, { event: '', day: '2027-07-04' })).toMatchObject({
      status: 422,
      body: { details: { fields: { event: 'Enter an answer.' } } },
    })
    const sent = await expectOk(send(id, { event: 'Summer', day: '2027-07-04', guests: '40' }))
    expect(sent).toMatchObject({ next: 'review', number: expect.stringMatching(/^F-\d{4}-\d{6}$/) })
    expect(await loadByLink(sent.token)).toMatchObject({
      status: 1,
      title,
      answers: [{ value: 'Summer' }, {}, { value: '40' }],
    })
    // Staff request information, the applicant resubmits, and staff approve.
    await expectOk(step(id, 'request_info', 'Which street is closed?'))
    expect(await loadByLink(sent.token)).toMatchObject({ status: 11, requestedInfo: 'Which street is closed?' })
    expect((await draft(id)).raw).toMatchObject({ event: 'Summer' })
    await expectOk(send(id, { event: 'Summer in Elm Street', day: '2027-07-04', guests: '40' }))
    const { submission } = await loadSubmission(id)
    expect(submission.rounds).toMatchObject([
      { no: 2, changes: [{ label: 'What is celebrated?', before: 'Summer', after: 'Summer in Elm Street' }] },
      { no: 1, changes: [] },
    ])
    await expectOk(step(id, 'approve'))
    expect(await step(id, 'reject', 'Too late')).toMatchObject({ status: 409 })
    expect((await loadSubmission(id)).submission).toMatchObject({ status: 3, decidedBy: expect.stringMatching(/\w/) })
    const emails = await owner.query(
      `SELECT subject FROM email_outbox WHERE to_address = 'ada@example.com' ORDER BY id`,
    )
    expect(emails.rows.map((row) => row.subject)).toEqual(
      expect.arrayContaining([`We received “${title}”`, `“${title}” was approved`]),
    )
  })

  test('is rejected with a reason, sent again and withdrawn', async () => {
    const { slug } = await aForm({ title: 'Fence' }, event)
    const id = await startForm(slug)
    const { token } = await expectOk(send(id, { event: 'A fence' }))
    expect(await step(id, 'reject')).toMatchObject({ status: 422 })
    await expectOk(step(id, 'reject', 'The fence is too high.'))
    expect((await draft(id)).requestedInfo).toBe('The fence is too high.')
    await expectOk(send(id, { event: 'A lower fence' }))
    expect(await loadByLink(token)).toMatchObject({ status: 1, can: { withdraw: true } })
    await expectOk(callApi('withdraw/form', { token }))
    expect(await loadByLink(token)).toMatchObject({ status: 12, can: { withdraw: false } })
    expect(await step(id, 'approve')).toMatchObject({ status: 409 })
  })

  test('continues an older draft in the new version and lists its changes', async () => {
    const { slug, typeId } = await aForm({ title: 'Tree' }, event)
    const id = await startForm(slug)
    await expectOk(asResident('save/form/draft', { submissionId: id, version: 1, raw: { event: 'Oak' } }))
    await publish(typeId, event, guests)
    expect(await send(id, { event: 'Oak' })).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(await draft(id)).toMatchObject({
      version: 2,
      raw: { event: 'Oak' },
      changes: ['“Guests” is a new question.'],
    })
    await expectOk(send(id, { event: 'Oak', guests: 3 }, { version: 2 }))
  })

  test('keeps entries from two devices and reports the other device’s changes', async () => {
    const { slug } = await aForm({ title: 'Fair' }, event, day)
    const submissionId = await startForm(slug)
    const saveDraft = (before: object, raw: object) =>
      expectOk(asResident('save/form/draft', { submissionId, version: 1, raw, before }))
    const first = { event: 'Summer', day: '2027-01-02' }
    expect(await saveDraft({}, first)).toMatchObject({ others: [] })
    expect(await saveDraft(first, { ...first, day: '2027-02-03' })).toMatchObject({ others: [] })
    const phone = { ...first, event: 'Autumn' }
    expect(await saveDraft(first, phone)).toMatchObject({ others: ['Day'] })
    // The phone still sends the old date, which the person did not change on the phone.
    expect(await saveDraft(phone, { ...phone, event: 'Winter' })).toMatchObject({ others: ['Day'] })
    const { raw } = await expectOk(asResident('return/form/draft', { submissionId }))
    expect(raw).toEqual({ event: 'Winter', day: '2027-02-03' })
  })

  test('belongs only to the person who started it', async () => {
    const { slug } = await aForm({ title: 'Mine' }, event)
    const id = await startForm(slug)
    for (const path of ['return/form/draft', 'open/form/submission', 'discard/form/draft'])
      expect(await callApi(path, { submissionId: id }, tokens.newcomer)).toMatchObject({ status: 404 })
    await expectOk(asResident('discard/form/draft', { submissionId: id }))
    expect((await expectOk(asResident('return/forms'))).own.map((one: { id: number }) => one.id)).not.toContain(id)
  })
})

describe('fee', () => {
  test('is paid before the review, and computed from the answers if necessary', async () => {
    const fee = {
      ...blankField('computed', 'fee'),
      label: 'Fee',
      charged: true,
      terms: { '+': [{ cents: 1000 }, { times: [{ var: 'guests' }, 50] }] },
    } as never
    const { slug } = await aForm({ title: 'Park', feeKind: 'computed', glAccount: '400' }, event, guests, fee)
    const id = await startForm(slug)
    const { token, next } = await expectOk(send(id, { event: 'Party', guests: 20 }))
    expect(next).toBe('pay')
    expect(await step(id, 'approve')).toMatchObject({ status: 409 })
    const { token: checkout } = await expectOk(callApi('pay/form', { token }))
    const pay = {
      ...{ token: checkout, payType: 1, method: 1, billCents: 2000, email: 'ada@example.com' },
      methodToken: provider.token('ok'),
      expectedTotalCents: quoteOf(fees, 1, 2000).totalCents,
    }
    const paid = await expectOk(
      portal.post(HOST, 'pay/guest/bill', pay, { headers: { 'idempotency-key': randomUUID() } }),
    )
    expect(paid).toMatchObject({ state: 'paid', receipt: { lines: [{ title: expect.stringContaining('Park') }] } })
    expect(await loadByLink(token)).toMatchObject({ status: 1, feeCents: 2000, paidCents: 2000 })
    expect(await callApi('pay/form', { token })).toMatchObject({ status: 409 })
    // Staff and payer are notified that the fee is not refunded when the submission ends. The record links to the
    // payment.
    const { submission } = await loadSubmission(id)
    expect(submission.payments).toMatchObject([{ cents: 2000 }])
    const number = `P${submission.payments[0].paymentId}`
    const { message } = await expectOk(step(id, 'reject', 'The park is closed'))
    expect(message).toMatch(/\$20\.00 was paid .*has not been refunded/)
    expect(message).toContain(number)
    const emails = (await portal.emails()).map((emailMessage) => JSON.stringify(emailMessage))
    expect(
      emails.some(
        (emailMessage) =>
          emailMessage.includes('was rejected') &&
          emailMessage.includes('The fee of $20.00 is not refunded automatically'),
      ),
    ).toBe(true)
    const { entries } = await loadSubmission(id)
    expect(JSON.stringify(entries)).toContain(number)
    await expectOk(send(id, { event: 'Party', guests: 20 }))
    expect((await expectOk(callApi('withdraw/form', { token }))).message).toContain('You paid $20.00')
  })

  test('is never mentioned if nothing was paid', async () => {
    const { slug } = await aForm({ title: 'Available' }, event)
    const id = await startForm(slug)
    await expectOk(send(id, { event: 'Party' }))
    expect((await expectOk(step(id, 'reject', 'Too late'))).message).not.toContain('paid')
  })
})

describe('limits', () => {
  test('allows one permit a day for one route, until it is withdrawn', async () => {
    const { slug } = await aForm({ title: 'Parade', limitFields: ['day', 'event'], maxSame: 1 }, event, day)
    const [first, second] = [await startForm(slug), await startForm(slug)]
    const answers = { event: 'Main Street', day: '2027-05-31' }
    const { token } = await expectOk(send(first, answers))
    expect(await send(second, { ...answers, event: 'main street ' })).toMatchObject({
      status: 422,
      body: { details: { fields: { day: 'This choice is no longer available. Choose another one.' } } },
    })
    await expectOk(callApi('withdraw/form', { token }))
    await expectOk(send(second, answers))
  })

  test('limits submissions of one person within a number of days', async () => {
    const { slug } = await aForm({ title: 'Yard sale', maxEach: 1, eachDays: 30 }, event)
    const [first, second] = [await startForm(slug), await startForm(slug)]
    await expectOk(send(first, { event: 'Yard' }))
    expect(await send(second, { event: 'Yard' })).toMatchObject({ status: 409, body: { code: 'limit' } })
  })

  test('refuses to start a closed or staff-only form', async () => {
    const { slug, typeId } = await aForm({ title: 'Closed' }, event)
    await expectOk(asManager('muni/change/form/type/status', { typeId, event: 'close' }))
    expect(await asResident('start/form', { slug })).toMatchObject({ status: 409 })
    const counter = await aForm({ title: 'Counter', seenBy: 'staff' }, event)
    expect(await asResident('start/form', { slug: counter.slug })).toMatchObject({ status: 404 })
  })
})

test('lets staff enter any form at the counter by the same rules', async () => {
  const { typeId } = await aForm(
    { title: 'Taken by phone', seenBy: 'staff', feeKind: 'fixed', feeCents: 1500, glAccount: '100' },
    event,
  )
  const form = await expectOk(asStaff('muni/return/form/at/counter', { typeId }))
  expect(form).toMatchObject({
    title: expect.stringContaining('Taken by phone'),
    version: 1,
    fee: { kind: 'fixed', cents: 1500 },
  })
  const contact = { name: 'Cy Moss', email: 'cy@example.com', phone: '(555) 010-0142' }
  const key = randomUUID()
  const enter = (body: object, once = key) =>
    asStaffOnce('muni/enter/form', { typeId, version: 1, contact, signer: nobody, ...body }, once)
  expect(await enter({ answers: {} }, randomUUID())).toMatchObject({ status: 422 })
  const sent = await expectOk(enter({ answers: { event: 'A wedding' } }))
  expect(sent).toMatchObject({ next: 'pay', number: expect.stringMatching(/^F-/) })
  expect(await expectOk(enter({ answers: { event: 'A wedding' } }))).toEqual(sent)
  expect((await loadSubmission(sent.submissionId)).submission).toMatchObject({
    status: 0,
    name: 'Cy Moss',
    personId: null,
    feeCents: 1500,
  })
  const { rows } = await owner.query(`SELECT made_by, person_id FROM form_submission WHERE id = $1`, [
    sent.submissionId,
  ])
  expect(rows).toEqual([{ made_by: 'staff', person_id: null }])
  const emails = await owner.query(`SELECT count(*)::int AS n FROM email_outbox WHERE to_address = 'cy@example.com'`)
  expect(emails.rows[0].n).toBe(1)
})

test('requires the co-signer’s signature by a separate link before review', async () => {
  const { slug } = await aForm({ title: 'Rental', cosigned: true }, event)
  const id = await startForm(slug)
  expect(await send(id, { event: 'A flat' })).toMatchObject({ status: 422 })
  const sent = await expectOk(
    send(id, { event: 'A flat' }, { signer: { name: 'Bea Finch', email: 'bea@example.com' } }),
  )
  expect(sent.next).toBe('sign')
  expect(await send(id, { event: 'Another' })).toMatchObject({ status: 409 })
  const { rows } = await owner.query(
    `SELECT text_body FROM email_outbox WHERE to_address = 'bea@example.com' ORDER BY id DESC LIMIT 1`,
  )
  const [, token = ''] = /forms-documents\/sign\/([\w-]{43})/.exec(rows[0]?.text_body ?? '') ?? []
  expect(await expectOk(callApi('return/form/to/sign', { token }))).toMatchObject({ from: 'Ada Quill', signed: false })
  const typed = { typed: 'Bea Finch' }
  expect(await callApi('sign/form', { token, signature: typed, agreed: false })).toMatchObject({ status: 400 })
  for (const invalid of [{ typed: ' ' }, { drawn: [] }, { drawn: [[[0, 2000]]] }, { typed: '12' }, 'Bea'])
    expect(await callApi('sign/form', { token, signature: invalid, agreed: true })).toMatchObject({ status: 400 })
  const signature = {
    drawn: [
      [
        [10, 10],
        [500, 400],
      ],
      [
        [20, 600],
        [900, 610],
      ],
    ],
  }
  await expectOk(callApi('sign/form', { token, signature, agreed: true }))
  expect(await callApi('sign/form', { token, signature: typed, agreed: true })).toMatchObject({ status: 409 })
  const stored = await owner.query(`SELECT signer_evidence AS evidence FROM form_submission WHERE id = $1`, [id])
  expect(stored.rows[0].evidence).toMatchObject({ ...signature, agreed: true, version: 1 })
  expect((await loadSubmission(id)).submission).toMatchObject({ status: 1, signer: { signedAt: expect.any(String) } })
})

test('exports a column for each field ever asked, and decides several together', async () => {
  const { slug, typeId } = await aForm({ title: 'Records' }, event)
  const first = await startForm(slug)
  await expectOk(send(first, { event: '=Minutes' }))
  await publish(typeId, guests, day)
  const second = await startForm(slug)
  await expectOk(send(second, { guests: 7, day: '2027-01-02' }, { version: 2 }))
  const { url } = await expectOk(asStaff('muni/export/form/submissions', { filters: { typeId } }))
  const csv = await portal.app.inject({ url, headers: { host: HOST } })
  const rows = parse(csv.body, { columns: true, bom: true }) as Record<string, string>[]
  expect(rows.map((row) => [row['What is celebrated?'], row['Guests'], row['Day']])).toEqual([
    ['', '7', '2027-01-02'],
    ["'=Minutes", '', ''],
  ])
  await expectOk(step(first, 'approve'))
  const many = await expectOk(
    asStaff('muni/change/form/submissions/status', { ids: [first, second], event: 'approve' }),
  )
  expect(many).toMatchObject({ changed: 1, refused: [{ message: expect.stringContaining('Approved') }] })
})

describe('twenty real forms from the builder only', () => {
  test('has exactly twenty forms', () => expect(new Set(demoForms.map(({ form }) => form.title)).size).toBe(20))

  test.each(demoForms.map((form) => [form.form.title, form] as const))(
    'fills in %s to the end',
    async (title, form) => {
      const { slug } = await published(form)
      const id = await startForm(slug)
      const { definition, raw, version } = await draft(id)
      const answers = { ...raw, ...form.answer(randomFrom(title.length)) }
      await expectOk(asResident('save/form/draft', { submissionId: id, version, raw: answers }))
      const signer = form.form.cosigned ? { name: 'Bea Finch', email: 'bea@example.com' } : nobody
      const { next, token } = await expectOk(send(id, (await draft(id)).raw, { version, signer }))
      expect(next).toBe(form.form.cosigned ? 'sign' : (form.form.feeKind ?? 'none') === 'none' ? 'review' : 'pay')
      // Sender and reviewer see the same answers.
      const { rows } = await owner.query('SELECT answers FROM form_submission WHERE company_id = $1 AND id = $2', [
        company,
        id,
      ])
      const answerTexts = answersAsText(definition, rows[0].answers)
      expect(answerTexts.length).toBeGreaterThan(3)
      expect((await loadByLink(token)).answers).toEqual(answerTexts)
      expect((await loadSubmission(id)).submission.answers).toEqual(answerTexts)
    },
  )
})

/** Returns a definition with random fields. Some depend on an earlier choice. */
function anyFields(random: Random, round: number): Fields {
  const kinds = [
    'text',
    'choice',
    'choices',
    'date',
    'checkbox',
    'number',
    'money',
    'address',
    'email',
    'phone',
    'reading',
  ] as const
  const gate = { ...blankField('choice', 'gate'), label: `Is it so? ${round}`, required: true }
  const rest = Array.from({ length: random.int(2, 9) }, (_each, index) => {
    const kind = random.pick(kinds)
    const more = {
      label: `${kind} ${round}.${index}`,
      required: kind !== 'reading' && random.chance(0.4),
      showWhen: random.chance(0.4) ? { and: [{ '==': [{ var: 'gate' }, random.pick(['yes', 'no'])] }] } : null,
      ...(kind === 'reading' && { text: 'Read this.' }),
    }
    return { ...blankField(kind, `f${index}_${kind}`), ...more } as Fields[number]
  })
  return [gate, ...rest]
}

const typed: Record<string, (random: Random) => unknown> = {
  text: (random) => random.pick(['A word', '=1+1', 'Zoë, “quoted”', '0012']),
  choice: (random) => random.pick(['yes', 'no']),
  choices: (random) => (random.chance(0.5) ? ['first'] : ['first', 'second']),
  date: () => '2026-11-20',
  checkbox: () => true,
  number: (random) => String(random.int(0, 5000)),
  money: (random) => `${random.int(0, 900)}.50`,
  address: () => ({ address1: '12 Elm Street', address2: '', city: 'Maple Grove', state: 'PA', zipcode: '17011' }),
  email: () => 'ann@example.org',
  phone: () => '717-555-0199',
}

const isNight = Boolean(process.env['NIGHTLY'])

test('renders, validates, reviews, shows and exports random fields consistently, including old versions', async () => {
  const random = randomFrom(seed)
  const changes = isNight ? 50 : 3
  const { slug, typeId } = await aForm({ title: 'Anything' }, event)
  const submissions: { id: number; answerTexts: ReturnType<typeof answersAsText> }[] = []
  const versions: Fields[] = []
  for (let round = 1; round <= changes; round += 1) {
    const fields = anyFields(random, round)
    const version = await publish(typeId, ...fields)
    versions.push(fields)
    const raw = Object.fromEntries(
      fields.flatMap(({ name, type, required }) => {
        const make = typed[type]
        return make && (required || random.chance(0.6)) ? [[name, make(random)]] : []
      }),
    )
    const today = '2026-11-20'
    const { answers, errors, visibleKeys: visible } = answersOf(oneStep(...fields), raw, today)
    const id = await startForm(slug)
    const sent = await send(id, raw, { version })
    // The server finds the same errors as the browser.
    expect(sent.status, JSON.stringify(sent.body)).toBe(Object.keys(errors).length === 0 ? 200 : 422)
    if (sent.status !== 200) continue
    const answerTexts = answersAsText(oneStep(...fields), answers)
    expect(answerTexts.every(({ name }) => visible.has(name))).toBe(true)
    expect((await loadByLink(sent.body.token)).answers).toEqual(answerTexts)
    submissions.push({ id, answerTexts })
  }
  expect(submissions.length).toBeGreaterThan(changes / 2)
  for (const { id, answerTexts } of submissions)
    expect((await loadSubmission(id)).submission.answers).toEqual(answerTexts)
  const { url } = await expectOk(asStaff('muni/export/form/submissions', { filters: { typeId } }))
  const csv = await portal.app.inject({ url, headers: { host: HOST } })
  expect(csv.statusCode, csv.body.slice(0, 300)).toBe(200)
  const rows = parse(csv.body, { columns: (heads: string[]) => heads, bom: true }) as Record<string, string>[]
  expect(rows.length).toBe(submissions.length)
  for (const { id, answerTexts } of submissions) {
    const { number } = (await loadSubmission(id)).submission
    const row = rows.find((cells) => Object.values(cells).includes(number)) ?? {}
    const printed = await pdfText(id)
    for (const { name, label, value } of answerTexts) {
      const field = versions.flat().find((one) => one.label === label) as Fields[number]
      expect([label, cellTextOf(field, row[newestLabel(versions, name)] ?? '')]).toEqual([label, value])
      expect(printed).toContain(bare(value))
    }
    // Cells are empty for fields that this version did not include or did not show.
    const answered = answerTexts.filter(({ value }) => value !== '').map(({ name }) => newestLabel(versions, name))
    const labels = new Set(versions.flat().map(({ label }) => label))
    const filled = Object.keys(row).filter((head) => labels.has(head) && row[head] !== '')
    expect(filled.toSorted()).toEqual(answered.toSorted())
  }
})

const bare = (text: string) => text.replaceAll(/\s/g, '')
async function pdfText(subjectId: number): Promise<string> {
  const { url } = await expectOk(asStaff('muni/print/form/submission', { subjectId, which: 'copy' }))
  const { rawPayload } = await portal.app.inject({ url, headers: { host: HOST } })
  return (await readWithPdfJs(new Uint8Array(rawPayload))).text
}

/** The heading of a column is the field's latest label. */
const newestLabel = (versions: readonly Fields[], name: string): string =>
  versions.findLast((fields) => fields.some((field) => field.name === name))?.find((field) => field.name === name)
    ?.label ?? ''

/** Converts a machine-readable cell to the text that people read. */
function cellTextOf(field: Fields[number], cell: string): string {
  if (cell === '') return ''
  const text = cell.replace(/^'/, '')
  if (field.type === 'number') return answerText(field, Number(text))
  if (field.type === 'money') return answerText(field, Math.round(Number(text) * 100))
  return field.type === 'date' || field.type === 'phone' ? answerText(field, text) : text
}
