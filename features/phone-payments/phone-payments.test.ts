import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { originOf } from '../../server/config.ts'
import { signatureOf } from '../../server/sms/signature.ts'
import { expectAppliedEvents } from '../../test/applied-events.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { openTestCompany, sendBills, setPaymentSettings } from '../../test/company.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'

/**
 * Tests Pay by Phone through the Twilio webhook and the simulated call: PIN, wrong PINs, hang-ups, and no double
 * charges.
 */

const HOST = 'maplegrove.localhost'
const RESIDENT = 'resident@maplegrove.example'
const PIN = '481516'
const CALLER = '+17175550142'
const database = await testDatabase()
const portal = await testPortal({ database, gateway: true })
let [resident, manager, companyId] = ['', '', 0]
let used = 0

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await sendBills(
    portal,
    Array.from({ length: 20 }, (_, n) => ({
      account: `7${String(n).padStart(3, '0')}`,
      bill: `P${n}`,
      customer: 'Naomi Whitaker',
    })),
  )
  const { owner } = portal
  const { rows } = await owner.query('SELECT id FROM company')
  companyId = rows[0].id
  await owner.query(
    `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
     SELECT p.company_id, p.id, a.id, now() FROM person p JOIN utility_account a ON a.company_id = p.company_id
     WHERE p.email = $1 AND a.account_number LIKE '7___'`,
    [RESIDENT],
  )
  await owner.query(
    `INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label, is_default,
       mandate_text, mandate_at, mandate_address, mandate_device, created_at)
     SELECT company_id, id, 1, 'sandbox', '', 'pm_card_visa:' || id, 'Visa ending 4242', true, 'x', now(), '', '', now() FROM person WHERE email = $1`,
    [RESIDENT],
  )
  await set({ has_pay_by_phone: 1, pay_by_phone_number: '7175550199', ivr_user_pin_enabled: 1 })
  resident = await portal.signIn(HOST, RESIDENT)
  manager = await portal.signIn(HOST, 'manager@maplegrove.example')
  expect((await callApi('set/phone/pin', { pin: '123456' })).status).toBe(400)
  expect((await callApi('set/phone/pin', { pin: PIN })).body).toMatchObject({ success: true })
})

const callApi = (path: string, body: object = {}, token = resident) => portal.post(HOST, path, body, { token })
const set = (settings: Record<string, string | number>) => setPaymentSettings(portal, settings)
const account = () => `7${String(used++).padStart(3, '0')}`

/** Sends a request as Twilio does: a form with a signature that covers the URL. */
async function twilio(path: string, form: Record<string, string>, sign = true) {
  const params = new URLSearchParams(form)
  const signature = signatureOf(portal.config.sms.authToken, originOf(portal.config, null) + path, params)
  return portal.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(sign && { 'x-twilio-signature': signature }) },
    payload: params.toString(),
  })
}
const addressIn = (twiml: string) =>
  (/(?:action="|<Redirect method="POST">)([^"<]+)/.exec(twiml)?.[1] ?? '')
    .replaceAll('&amp;', '&')
    .replace(originOf(portal.config, null), '')

/** Starts a call. The returned function sends keypad digits as Twilio does and returns the reply. */
function ring(from = CALLER) {
  const call = { CallSid: `CA${randomUUID()}`, From: from, To: '+17175550199' }
  let next = `/webhooks/voice?company=${companyId}`
  const key = async (digits = '') => {
    const reply = await twilio(next, { ...call, Digits: digits })
    expect([reply.statusCode, reply.body]).toEqual([200, expect.stringMatching(/^<\?xml .*<Response>.*<\/Response>$/)])
    next = addressIn(reply.body) || next
    return reply.body
  }
  return { key, call, at: () => next }
}

async function paidOf(reference: string) {
  const { rows } = await portal.owner.query<{ id: number; status: number; location: number; bill: number }>(
    `SELECT id::int, status, location, bill_cents::int AS bill FROM payment_order WHERE reference = $1 ORDER BY id`,
    [reference],
  )
  return rows
}

test('charges once despite repeated requests', async () => {
  const number = account()
  const line = ring()
  expect(await line.key()).toContain('Enter your account number')
  expect(await line.key(number)).toContain('Enter your 6-digit PIN')
  expect(await line.key(PIN)).toContain('You owe $100.00 on account')
  expect(await line.key('2')).toContain('Enter the amount')
  const confirm = await line.key('40*00')
  expect(confirm).toMatch(/<Gather input="dtmf" numDigits="1".*You will pay \$40\.00.*To pay, press 1/)
  const at = line.at()
  const callForm = { ...line.call, Digits: '1' }
  const all = await Promise.all([1, 2, 3].map(() => twilio(at, callForm)))
  const last = await twilio(at, callForm)
  for (let pauses = 0; !(await twilio(at, callForm)).body.includes('confirmation number'); pauses++) {
    expect(pauses).toBeLessThan(5)
    await twilio(addressIn((await twilio(at, callForm)).body), line.call)
  }
  expect([...all, last].every(({ statusCode }) => statusCode === 200)).toBe(true)
  const paid = await paidOf(number)
  expect(paid).toEqual([{ id: paid[0]?.id, status: 1, location: 3, bill: 40_00 }])
  expect((await twilio(at, callForm)).body).toContain(`confirmation number is P ${[...String(paid[0]?.id)].join(' ')}`)
  const calls = await callApi('muni/return/phone/calls', {}, manager)
  expect(calls.body.rows[0]).toMatchObject({ outcome: 'paid', reference: number, receipt: `P${paid[0]?.id}` })
  expect(calls.body.rows[0].phone).toBe('… 0142')
  await expectAppliedEvents(database.owner)
  expect((await verifyLedger(database.urls.platform)).findings.filter(({ violations }) => violations > 0)).toEqual([])
  const admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  const { rows } = (await callApi('muni/return/audit/events', { filters: { kind: 'payment' } }, admin)).body
  const created = rows.find((row: { action: string }) => row.action === 'payment.created')
  const payer = await portal.owner.query('SELECT first_name, last_name FROM person WHERE email = $1', [RESIDENT])
  expect(created.actorName).toBe(`${payer.rows[0].first_name} ${payer.rows[0].last_name}`)
})

test('offers an installment and applies it to the payment arrangement', async () => {
  const number = account()
  const { rows } = await portal.owner.query<{ id: number }>(
    'SELECT id::int FROM utility_account WHERE account_number = $1',
    [number],
  )
  const { body } = await callApi('return/arrangements')
  const form = { totalCents: 100_00, firstCents: null, count: 2, firstOn: body.today, every: 'month', agree: true }
  const made = await portal.post(
    HOST,
    'request/arrangement',
    { kind: 'utility', itemId: rows[0]?.id, termsVersion: body.currentTerms.version, form },
    { token: resident, headers: { 'idempotency-key': randomUUID() } },
  )
  expect(made.body).toMatchObject({ success: true })
  const line = ring()
  for (const keyed of ['', number]) await line.key(keyed)
  expect(await line.key(PIN)).toMatch(/You owe \$100\.00 .* To pay the installment of \$50\.00 .*, press 3\./)
  expect(await line.key('3')).toContain('You will pay $50.00')
  for (let speech = await line.key('1'), pauses = 0; !speech.includes('confirmation number'); pauses++) {
    expect(pauses).toBeLessThan(5)
    speech = await line.key()
  }
  expect(await paidOf(number)).toMatchObject([{ status: 1, bill: 50_00 }])
  const { plan } = (await callApi('return/arrangements')).body.items.find(
    ({ reference }: { reference: string }) => reference === number,
  )
  expect(plan).toMatchObject({ state: 'active', paidCents: 50_00 })
})

test('charges nothing after a hang-up or from an unsigned call', async () => {
  const number = account()
  const line = ring()
  for (const keyed of ['', number, PIN, '1']) await line.key(keyed)
  expect(
    (await twilio(`/webhooks/voice/status?company=${companyId}`, { ...line.call, CallStatus: 'completed' })).statusCode,
  ).toBe(204)
  expect(await line.key('1')).toContain('<Hangup/>')
  expect(await paidOf(number)).toEqual([])
  expect((await twilio(line.at(), line.call, false)).statusCode).toBe(403)
  expect((await twilio('/webhooks/voice?company=99999', line.call)).statusCode).toBe(404)
})

test('counts parallel wrong PINs before the check and locks the account', async () => {
  const number = account()
  const lines = await Promise.all(
    Array.from({ length: 15 }, async (_, n) => {
      const line = ring(`+1717555${1000 + n}`)
      await line.key()
      await line.key(number)
      return line
    }),
  )
  const guesses = await Promise.all(lines.map((line, n) => line.key(String(300_000 + n))))
  expect(guesses.filter((speech) => speech.includes('does not match our records'))).toHaveLength(5)
  expect(guesses.filter((speech) => speech.includes('too many incorrect attempts'))).toHaveLength(10)
  const own = ring()
  await own.key()
  await own.key(number)
  expect(await own.key(PIN)).toContain('too many incorrect attempts')
  // The call requests the PIN even for an unknown account, so the caller does not learn that the account does not
  // exist.
  const nobody = ring()
  await nobody.key()
  expect(await nobody.key('999999')).toContain('Enter your 6-digit PIN')
  expect(await nobody.key(PIN)).toContain('does not match our records')
})

test('identifies the caller by phone if no PIN is required', async () => {
  await set({ ivr_user_pin_enabled: 0 })
  const number = account()
  const strange = ring()
  await strange.key()
  expect(await strange.key(number)).toContain('does not match our records')
  await portal.owner.query(
    `INSERT INTO sms_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at)
     SELECT company_id, id, $1, now(), 'x', now() FROM person WHERE email = $2`,
    [CALLER, RESIDENT],
  )
  const line = ring()
  await line.key()
  expect(await line.key(number)).toContain('You owe $100.00')
  await line.key('1')
  await portal.owner.query('UPDATE stored_method SET removed_at = now()')
  expect(await line.key('1')).toContain('no longer saved')
  await portal.owner.query('UPDATE stored_method SET removed_at = NULL')
  await set({ ivr_user_pin_enabled: 1 })
  expect(await paidOf(number)).toEqual([])
})

test('simulates a call with the sandbox up to a pending eCheck', async () => {
  await portal.owner.query(
    `UPDATE stored_method SET method = 2, method_label = 'Checking account ending 6789', provider_method = 'pm_usBankAccount:1'`,
  )
  const callId = randomUUID()
  const number = account()
  const play = async (stepNo: number, keys: string) =>
    (await callApi('muni/play/phone/call', { callId, phone: '7175550142', stepNo, keys }, manager)).body
  const keyed = ['', number, PIN, '1', '1']
  let spokenStep: { stepNo: number; text: string[]; expects: string } = { stepNo: 0, text: [], expects: '' }
  for (const keys of keyed) spokenStep = await play(spokenStep.stepNo, keys)
  for (let pauses = 0; spokenStep.expects === 'moment' && pauses < 5; pauses++)
    spokenStep = await play(spokenStep.stepNo, '')
  expect(spokenStep).toMatchObject({
    expects: 'end',
    text: [expect.stringContaining('We requested the payment from your bank'), 'Goodbye.'],
  })
  expect(await paidOf(number)).toMatchObject([{ status: 0, bill: 100_00 }])
  await set({ has_pay_by_phone: 0 })
  expect(await ring().key()).toMatch(/does not take payments by phone.*<Hangup\/>/)
  expect((await callApi('return/phone/pin')).body).toMatchObject({ enabled: false, hasPin: true })
  expect((await callApi('remove/phone/pin')).body.success).toBe(true)
  expect((await callApi('return/phone/pin')).body.hasPin).toBe(false)
  await set({ has_pay_by_phone: 1 })
})
