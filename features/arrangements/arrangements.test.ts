import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { addDays } from '../../shared/dates.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany, sendBills } from '../../test/company.ts'
import { dueNow } from '../autopay/server/plan.ts'
import { reviewArrangements } from './server/review-arrangements.ts'

/**
 * Tests payment arrangements from end to end: request, proposal, agreement with evidence, payment, default and
 * reinstatement.
 */

const HOST = 'maplegrove.localhost'
const TODAY = '2026-11-22'
const portal = await testPortal()
let company: CompanyId
let tokens: Record<string, string> = {}
let ids: Record<string, number> = {}

const signInAll = async () => {
  for (const role of ['resident', 'admin', 'staff'])
    tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
}

/** Adds a bill of $300.00 for each account. The resident has linked all accounts except 3999. */
async function bill(
  name: string,
  on: string,
  amount: string,
  numbers = ['3001', '3002', '3003', '3999'],
): Promise<void> {
  const due = addDays(on, 21)
  await sendBills(
    portal,
    numbers.map((account) => ({
      account,
      bill: `${name}${account}`,
      customer: 'Naomi Whitaker',
      context: account,
      billed: on,
      due,
      amount,
    })),
  )
}

beforeAll(async () => {
  portal.clock.set(`${TODAY}T17:00:00.000Z`)
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await bill('A', '2026-10-20', '300.00')
  const { rows } = await portal.owner.query(
    `WITH linked AS (INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
       SELECT p.company_id, p.id, a.id, now() FROM person p JOIN utility_account a ON a.company_id = p.company_id
       WHERE p.email = 'resident@maplegrove.example' AND a.account_number <> '3999' RETURNING 1)
     SELECT account_number AS number, id FROM utility_account WHERE company_id = $1`,
    [company],
  )
  ids = Object.fromEntries(rows.map(({ number, id }) => [number, Number(id)]))
  await signInAll()
})

const callApi = (path: string, body: object, role = 'resident') =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
const ownItem = async (number: string) =>
  (await callApi('return/arrangements', {})).body.items.find((item: { reference: string }) => item.reference === number)
const usual = { totalCents: 300_00, firstCents: null, count: 3, firstOn: TODAY, every: 'month' }
const termsVersion = async () => (await callApi('return/arrangements', {})).body.currentTerms.version
const requestFor = async (number: string, form: object = {}) =>
  callApi('request/arrangement', {
    kind: 'utility',
    itemId: ids[number],
    termsVersion: await termsVersion(),
    form: { ...usual, agree: true, ...form },
  })
const propose = (number: string, form: object = {}, role = 'admin') =>
  callApi('muni/propose/arrangement', { kind: 'utility', itemId: ids[number], form: { ...usual, ...form } }, role)
const planOf = async (number: string) =>
  (await callApi('muni/return/arrangement/of', { kind: 'utility', itemId: ids[number] }, 'staff')).body.plan
const emailsTo = async (subjectPattern: RegExp) =>
  (await portal.emails()).filter(({ subject }) => subjectPattern.test(subject))
/** Records a payment made at the company's own counter, as the next billing file reports it. */
const pays = (number: string, cents: number) =>
  portal.owner.query(
    'UPDATE utility_bill SET paid_elsewhere_cents = paid_elsewhere_cents + $2 WHERE account_id = $1 AND bill_number LIKE $3',
    [ids[number], cents, 'A%'],
  )
const noonOf = async (day: string): Promise<void> => {
  portal.clock.set(`${day}T17:00:00.000Z`)
  await signInAll()
  await reviewArrangements(portal.context)
}

test('creates an arrangement within the limits and stores its terms', async () => {
  expect((await ownItem('3001')).can).toEqual({ canRequest: true })
  const tooMany = await requestFor('3001', { count: 7 })
  expect([tooMany.status, tooMany.body.message]).toEqual([422, 'Choose 2 to 6 installments.'])
  expect((await requestFor('3001', { count: 99 })).body.message).toBe('Choose 2 to 6 installments.')
  expect((await requestFor('3001', { agree: false })).status).toBe(400)
  expect((await requestFor('3999')).status).toBe(404)
  expect((await requestFor('3001', { totalCents: 300_01 })).status).toBe(422)
  const both = await Promise.all([requestFor('3001'), requestFor('3001')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { plan } = await ownItem('3001')
  expect(plan).toMatchObject({
    state: 'active',
    totalCents: 300_00,
    paidCents: 0,
    next: { dueOn: TODAY, cents: 100_00 },
  })
  expect(plan.installments.map(({ dueOn }: { dueOn: string }) => dueOn)).toEqual([TODAY, '2026-12-22', '2027-01-22'])
  const { body } = await callApi('muni/return/arrangement', { id: plan.id }, 'staff')
  expect(body.agreed).toMatchObject({
    by: 'Naomi Whitaker',
    version: 1,
    text: expect.stringContaining('I agree to pay'),
  })
  expect(body.agreed.address).not.toBe('')
  expect(await emailsTo(/^Your payment arrangement for account 3001$/)).toHaveLength(1)
})

test('charges installments by AutoPay and only the amount of a new bill', async () => {
  const companyRecord = await portal.context.hosts.byId(company)
  const { plan } = await ownItem('3001')
  const takes = (name: string) =>
    portal.context.inCompany(company, (tx) =>
      dueNow(tx, companyRecord as NonNullable<typeof companyRecord>, 'utility', ids['3001'] ?? 0, name),
    )
  expect(await takes('A3001')).toBe(0)
  expect(await takes(`A${plan.id}-1`)).toBe(100_00)
  await bill('B', '2026-11-20', '40.00', ['3001'])
  expect([await takes('B3001'), await takes(`A${plan.id}-1`)]).toEqual([40_00, 100_00])
  await pays('3001', 130_00)
  expect([await takes('B3001'), await takes(`A${plan.id}-1`), await takes(`A${plan.id}-2`)]).toEqual([40_00, 0, 70_00])
})

test('offers the due installment to the payer and hides it from guests', async () => {
  const { token } = (await callApi('open/utility/payment', { accountIds: [ids['3001']] })).body
  const offered = async (role: string) =>
    (await callApi('return/guest/checkout', { token }, role)).body.payables[0].installment
  // $130.00 of the first two installments is paid, and the second is due in a month.
  expect(await offered('resident')).toEqual({ cents: 70_00, on: '2026-12-22' })
  expect(await offered('')).toBe(null)
  await callApi('remove/from/cart', { token, no: 1 })
})

test('lets staff propose beyond the limits and the resident accept or decline', async () => {
  expect((await propose('3002', {}, 'staff')).status).toBe(403)
  const { body } = await propose('3002', { count: 12, every: 'two_weeks' })
  expect(body.success).toBe(true)
  expect((await propose('3002')).status).toBe(409)
  expect(await emailsTo(/proposed a payment arrangement for account 3002$/)).toHaveLength(1)
  expect(await planOf('3002')).toMatchObject({ state: 'proposed', next: null, can: { sign: false, end: false } })
  expect((await callApi('agree/arrangement', { id: body.id, termsVersion: 99 })).status).toBe(409)
  expect((await callApi('agree/arrangement', { id: body.id, termsVersion: await termsVersion() })).body.success).toBe(
    true,
  )
  expect((await callApi('decline/arrangement', { id: body.id })).status).toBe(409)
  // If no resident has linked the account, the agreement must be on paper.
  const other = (await propose('3999')).body.id
  expect((await callApi('agree/arrangement', { id: other, termsVersion: await termsVersion() })).status).toBe(404)
  expect((await callApi('muni/transition/arrangement', { id: other, event: 'sign', reason: '' }, 'admin')).status).toBe(
    400,
  )
  const signed = await callApi(
    'muni/transition/arrangement',
    { id: other, event: 'sign', reason: 'Signed at the counter' },
    'admin',
  )
  expect(signed.body.success).toBe(true)
  expect((await callApi('muni/return/arrangement', { id: other }, 'staff')).body).toMatchObject({
    plan: { state: 'active' },
    agreed: { by: 'Judith Sawyer' },
    history: [{ state: 'proposed' }, { state: 'active', reason: 'Signed at the counter' }],
  })
})

test('defaults after the grace period, reinstates when caught up and completes', async () => {
  const third = (await propose('3003', { firstOn: '2026-11-25' })).body.id
  await callApi('agree/arrangement', { id: third, termsVersion: await termsVersion() })
  await noonOf('2026-11-30')
  expect(await planOf('3003')).toMatchObject({ state: 'active', overdueCents: 100_00 })
  // The payer tried to pay during an outage, so the arrangement does not default until the third day after the outage.
  await portal.owner.query(
    `WITH o AS (INSERT INTO payment_outage (company_id, provider, since, noticed_at, until)
       VALUES ($1, 'sandbox', '2026-11-27T20:00Z', '2026-11-27T20:01Z', '2026-11-28T21:00Z') RETURNING id),
     p AS (INSERT INTO deferred_payment (company_id, outage_id, status, action, made_at, reference, payer_name, email, bill_cents, total_cents)
       SELECT $1, id, 'noted', 'note', '2026-11-27T20:30Z', '3003', '', '', 10000, 10000 FROM o RETURNING id)
     INSERT INTO deferred_payment_line (company_id, deferred_payment_id, line_no, kind, payable_id, amount_cents)
     SELECT $1, id, 1, 'utility', $2, 10000 FROM p`,
    [company, ids['3003']],
  )
  await noonOf('2026-12-01')
  expect(await planOf('3003')).toMatchObject({ state: 'active', overdueCents: 100_00 })
  await noonOf('2026-12-02')
  expect(await planOf('3003')).toMatchObject({ state: 'defaulted', overdueCents: 100_00 })
  const [email] = await emailsTo(/^The payment arrangement for account 3003 is in default$/)
  expect(JSON.stringify(email)).toContain('$100.00')
  const list = (await callApi('muni/return/arrangements', { filters: { status: 'defaulted' } }, 'staff')).body.rows
  expect(list.map(({ reference }: { reference: string }) => reference)).toContain('3003')
  expect(list.find(({ reference }: { reference: string }) => reference === '3003')).toMatchObject({
    paidCents: 0,
    nextCents: 100_00,
    nextOn: '2026-11-25',
  })
  await pays('3003', 100_00)
  await noonOf('2026-12-03')
  expect(await planOf('3003')).toMatchObject({ state: 'active', paidCents: 100_00, next: { dueOn: '2026-12-25' } })
  await pays('3003', 200_00)
  await Promise.all([noonOf('2026-12-04'), reviewArrangements(portal.context)])
  expect(await planOf('3003')).toBe(null)
  expect(await emailsTo(/^The payment arrangement for account 3003 is paid in full$/)).toHaveLength(1)
})

test('lets staff end one with a reason and disable requests by residents', async () => {
  const { id } = await planOf('3999')
  const ended = await callApi('muni/transition/arrangement', { id, event: 'end', reason: 'Moved away' }, 'admin')
  expect(ended.body.success).toBe(true)
  expect(
    (await callApi('muni/transition/arrangement', { id, event: 'end', reason: 'Moved away' }, 'admin')).status,
  ).toBe(409)
  const { rules } = (await callApi('muni/return/arrangement/rules', {}, 'admin')).body
  const saved = await callApi('muni/save/arrangement/rules', { ...rules, byResidents: false, basis: rules }, 'admin')
  expect(saved.body.success).toBe(true)
  expect((await requestFor('3003')).status).toBe(409)
  expect(
    (await callApi('muni/save/arrangement/rules', { ...rules, graceDays: 61, basis: rules }, 'admin')).status,
  ).toBe(400)
})
