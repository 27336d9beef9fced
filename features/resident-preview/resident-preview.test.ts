import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { usualType } from '../forms/rules.ts'
import { NOT_IN_PREVIEW } from '../../server/resident-preview.ts'
import { tenantTables } from '../../test/catalog.ts'
import { testPortal } from '../../test/harness.ts'
import { blankField, oneStep } from '../../shared/fields/blank.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { formatCents } from '../../shared/money.ts'

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin@maplegrove.example'
const portal = await testPortal({ demo: true, gateway: true })
let staff = ''
let companyId = 0
let tables: string[] = []

beforeAll(async () => {
  staff = await portal.signIn(HOST, ADMIN)
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  companyId = rows[0].id
  tables = await tenantTables(portal.owner)
})

const post = async (path: string, body: object, token: string, key?: string) =>
  portal.post(HOST, path, body, { token, ...(key && { headers: { 'idempotency-key': key } }) })

/** Starts a preview. @returns the token of its session */
async function start(): Promise<string> {
  const { status, body } = await post('muni/start/preview', {}, staff)
  expect(status, body.message).toBe(200)
  const entered = await post('initialize/impersonation', { sessionToken: body.sessionToken }, staff)
  expect(entered.status, entered.body.message).toBe(200)
  expect(entered.body).toMatchObject({ of: 'citizen', isPreview: true, impersonated: 'Preview Resident' })
  return entered.body.token
}

/** Tables that record the work itself, and emails. */
const RECORDS =
  /^(?:audit_|session$|impersonation$|data_import$|import_|last_change$|failed_guess$|idempotency_key$|view_log$|email_outbox$|pending_notice$|setup_choice$|provider_account$|guest_checkout$|upload)/

async function checksums(): Promise<Record<string, string>> {
  const sums = tables
    .filter((name) => !RECORDS.test(name))
    .map(
      (name) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS sum FROM ${name} t`,
    )
  const { rows } = await portal.owner.query<{ name: string; sum: string }>(sums.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

const steps = async (token: string) => {
  const { body } = await post('return/preview', {}, token)
  return Object.fromEntries(body.steps.map(({ name, isDone }: { name: string; isDone: boolean }) => [name, isDone]))
}

async function report(token: string): Promise<void> {
  const { categories, prefill } = (await post('return/communication/choices', {}, token)).body
  expect(prefill.email).toBe(ADMIN)
  const categoriesWithQuestions = await Promise.all(
    categories.map(async ({ id }: { id: number }) => ({
      id,
      ...(await post('return/communication/questions', { categoryId: id }, token)).body,
    })),
  )
  const { id, version } = categoriesWithQuestions.find(({ definition }) =>
    allFields(definition).every(({ required }) => !required),
  )
  const location = { text: '1 Main Street', addressId: null, lat: null, lon: null, metres: null }
  const person = { name: 'Preview Resident', email: 'stranger@example.com', phone: '' }
  const content = {
    categoryId: id,
    description: 'A preview of a large hole in the road',
    version,
    answers: {},
    location,
  }
  const sent = await post('send/communication/request', { ...content, ...person, files: [] }, token, randomUUID())
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  expect(sent.body.message).toContain(`We emailed ${ADMIN} a link to the request.`)
}

it('removes all records of a preview at its end, and only the staff member gets emails', async () => {
  const before = await checksums()
  const token = await start()
  await report(token)
  expect(await steps(token)).toMatchObject({ report: true, form: false })
  const mailed = await portal.owner.query(
    `SELECT to_address AS address FROM email_outbox WHERE company_id = $1 AND created_at >= (SELECT max(created_at) FROM impersonation)
     UNION SELECT address FROM pending_notice WHERE company_id = $1 AND at >= (SELECT max(created_at) FROM impersonation)`,
    [companyId],
  )
  expect(mailed.rows.map(({ address }) => address)).toEqual([ADMIN])
  const ended = await post('end/preview', {}, token)
  expect(ended.body).toMatchObject({ success: true, message: 'The preview has ended. Its records were removed.' })
  expect(await checksums()).toEqual(before)
  expect((await post('return/preview', {}, token)).status).toBe(401)
})

/** Publishes a form with one optional question. @returns its slug */
async function publishForm(): Promise<string> {
  const form = { ...usualType, title: 'Block party', category: 'permits', description: '' }
  const { typeId } = (await post('muni/create/form/type', { form }, staff, randomUUID())).body
  const definition = oneStep({ ...blankField('text', 'street'), label: 'Street' })
  await post('muni/save/form/fields', { typeId, definition }, staff)
  await post('muni/publish/form/fields', { typeId, definition }, staff, randomUUID())
  await post('muni/change/form/type/status', { typeId, event: 'publish' }, staff, randomUUID())
  const { url } = (await post('muni/return/form/type', { typeId }, staff)).body
  return String(url).split('/forms-documents/')[1] ?? ''
}

async function submitForm(token: string): Promise<void> {
  const slug = await publishForm()
  const { submissionId } = (await post('start/form', { slug }, token, randomUUID())).body
  const contact = { name: 'Preview Resident', email: 'stranger@example.com', phone: '' }
  const answers = { street: 'Main Street' }
  await post('save/form/draft', { submissionId, version: 1, answers }, token)
  const content = { submissionId, version: 1, answers, contact, signer: { name: '', email: '' } }
  const sent = await post('send/form', content, token, randomUUID())
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
}

/** Finds a bill and pays it with a card of the gateway. */
async function payBill(token: string, card = '4242424242424242') {
  const { body: bill } = await post('find/guest/bill', { accountNumber: '100001', zip: '17011' }, token)
  const { body: checkout } = await post('return/guest/checkout', { token: bill.token }, token)
  const response = await fetch(`${portal.config.gateway.url}/fields/tokens?account=${checkout.gateway.account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card', number: card, month: 8, year: 2029, cvc: '123' }),
  })
  const { token: methodToken } = (await response.json()) as { token: string }
  const billCents: number = checkout.payableCents
  const fee = Math.max(195, Math.floor((billCents * 275 + 5000) / 10_000) + 30)
  const amounts = { billCents, expectedTotalCents: billCents + fee }
  const body = { token: bill.token, payType: 1, method: 1, ...amounts, email: 'stranger@example.com', methodToken }
  const paid = await post('pay/guest/bill', body, token, randomUUID())
  const again = await post('pay/guest/bill', { ...body, expectedTotalCents: billCents }, token, randomUUID())
  return { paid, again, total: billCents + fee }
}

it('charges nothing: the payment obeys all rules, then runs a test charge', async () => {
  const before = await checksums()
  const token = await start()
  const { paid, again, total } = await payBill(token)
  expect(paid.status, JSON.stringify(paid.body)).toBe(200)
  expect(paid.body).toMatchObject({ state: 'none' })
  expect(paid.body.message).toBe(
    `This is a preview. A resident would now pay ${formatCents(total)}. Nothing was charged. The test payment with the provider succeeded.`,
  )
  expect(again.status, 'a total that the page did not show').toBe(409)
  expect(await steps(token)).toMatchObject({ find: true, pay: true })
  expect((await post('end/preview', {}, token)).status).toBe(200)
  expect(await checksums()).toEqual(before)
})

it('keeps the steps for Get Started and for both sides', async () => {
  const status = async () => {
    const { body } = await post('muni/return/setup', {}, staff)
    return body.steps.find(({ key }: { key: string }) => key === 'preview')
  }
  expect(await status()).toMatchObject({ state: 'started', isRequired: true })
  const token = await start()
  await submitForm(token)
  expect((await post('save/preview/step', { step: 'pay' }, token)).status).toBe(400)
  expect((await post('save/preview/step', { step: 'phone' }, token)).status).toBe(200)
  expect(await steps(token)).toEqual({ find: true, pay: true, report: true, form: true, phone: true })
  expect(await status()).toMatchObject({ state: 'done' })
  expect((await post('end/preview', {}, token)).status).toBe(200)
  expect(await status(), 'the steps stay done').toMatchObject({ state: 'done' })
})

it('keeps records that others have worked with, and closes the session', async () => {
  const token = await start()
  await report(token)
  const { rows } = await portal.owner.query(`SELECT max(id) AS id FROM service_request WHERE company_id = $1`, [
    companyId,
  ])
  const noted = await post(
    'muni/note/request',
    { subjectId: rows[0].id, message: 'A crew is on its way.' },
    staff,
    randomUUID(),
  )
  expect(noted.status, JSON.stringify(noted.body)).toBe(200)
  const ended = await post('end/preview', {}, token)
  expect(ended.body.message).toBe(
    'The preview has ended. Its records stay, because other people have worked with them.',
  )
  expect((await post('return/preview', {}, token)).status).toBe(401)
  const person = await portal.owner.query(
    `SELECT is_active FROM person WHERE email LIKE 'preview-%' ORDER BY id DESC LIMIT 1`,
  )
  expect(person.rows).toEqual([{ is_active: 0 }])
})

it('removes a forgotten preview by a job, and the earlier one when the same person starts another', async () => {
  const first = await start()
  await report(first)
  const second = await start()
  expect((await post('return/preview', {}, first)).status).toBe(401)
  await report(second)
  portal.clock.advance(41 * 60_000)
  await portal.runJobs('previews.end')
  expect((await post('return/preview', {}, second)).status).toBe(401)
  const { rows } = await portal.owner.query(
    `SELECT d.undone_at IS NOT NULL AS removed FROM data_import d WHERE d.kind = 'preview' ORDER BY d.id DESC LIMIT 2`,
  )
  expect(rows).toEqual([{ removed: true }, { removed: true }])
})

it('refuses all calls that are not part of a preview, and keeps the sentence of the rule', async () => {
  const token = await start()
  for (const path of ['save/profile', 'follow/communication/request', 'enroll/autopay']) {
    const { status, body } = await post(path, {}, token)
    if (status !== 404) expect([status, body.message], path).toEqual([403, NOT_IN_PREVIEW])
  }
  expect((await post('end/preview', {}, token)).status).toBe(200)
})

/** Tables that going online changes. */
const SETTINGS = new Set(['company', 'company_config', 'company_config_version'])

it('ends when the municipality goes online', async () => {
  await portal.owner.query('UPDATE company SET is_online = 0, online_reserved = 0 WHERE id = $1', [companyId])
  const before = await checksums()
  const token = await start()
  await report(token)
  const required = (await post('muni/return/setup', {}, staff)).body.steps.filter(
    ({ isRequired, state }: { isRequired: boolean; state: string }) => isRequired && state !== 'done',
  )
  for (const { key, choices } of required)
    await post('muni/save/setup/choice', { step: key, choice: choices[0]?.key }, staff)
  const { status, body } = await post('muni/go/online', {}, staff)
  expect(status, body.message).toBe(200)
  expect((await post('return/preview', {}, token)).status).toBe(401)
  const after = await checksums()
  const changed = Object.keys(before).filter((table) => before[table] !== after[table] && !SETTINGS.has(table))
  expect(changed).toEqual([])
})
