import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { addDays } from '../../shared/dates.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestTown, sendBills } from '../../test/town.ts'
import { dueNow } from '../autopay/server/plan.ts'
import { lookAfterArrangements } from './server/look-after.ts'

/** Plans of installments from end to end: asked for, proposed, agreed to with evidence, paid, broken and mended. */

const TOWN = 'maplegrove.localhost'
const TODAY = '2026-11-22'
const portal = await testPortal()
let company: CompanyId
let tokens: Record<string, string> = {}
let ids: Record<string, number> = {}

const signInAll = async () => {
  for (const who of ['resident', 'admin', 'staff']) tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
}

/** Each account owes 300.00, and all of them but 3999 are the resident's. */
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
  company = await openTestTown(portal, mapleGrove)
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

const ask = (path: string, body: object, who = 'resident') =>
  portal.post(TOWN, path, body, { token: tokens[who] ?? '', headers: { 'idempotency-key': randomUUID() } })
const mine = async (number: string) =>
  (await ask('return/arrangements', {})).body.things.find((thing: { reference: string }) => thing.reference === number)
const usual = { totalCents: 300_00, firstCents: null, count: 3, firstOn: TODAY, every: 'month' }
const words = async () => (await ask('return/arrangements', {})).body.words.version
const askFor = async (number: string, form: object = {}) =>
  ask('ask/arrangement', {
    kind: 'utility',
    thingId: ids[number],
    words: await words(),
    form: { ...usual, agree: true, ...form },
  })
const propose = (number: string, form: object = {}, who = 'admin') =>
  ask('muni/propose/arrangement', { kind: 'utility', thingId: ids[number], form: { ...usual, ...form } }, who)
const planOf = async (number: string) =>
  (await ask('muni/return/arrangement/of', { kind: 'utility', thingId: ids[number] }, 'staff')).body.plan
const mailsTo = async (wanted: RegExp) => (await portal.mails()).filter(({ subject }) => wanted.test(subject))
/** Somebody paid so much at the town's own till, which the next file of the billing system says. */
const pays = (number: string, cents: number) =>
  portal.owner.query(
    'UPDATE utility_bill SET paid_elsewhere_cents = paid_elsewhere_cents + $2 WHERE account_id = $1 AND bill_number LIKE $3',
    [ids[number], cents, 'A%'],
  )
const noonOf = async (day: string): Promise<void> => {
  portal.clock.set(`${day}T17:00:00.000Z`)
  await signInAll()
  await lookAfterArrangements(portal.context)
}

test('a resident begins one within the limits of the town, and what they agreed to is kept', async () => {
  expect((await mine('3001')).can).toEqual({ ask: true })
  const tooMany = await askFor('3001', { count: 7 })
  expect([tooMany.status, tooMany.body.message]).toEqual([422, 'Choose 2 to 6 installments.'])
  expect((await askFor('3001', { count: 99 })).body.message).toBe('Choose 2 to 6 installments.')
  expect((await askFor('3001', { agree: false })).status).toBe(400)
  expect((await askFor('3999')).status).toBe(404)
  expect((await askFor('3001', { totalCents: 300_01 })).status).toBe(422)
  const both = await Promise.all([askFor('3001'), askFor('3001')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { plan } = await mine('3001')
  expect(plan).toMatchObject({
    state: 'active',
    totalCents: 300_00,
    paidCents: 0,
    next: { dueOn: TODAY, cents: 100_00 },
  })
  expect(plan.installments.map(({ dueOn }: { dueOn: string }) => dueOn)).toEqual([TODAY, '2026-12-22', '2027-01-22'])
  const { body } = await ask('muni/return/arrangement', { id: plan.id }, 'staff')
  expect(body.agreed).toMatchObject({
    by: 'Naomi Whitaker',
    version: 1,
    text: expect.stringContaining('I agree to pay'),
  })
  expect(body.agreed.address).not.toBe('')
  expect(await mailsTo(/^Your payment arrangement for account 3001$/)).toHaveLength(1)
})

test('AutoPay takes an installment by itself, and of a new bill no more than that bill', async () => {
  const town = await portal.context.hosts.byId(company)
  const { plan } = await mine('3001')
  const takes = (name: string) =>
    portal.context.inCompany(company, (tx) =>
      dueNow(tx, town as NonNullable<typeof town>, 'utility', ids['3001'] ?? 0, name),
    )
  expect(await takes('A3001')).toBe(0)
  expect(await takes(`A${plan.id}-1`)).toBe(100_00)
  await bill('B', '2026-11-20', '40.00', ['3001'])
  expect([await takes('B3001'), await takes(`A${plan.id}-1`)]).toEqual([40_00, 100_00])
  await pays('3001', 130_00)
  expect([await takes('B3001'), await takes(`A${plan.id}-1`), await takes(`A${plan.id}-2`)]).toEqual([40_00, 0, 70_00])
})

test('who pays by themselves is offered what is due of the plan, and a guest is told nothing of it', async () => {
  const { token } = (await ask('open/utility/payment', { accountIds: [ids['3001']] })).body
  const offered = async (who: string) =>
    (await ask('return/guest/checkout', { token }, who)).body.payables[0].installment
  // Of the first two installments 130.00 was paid, and the second is due in a month.
  expect(await offered('resident')).toEqual({ cents: 70_00, on: '2026-12-22' })
  expect(await offered('')).toBe(null)
  await ask('remove/from/cart', { token, no: 1 })
})

test('staff propose beyond the limits, by right; the resident agrees or declines', async () => {
  expect((await propose('3002', {}, 'staff')).status).toBe(403)
  const { body } = await propose('3002', { count: 12, every: 'two_weeks' })
  expect(body.success).toBe(true)
  expect((await propose('3002')).status).toBe(409)
  expect(await mailsTo(/proposes a payment arrangement for account 3002$/)).toHaveLength(1)
  expect(await planOf('3002')).toMatchObject({ state: 'proposed', next: null, can: { sign: false, end: false } })
  expect((await ask('agree/arrangement', { id: body.id, words: 99 })).status).toBe(409)
  expect((await ask('agree/arrangement', { id: body.id, words: await words() })).body.success).toBe(true)
  expect((await ask('decline/arrangement', { id: body.id })).status).toBe(409)
  // One that nobody has in their portal is agreed on paper.
  const other = (await propose('3999')).body.id
  expect((await ask('agree/arrangement', { id: other, words: await words() })).status).toBe(404)
  expect((await ask('muni/move/arrangement', { id: other, event: 'sign', reason: '' }, 'admin')).status).toBe(400)
  const signed = await ask(
    'muni/move/arrangement',
    { id: other, event: 'sign', reason: 'Signed at the counter' },
    'admin',
  )
  expect(signed.body.success).toBe(true)
  expect((await ask('muni/return/arrangement', { id: other }, 'staff')).body).toMatchObject({
    plan: { state: 'active' },
    agreed: { by: 'Judith Sawyer' },
    history: [{ state: 'proposed' }, { state: 'active', reason: 'Signed at the counter' }],
  })
})

test('one that is late by more than its grace is broken, told and listed; paid up it goes on, and paid it is over', async () => {
  const third = (await propose('3003', { firstOn: '2026-11-25' })).body.id
  await ask('agree/arrangement', { id: third, words: await words() })
  await noonOf('2026-11-30')
  expect(await planOf('3003')).toMatchObject({ state: 'active', overdueCents: 100_00 })
  // Somebody tried to pay it while payments were out: until the third day after that it is not broken.
  await portal.owner.query(
    `WITH o AS (INSERT INTO payment_outage (company_id, provider, since, noticed_at, until)
       VALUES ($1, 'sandbox', '2026-11-27T20:00Z', '2026-11-27T20:01Z', '2026-11-28T21:00Z') RETURNING id),
     p AS (INSERT INTO payment_promise (company_id, outage_id, status, way, made_at, reference, payer_name, email, bill_cents, total_cents)
       SELECT $1, id, 'noted', 'note', '2026-11-27T20:30Z', '3003', '', '', 10000, 10000 FROM o RETURNING id)
     INSERT INTO payment_promise_line (company_id, promise_id, line_no, kind, payable_id, amount_cents)
     SELECT $1, id, 1, 'utility', $2, 10000 FROM p`,
    [company, ids['3003']],
  )
  await noonOf('2026-12-01')
  expect(await planOf('3003')).toMatchObject({ state: 'active', overdueCents: 100_00 })
  await noonOf('2026-12-02')
  expect(await planOf('3003')).toMatchObject({ state: 'broken', overdueCents: 100_00 })
  const [mail] = await mailsTo(/^The payment arrangement for account 3003 is broken$/)
  expect(JSON.stringify(mail)).toContain('$100.00')
  const list = (await ask('muni/return/arrangements', { filters: { status: 'broken' } }, 'staff')).body.rows
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
  await Promise.all([noonOf('2026-12-04'), lookAfterArrangements(portal.context)])
  expect(await planOf('3003')).toBe(null)
  expect(await mailsTo(/^The payment arrangement for account 3003 is paid$/)).toHaveLength(1)
})

test('staff end one with a reason, and the town keeps residents from beginning any', async () => {
  const { id } = await planOf('3999')
  const ended = await ask('muni/move/arrangement', { id, event: 'end', reason: 'Moved away' }, 'admin')
  expect(ended.body.success).toBe(true)
  expect((await ask('muni/move/arrangement', { id, event: 'end', reason: 'Moved away' }, 'admin')).status).toBe(409)
  const { rules } = (await ask('muni/return/arrangement/rules', {}, 'admin')).body
  const saved = await ask('muni/save/arrangement/rules', { ...rules, byResidents: false, basis: rules }, 'admin')
  expect(saved.body.success).toBe(true)
  expect((await askFor('3003')).status).toBe(409)
  expect((await ask('muni/save/arrangement/rules', { ...rules, graceDays: 61, basis: rules }, 'admin')).status).toBe(
    400,
  )
})
