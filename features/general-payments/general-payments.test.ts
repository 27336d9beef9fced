import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { deleteExpired } from '../../server/delete-expired.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testDatabase, testPortal } from '../../test/harness.ts'
import { ProviderModel, type Scenario } from '../../test/provider-model.ts'
import { openAccounts, openTestCompany } from '../../test/company.ts'
import { type FeeRules, quoteOf } from '../../test/fees.ts'
import { applyEvent } from '../payments/server/providers/apply-event.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import type { TypeForm } from './rules.ts'

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
const MINUTE = 60_000
const database = await testDatabase()
const portal = await testPortal({ database })
const { clock, context, owner } = portal
const tokens = { staff: '', manager: '', resident: '' }
let provider: ProviderModel

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await liftLimits(owner)
  await openAccounts(portal)
})
/** Signs in again, because sessions expire as the test advances the clock. */
async function signIn() {
  for (const name of ['staff', 'manager', 'resident'] as const)
    tokens[name] = await portal.signIn(HOST, `${name}@maplegrove.example`)
}
beforeEach(async () => {
  provider = new ProviderModel()
  provideInstead(portal.config, provider)
  await signIn()
})

const callApi = (path: string, body: object = {}, token = '') => portal.post(HOST, path, body, token ? { token } : {})
const asStaff = (path: string, body: object) => callApi(path, body, tokens.manager)
/** Returns the body of a successful call. */
async function okBody(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message }).toMatchObject({ status: 200 })
  return body
}

const usual: TypeForm = {
  title: 'Fee',
  category: 'other',
  description: '',
  glAccount: '300',
  seenBy: 'everyone',
  amountKind: 'fixed',
  amountCents: 2500,
  minCents: null,
  maxCents: null,
  inParts: false,
  dueDate: '',
  opensOn: '',
  closesOn: '',
  numberLabel: '',
  itemLabel: '',
  proof: 'amount',
}
type Fields = Parameters<typeof oneStep>

async function aType(form: Partial<TypeForm>, { fields = [] as Fields, stock = 0, open = true } = {}) {
  const { typeId } = await okBody(asStaff('muni/create/general/payment/type', { form: { ...usual, ...form } }))
  if (fields.length > 0) await publish(typeId, ...fields)
  if (stock > 0) await okBody(asStaff('muni/add/general/payment/stock', { typeId, first: 'T-01', count: stock }))
  if (open) await okBody(asStaff('muni/change/general/payment/type/status', { typeId, event: 'open' }))
  const typeView = await okBody(asStaff('muni/return/general/payment/type', { typeId }))
  return { typeId: typeId as number, slug: String(typeView.url).split('/pay/')[1] ?? '' }
}
async function publish(typeId: number, ...fields: Fields) {
  await okBody(asStaff('muni/save/general/payment/fields', { typeId, definition: oneStep(...fields) }))
  await okBody(asStaff('muni/publish/general/payment/fields', { typeId, definition: oneStep(...fields) }))
}

const startCharge = (slug: string, answers: object, token = '') =>
  callApi('start/general/payment', { slug, answers }, token)
/** Uploads a small PDF as the page does. */
async function sendPdf(name: string): Promise<{ file_id: string; name: string }> {
  const pdf = Buffer.from(
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Size 3 /Root 1 0 R >>\n%%EOF',
  )
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n`
  const response = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/attach/general/payment/file',
    headers: { host: HOST, 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), pdf, Buffer.from('\r\n--x--\r\n')]),
  })
  expect(response.statusCode).toBe(200)
  return response.json()
}
const checkout = (token: string) => callApi('return/guest/checkout', { token })
async function pay(token: string, billCents: number, { scenario = 'ok' as Scenario, payType = 1 } = {}) {
  const method = scenario.startsWith('echeck') ? 2 : 1
  const body = {
    ...{ token, payType, method, billCents, email: 'ada@example.com', methodToken: provider.token(scenario) },
    expectedTotalCents: quoteOf(fees, method, billCents).totalCents,
  }
  return portal.post(HOST, 'pay/guest/bill', body, { headers: { 'idempotency-key': randomUUID() } })
}
const charges = async (question: object) =>
  (await okBody(callApi('muni/return/general/payments', question, tokens.staff))).rows as Record<string, unknown>[]
const stockOf = async (typeId: number) =>
  (await okBody(asStaff('muni/return/general/payment/type', { typeId }))).stock as { left: number; issued: number }

const dog = { ...blankField('text', 'dog'), label: 'Name of the dog', required: true }
const neutered = { ...blankField('choice', 'neutered'), label: 'Neutered?', required: true }
const fee = {
  ...blankField('computed', 'fee'),
  label: 'License fee',
  charged: true,
  terms: { '+': [{ cents: 850 }, { if: [{ '==': [{ var: 'neutered' }, 'no'] }, { cents: 500 }, 0] }] },
} as const
const answers = { the_payer: 'Ada Quill', dog: 'Rex', neutered: 'no' }

describe('dog license', () => {
  test('assigns a tag on payment and shows the answers on all reports', async () => {
    const { typeId, slug } = await aType(
      {
        title: 'Dog license',
        amountKind: 'computed',
        amountCents: null,
        numberLabel: 'Tag number',
        category: 'licenses',
      },
      { fields: [dog, neutered, fee as never], stock: 3 },
    )
    // The price range is known before the payer answers.
    const range = { minCents: 850, maxCents: 1350 }
    expect(await okBody(callApi('return/general/payment/type', { slug }))).toMatchObject({ range })
    const { types, paths } = await okBody(callApi('return/general/payment/types', {}, tokens.resident))
    expect(types.find((type: { slug: string }) => type.slug === slug)).toMatchObject({ range })
    // This company has neither utility accounts nor tickets.
    expect(paths).toEqual([])
    const invalidResponse = await startCharge(slug, { ...answers, dog: '' })
    expect(invalidResponse).toMatchObject({ status: 422, body: { details: { fields: { dog: 'Enter an answer.' } } } })
    const { token } = await okBody(startCharge(slug, answers))
    expect(await checkout(token)).toMatchObject({
      body: {
        payableCents: 1350,
        limits: { minCents: 1350, maxCents: 1350 },
        payables: [{ title: 'Dog license', details: expect.arrayContaining([{ name: 'Tag number', value: 'T-01' }]) }],
      },
    })
    // Partial payments and overpayments are refused.
    for (const [payType, cents] of [
      [2, 1000],
      [3, 2000],
    ] as const)
      expect(await pay(token, cents, { payType })).toMatchObject({ status: 422 })
    const paid = await okBody(pay(token, 1350))
    expect(paid).toMatchObject({
      state: 'paid',
      receipt: {
        lines: [
          {
            title: 'Dog license',
            details: [
              { name: 'reference', value: expect.stringMatching(/^G\d+$/) },
              { name: 'Tag number', value: 'T-01' },
              { name: 'Name of the dog', value: 'Rex' },
              { name: 'Neutered?', value: 'No' },
            ],
            items: [{ text: 'Dog license: License fee', amountCents: 1350 }],
          },
        ],
      },
    })
    const [row] = await charges({ search: 'rex', filters: { typeId } })
    expect(row).toMatchObject({
      payer: 'Ada Quill',
      type: 'Dog license',
      amount: 1350,
      paid: 1350,
      stockNumber: 'T-01',
    })
    const chargeView = await okBody(callApi('muni/return/general/payment', { chargeId: row?.['id'] }, tokens.staff))
    expect(chargeView).toMatchObject({ answers: { dog: 'Rex', fee: 1350 }, version: 1, payments: [{ cents: 1350 }] })

    // A later version of the form asks another question. The exported file has a column for every field of every
    // version.
    const plate = { ...blankField('text', 'chip'), label: '=Chip', required: true }
    await publish(typeId, plate, neutered, fee as never)
    const second = await okBody(startCharge(slug, { the_payer: 'Bea Finch', chip: '=1+1', neutered: 'yes' }))
    await okBody(pay(second.token, 850))
    const { url } = await okBody(callApi('muni/export/general/payments', { filters: { typeId } }, tokens.staff))
    const file = parse(String((await portal.get(HOST, url)).body), { columns: true, bom: true }) as Record<
      string,
      string
    >[]
    expect(file).toMatchObject([
      {
        Payer: 'Bea Finch',
        'Name of the dog': '',
        "'=Chip": "'=1+1",
        'Neutered?': 'Yes',
        'License fee': '8.50',
        Paid: '8.50',
      },
      { Payer: 'Ada Quill', 'Name of the dog': 'Rex', "'=Chip": '', 'Neutered?': 'No', 'License fee': '13.50' },
    ])
  })

  test('assigns two last tags once to fifty simultaneous payers', async () => {
    const { typeId, slug } = await aType({ numberLabel: 'Tag' }, { stock: 2 })
    const attempts = await Promise.all(Array.from({ length: 50 }, () => startCharge(slug, { the_payer: 'Ada Quill' })))
    const good = attempts.filter(({ status }) => status === 200)
    expect(good).toHaveLength(2)
    expect(attempts.find(({ status }) => status !== 200)).toMatchObject({ status: 409, body: { code: 'sold_out' } })
    const numbers = await Promise.all(
      good.map(async ({ body }) => (await pay(body.token, 2500)).body.receipt.lines[0].details[1].value),
    )
    expect(numbers.toSorted()).toEqual(['T-01', 'T-02'])
    expect(await stockOf(typeId)).toMatchObject({ left: 0, issued: 2 })
    expect((await callApi('return/general/payment/type', { slug })).body).toMatchObject({ soldOut: true })
  })

  test('holds a number by the portal’s clock, not the database’s', async () => {
    const { typeId, slug } = await aType({ numberLabel: 'Tag' }, { stock: 1 })
    const { token } = await okBody(startCharge(slug, { the_payer: 'Late Payer' }))
    clock.advance(31 * MINUTE)
    await portal.runJobs('general-payments.release')
    // A new payment attempt reserves the number for another half hour.
    expect((await okBody(pay(token, 2500, { scenario: 'declined' }))).state).toBe('declined')
    clock.advance(29 * MINUTE)
    await portal.runJobs('general-payments.release')
    expect(await stockOf(typeId)).toMatchObject({ left: 0 })
    clock.advance(2 * MINUTE)
    await portal.runJobs('general-payments.release')
    await signIn()
    expect(await stockOf(typeId)).toMatchObject({ left: 1 })
  })

  test('releases an unpaid tag after half an hour', async () => {
    const { typeId, slug } = await aType({ numberLabel: 'Tag' }, { stock: 1 })
    const late = await okBody(startCharge(slug, { the_payer: 'Late Payer' }))
    clock.advance(29 * MINUTE)
    await portal.runJobs('general-payments.release')
    expect(await stockOf(typeId)).toMatchObject({ left: 0 })
    clock.advance(2 * MINUTE)
    await portal.runJobs('general-payments.release')
    expect(await stockOf(typeId)).toMatchObject({ left: 1 })
    const quick = await okBody(startCharge(slug, { the_payer: 'Quick Payer' }))
    await okBody(pay(quick.token, 2500))
    expect(await pay(late.token, 2500)).toMatchObject({ status: 409, body: { code: 'sold_out' } })
    await okBody(asStaff('muni/add/general/payment/stock', { typeId, first: 'T-01', count: 2 }))
    expect((await okBody(pay(late.token, 2500))).receipt.lines[0].details[1]).toEqual({ name: 'Tag', value: 'T-02' })
    // Numbers of paid charges are never released.
    clock.advance(120 * MINUTE)
    await portal.runJobs('general-payments.release')
    await signIn()
    expect(await stockOf(typeId)).toMatchObject({ left: 0, issued: 2 })
  })

  test('holds a tag while an eCheck is pending, however long', async () => {
    const { typeId, slug } = await aType({ numberLabel: 'Tag' }, { stock: 1 })
    const { token } = await okBody(startCharge(slug, { the_payer: 'Ada Quill' }))
    expect((await pay(token, 2500, { scenario: 'echeck' })).body.state).toBe('processing')
    clock.advance(24 * 60 * MINUTE)
    await portal.runJobs('general-payments.release')
    await signIn()
    expect(await stockOf(typeId)).toMatchObject({ left: 0 })
  })
})

describe('audience of a payment type', () => {
  test('hides drafts, and limits other types to residents or link holders', async () => {
    const draft = await aType({ title: 'Drafted' }, { open: false })
    expect(await callApi('return/general/payment/type', { slug: draft.slug })).toMatchObject({ status: 404 })
    const own = await aType({ title: 'For residents', seenBy: 'signed_in' })
    expect(await startCharge(own.slug, { the_payer: 'A' })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_first' },
    })
    expect(await startCharge(own.slug, { the_payer: 'A' }, tokens.resident)).toMatchObject({ status: 200 })
    const hidden = await aType({ title: 'Hidden', seenBy: 'link' })
    expect(hidden.slug).toMatch(/^hidden-[a-z0-9]{12}$/)
    expect(await callApi('return/general/payment/type', { slug: 'hidden' })).toMatchObject({ status: 404 })
    expect(await callApi('return/general/payment/type', { slug: hidden.slug })).toMatchObject({ status: 200 })
    const { types } = await okBody(callApi('return/general/payment/types', {}, tokens.resident))
    const titles = types.map(({ title }: { title: string }) => title)
    expect(titles).toContain('For residents')
    expect(titles).not.toContain('Hidden')
    expect(titles).not.toContain('Drafted')
    // A payment page that was opened before the type closed can no longer be used.
    const { token } = await okBody(startCharge(own.slug, { the_payer: 'A' }, tokens.resident))
    await okBody(asStaff('muni/change/general/payment/type/status', { typeId: own.typeId, event: 'close' }))
    expect(await pay(token, 2500)).toMatchObject({ status: 409, body: { code: 'closed' } })
  })

  test('is open only between its days by the company’s calendar', async () => {
    const { slug, typeId } = await aType({ title: 'Season', opensOn: '2026-12-01', closesOn: '2026-12-02' })
    expect((await startCharge(slug, { the_payer: 'A' })).body.message).toBe(
      'You can pay “Season” starting December 1, 2026.',
    )
    clock.set('2026-12-03T04:59:00Z')
    expect((await startCharge(slug, { the_payer: 'A' })).status).toBe(200)
    clock.set('2026-12-03T05:01:00Z')
    await signIn()
    expect((await startCharge(slug, { the_payer: 'A' })).body.code).toBe('closed')
    const saved = { ...usual, title: 'Season', opensOn: '2026-12-05', closesOn: '2026-12-01' }
    expect(await asStaff('muni/save/general/payment/type', { typeId, form: saved })).toMatchObject({ status: 400 })
  })

  test('refuses to open a computed amount without fields', async () => {
    const { typeId } = await aType({ amountKind: 'computed', amountCents: null }, { open: false })
    const opened = await asStaff('muni/change/general/payment/type/status', { typeId, event: 'open' })
    expect(opened).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Publish the fields first') },
    })
  })

  test('stores a certificate permanently with the payment, for staff only', async () => {
    const rabies = {
      ...blankField('file', 'rabies'),
      label: 'Rabies certificate',
      required: true,
      accept: 'documents' as const,
    }
    const { slug } = await aType({ title: 'Dog with papers' }, { fields: [dog, rabies] })
    const uploaded = await sendPdf('certificate.pdf')
    const file = { owner: 'answer', id: uploaded.file_id, name: uploaded.name }
    const validAnswers = { the_payer: 'Ada Quill', dog: 'Rex' }
    for (const invalidFile of [
      { ...file, id: randomUUID() },
      { ...file, id: 'none' },
      { ...file, name: 'other.pdf' },
    ])
      expect(
        (await startCharge(slug, { ...validAnswers, rabies: [invalidFile] })).body.details.fields.rabies,
      ).toContain('no longer available')
    const { token } = await okBody(startCharge(slug, { ...validAnswers, rabies: [file] }))
    // The file belongs to these answers, so no other answers can refer to it.
    expect((await startCharge(slug, { ...validAnswers, rabies: [file] })).status).toBe(422)
    const readRetention = async () =>
      (await owner.query(`SELECT subject_kind, expires_at FROM attachment WHERE id = $1`, [file.id])).rows[0]
    expect((await readRetention()).expires_at).not.toBeNull()
    expect((await pay(token, 2500)).body.state).toBe('paid')
    expect(await readRetention()).toEqual({ subject_kind: 'general_charge', expires_at: null })
    const [row] = await charges({ search: 'certificate.pdf', filters: {} })
    const chargeView = await okBody(callApi('muni/return/general/payment', { chargeId: row?.['id'] }, tokens.staff))
    expect(chargeView.files).toMatchObject([{ id: file.id, name: 'certificate.pdf', state: 'clean' }])
    const get = (chargeId: unknown, of: string) =>
      callApi('muni/download/general/payment/file', { chargeId, fileId: file.id }, of)
    expect((await get(row?.['id'], tokens.staff)).body.url).toMatch(/^\//)
    expect((await get(row?.['id'], tokens.resident)).status).toBe(403)
    expect((await get(999_999, tokens.staff)).status).toBe(404)
  })

  test('lets staff view payments and only managers change types', async () => {
    expect(await callApi('muni/return/general/payment/types', {}, tokens.staff)).toMatchObject({ status: 403 })
    expect(await callApi('muni/return/general/payments', {}, tokens.staff)).toMatchObject({ status: 200 })
    expect(await callApi('muni/return/general/payments', {}, tokens.resident)).toMatchObject({ status: 403 })
  })
})

describe('payment link', () => {
  test('is emailed and paid by its holder, and not renewed after payment', async () => {
    const { typeId } = await aType({ title: 'Fire inspection', seenBy: 'link' }, { fields: [dog] })
    const body = { typeId, answers: { the_payer: 'Cal Moss', dog: 'Rex' }, email: 'cal@example.org' }
    expect(await callApi('muni/create/general/payment/link', body, tokens.staff)).toMatchObject({ status: 403 })
    const link = await okBody(asStaff('muni/create/general/payment/link', body))
    const emailMessage = (await portal.emails()).at(-1)
    expect(emailMessage).toMatchObject({
      to_address: 'cal@example.org',
      subject: 'Fire inspection: $25.00 payable to Maple Grove',
    })
    expect(emailMessage?.text_body).toContain(link.url)
    const again = await okBody(asStaff('muni/send/general/payment/link', { chargeId: link.chargeId, email: '' }))
    const token = String(again.url).split('/guest/payment/')[1] ?? ''
    await okBody(pay(token, 2500))
    expect(await asStaff('muni/send/general/payment/link', { chargeId: link.chargeId, email: '' })).toMatchObject({
      status: 409,
      body: { code: 'paid' },
    })
    const [row] = await charges({ search: link.number.toLowerCase() })
    expect(row).toMatchObject({ payer: 'Cal Moss', status: 'paid' })
  })

  test('deletes unpaid charges after ninety days, but keeps links and payments', async () => {
    const { typeId, slug } = await aType({ title: 'Swept' })
    await okBody(startCharge(slug, { the_payer: 'Gone' }))
    await okBody(asStaff('muni/create/general/payment/link', { typeId, answers: { the_payer: 'Stays' }, email: '' }))
    await okBody(pay((await okBody(startCharge(slug, { the_payer: 'Paid' }))).token, 2500))
    clock.advance(91 * 24 * 60 * MINUTE)
    await deleteExpired(context)
    await signIn()
    const rows = await charges({ filters: { typeId, status: undefined } })
    expect(rows.map(({ payer }) => payer).toSorted()).toEqual(['Paid', 'Stays'])
  })
})

describe('list of open items', () => {
  const upload = async (typeId: number, lines: string[], mode: 'preview' | 'import' = 'import') => {
    const data = new FormData()
    data.append('typeId', String(typeId))
    data.append('mode', mode)
    data.append('file', new Blob([lines.join('\n')]), 'roll.csv')
    const sent = new Response(data)
    const { statusCode, payload } = await portal.app.inject({
      ...{ method: 'POST', url: '/api/v2/muni/import/general/payment/items' },
      payload: Buffer.from(await sent.arrayBuffer()),
      headers: {
        ...{ host: HOST, authorization: `Bearer ${tokens.manager}` },
        'content-type': sent.headers.get('content-type') ?? '',
      },
    })
    return { status: statusCode, body: JSON.parse(payload) as ApiResponse['body'] }
  }
  const roll = (form: Partial<TypeForm> = {}) =>
    aType({ title: 'Property tax', amountKind: 'listed', amountCents: null, itemLabel: 'Parcel number', ...form })
  const HEAD = 'Parcel Number,Owner,Property Address,Amount,Due Date'
  const find = (slug: string, named: string, proof: string) =>
    callApi('find/general/payment/item', { slug, named, proof })

  test('previews and imports rows once, and refuses files with wrong rows', async () => {
    const { typeId } = await roll()
    const lines = [
      HEAD,
      '12-034,Ada Quill,1 Elm Street,"1,234.50",3/31/2027',
      '12-035,Bea Finch,2 Elm Street,800,2027-03-31',
    ]
    const previewed = await upload(typeId, lines, 'preview')
    expect(previewed.body).toMatchObject({ imported: false, created: 2, createdCents: 203450, errorCount: 0 })
    expect(await charges({ filters: { typeId, status: undefined } })).toEqual([])
    expect((await upload(typeId, lines)).body).toMatchObject({ imported: true, created: 2, changed: 0 })
    expect((await upload(typeId, lines)).body).toMatchObject({ imported: true, created: 0, changed: 0, unchanged: 2 })
    const invalidUpload = await upload(typeId, [
      ...[
        HEAD,
        '12-036,,x,10,',
        '12-037,Cal,x,ten,',
        '12-038,Dee,x,10,2027-02-30',
        '12034,Ada Quill,x,900,',
        '12-034,Ada,x,9,',
      ],
    ])
    expect(invalidUpload.body).toMatchObject({
      ...{ imported: false, read: 5, errorCount: 4 },
      invalidRows: [
        { where: 'Line 2', reason: 'The name is missing.' },
        { where: 'Line 3', reason: '“ten” is not an amount. Use a format such as 1234.50.' },
        { where: 'Line 4', reason: 'The due date “2027-02-30” is not a date. Use a format such as 2027-03-31.' },
        { where: 'Line 6', reason: '12-034 is already on line 5. Remove one of the two lines.' },
      ],
    })
    expect((await upload(typeId, ['Owner,Amount', 'Ada,5'])).body.message).toContain('Missing: number.')
    const changed = await upload(typeId, [HEAD, '12-034,Ada Quill,1 Elm Street,1300.00,2027-03-31'])
    expect(changed.body).toMatchObject({ imported: true, changed: 1, changedCents: 6550, unchanged: 0 })
  })

  test('finds an item only with a proof and accepts allowed partial payments', async () => {
    const { typeId, slug } = await roll({ inParts: true })
    await upload(typeId, [
      HEAD,
      '12-034,Ada Quill,1 Elm Street,1300,',
      '12-035,Bea Finch,,800,',
      '12-036,Bea Finch,,800,',
    ])
    for (const [named, proof] of [
      ['12-034', '1300.01'],
      ['Ada', '1300'],
      ['Ada Quill', ''],
      ['%', '1300'],
      // Two items match this owner and amount, so neither is found.
      ['Bea Finch', '800'],
    ] as const)
      expect([400, 404]).toContain((await find(slug, named, proof)).status)
    const { token } = await okBody(find(slug, '12034', '$1,300.00'))
    await okBody(find(slug, 'ada quill', '1300'))
    const seen = await checkout(token)
    expect(seen.body).toMatchObject({ payableCents: 130000 })
    expect(JSON.stringify(seen.body.payables)).not.toMatch(/Ada|Elm/)
    await okBody(pay(token, 50000, { payType: 2 }))
    const [row] = await charges({ filters: { typeId, status: 'part' } })
    expect(row).toMatchObject({ number: '12-034', amount: 130000, paid: 50000 })
    // The amount of an item can't fall below its paid amount.
    expect((await upload(typeId, [HEAD, '12-034,Ada Quill,,400,'])).body).toMatchObject({
      ...{ imported: false, errorCount: 1 },
      invalidRows: [
        { where: '12-034', reason: '$500.00 has already been paid, so the amount cannot be changed to $400.00.' },
      ],
    })
    const rest = await okBody(find(slug, '12-034', '1300'))
    await okBody(pay(rest.token, 80000))
    expect(await find(slug, '12-034', '1300')).toMatchObject({ status: 200 })
    expect((await checkout(rest.token)).body.payableCents).toBe(0)
  })

  test('finds an item by the code on its notice, if allowed', async () => {
    const { typeId, slug } = await roll({ proof: 'code' })
    expect((await upload(typeId, [HEAD, '1,Ada,,5,'])).body.invalidRows[0].reason).toContain('The code is missing')
    await upload(typeId, [`${HEAD},Code`, '77,Ada Quill,,950.25,,AB-12-CD'])
    expect((await find(slug, '77', '950.25')).status).toBe(404)
    expect((await find(slug, '77', 'ab12 cd')).status).toBe(200)
  })
})

test('refuses a typed signature of another name than the payer’s', async () => {
  const signature = { ...blankField('signature', 'signature'), label: 'Signature', required: true }
  const { slug } = await aType({ title: 'Oath' }, { fields: [signature] })
  const signed = (typed: string) => startCharge(slug, { the_payer: 'Ada Quill', signature: { typed } })
  expect((await signed('Bea Finch')).body.details.fields).toEqual({ signature: 'Sign with your own name: Ada Quill.' })
  expect((await signed('Quill, Ada')).status).toBe(200)
})

test('assigns another tag to a late payment, or notifies staff', async () => {
  const { typeId, slug } = await aType({ numberLabel: 'Tag' }, { stock: 2 })
  const late = async () => {
    const { token } = await okBody(startCharge(slug, { the_payer: 'Late Payer' }))
    expect((await pay(token, 2500, { scenario: 'declined' })).body.state).toBe('declined')
    const charge = [...provider.charges.values()].at(-1)
    return { token, charge }
  }
  /** Captures a charge that the provider had reported as failed. */
  const captureLate = async ({ charge }: Awaited<ReturnType<typeof late>>) => {
    if (!charge) throw new Error('nothing was charged')
    const { account, intent } = charge
    intent.status = 'succeeded'
    const providerEvent = { provider: 'sandbox', id: randomUUID(), type: 'capture', account, intentId: intent.id }
    await applyEvent(context, { ...providerEvent, object: 'intent', objectId: intent.id })
  }
  const alerts = async () =>
    (await owner.query(`SELECT message FROM payment_alert WHERE code = 'stock' ORDER BY at, order_id`)).rows
  const [first, second] = [await late(), await late()]
  clock.advance(31 * MINUTE)
  await portal.runJobs('general-payments.release')
  const quick = await okBody(startCharge(slug, { the_payer: 'Quick Payer' }))
  expect((await okBody(pay(quick.token, 2500))).receipt.lines[0].details[1].value).toBe('T-01')
  await captureLate(first)
  await captureLate(second)
  expect(await alerts()).toEqual([
    {
      message: expect.stringContaining(
        'The receipt shows Tag T-01, which was issued to another payer. The number issued to this payer is T-02.',
      ),
    },
    { message: expect.stringContaining('no numbers are left to issue') },
  ])
  provider.refund(0, 100)
  for (const event of provider.events.splice(0)) await applyEvent(context, event)
  const rows = await charges({ filters: { typeId, status: undefined } })
  expect(rows.map(({ status, paid }) => [status, paid]).toSorted()).toEqual([
    ['paid', 2500],
    ['paid', 2500],
    ['returned', 0],
  ])
  const { findings } = await verifyLedger(database.urls.platform)
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
})
