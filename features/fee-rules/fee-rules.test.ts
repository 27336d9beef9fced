import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testDatabase, testPortal } from '../../test/harness.ts'
import { openAccounts, openTestCompany, sendBills } from '../../test/company.ts'
import { provideInstead } from '../payments/server/providers/providers.ts'
import { ProviderModel } from '../../test/provider-model.ts'
import type { FeeRuleForm } from './contract.ts'

/**
 * Tests fee rules. A rule starts on a day and never changes after that. If a card network forbids a fee, the error
 * names the network's rule.
 */

const HOST = 'maplegrove.localhost'
const TODAY = '2026-11-20'
const AHEAD = '2026-12-01'
const database = await testDatabase()
const portal = await testPortal({ database })
const provider = new ProviderModel()
provideInstead(portal.config, provider)
let [admin, staff, company] = ['', '', 0]

const FLAT: FeeRuleForm = {
  ...{ kind: '', method: '1', channel: 'online', card: '', validFrom: AHEAD, ends: false, program: 'convenience' },
  ...{ absorb: false, separate: false, bps: 0, recovers: false, fixedCents: 345, minCents: 0, maxCents: 345 },
}
const post = (path: string, body: object = {}, token = admin) => portal.post(HOST, `muni/${path}`, body, { token })
const save = (form: Partial<FeeRuleForm>, ruleId: number | null = null, basis?: object) =>
  post('save/fee/rule', { ruleId, form: { ...FLAT, ...form }, ...(basis && { basis }) })
const listed = async (filters = {}) => (await post('return/fee/rules', { filters })).body.rows
const ahead = async () => (await listed({ status: 'ahead' }))[0]

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await openAccounts(portal, { provider: provider.name })
  await sendBills(portal, [
    { account: '1001', bill: 'B1' },
    { account: '1002', bill: 'B2' },
    { account: '1003', bill: 'B3' },
  ])
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
})

/** Pays a bill with the fee shown on its page. */
async function pay(accountNumber: string, expectedTotalCents: number) {
  const { token } = (await portal.post(HOST, 'find/guest/bill', { accountNumber, zip: '17011' })).body
  const body = {
    ...{ token, payType: 1, method: 1, billCents: 100_00, expectedTotalCents, email: 'ada@example.com' },
    methodToken: provider.token('ok'),
  }
  return portal.post(HOST, 'pay/guest/bill', body, { headers: { 'idempotency-key': randomUUID() } })
}

test('starts with existing rules in force and reports network violations', async () => {
  const rows = await listed({ status: 'in_force' })
  expect(rows.map(({ method, fee, against }: Record<string, string>) => [method, fee, against])).toEqual(
    expect.arrayContaining([['1', 'Convenience fee: 2.75% + $0.30, minimum $1.95, maximum $49.95', 'Visa']]),
  )
  expect((await listed({ status: 'past' })).length).toBe(2)
})

test.each([
  [{ bps: 275, maxCents: 4995 }, 'bps', 'Visa requires that a convenience fee is a flat amount'],
  [{ channel: 'autopay' }, 'channel', 'Visa allows no convenience fee on recurring payments'],
  [{ channel: '' }, 'channel', 'Visa allows a convenience fee only for an alternative way to pay'],
  [{ card: 'amex' }, 'card', 'American Express requires that its cards are treated no worse'],
  [{ program: 'service', kind: 'utility' }, 'kind', 'not for utilities'],
  [{ program: 'service', kind: 'parking' }, 'separate', 'Visa requires that a service fee is charged separately'],
] as const)('refuses a fee that the networks forbid, with the rule: %j', async (invalid, field, expected) => {
  const before = (await listed()).length
  const { status, body } = await save(invalid)
  expect(status).toBe(422)
  expect(body.details.fields[field]).toContain(expected)
  expect((await listed()).length).toBe(before)
})

test('charges a service fee separately only for cards paid by the payer', async () => {
  const separate = { program: 'service', kind: 'parking', separate: true } as const
  expect((await save(separate)).status).toBe(200)
  expect((await ahead()).fee).toBe('Service fee: $3.45, charged separately')
  for (const invalid of [{ program: 'convenience' }, { absorb: true }, { method: '2' }] as const)
    expect(JSON.stringify((await save({ ...separate, ...invalid })).body.details.fields)).toContain('separate')
  await portal.owner.query(`DELETE FROM fee_rule WHERE kind = 'parking'`)
})

test('applies no network rules to absorbed fees and eChecks', async () => {
  expect((await save({ bps: 275, maxCents: 4995, absorb: true, channel: 'autopay' })).status).toBe(200)
  expect((await save({ method: '2', channel: 'autopay', fixedCents: 100 })).status).toBe(200)
  expect(JSON.stringify((await save({ method: '2', bps: 100 })).body)).toContain('fee is a flat amount')
  await portal.owner.query(`DELETE FROM fee_rule WHERE channel = 'autopay'`)
})

test('changes and removes only rules that have not started', async () => {
  expect((await save({ validFrom: '2026-11-19' })).body.details.fields.validFrom).toContain(
    'The start date cannot be in the past',
  )
  expect((await save({})).status).toBe(200)
  expect((await save({ fixedCents: 1 })).body.details.fields.validFrom).toContain(
    'A rule for the same payments already starts on this day',
  )
  const { id } = await ahead()
  const { form } = (await post('return/fee/rule', { ruleId: id })).body
  expect((await save({ fixedCents: 295, maxCents: 295 }, id, form)).status).toBe(200)
  // Another person changes another field, starting from an older version.
  expect((await save({ minCents: 100 }, id, form)).status).toBe(200)
  expect((await post('return/fee/rule', { ruleId: id })).body.form).toMatchObject({ fixedCents: 295, minCents: 100 })
  expect((await save({ fixedCents: 500 }, id, form)).body.code).toBe('edit_conflict')
  expect((await save({ bps: 10 }, id)).status).toBe(422)
  expect((await post('remove/fee/rule', { ruleId: id })).status).toBe(200)
  const [started] = await listed({ status: 'in_force' })
  expect((await save({}, started.id)).body).toMatchObject({ code: 'in_force' })
  expect((await post('remove/fee/rule', { ruleId: started.id })).body).toMatchObject({ code: 'in_force' })
  const { rows } = await portal.owner.query(`SELECT action FROM audit_event WHERE action LIKE 'fee_rule.%' ORDER BY id`)
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['fee_rule.added', 'fee_rule.changed', 'fee_rule.removed']),
  )
})

test('limits the settings to authorized staff of the company', async () => {
  for (const path of ['return/fee/rules', 'return/fee/book', 'save/fee/rule'])
    expect((await post(path, path.startsWith('save') ? { ruleId: null, form: FLAT } : {}, staff)).status).toBe(403)
})

test('charges the fee of the day and asks again on stale pages', async () => {
  expect((await pay('1001', 103_05)).body).toMatchObject({ state: 'paid', quote: { feeCents: 305 } })
  await save({})
  expect((await pay('1002', 103_05)).body).toMatchObject({ state: 'paid' })
  portal.clock.set(`${AHEAD}T15:00:00.000Z`)
  const late = await pay('1003', 103_05)
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({ code: 'amount_changed' })
  expect(late.body.message).toContain('$103.45')
  expect((await pay('1003', 103_45)).body).toMatchObject({ state: 'paid', quote: { feeCents: 345 } })
  const { rows } = await portal.owner.query(
    `SELECT fee_cents::int AS fee, fee_quote->'terms'->0->>'validFrom' AS since FROM payment_order ORDER BY id`,
  )
  expect(rows.map(({ fee }) => fee)).toEqual([305, 305, 345])
  const { rows: counted } = await portal.owner.query(
    `SELECT sum(fee_cents)::int AS fee, program, mode FROM payment_day WHERE company_id = $1 GROUP BY 2, 3`,
    [company],
  )
  expect(counted).toEqual([{ fee: 955, program: 'convenience', mode: 'single' }])
  portal.clock.set(`${TODAY}T15:00:00.000Z`)
})

test('uses the provider’s card type and asks again if the fee differs', async () => {
  await portal.owner.query(
    `INSERT INTO fee_rule (company_id, method, brand, valid_from, program, mode, absorb, bps, fixed_cents, min_cents, max_cents, made_by)
     VALUES ($1, 1, 'amex', '2026-01-01', 'none', 'single', 0, 0, 0, 0, 0, '')`,
    [company],
  )
  await sendBills(portal, [{ account: '1004', bill: 'B4' }])
  provider.card = { brand: 'amex', funding: null }
  const first = await pay('1004', 103_05)
  expect(first.status).toBe(409)
  expect(first.body.details).toEqual({ card: { brand: 'amex', funding: null } })
  expect((await pay('1004', 100_00)).body).toMatchObject({ state: 'paid', quote: { feeCents: 0 } })
})

test('charges nothing if the account is gone when the provider has named the card', async () => {
  await sendBills(portal, [{ account: '1005', bill: 'B5' }])
  const originalCardOf = provider.cardOf.bind(provider)
  provider.cardOf = async () => {
    await portal.owner.query('DELETE FROM provider_account WHERE company_id = $1', [company])
    return originalCardOf()
  }
  const refused = await pay('1005', 100_00)
  provider.cardOf = originalCardOf
  expect([refused.status, refused.body.code]).toEqual([409, 'amount_changed'])
  const { rows } = await portal.owner.query(
    `SELECT count(*)::int AS n FROM payment_order WHERE company_id = $1 AND reference = '1005'`,
    [company],
  )
  expect(rows[0].n).toBe(0)
  expect((await pay('1005', 100_00)).body).toMatchObject({ state: 'paid' })
})
