import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testDatabase, testPortal } from '../../test/harness.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import { shownByPdfJs } from '../../test/read-pdf.ts'
import { openAccounts, openTestTown } from '../../test/town.ts'
import { type FeeRules, quoteOf } from '../../test/fees.ts'
import { seed } from '../../test/seed.ts'
import { provideInstead } from '../payments/server/providers.ts'
import { type DemoForm, demoForms } from './demo-forms.ts'
import { answersOf } from '../../shared/fields/answers.ts'
import { inWords } from '../../shared/fields/words.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import { answersInWords, type TypeForm, usualType } from './rules.ts'

const TOWN = 'maplegrove.localhost'
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
  company = await openTestTown(portal, mapleGrove)
  await liftLimits(owner)
  await openAccounts(portal)
})
beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  for (const name of ['staff', 'manager', 'resident', 'newcomer'] as const)
    tokens[name] = await portal.signIn(TOWN, `${name}@maplegrove.example`)
})

const ask = (path: string, body: object = {}, token = '') => portal.post(TOWN, path, body, token ? { token } : {})
const asManager = (path: string, body: object = {}) => ask(path, body, tokens.manager)
const asStaff = (path: string, body: object = {}) => ask(path, body, tokens.staff)
/** As staff, for a call that is made once for a key. */
const asStaffOnce = (path: string, body: object, key: string) =>
  portal.post(TOWN, path, body, { token: tokens.staff, headers: { 'idempotency-key': key } })
const asResident = (path: string, body: object = {}) =>
  portal.post(TOWN, path, body, { token: tokens.resident, headers: { 'idempotency-key': randomUUID() } })
/** What was asked for and came. */
async function given(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

type Fields = Parameters<typeof oneStep>
async function publish(typeId: number, ...fields: Fields): Promise<number> {
  await given(asManager('muni/save/form/fields', { typeId, definition: oneStep(...fields) }))
  return (await given(asManager('muni/publish/form/fields', { typeId, definition: oneStep(...fields) }))).version
}
let forms = 0
async function aForm(form: Partial<TypeForm>, ...fields: Fields) {
  const title = `${form.title ?? 'Form'} ${(forms += 1)}`
  const whole = { ...usualType, category: 'permits', description: '', ...form, title }
  const { typeId } = await given(asManager('muni/create/form/type', { form: whole }))
  await publish(typeId, ...fields)
  await given(asManager('muni/change/form/type/status', { typeId, event: 'publish' }))
  const { url } = await given(asManager('muni/return/form/type', { typeId }))
  return { typeId: typeId as number, title, slug: String(url).split('/forms-documents/')[1] ?? '' }
}

/** Publishes a form of the demo just as staff do. */
async function published({ form, definition }: DemoForm) {
  const { typeId } = await given(asManager('muni/create/form/type', { form: { ...usualType, ...form } }))
  await given(asManager('muni/save/form/fields', { typeId, definition }))
  await given(asManager('muni/publish/form/fields', { typeId, definition }))
  await given(asManager('muni/change/form/type/status', { typeId, event: 'publish' }))
  const { url } = await given(asManager('muni/return/form/type', { typeId }))
  return { typeId: typeId as number, slug: String(url).split('/forms-documents/')[1] ?? '' }
}

const contact = { name: 'Ada Quill', email: 'ada@example.com', phone: '' }
const nobody = { name: '', email: '' }
const begin = async (slug: string): Promise<number> => (await given(asResident('begin/form', { slug }))).submissionId
const draft = (submissionId: number) => given(asResident('return/form/draft', { submissionId }))
const send = (submissionId: number, answers: object, { version = 1, signer = nobody, ...who } = {}) =>
  asResident('send/form', { submissionId, version, answers, contact: { ...contact, ...who }, signer })
const shown = (token: string) => given(ask('return/form/submission/by/link', { token }))
const step = (subjectId: number, event: string, reason?: string) =>
  asStaff('muni/change/form/submission/status', { subjectId, event, reason })
const desk = (subjectId: number) => given(asStaff('muni/return/form/submission', { subjectId }))

const event = { ...blankField('text', 'event'), label: 'What is celebrated?', required: true }
const day = { ...blankField('date', 'day'), label: 'Day', required: true }
const guests = { ...blankField('number', 'guests'), label: 'Guests' }

describe('a form', () => {
  test('is kept while it is typed, sent, asked about, changed, and approved', async () => {
    const { slug, title } = await aForm({ title: 'Block party' }, event, day, guests)
    const id = await begin(slug)
    await given(
      asResident('keep/form/draft', { submissionId: id, version: 1, raw: { event: 'Summer', day: 'not yet' } }),
    )
    // Another device, another session.
    tokens.resident = await portal.signIn(TOWN, 'resident@maplegrove.example')
    expect((await draft(id)).raw).toEqual({ event: 'Summer', day: 'not yet' })
    expect(await send(id, { event: '', day: '2027-07-04' })).toMatchObject({
      status: 422,
      body: { details: { fields: { event: 'Enter an answer.' } } },
    })
    const sent = await given(send(id, { event: 'Summer', day: '2027-07-04', guests: '40' }))
    expect(sent).toMatchObject({ next: 'review', number: expect.stringMatching(/^F-\d{4}-\d{6}$/) })
    expect(await shown(sent.token)).toMatchObject({
      status: 1,
      title,
      answers: [{ value: 'Summer' }, {}, { value: '40' }],
    })
    // A question, the answer to it side by side, and the approval.
    await given(step(id, 'ask', 'Which street is closed?'))
    expect(await shown(sent.token)).toMatchObject({ status: 11, asked: 'Which street is closed?' })
    expect((await draft(id)).raw).toMatchObject({ event: 'Summer' })
    await given(send(id, { event: 'Summer in Elm Street', day: '2027-07-04', guests: '40' }))
    const { submission } = await desk(id)
    expect(submission.rounds).toMatchObject([
      { no: 2, changes: [{ label: 'What is celebrated?', before: 'Summer', after: 'Summer in Elm Street' }] },
      { no: 1, changes: [] },
    ])
    await given(step(id, 'approve'))
    expect(await step(id, 'reject', 'Too late')).toMatchObject({ status: 409 })
    expect((await desk(id)).submission).toMatchObject({ status: 3, decidedBy: expect.stringMatching(/\w/) })
    const mails = await owner.query(`SELECT subject FROM mail_outbox WHERE to_address = 'ada@example.com' ORDER BY id`)
    expect(mails.rows.map((row) => row.subject)).toEqual(
      expect.arrayContaining([`We have received “${title}”`, `“${title}” is approved`]),
    )
  })

  test('is rejected with a reason, sent again, and withdrawn', async () => {
    const { slug } = await aForm({ title: 'Fence' }, event)
    const id = await begin(slug)
    const { token } = await given(send(id, { event: 'A fence' }))
    expect(await step(id, 'reject')).toMatchObject({ status: 422 })
    await given(step(id, 'reject', 'The fence is too high.'))
    expect((await draft(id)).asked).toBe('The fence is too high.')
    await given(send(id, { event: 'A lower fence' }))
    expect(await shown(token)).toMatchObject({ status: 1, can: { withdraw: true } })
    await given(ask('withdraw/form', { token }))
    expect(await shown(token)).toMatchObject({ status: 12, can: { withdraw: false } })
    expect(await step(id, 'approve')).toMatchObject({ status: 409 })
  })

  test('that was begun in an older version goes on in the new one and says what changed', async () => {
    const { slug, typeId } = await aForm({ title: 'Tree' }, event)
    const id = await begin(slug)
    await given(asResident('keep/form/draft', { submissionId: id, version: 1, raw: { event: 'Oak' } }))
    await publish(typeId, event, guests)
    expect(await send(id, { event: 'Oak' })).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(await draft(id)).toMatchObject({
      version: 2,
      raw: { event: 'Oak' },
      changes: ['“Guests” is a new question.'],
    })
    await given(send(id, { event: 'Oak', guests: 3 }, { version: 2 }))
  })

  test('on two devices at once keeps what each typed, and says what the other changed', async () => {
    const { slug } = await aForm({ title: 'Fair' }, event, day)
    const submissionId = await begin(slug)
    const keep = (before: object, raw: object) =>
      given(asResident('keep/form/draft', { submissionId, version: 1, raw, before }))
    const first = { event: 'Summer', day: '2027-01-02' }
    expect(await keep({}, first)).toMatchObject({ others: [] })
    expect(await keep(first, { ...first, day: '2027-02-03' })).toMatchObject({ others: [] })
    const phone = { ...first, event: 'Autumn' }
    expect(await keep(first, phone)).toMatchObject({ others: ['Day'] })
    // The phone still shows the older day, which nobody chose again.
    expect(await keep(phone, { ...phone, event: 'Winter' })).toMatchObject({ others: ['Day'] })
    const { raw } = await given(asResident('return/form/draft', { submissionId }))
    expect(raw).toEqual({ event: 'Winter', day: '2027-02-03' })
  })

  test('belongs to whoever began it alone', async () => {
    const { slug } = await aForm({ title: 'Mine' }, event)
    const id = await begin(slug)
    for (const path of ['return/form/draft', 'open/form/submission', 'discard/form/draft'])
      expect(await ask(path, { submissionId: id }, tokens.newcomer)).toMatchObject({ status: 404 })
    await given(asResident('discard/form/draft', { submissionId: id }))
    expect((await given(asResident('return/forms'))).mine.map((one: { id: number }) => one.id)).not.toContain(id)
  })
})

describe('a fee', () => {
  test('is paid before anybody reviews it, by the answers where it depends on them', async () => {
    const fee = {
      ...blankField('computed', 'fee'),
      label: 'Fee',
      charged: true,
      terms: { '+': [{ cents: 1000 }, { times: [{ var: 'guests' }, 50] }] },
    } as never
    const { slug } = await aForm({ title: 'Park', feeKind: 'computed', glAccount: '400' }, event, guests, fee)
    const id = await begin(slug)
    const { token, next } = await given(send(id, { event: 'Party', guests: 20 }))
    expect(next).toBe('pay')
    expect(await step(id, 'approve')).toMatchObject({ status: 409 })
    const { token: checkout } = await given(ask('pay/form', { token }))
    const pay = {
      ...{ token: checkout, payType: 1, method: 1, billCents: 2000, email: 'ada@example.com' },
      methodToken: provider.token('ok'),
      expectedTotalCents: quoteOf(fees, 1, 2000).totalCents,
    }
    const paid = await given(portal.post(TOWN, 'pay/guest/bill', pay, { headers: { 'idempotency-key': randomUUID() } }))
    expect(paid).toMatchObject({ state: 'paid', receipt: { lines: [{ title: expect.stringContaining('Park') }] } })
    expect(await shown(token)).toMatchObject({ status: 1, feeCents: 2000, paidCents: 2000 })
    expect(await ask('pay/form', { token })).toMatchObject({ status: 409 })
    // What becomes of the fee is said where the form ends, to staff and payer, and the record links the payment.
    const { submission } = await desk(id)
    expect(submission.payments).toMatchObject([{ cents: 2000 }])
    const number = `P${submission.payments[0].paymentId}`
    const { message } = await given(step(id, 'reject', 'The park is closed'))
    expect(message).toContain('$20.00 stay paid')
    expect(message).toContain(number)
    const mails = (await portal.mails()).map((mail) => JSON.stringify(mail))
    expect(mails.some((mail) => mail.includes('was rejected') && mail.includes('The fee of $20.00 stays paid'))).toBe(
      true,
    )
    const { entries } = await desk(id)
    expect(JSON.stringify(entries)).toContain(number)
    await given(send(id, { event: 'Party', guests: 20 }))
    expect((await given(ask('withdraw/form', { token }))).message).toContain('You paid $20.00')
  })

  test('is named nowhere if nothing was paid', async () => {
    const { slug } = await aForm({ title: 'Free' }, event)
    const id = await begin(slug)
    await given(send(id, { event: 'Party' }))
    expect((await given(step(id, 'reject', 'Too late'))).message).not.toContain('paid')
  })
})

describe('limits', () => {
  test('one route has one permit a day, until that is withdrawn', async () => {
    const { slug } = await aForm({ title: 'Parade', limitFields: ['day', 'event'], mostSame: 1 }, event, day)
    const [first, second] = [await begin(slug), await begin(slug)]
    const answers = { event: 'Main Street', day: '2027-05-31' }
    const { token } = await given(send(first, answers))
    expect(await send(second, { ...answers, event: 'main street ' })).toMatchObject({
      status: 422,
      body: { details: { fields: { day: 'This is taken already. Choose another one.' } } },
    })
    await given(ask('withdraw/form', { token }))
    await given(send(second, answers))
  })

  test('one person sends so many within so many days', async () => {
    const { slug } = await aForm({ title: 'Yard sale', mostEach: 1, eachDays: 30 }, event)
    const [first, second] = [await begin(slug), await begin(slug)]
    await given(send(first, { event: 'Yard' }))
    expect(await send(second, { event: 'Yard' })).toMatchObject({ status: 409, body: { code: 'limit' } })
  })

  test('nobody begins what is closed, or only staff fill in', async () => {
    const { slug, typeId } = await aForm({ title: 'Closed' }, event)
    await given(asManager('muni/change/form/type/status', { typeId, event: 'close' }))
    expect(await asResident('begin/form', { slug })).toMatchObject({ status: 409 })
    const counter = await aForm({ title: 'Counter', seenBy: 'staff' }, event)
    expect(await asResident('begin/form', { slug: counter.slug })).toMatchObject({ status: 404 })
  })
})

test('staff fill a form in for somebody at the counter, also one that residents do not see, and by the same rules', async () => {
  const { typeId } = await aForm(
    { title: 'Taken by phone', seenBy: 'staff', feeKind: 'fixed', feeCents: 1500, glAccount: '100' },
    event,
  )
  const form = await given(asStaff('muni/return/form/at/counter', { typeId }))
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
  const sent = await given(enter({ answers: { event: 'A wedding' } }))
  expect(sent).toMatchObject({ next: 'pay', number: expect.stringMatching(/^F-/) })
  expect(await given(enter({ answers: { event: 'A wedding' } }))).toEqual(sent)
  expect((await desk(sent.submissionId)).submission).toMatchObject({
    status: 0,
    name: 'Cy Moss',
    personId: null,
    feeCents: 1500,
  })
  const { rows } = await owner.query(`SELECT made_by, person_id FROM form_submission WHERE id = $1`, [
    sent.submissionId,
  ])
  expect(rows).toEqual([{ made_by: 'staff', person_id: null }])
  const mails = await owner.query(`SELECT count(*)::int AS n FROM mail_outbox WHERE to_address = 'cy@example.com'`)
  expect(mails.rows[0].n).toBe(1)
})

test('a second person signs by a link of their own before it counts as sent', async () => {
  const { slug } = await aForm({ title: 'Rental', cosigned: true }, event)
  const id = await begin(slug)
  expect(await send(id, { event: 'A flat' })).toMatchObject({ status: 422 })
  const sent = await given(send(id, { event: 'A flat' }, { signer: { name: 'Bea Finch', email: 'bea@example.com' } }))
  expect(sent.next).toBe('sign')
  expect(await send(id, { event: 'Another' })).toMatchObject({ status: 409 })
  const { rows } = await owner.query(
    `SELECT text_body FROM mail_outbox WHERE to_address = 'bea@example.com' ORDER BY id DESC LIMIT 1`,
  )
  const [, token = ''] = /forms-documents\/sign\/([\w-]{43})/.exec(rows[0]?.text_body ?? '') ?? []
  expect(await given(ask('return/form/to/sign', { token }))).toMatchObject({ from: 'Ada Quill', signed: false })
  const typed = { typed: 'Bea Finch' }
  expect(await ask('sign/form', { token, signature: typed, agreed: false })).toMatchObject({ status: 400 })
  for (const wrong of [{ typed: ' ' }, { drawn: [] }, { drawn: [[[0, 2000]]] }, { typed: '12' }, 'Bea'])
    expect(await ask('sign/form', { token, signature: wrong, agreed: true })).toMatchObject({ status: 400 })
  const drawn = {
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
  await given(ask('sign/form', { token, signature: drawn, agreed: true }))
  expect(await ask('sign/form', { token, signature: typed, agreed: true })).toMatchObject({ status: 409 })
  const kept = await owner.query(`SELECT signer_evidence AS evidence FROM form_submission WHERE id = $1`, [id])
  expect(kept.rows[0].evidence).toMatchObject({ ...drawn, agreed: true, version: 1 })
  expect((await desk(id)).submission).toMatchObject({ status: 1, signer: { signedAt: expect.any(String) } })
})

test('the file has a column for each field that any version asked, and several are decided at once', async () => {
  const { slug, typeId } = await aForm({ title: 'Records' }, event)
  const first = await begin(slug)
  await given(send(first, { event: '=Minutes' }))
  await publish(typeId, guests, day)
  const second = await begin(slug)
  await given(send(second, { guests: 7, day: '2027-01-02' }, { version: 2 }))
  const { url } = await given(asStaff('muni/export/form/submissions', { filters: { typeId } }))
  const csv = await portal.app.inject({ url, headers: { host: TOWN } })
  const rows = parse(csv.body, { columns: true, bom: true }) as Record<string, string>[]
  expect(rows.map((row) => [row['What is celebrated?'], row['Guests'], row['Day']])).toEqual([
    ['', '7', '2027-01-02'],
    ["'=Minutes", '', ''],
  ])
  await given(step(first, 'approve'))
  const many = await given(asStaff('muni/change/form/submissions/status', { ids: [first, second], event: 'approve' }))
  expect(many).toMatchObject({ changed: 1, refused: [{ message: expect.stringContaining('Approved') }] })
})

describe('twenty real forms, built by the builder alone', () => {
  test('there are twenty', () => expect(new Set(demoForms.map(({ form }) => form.title)).size).toBe(20))

  test.each(demoForms.map((form) => [form.form.title, form] as const))(
    '%s is filled in to its end',
    async (title, form) => {
      const { slug } = await published(form)
      const id = await begin(slug)
      const { definition, raw, version } = await draft(id)
      const answers = { ...raw, ...form.answer(randomFrom(title.length)) }
      await given(asResident('keep/form/draft', { submissionId: id, version, raw: answers }))
      const signer = form.form.cosigned ? { name: 'Bea Finch', email: 'bea@example.com' } : nobody
      const { next, token } = await given(send(id, (await draft(id)).raw, { version, signer }))
      expect(next).toBe(form.form.cosigned ? 'sign' : (form.form.feeKind ?? 'none') === 'none' ? 'review' : 'pay')
      // Whoever sent it and whoever reviews it read the same words.
      const { rows } = await owner.query('SELECT answers FROM form_submission WHERE company_id = $1 AND id = $2', [
        company,
        id,
      ])
      const words = answersInWords(definition, rows[0].answers)
      expect(words.length).toBeGreaterThan(3)
      expect((await shown(token)).answers).toEqual(words)
      expect((await desk(id)).submission.answers).toEqual(words)
    },
  )
})

/** A definition of random fields, of which some are asked only where a choice above says so. */
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
  const rest = Array.from({ length: random.int(2, 9) }, (_each, nth) => {
    const kind = random.pick(kinds)
    const more = {
      label: `${kind} ${round}.${nth}`,
      required: kind !== 'reading' && random.chance(0.4),
      showWhen: random.chance(0.4) ? { and: [{ '==': [{ var: 'gate' }, random.pick(['yes', 'no'])] }] } : null,
      ...(kind === 'reading' && { text: 'Read this.' }),
    }
    return { ...blankField(kind, `f${nth}_${kind}`), ...more } as Fields[number]
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

test('random fields and answers: renderer, validator, review, page and file agree, and old versions stay readable', async () => {
  const random = randomFrom(seed)
  const changes = isNight ? 50 : 3
  const { slug, typeId } = await aForm({ title: 'Anything' }, event)
  const kept: { id: number; words: ReturnType<typeof answersInWords> }[] = []
  const asked: Fields[] = []
  for (let round = 1; round <= changes; round += 1) {
    const fields = anyFields(random, round)
    const version = await publish(typeId, ...fields)
    asked.push(fields)
    const raw = Object.fromEntries(
      fields.flatMap(({ name, type, required }) => {
        const make = typed[type]
        return make && (required || random.chance(0.6)) ? [[name, make(random)]] : []
      }),
    )
    const today = '2026-11-20'
    const { answers, errors, shown: drawn } = answersOf(oneStep(...fields), raw, today)
    const id = await begin(slug)
    const sent = await send(id, raw, { version })
    // What the browser finds wrong is what the server refuses.
    expect(sent.status, JSON.stringify(sent.body)).toBe(Object.keys(errors).length === 0 ? 200 : 422)
    if (sent.status !== 200) continue
    const words = answersInWords(oneStep(...fields), answers)
    expect(words.every(({ name }) => drawn.has(name))).toBe(true)
    expect((await shown(sent.body.token)).answers).toEqual(words)
    kept.push({ id, words })
  }
  expect(kept.length).toBeGreaterThan(changes / 2)
  for (const { id, words } of kept) expect((await desk(id)).submission.answers).toEqual(words)
  const { url } = await given(asStaff('muni/export/form/submissions', { filters: { typeId } }))
  const csv = await portal.app.inject({ url, headers: { host: TOWN } })
  expect(csv.statusCode, csv.body.slice(0, 300)).toBe(200)
  const rows = parse(csv.body, { columns: (heads: string[]) => heads, bom: true }) as Record<string, string>[]
  expect(rows.length).toBe(kept.length)
  for (const { id, words } of kept) {
    const { number } = (await desk(id)).submission
    const row = rows.find((cells) => Object.values(cells).includes(number)) ?? {}
    const printed = await pdfText(id)
    for (const { name, label, value } of words) {
      const field = asked.flat().find((one) => one.label === label) as Fields[number]
      expect([label, wordsOfCell(field, row[newestLabel(asked, name)] ?? '')]).toEqual([label, value])
      expect(printed).toContain(bare(value))
    }
    // What this version did not ask, or did not show, has no cell with something in it.
    const answered = words.filter(({ value }) => value !== '').map(({ name }) => newestLabel(asked, name))
    const labels = new Set(asked.flat().map(({ label }) => label))
    const filled = Object.keys(row).filter((head) => labels.has(head) && row[head] !== '')
    expect(filled.toSorted()).toEqual(answered.toSorted())
  }
})

const bare = (text: string) => text.replaceAll(/\s/g, '')
async function pdfText(subjectId: number): Promise<string> {
  const { url } = await given(asStaff('muni/print/form/submission', { subjectId, which: 'copy' }))
  const { rawPayload } = await portal.app.inject({ url, headers: { host: TOWN } })
  return (await shownByPdfJs(new Uint8Array(rawPayload))).text
}

/** A column is headed as its field was called last. */
const newestLabel = (asked: readonly Fields[], name: string): string =>
  asked.findLast((fields) => fields.some((field) => field.name === name))?.find((field) => field.name === name)
    ?.label ?? ''

/** A cell of the file, which programs read, in the words that people read. */
function wordsOfCell(field: Fields[number], cell: string): string {
  if (cell === '') return ''
  const text = cell.replace(/^'/, '')
  if (field.type === 'number') return inWords(field, Number(text))
  if (field.type === 'money') return inWords(field, Math.round(Number(text) * 100))
  return field.type === 'date' || field.type === 'phone' ? inWords(field, text) : text
}
