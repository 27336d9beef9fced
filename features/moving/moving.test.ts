import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { usualType } from '../general-payments/rules.ts'
import { endExpiredEnrollments } from '../autopay/server/scheduled-ends.ts'
import { addDays } from '../../shared/dates.ts'
import { noLocation } from '../../shared/places.ts'
import { type ApiResponse, type TestPortal, testClock, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'

const MAPLE = 'maplegrove.localhost'
let portal: TestPortal
let maple: CompanyId
const tokens: Record<string, string> = {}
let guests = 0
let open: string[] = []
let closed: string[] = []

beforeAll(async () => {
  portal = await testPortal({ clock: testClock(), env: { TRUST_PROXY: 'loopback' } })
  maple = await openTestCompany(portal, mapleGrove)
  for (const role of ['admin', 'resident']) tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
  const { body } = await guest('return/relocate/choices')
  closed = body.closed
  for (let day = body.first; day <= body.last; day = addDays(day, 1)) if (!closed.includes(day)) open.push(day)
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
/** Makes a call as a guest, each time from a new IP address. */
const guest = (path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, {
    headers: { 'x-forwarded-for': `10.9.${(guests += 1) >> 8}.${guests & 255}`, 'idempotency-key': randomUUID() },
  })
const at = (text: string) => ({ ...noLocation, text })
const day = (index: number): string => open[index] ?? ''

const form = (kind: 1 | 2 | 3, more: object = {}) => ({
  kind,
  leavesBy: 'address',
  accountId: null,
  leaves: kind === 1 ? noLocation : at('12 Linden Avenue'),
  leavesOn: kind === 1 ? '' : day(5),
  enters: kind === 2 ? noLocation : at('4 Oak Street'),
  entersOn: kind === 2 ? '' : day(5),
  forwarding: '',
  ownerName: '',
  ownerEmail: '',
  name: 'Ann Lee',
  email: `ann${(guests += 1)}@example.org`,
  phone: '',
  note: '',
  ...more,
})
async function requestMove(kind: 1 | 2 | 3, more: object = {}): Promise<{ id: number; number: string; token: string }> {
  const { status, body } = await guest('send/relocate/move', form(kind, more))
  expect(status, body.message).toBe(200)
  return { ...body, id: Number(body.number.slice(2)) - 100_000 }
}
const complete = (id: number) => as('admin', 'muni/complete/move', { subjectId: id, finalRead: '', firstRead: '' })
async function partiesOf(address: string): Promise<string[]> {
  const { rows } = await portal.owner.query(
    `SELECT p.party, p.name, nullif(p.from_on, '0001-01-01')::text AS from_on FROM service_point_party p
     JOIN service_point s ON s.company_id = p.company_id AND s.id = p.service_point_id
     WHERE s.company_id = $1 AND s.premise = $2 ORDER BY p.from_on`,
    [maple, address],
  )
  return rows.map(({ party, name, from_on }) => [party, name, from_on].filter(Boolean).join(' '))
}

describe('move request', () => {
  test('gives a guest a number and a link, and withdraws once', async () => {
    const { number, token } = await requestMove(1)
    const moveView = await guest('return/relocate/move', { token })
    expect(moveView.body).toMatchObject({
      number,
      kind: 1,
      status: 'Pending',
      enters: '4 Oak Street',
      can: { withdraw: true },
    })
    expect((await guest('withdraw/relocate/move', { token })).body.message).toBe(
      `Move request ${number} was withdrawn.`,
    )
    expect((await guest('withdraw/relocate/move', { token })).status).toBe(409)
  })

  test.each([
    ['before the lead time', () => addDays(day(0), -1)],
    ['on which the office is closed', () => closed[0] ?? ''],
    ['too far ahead', () => addDays(open.at(-1) ?? '', 9)],
  ])('refuses a day %s at its field', async (_why, chosen) => {
    const { status, body } = await guest('send/relocate/move', form(1, { entersOn: chosen() }))
    expect(status).toBe(422)
    expect(body.details.fields).toHaveProperty('entersOn')
  })

  test('requires the addresses and days of each kind of move', async () => {
    const { body } = await guest('send/relocate/move', form(3, { leaves: noLocation, entersOn: '' }))
    expect(Object.keys(body.details.fields)).toEqual(expect.arrayContaining(['leaves', 'entersOn']))
  })

  test("refuses a move out of another person's account", async () => {
    const { status } = await guest('send/relocate/move', form(2, { leavesBy: 'account', accountId: 1 }))
    expect(status).toBe(404)
  })

  test('lists and shows a resident’s own moves', async () => {
    expect((await as('resident', 'send/relocate/move', form(1))).status).toBe(200)
    const { moves } = (await as('resident', 'return/my/moves')).body
    expect(moves).toHaveLength(1)
    const { token } = (await as('resident', 'open/my/move', { moveId: moves[0].id })).body
    expect((await guest('return/relocate/move', { token })).body.number).toBe(moves[0].number)
    const other = await requestMove(1)
    expect((await as('resident', 'open/my/move', { moveId: other.id })).status).toBe(404)
  })

  test('sends guests to sign-in if the company requires it', async () => {
    const settings = {
      forGuests: false,
      leadDays: 3,
      farthestDays: 120,
      readsBy: null,
      autopayDays: 45,
      feeTypeId: null,
      documents: '',
    }
    expect((await as('admin', 'muni/save/move/settings', settings)).status).toBe(200)
    expect((await guest('send/relocate/move', form(1))).body.code).toBe('sign_in_first')
    await as('admin', 'muni/save/move/settings', { ...settings, forGuests: true })
  })
})

describe('property owner', () => {
  test('agrees once with the emailed link, and is responsible for vacancies', async () => {
    const address = '9 Elm Court'
    const owner = { ownerName: 'Olga Owner', ownerEmail: 'olga@example.org' }
    const move = await requestMove(1, { enters: at(address), ...owner, name: 'Tina Tenant', email: 'tina@example.org' })
    const emailMessage = (await portal.emails()).findLast(({ to_address }) => to_address === 'olga@example.org')
    const token = /relocate\/owner\/([\w-]+)/.exec(JSON.stringify(emailMessage))?.[1] ?? ''
    expect((await guest('return/relocate/owner', { token })).body).toMatchObject({
      premise: address,
      name: 'Tina Tenant',
      open: true,
    })
    expect((await guest('return/relocate/owner', { token: 'x'.repeat(40) })).status).toBe(404)
    const response = { token, agrees: 'yes', standsIn: true, signed: 'Olga Owner' }
    expect((await guest('answer/relocate/owner', response)).status).toBe(200)
    expect((await guest('answer/relocate/owner', response)).status).toBe(409)
    await complete(move.id)
    const out = await requestMove(2, {
      leaves: at(address),
      leavesOn: day(20),
      name: 'Tina Tenant',
      email: 'tina@example.org',
    })
    await complete(out.id)
    expect(await partiesOf(address)).toEqual([
      'company',
      `resident Tina Tenant ${day(5)}`,
      `owner Olga Owner ${day(20)}`,
    ])
  })
})

describe('points of a completed move', () => {
  test('updates both addresses of a move within, also after corrected days', async () => {
    const contact = { name: 'Wes Within', email: 'wes@example.org' }
    await complete((await requestMove(1, { enters: at('1 First Street'), entersOn: day(1), ...contact })).id)
    const move = await requestMove(3, { leaves: at('1 First Street'), enters: at('2 Second Street'), ...contact })
    expect((await complete(move.id)).status).toBe(200)
    expect((await complete(move.id)).status).toBe(409)
    expect(await partiesOf('1 First Street')).toEqual(['company', `resident Wes Within ${day(1)}`, `company ${day(5)}`])
    expect(await partiesOf('2 Second Street')).toEqual(['company', `resident Wes Within ${day(5)}`])
    const days = { subjectId: move.id, leavesOn: day(9), entersOn: day(7) }
    expect((await as('admin', 'muni/change/move/days', days)).status).toBe(200)
    expect(await partiesOf('1 First Street')).toEqual(['company', `resident Wes Within ${day(1)}`, `company ${day(9)}`])
    expect(await partiesOf('2 Second Street')).toEqual(['company', `resident Wes Within ${day(7)}`])
    const moveView = await as('admin', 'muni/return/move', { subjectId: move.id })
    expect(moveView.body.move.status).toBe('Completed')
    expect(moveView.body.points).toHaveLength(2)
  })

  test('treats a chosen and a typed address as one service point', async () => {
    await portal.owner.query(
      `WITH map AS (INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9) ON CONFLICT DO NOTHING),
       way AS (INSERT INTO street (company_id, name, name_key) VALUES ($1, 'Quarry Court', 'quarry ct') RETURNING id)
       INSERT INTO address (company_id, street_id, house_number, number, city, state, zipcode, lat, lon, at)
       SELECT $1, way.id, '7', 7, 'Maple Grove', 'PA', '17011', 40.2, -76.9, point(0, 0) FROM way`,
      [maple],
    )
    const { body } = await guest('find/addresses', { search: '7 Quarry Court' })
    const [{ id, text }] = body.matches
    const contact = { name: 'Una Once', email: 'una@example.org' }
    await complete((await requestMove(1, { enters: { ...at(text), addressId: id }, entersOn: day(1), ...contact })).id)
    await complete((await requestMove(2, { leaves: at('7 quarry ct, Maple Grove'), leavesOn: day(9), ...contact })).id)
    expect(await partiesOf(text)).toEqual(['company', `resident Una Once ${day(1)}`, `company ${day(9)}`])
    await complete(
      (await requestMove(1, { enters: at('7 Quarry Court, Springfield'), entersOn: day(12), ...contact })).id,
    )
    expect(await partiesOf(text)).toHaveLength(3)
  })

  test('lists moves with the names of the specification', async () => {
    const { body } = await as('admin', 'muni/return/moves', { search: 'Wes Within', filters: { kind: '3' } })
    expect(body.rows[0]).toMatchObject({
      icon: 'move_within',
      moveStatus: 'Completed',
      email: 'wes@example.org',
      acctId: '',
    })
  })

  test('rejects overlapping parties and gaps between parties in the database', async () => {
    const half = 'UPDATE service_point_party SET until_on = until_on - 1 WHERE until_on IS NOT NULL'
    await expect(portal.owner.query(half)).rejects.toThrow('foreign key')
    const twice = `INSERT INTO service_point_party (company_id, service_point_id, party, name, from_on)
      SELECT company_id, id, 'company', '', '2026-01-01' FROM service_point`
    await expect(portal.owner.query(twice)).rejects.toThrow('exclu')
  })
})

test('leaves exactly one party per point and instant after random changes', async () => {
  const addresses = fc.constantFrom('A Street 1', 'B Street 2', 'C Street 3')
  const step = fc.record({
    does: fc.constantFrom('in', 'out', 'within', 'withdraw', 'agree', 'correct'),
    from: addresses,
    to: addresses,
    name: fc.constantFrom('Pat One', 'Quinn Two', 'Robin Three'),
    on: fc.integer({ min: 0, max: 30 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      let done = 0
      for (const { does, from, to, name, on } of steps) {
        await portal.owner.query('DELETE FROM failed_guess')
        const kind = does === 'out' ? 2 : does === 'within' ? 3 : 1
        if (does === 'correct') {
          if (done)
            await as('admin', 'muni/change/move/days', { subjectId: done, leavesOn: day(on), entersOn: day(on) })
        } else {
          const move = await requestMove(kind, {
            ...(kind !== 1 && { leaves: at(from), leavesOn: day(on) }),
            ...(kind !== 2 && { enters: at(to), entersOn: day(on) }),
            name,
          })
          if (does === 'agree')
            await portal.owner.query(
              `UPDATE move_request SET owner_name = 'Olga', owner_answer = 'agreed', owner_answered_at = now(), owner_covers_vacancy = true WHERE id = $1`,
              [move.id],
            )
          if (does === 'withdraw')
            expect((await guest('withdraw/relocate/move', { token: move.token })).status).toBe(200)
          else {
            expect((await complete(move.id)).status).toBe(200)
            done = move.id
          }
        }
        const { rows } = await portal.owner.query(
          `SELECT s.premise, d::date::text AS day, count(p.id)::int AS n FROM service_point s
           CROSS JOIN generate_series($1::date - 2, $2::date + 2, '1 day') d
           LEFT JOIN service_point_party p ON p.company_id = s.company_id AND p.service_point_id = s.id
             AND daterange(p.from_on, p.until_on) @> d::date
           GROUP BY s.id, s.premise, d HAVING count(p.id) <> 1`,
          [day(0), day(30)],
        )
        expect(rows).toEqual([])
      }
    }),
    { numRuns: process.env['NIGHTLY'] ? 40 : 2 },
  )
}, 120_000)

describe('effects of a move', () => {
  const settings = (more: object) =>
    as('admin', 'muni/save/move/settings', {
      ...{
        forGuests: true,
        leadDays: 3,
        farthestDays: 120,
        readsBy: null,
        autopayDays: 45,
        feeTypeId: null,
        documents: '',
      },
      ...more,
    })
  const sql = async (text: string, values: unknown[] = []) => (await portal.owner.query(text, [maple, ...values])).rows

  test('opens reading work orders that follow the move’s days and its withdrawal', async () => {
    const [department] = await sql(
      `INSERT INTO department (company_id, name) VALUES ($1, 'Meter Readers') RETURNING id`,
    )
    expect(await settings({ readsBy: 999_999 })).toMatchObject({ status: 422 })
    expect(await settings({ readsBy: Number(department.id) })).toMatchObject({ status: 200 })
    const { id, number, token } = await requestMove(3)
    const orders = () =>
      sql(
        `SELECT title, kind, status, due_on::text AS due, location FROM work_order
         WHERE company_id = $1 AND source_kind = 'move' AND source_id = $2 ORDER BY id`,
        [id],
      )
    expect(await orders()).toEqual([
      {
        title: `Final meter reading for move request ${number}`,
        kind: 'reading',
        status: 0,
        due: day(5),
        location: '12 Linden Avenue',
      },
      {
        title: `First meter reading for move request ${number}`,
        kind: 'reading',
        status: 0,
        due: day(5),
        location: '4 Oak Street',
      },
    ])
    expect((await as('admin', 'muni/return/move', { subjectId: id })).body.orders).toHaveLength(2)
    await as('admin', 'muni/change/move/days', { subjectId: id, leavesOn: day(5), entersOn: day(7) })
    expect((await orders()).map(({ due }) => due)).toEqual([day(5), day(7)])
    await guest('withdraw/relocate/move', { token })
    expect((await orders()).map(({ status }) => status)).toEqual([4, 4])
    await settings({})
    const { id: quiet } = await requestMove(1)
    expect((await as('admin', 'muni/return/move', { subjectId: quiet })).body.orders).toEqual([])
  })

  test('proposes first and last days on which the office is open', async () => {
    // Seven consecutive lead times cover every day of the week.
    for (const leadDays of [3, 4, 5, 6, 7, 8, 9]) {
      await settings({ leadDays })
      const { first, last, closed } = (await guest('return/relocate/choices')).body
      expect([closed.includes(first), closed.includes(last)]).toEqual([false, false])
    }
    await settings({})
  })

  test('requires the company’s documents and shows them to staff', async () => {
    expect(await settings({ documents: 'the lease' })).toMatchObject({ status: 200 })
    expect((await guest('return/relocate/choices')).body.documents).toBe('the lease')
    const without = await guest('send/relocate/move', form(1))
    expect([without.status, without.body.details.fields.files]).toEqual([422, 'Attach the required documents.'])
    const data = new FormData()
    const lease = readFileSync(new URL('../../server/acroform/fixtures/qpdf-from-odt.pdf', import.meta.url))
    data.append('file', new Blob([new Uint8Array(lease)]), 'lease.pdf')
    const { body: sent } = await guest('attach/moves/file', data)
    const { id } = await requestMove(1, { files: [sent.file_id] })
    const { body: caseView } = await as('admin', 'muni/return/move', { subjectId: id })
    expect(caseView.entries[0].files).toEqual([expect.objectContaining({ id: sent.file_id, name: 'lease.pdf' })])
    expect((await guest('send/relocate/move', form(1, { files: [randomUUID()] }))).status).toBe(422)
    await settings({})
  })

  test('charges the move-in fee once, on the page of the move', async () => {
    const type = {
      ...usualType,
      title: 'Water deposit',
      category: 'other',
      description: '',
      glAccount: '200',
      amountCents: 7500,
    }
    const { typeId } = (await as('admin', 'muni/create/general/payment/type', { form: type })).body
    expect(await settings({ feeTypeId: typeId })).toMatchObject({ status: 422 })
    await as('admin', 'muni/change/general/payment/type/status', { typeId, event: 'open' })
    expect(await settings({ feeTypeId: typeId })).toMatchObject({ status: 200 })
    const { id, token } = await requestMove(1)
    const readFee = async () => (await guest('return/relocate/move', { token })).body.fee
    expect(await readFee()).toEqual({ title: 'Water deposit', amountCents: 7500, paidCents: 0, canPay: true })
    expect(await guest('pay/relocate/move', { token })).toMatchObject({ status: 200 })
    await sql(
      `UPDATE general_charge SET paid_cents = 7500, paid_at = now() FROM move_request m
       WHERE m.company_id = $1 AND m.id = $2 AND general_charge.id = m.charge_id RETURNING 1`,
      [id],
    )
    expect(await readFee()).toMatchObject({ paidCents: 7500, canPay: false })
    expect(await guest('pay/relocate/move', { token })).toMatchObject({ status: 409 })
    const leaving = await requestMove(2)
    expect((await guest('return/relocate/move', { token: leaving.token })).body.fee).toBeNull()
    await settings({})
  })

  test('ends the old account’s AutoPay after the final bill, moves the household', async () => {
    const [me] = await sql(`SELECT id FROM person WHERE company_id = $1 AND email = 'resident@maplegrove.example'`)
    const [account] = await sql(
      `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
       VALUES ($1, '770077', 'Rosa', '9 Quarry Court', 'Maple Grove', 'PA', '17011') RETURNING id`,
    )
    await sql(
      `INSERT INTO linked_account (company_id, person_id, account_id, linked_at) VALUES ($1, $2, $3, now()) RETURNING 1`,
      [me.id, account.id],
    )
    const [method] = await sql(
      `INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label, mandate_text,
         mandate_at, mandate_address, mandate_device, created_at)
       VALUES ($1, $2, 1, 'sandbox', 'c', 'm-7', 'Visa 4242', 'I agree.', now(), '::1', 'test', now()) RETURNING id`,
      [me.id],
    )
    const [autopay] = await sql(
      `INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before, day_of_month,
         enrolled_at, search_text)
       VALUES ($1, $2, 'utility', $3, '770077', $4, 'active', 'due', 3, 1, now(), '') RETURNING id`,
      [me.id, account.id, method.id],
    )
    const household = {
      household_name: 'Rosa',
      property_type: '1',
      people: [{ first_name: 'Rosa', last_name: 'R', relation: '1' }],
    }
    await as('admin', 'muni/save/registration/settings', {
      ...{ listedAddressOnly: false, householdAtOnce: true, renewAtOnce: true, inspectionMonths: 24, onParcel: false },
    })
    const home = { kind: 1, location: at('9 Quarry Court'), answers: household }
    const { body: registered } = await as('resident', 'send/registration', home)
    const moving = {
      leavesBy: 'account',
      accountId: Number(account.id),
      leaves: noLocation,
      email: 'resident@maplegrove.example',
    }
    const { body } = await as('resident', 'send/relocate/move', form(3, moving))
    const id = Number(body.number.slice(2)) - 100_000
    const readEnrollment = async () =>
      (
        await sql(
          `SELECT l.left_on::text AS "leftOn", p.ends_on::text AS "endsOn", p.state FROM linked_account l
           JOIN autopay p ON p.company_id = l.company_id AND p.id = $3 WHERE l.company_id = $1 AND l.account_id = $2`,
          [account.id, autopay.id],
        )
      )[0]
    expect(await readEnrollment()).toEqual({ leftOn: null, endsOn: null, state: 'active' })
    expect((await complete(id)).status).toBe(200)
    const endsOn = addDays(day(5), 45)
    expect(await readEnrollment()).toEqual({ leftOn: day(5), endsOn, state: 'active' })
    const { body: registrationView } = await as('resident', 'return/registration', { id: registered.id })
    expect(registrationView).toMatchObject({
      location: '4 Oak Street',
      number: registered.number,
      snapshots: [{ no: 1 }],
    })
    const emails = await portal.emails()
    const emailMessage = emails.findLast(({ subject }) => subject === `Your move request ${body.number} is complete`)
    expect(emailMessage?.text_body).toContain(`AutoPay for this account will continue until`)
    expect(emailMessage?.text_body).toContain(registered.number)

    await endExpiredEnrollments(portal.context, await companyOf(), endsOn)
    expect((await readEnrollment())?.state).toBe('active')
    await endExpiredEnrollments(portal.context, await companyOf(), addDays(endsOn, 1))
    expect((await readEnrollment())?.state).toBe('ended')
    await endExpiredEnrollments(portal.context, await companyOf(), addDays(endsOn, 1))
    const off = (await portal.emails()).filter(({ subject }) => subject === 'AutoPay is off for account 770077')
    expect(off).toHaveLength(1)
  })
})

async function companyOf() {
  const testCompany = await portal.context.hosts.byId(maple)
  if (!testCompany) throw new Error('the town is not there')
  return testCompany
}

describe('completion of a move', () => {
  const finish = (id: number, more: object = {}) =>
    as('admin', 'muni/complete/move', { subjectId: id, finalRead: '', firstRead: '', ...more })

  /** Creates a move out of the resident's account with a last meter reading of 613.5. */
  async function movesOut(number: string) {
    const { rows } = await portal.owner.query(
      `WITH a AS (INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
         VALUES ($1, $2, 'Naomi Whitaker', $3, 'Maple Grove', 'PA', '17011') RETURNING id),
       l AS (INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
         SELECT $1, p.id, a.id, now() FROM person p, a WHERE p.email = 'resident@maplegrove.example')
       INSERT INTO meter_reading (company_id, account_id, meter_number, read_date, service, unit, reading, used, days, kind, imported_at)
       SELECT $1, a.id, 'M1', '2026-10-31', 'Water', 'CCF', 613.5, 5, 30, 'actual', now() FROM a RETURNING account_id AS id`,
      [maple, number, `${number} Mill Lane`],
    )
    const accountId = Number(rows[0].id)
    const request = form(2, { leavesBy: 'account', accountId, leaves: noLocation, leavesOn: day(3) })
    const { body } = await as('resident', 'send/relocate/move', request)
    return { id: Number(body.number.slice(2)) - 100_000, token: body.token, accountId }
  }

  test('refuses a final reading below the last one until it is confirmed', async () => {
    const { id } = await movesOut('M900')
    const caseView = (await as('admin', 'muni/return/move', { subjectId: id })).body
    expect(caseView.lastRead).toEqual({ reading: 613.5, on: '2026-10-31' })
    const low = await finish(id, { finalRead: '1' })
    expect([low.status, low.body.details.fields.finalRead]).toEqual([422, expect.stringContaining('613.5')])
    expect((await finish(id, { finalRead: '1', isBelow: true })).status).toBe(200)
    const fine = await movesOut('M901')
    expect((await finish(fine.id, { finalRead: '613.75' })).status).toBe(200)
    expect((await as('admin', 'muni/return/move', { subjectId: fine.id })).body.move.finalRead).toBe(613.75)
  })

  test('completes the work order of an entered reading and names open ones', async () => {
    const { departmentId } = (await as('admin', 'muni/create/municipality/department', { name: 'Meters of moves' }))
      .body
    const { settings } = (await as('admin', 'muni/return/move/settings')).body
    const basis = settings
    await as('admin', 'muni/save/move/settings', { ...settings, readsBy: departmentId, basis })
    const [read, unread] = [await movesOut('M902'), await movesOut('M903')]
    const ordersOf = async (id: number) => (await as('admin', 'muni/return/move', { subjectId: id })).body.orders
    const [order] = await ordersOf(read.id)
    expect((await finish(read.id, { finalRead: '700' })).body.message).toContain(
      `Work orders completed: ${order.number}`,
    )
    expect(await ordersOf(read.id)).toMatchObject([{ status: 2 }])
    const [open] = await ordersOf(unread.id)
    expect((await finish(unread.id)).body.message).toContain(`because the reading is missing: ${open.number}`)
    expect(await ordersOf(unread.id)).toMatchObject([{ status: 0 }])
    await as('admin', 'muni/save/move/settings', { ...settings, basis: { ...settings, readsBy: departmentId } })
  })

  test('shows the effect of the account’s AutoPay on the final bill', async () => {
    const { id, token, accountId } = await movesOut('M904')
    const readTexts = async () => [
      (await guest('return/relocate/move', { token })).body.autopay,
      (await as('admin', 'muni/return/move', { subjectId: id })).body.autopay,
    ]
    expect(await readTexts()).toEqual(['', ''])
    await portal.owner.query(
      `WITH k AS (INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label,
           mandate_text, mandate_at, mandate_address, mandate_device, created_at)
         SELECT $1, id, 1, 'sandbox', '', 'pm_of_moves', 'Visa ending 4242', 'I agree.', now(), '127.0.0.1', '', now()
         FROM person WHERE email = 'resident@maplegrove.example' RETURNING id, person_id)
       INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before, day_of_month, enrolled_at, search_text)
       SELECT $1, person_id, 'utility', $2, 'M904', id, 'active', 'due', 0, 0, now(), 'm904' FROM k`,
      [maple, accountId],
    )
    for (const text of await readTexts()) expect(text).toContain('AutoPay for account M904 will continue until')
    const { accounts, autopayDays } = (await as('resident', 'return/relocate/choices')).body
    expect(accounts).toContainEqual(expect.objectContaining({ number: 'M904', autopay: true }))
    expect(autopayDays).toBeGreaterThan(0)
  })
})
