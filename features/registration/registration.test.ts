import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { addDays } from '../../shared/dates.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { dueOn } from './rules.ts'
import { reviewRegistrations } from './server/review-registrations.ts'

/**
 * Tests registrations end to end: submission, verification, yearly confirmation, changes, transfer, and access by first
 * responders.
 */

const HOST = 'maplegrove.localhost'
const TODAY = '2026-11-22'
const portal = await testPortal()
let company: CompanyId
let tokens: Record<string, string> = {}
let home = 0

const signInAll = async () => {
  for (const role of ['resident', 'newcomer', 'admin', 'staff'])
    tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
}

beforeAll(async () => {
  portal.clock.set(`${TODAY}T17:00:00.000Z`)
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await portal.owner.query(
    `WITH map AS (INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9) ON CONFLICT DO NOTHING)
     INSERT INTO street (company_id, name, name_key) VALUES ($1, 'Quarry Court', 'quarry court') RETURNING id`,
    [company],
  )
  const { rows } = await portal.owner.query(
    `INSERT INTO address (company_id, street_id, house_number, number, city, state, zipcode, lat, lon, at)
     SELECT $1, s.id, n, n, 'Maple Grove', 'PA', '17011', 40.2, -76.9, point(0, 0)
     FROM street s, generate_series(7, 12) AS n WHERE s.company_id = $1 AND s.name = 'Quarry Court' ORDER BY n RETURNING id`,
    [company],
  )
  home = Number(rows[0].id)
  for (const [index, { id }] of rows.slice(1).entries())
    others.push({ ...locationInput(`${index + 8} Quarry Court`), addressId: Number(id) })
  await signInAll()
})

const callApi = (path: string, body: object, role = 'resident') =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
const locationInput = (text = '7 Quarry Court') => ({ text, addressId: home, lat: null, lon: null, metres: null })
const person = { first_name: 'Naomi', last_name: 'Whitaker', relation: '1' }
const household = {
  household_name: 'Whitaker',
  property_type: '1',
  people: [person],
  pets: [{ name: 'Biscuit', animal: 'Dog' }],
  needs: ['oxygen'],
  key_holder: 'Mrs. Ames, 717 555 0148',
  consent: true,
  alerts: ['a', 'r'],
}
const rental = {
  property_name: 'Quarry Court Flats',
  owner_name: 'Naomi Whitaker',
  managed_by: '1',
  units: [{ unit: '1A', bedrooms: '2', tenant: 'Tess Orlov' }],
  contacts: [{ name: 'Naomi', phone: '7175550148' }],
}
const send = (kind: number, answers: object, role = 'resident', where: object = locationInput()) =>
  callApi('send/registration', { kind, location: where, answers }, role)
/** Addresses for more households, because each address accepts only one household. */
const others: object[] = []
const sendElsewhere = async (answers: object) => (await send(1, answers, 'resident', others.shift())).body
const readRegistration = async (id: number, role = 'resident') =>
  (await callApi('return/registration', { id }, role)).body
const inReport = async (id: number) => (await callApi('muni/return/registration', { id }, 'staff')).body
const emailsTo = async (subjectPattern: RegExp) =>
  (await portal.emails()).filter(({ subject }) => subjectPattern.test(subject))
const noonOf = async (day: string): Promise<void> => {
  portal.clock.set(`${day}T17:00:00.000Z`)
  await signInAll()
  await reviewRegistrations(portal.context)
}

describe('days around a confirmation', () => {
  test.each([
    [-41, 0, false],
    [-40, 1, false],
    [-15, 1, false],
    [-14, 2, false],
    [-1, 2, false],
    [0, 2, false],
    [1, 2, true],
  ])('%i days from the deadline: sends %i reminders, lapsed %s', (days, reminders, lapsed) => {
    expect(dueOn('2027-03-01', addDays('2027-03-01', days))).toEqual({ reminders, lapsed })
  })
})

test('registers a household immediately at a known address', async () => {
  const invalidResponse = await send(1, { ...household, people: [] })
  expect([invalidResponse.status, Object.keys(invalidResponse.body.details.fields)]).toEqual([422, ['people']])
  const nowhere = await callApi('send/registration', {
    kind: 1,
    answers: household,
    location: { ...locationInput('Somewhere'), addressId: null },
  })
  expect([nowhere.status, nowhere.body.details.fields.location]).toEqual([
    422,
    expect.stringContaining('addresses on our list'),
  ])
  const { body } = await send(1, household)
  expect(body).toMatchObject({ success: true, number: expect.stringMatching(/^H-1\d{5}$/) })
  expect(await readRegistration(body.id)).toMatchObject({
    status: 'registered',
    confirmBy: '2027-11-22',
    answers: { household_name: 'Whitaker', people: [person] },
    can: { confirm: false, edit: true, offer: false },
  })
  expect(await emailsTo(new RegExp(`^Your registration ${body.number} is valid$`))).toHaveLength(1)
  // Other people cannot see the registration, and the database stores its answers encrypted.
  expect((await callApi('return/registration', { id: body.id }, 'newcomer')).status).toBe(404)
  const { rows } = await portal.owner.query('SELECT r::text AS all FROM registration r WHERE id = $1', [body.id])
  expect(rows[0].all).not.toMatch(/Biscuit|oxygen|Ames/)
})

test('proposes a known address and the registering person', async () => {
  await portal.owner.query(
    `UPDATE person SET service_address = '12 Quarry Court' WHERE company_id = $1 AND email = 'newcomer@maplegrove.example'`,
    [company],
  )
  const newRegistration = (await callApi('return/new/registration', { kind: 1 }, 'newcomer')).body
  expect(newRegistration.location).toMatchObject({
    text: expect.stringMatching(/^12 Quarry Court/),
    addressId: expect.any(Number),
  })
  expect(newRegistration.start.people).toEqual([
    { first_name: expect.any(String), last_name: expect.any(String), relation: '1' },
  ])
  // The portal finds the listed address that matches the entered text, because only one address matches.
  const typed = { text: '12 quarry ct', addressId: null, lat: null, lon: null, metres: null }
  const sent = await send(1, { ...household, people: newRegistration.start.people }, 'newcomer', typed)
  expect(sent.body).toMatchObject({ success: true })
})

test('refuses a second household but not a second rental at one address', async () => {
  const { number } = (await callApi('return/new/registration', { kind: 1 })).body.already[0]
  for (const where of [locationInput(), { ...locationInput('7 QUARRY court,  Maple Grove'), addressId: home }])
    expect(await send(1, household, 'resident', where)).toMatchObject({
      status: 422,
      body: { message: `You have already registered this household. Change registration ${number} instead.` },
    })
  const { id } = (await send(3, rental)).body
  expect((await send(3, { ...rental, property_name: 'Behind it' })).status).toBe(200)
  expect(
    (await callApi('return/new/registration', { kind: 3 })).body.already.map((one: { id: number }) => one.id),
  ).toContain(id)
})

test('saves a draft and resumes it on another device', async () => {
  const newRegistration = (await callApi('return/new/registration', { kind: 2 })).body
  expect(newRegistration).toMatchObject({ isDraft: false, version: 1 })
  const raw = { business_name: 'Corner Books' }
  expect((await callApi('save/registration/draft', { kind: 2, version: 1, raw })).status).toBe(200)
  expect((await callApi('return/new/registration', { kind: 2 })).body).toMatchObject({ isDraft: true, start: raw })
  expect((await callApi('return/registrations', {})).body.drafts).toEqual([2])
  expect((await callApi('return/registrations', {}, 'newcomer')).body.drafts).toEqual([])
})

test('passes through a question, an answer and verification by staff', async () => {
  const { id, number } = (await send(3, rental)).body
  const step = (event: string, reason?: string, role = 'staff') =>
    callApi('muni/transition/registration', { id, event, reason }, role)
  expect(await inReport(id)).toMatchObject({ status: 'pending', can: { steps: { verify: true, request_info: true } } })
  expect((await step('request_info')).status).toBe(422)
  expect((await step('request_info', 'Which unit is the manager in?')).status).toBe(200)
  expect(await readRegistration(id)).toMatchObject({
    status: 'more_info_needed',
    text: 'Which unit is the manager in?',
  })
  expect(await emailsTo(new RegExp(`^A question about your registration ${number}$`))).toHaveLength(1)
  const again = await step('request_info', 'And the second?')
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('More information needed')])
  const answers = { ...rental, units: [...rental.units, { unit: '1B' }] }
  expect((await callApi('save/registration', { id, location: locationInput(), answers })).status).toBe(200)
  expect(await readRegistration(id)).toMatchObject({ status: 'pending', snapshots: [{ no: 1 }] })
  const before = (await callApi('muni/return/registration/snapshot', { id, no: 1 }, 'staff')).body
  expect(before.answers.units).toHaveLength(1)
  expect((await callApi('muni/verify/registrations', { ids: [id] }, 'staff')).body.verified).toBe(1)
  expect(await inReport(id)).toMatchObject({ status: 'registered', inspectBy: '2028-11-22' })
  expect((await callApi('muni/verify/registrations', { ids: [id] }, 'resident')).status).toBe(403)
})

test('merges changes of different fields and reports a conflict otherwise', async () => {
  const { id } = await sendElsewhere(household)
  const { answers, where } = await readRegistration(id)
  const basis = { ...answers, location: where }
  const save = (more: object) =>
    callApi('save/registration', { id, location: where, answers: { ...answers, ...more }, basis })
  expect((await save({ household_name: 'Whitaker and Lee' })).status).toBe(200)
  expect((await save({ key_holder: 'The neighbor' })).status).toBe(200)
  expect((await readRegistration(id)).answers).toMatchObject({
    household_name: 'Whitaker and Lee',
    key_holder: 'The neighbor',
  })
  const both = await save({ household_name: 'Lee' })
  expect([both.status, both.body.code]).toEqual([409, 'edit_conflict'])
})

test('shows first responders only shared details and audits each view', async () => {
  await send(1, { ...household, household_name: 'Hidden', consent: false }, 'newcomer')
  const { registrations } = (await callApi('muni/view/premises', { location: locationInput() }, 'admin')).body
  expect(registrations.map(({ name }: { name: string }) => name)).not.toContain('Hidden')
  expect(registrations[0].details).toContainEqual({ label: 'Number of people', value: '1' })
  const detailsText = JSON.stringify(registrations[0].details)
  expect(detailsText).toMatch(/uses oxygen/)
  expect(detailsText).not.toMatch(/Notify me about/)
  expect((await callApi('muni/view/premises', { location: locationInput() }, 'staff')).status).toBe(403)
  const { rows } = await portal.owner.query(
    `SELECT count(*)::int AS n FROM audit_event WHERE action = 'registration.viewed'`,
  )
  expect(rows[0].n).toBe(registrations.length)
})

test('transfers a registration by an emailed link that works once', async () => {
  const { id, number } = (await send(3, { ...rental, property_name: 'Mill House' })).body
  expect((await callApi('offer/registration', { id, email: 'newcomer@maplegrove.example' })).status).toBe(409)
  await callApi('muni/transition/registration', { id, event: 'verify' }, 'staff')
  const offered = async (email: string) => {
    expect((await callApi('offer/registration', { id, email })).status).toBe(200)
    const emailMessage = (await emailsTo(new RegExp(`wants to transfer registration ${number} to you$`))).find(
      ({ to_address }) => to_address === email,
    )
    return /offer=([\w-]+)/.exec(JSON.stringify(emailMessage))?.[1] ?? ''
  }
  // If the recipient forwards the link, no one else can use it.
  const forwarded = await offered('somebody@example.org')
  for (const path of ['return/offered/registration', 'accept/registration'])
    expect((await callApi(path, { token: forwarded }, 'newcomer')).body).toMatchObject({ code: 'other_recipient' })
  const token = await offered('Newcomer@maplegrove.example')
  expect((await callApi('return/offered/registration', { token }, 'newcomer')).body).toMatchObject({
    number,
    from: 'Naomi Whitaker',
  })
  const accepted = await Promise.all([
    callApi('accept/registration', { token }, 'newcomer'),
    callApi('accept/registration', { token }, 'newcomer'),
  ])
  expect(accepted.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await callApi('return/registration', { id })).status).toBe(404)
  expect(await readRegistration(id, 'newcomer')).toMatchObject({ number, status: 'pending', offer: null })
})

test('lets staff add questions but not remove required fields', async () => {
  const { draft } = (await callApi('muni/return/registration/fields', { kind: 1 }, 'staff')).body
  const without = {
    steps: draft.steps.map((step: { fields: { name: string }[] }) => ({
      ...step,
      fields: step.fields.filter(({ name }) => name !== 'consent'),
    })),
  }
  await callApi('muni/save/registration/fields', { kind: 1, definition: without }, 'staff')
  expect((await callApi('muni/publish/registration/fields', { kind: 1, definition: without }, 'staff')).status).toBe(
    422,
  )
  const [first, ...rest] = draft.steps
  const well = { ...first.fields[0], name: 'well', label: 'Is there a well?', required: false }
  const more = { steps: [{ ...first, fields: [...first.fields, well] }, ...rest] }
  await callApi('muni/save/registration/fields', { kind: 1, definition: more }, 'staff')
  expect((await callApi('muni/publish/registration/fields', { kind: 1, definition: more }, 'staff')).body.version).toBe(
    2,
  )
  const [one] = (await callApi('return/registrations', {})).body.registrations.filter(
    ({ kind }: { kind: number }) => kind === 1,
  )
  const stored = await readRegistration(one.id)
  expect(JSON.stringify(stored.definition)).not.toContain('well')
  expect(JSON.stringify(stored.newest)).toContain('well')
})

test('requests a confirmation after 40 and 14 days’ notice, or lapses', async () => {
  const { id, number } = await sendElsewhere({ ...household, household_name: 'Year' })
  const other = await sendElsewhere({ ...household, household_name: 'Late' })
  const reminders = () => emailsTo(new RegExp(`^Please confirm registration ${number} by`))
  await noonOf('2027-10-12')
  expect(await readRegistration(id)).toMatchObject({ status: 'registered' })
  await noonOf('2027-10-13')
  await reviewRegistrations(portal.context)
  expect([(await readRegistration(id)).status, (await reminders()).length]).toEqual(['due', 1])
  await noonOf('2027-11-08')
  await reviewRegistrations(portal.context)
  expect(await reminders()).toHaveLength(2)
  await noonOf('2027-11-22')
  expect((await readRegistration(other.id)).status).toBe('due')
  expect((await callApi('confirm/registration', { id })).status).toBe(200)
  expect(await readRegistration(id)).toMatchObject({
    status: 'registered',
    confirmBy: '2028-11-22',
    number,
    snapshots: [{ no: 1 }],
  })
  expect((await callApi('confirm/registration', { id })).status).toBe(409)
  await noonOf('2027-11-23')
  expect((await readRegistration(other.id)).status).toBe('lapsed')
  // Staff must review a lapsed registration before it is valid again.
  expect((await callApi('confirm/registration', { id: other.id })).status).toBe(200)
  expect(await readRegistration(other.id)).toMatchObject({ status: 'pending', number: other.number })
})

test('does not renew a rental property with an overdue inspection', async () => {
  const { id } = (await send(3, { ...rental, property_name: 'Overdue' })).body
  await callApi('muni/transition/registration', { id, event: 'verify' }, 'staff')
  await portal.owner.query(`UPDATE registration SET inspect_by = '2027-12-01' WHERE id = $1`, [id])
  await noonOf('2028-10-20')
  expect((await readRegistration(id)).status).toBe('due')
  expect((await callApi('confirm/registration', { id })).status).toBe(200)
  expect((await readRegistration(id)).status).toBe('pending')
})

test('requires a parcel for a rental property if the company wants it', async () => {
  const settings = {
    listedAddressOnly: true,
    householdAtOnce: true,
    renewAtOnce: true,
    inspectionMonths: 24,
    onParcel: true,
  }
  expect(await callApi('muni/save/registration/settings', settings, 'admin')).toMatchObject({ status: 200 })
  const refused = await send(3, rental)
  expect([refused.status, refused.body.details.fields.location]).toEqual([422, expect.stringContaining('no parcel')])
  // This company accepts a household at any address.
  expect(await sendElsewhere(household)).toMatchObject({ success: true })
  await portal.owner.query(
    `INSERT INTO parcel (company_id, parcel_number, number_key, address, owner_name, land_use, lat, lon, at)
     VALUES ($1, '12-034', '12034', '7 Quarry Court', 'Quarry Holdings', 'Residential', 40.2, -76.9, point(0, 0))`,
    [company],
  )
  const { status, body } = await send(3, rental)
  expect(status).toBe(200)
  expect((await inReport(body.id)).parcel).toEqual({
    number: '12-034',
    owner: 'Quarry Holdings',
    landUse: 'Residential',
  })
})

test('keeps the address of a draft for another device until the registration is sent', async () => {
  const opened = async () => (await callApi('return/new/registration', { kind: 3 })).body
  const { version, start } = await opened()
  const location = locationInput('11 Quarry Court')
  const keep = { kind: 3, version, raw: start, before: start }
  await callApi('save/registration/draft', { ...keep, location: { ...location, addressId: null } })
  await callApi('save/registration/draft', keep)
  expect((await opened()).location).toMatchObject({ text: expect.stringContaining('11 Quarry Court') })
  expect((await callApi('return/new/registration', { kind: 3 }, 'newcomer')).body.location.text).toBe('')
  expect((await callApi('return/registrations', {})).body.drafts.filter((kind: number) => kind === 3)).toEqual([3])
  expect((await send(3, { ...rental, property_name: 'Eleven' })).status).toBe(200)
  expect((await opened()).location.text).toBe('')
})

test('merges a draft from two devices and names foreign changes', async () => {
  const { version, start } = (await callApi('return/new/registration', { kind: 2 })).body
  const saveDraft = async (raw: object, before: object) =>
    (await callApi('save/registration/draft', { kind: 2, version, raw, before })).body
  const phone = { ...start, business_name: 'Whitaker Bakery' }
  expect(await saveDraft(phone, start)).toMatchObject({ others: [] })
  const { others } = await saveDraft({ ...start, trade: 'A bakery' }, start)
  expect(others).toHaveLength(1)
  const merged = (await callApi('return/new/registration', { kind: 2 })).body.start
  expect(merged.business_name).toBe('Whitaker Bakery')
})
