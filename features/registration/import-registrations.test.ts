import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { openTestCompany } from '../../test/company.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { importerOf } from '../../test/imported-records.ts'
import { reviewRegistrations } from './server/review-registrations.ts'

const HOST = 'maplegrove.localhost'
const TODAY = '2026-11-22'
const RESIDENT = 'resident@maplegrove.example'
const HEAD =
  'number,kind,name,email,account,address,registered,confirmation due,inspection due,status,units,emergency contact,phone of the contact,people,pets,consent'
const portal = await testPortal()
let company: CompanyId
let tokens: Record<string, string> = {}
let made = 0

const signInAll = async () => {
  for (const role of ['resident', 'admin', 'staff'])
    tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
}
beforeAll(async () => {
  portal.clock.set(`${TODAY}T17:00:00.000Z`)
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  await portal.owner.query(
    `WITH map AS (INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9) ON CONFLICT DO NOTHING)
     INSERT INTO street (company_id, name, name_key) VALUES ($1, 'Quarry Court', 'quarry court')`,
    [company],
  )
  await portal.owner.query(
    `INSERT INTO address (company_id, street_id, house_number, number, city, state, zipcode, lat, lon, at)
     SELECT $1, s.id, n, n, 'Maple Grove', 'PA', '17011', 40.2, -76.9, point(0, 0)
     FROM street s, generate_series(1, 99) AS n WHERE s.company_id = $1 AND s.name = 'Quarry Court'`,
    [company],
  )
  await signInAll()
})

const callApi = (path: string, body: object, role = 'admin') =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
const importer = () => importerOf(portal, HOST, tokens['admin'] ?? '')
const imported = (lines: string[], more: Parameters<ReturnType<typeof importerOf>>[2] = {}, head = HEAD) =>
  importer()('registrations', [head, ...lines].join('\n'), { rowErrors: 'leave out', ...more })
/** Returns the line of a rental property of the resident, with these values. */
const row = (more: Record<string, string> = {}) => {
  const values: Record<string, string> = {
    ...{ number: `R-${(made += 1)}`, kind: 'Rental property', email: RESIDENT, address: '7 Quarry Court' },
    ...{ registered: '2026-03-01', 'confirmation due': '2027-03-01' },
    ...more,
  }
  return HEAD.split(',')
    .map((column) => `"${values[column] ?? ''}"`)
    .join(',')
}
const rowOf = async (oldNumber: string) => {
  const { rows } = await portal.owner.query(
    `SELECT r.*, confirm_by::text, inspect_by::text, made_at::date::text AS made_on,
      (SELECT string_agg(event, ' ') FROM status_history h WHERE h.company_id = r.company_id AND machine = 'registration' AND subject_id = r.id) AS events
     FROM registration r WHERE old_number = $1`,
    [oldNumber],
  )
  return rows[0]
}
const emailCount = async () => (await portal.emails()).length
const noonOf = async (day: string): Promise<void> => {
  portal.clock.set(`${day}T17:00:00.000Z`)
  await signInAll()
  await reviewRegistrations(portal.context)
  await portal.runJobs()
}

describe('import of registrations', () => {
  test('keeps the old number, the days and the answers, and sends no email', async () => {
    const before = await emailCount()
    const { body } = await imported([
      row({
        ...{
          number: 'RR-1',
          name: 'Elm Court',
          address: '10 Quarry Court',
          units: '1A; 1B',
          'inspection due': '2027-06-01',
        },
        ...{ 'emergency contact': 'Bo Reese', 'phone of the contact': '717-555-0100', consent: 'yes' },
      }),
      row({ number: 'RR-2', address: '11 Quarry Court', units: '4' }),
      row({ number: 'BR-1', kind: 'Contractor', name: 'Reese Roofing', address: '12 Quarry Court' }),
      row({
        number: 'HH-1',
        kind: 'Household',
        address: '13 Quarry Court',
        people: 'Rose Ito; Ken Ito',
        pets: 'Juno (dog)',
      }),
    ])
    expect(body).toMatchObject({ imported: true, created: 4, errorCount: 0 })
    const elm = await rowOf('RR-1')
    expect(elm).toMatchObject({
      ...{ kind: 3, status: 'registered', name: 'Elm Court', units: 2, for_responders: true, events: 'import' },
      ...{ confirm_by: '2027-03-01', inspect_by: '2027-06-01', made_on: '2026-03-01', reminded: 0 },
      location: '10 Quarry Court, Maple Grove, PA 17011',
    })
    const { body: view } = await callApi('muni/return/registration', { id: elm.id })
    expect(view).toMatchObject({ oldNumber: 'RR-1', email: RESIDENT, can: { steps: { end: true, verify: false } } })
    expect(view.answers).toMatchObject({
      ...{ property_name: 'Elm Court', units: [{ unit: '1A' }, { unit: '1B' }], consent: true },
      contacts: [{ name: 'Bo Reese', phone: '7175550100' }],
    })
    expect(await rowOf('RR-2')).toMatchObject({ name: '11 Quarry Court', units: 4, for_responders: false })
    expect(await rowOf('BR-1')).toMatchObject({ kind: 2, name: 'Reese Roofing' })
    expect(await rowOf('HH-1')).toMatchObject({ kind: 1, people: 2, pets: 1 })
    const report = await callApi('muni/return/registrations', { search: 'rr-1' }, 'staff')
    expect(report.body.rows).toMatchObject([{ number: elm.number, name: 'Elm Court' }])
    await portal.runJobs()
    expect(await emailCount()).toBe(before)
  })

  test('belongs to the owner, who confirms it for another year', async () => {
    await imported([
      row({ number: 'C-1', address: '14 Quarry Court', registered: '2025-11-30', 'confirmation due': '2026-11-30' }),
    ])
    const { id } = await rowOf('C-1')
    const { body } = await callApi('return/registrations', {}, 'resident')
    expect(body.registrations).toContainEqual(
      expect.objectContaining({ id, oldNumber: 'C-1', status: 'due', can: { confirm: true, edit: true } }),
    )
    expect((await callApi('confirm/registration', { id }, 'resident')).status).toBe(200)
    expect(await rowOf('C-1')).toMatchObject({ confirm_by: '2027-11-30', events: 'import_due confirm' })
  })

  test('counts the reminders of past days as sent', async () => {
    const before = await emailCount()
    await imported([
      row({ number: 'D-1', address: '15 Quarry Court', 'confirmation due': '2026-12-20' }),
      row({ number: 'D-2', address: '16 Quarry Court', 'confirmation due': '2026-11-21' }),
      row({
        number: 'D-3',
        address: '17 Quarry Court',
        status: 'Expired',
        'confirmation due': '2026-01-31',
        registered: '',
      }),
      row({ number: 'D-4', address: '18 Quarry Court', status: 'Sold', 'confirmation due': '' }),
      row({ number: 'D-5', address: '19 Quarry Court', status: 'Pending' }),
      row({ number: 'D-6', address: '20 Quarry Court', registered: '2019-12-15', 'confirmation due': '' }),
    ])
    expect(await rowOf('D-1')).toMatchObject({ status: 'due', reminded: 1 })
    expect((await rowOf('D-2')).status).toBe('lapsed')
    expect((await rowOf('D-3')).status).toBe('lapsed')
    expect((await rowOf('D-4')).status).toBe('ended')
    expect(await rowOf('D-5')).toMatchObject({ status: 'pending', confirm_by: null })
    // The next anniversary leaves time for all reminders.
    expect(await rowOf('D-6')).toMatchObject({ status: 'registered', confirm_by: '2027-12-15' })
    await noonOf(TODAY)
    expect(await emailCount()).toBe(before)
    await noonOf('2026-12-07')
    const reminders = (await portal.emails())
      .slice(before)
      .filter(({ text_body }) => text_body.includes('15 Quarry Court'))
    expect(reminders).toHaveLength(1)
    await noonOf(TODAY)
  })

  test('finds the owner by an account number', async () => {
    const { rows } = await portal.owner.query(
      `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
       SELECT $1, 'REG-' || n, 'Rose Ito', '1 Oak Street', 'Maple Grove', 'PA', '17011' FROM generate_series(1, 2) n
       RETURNING id, account_number`,
      [company],
    )
    await portal.owner.query(
      `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
       SELECT $1, id, $2, now() FROM person WHERE company_id = $1 AND email = $3`,
      [company, rows[0].id, RESIDENT],
    )
    const { body } = await imported([
      row({ number: 'E-1', email: '', account: rows[0].account_number, address: '21 Quarry Court' }),
      row({ number: 'E-2', email: '', account: rows[1].account_number, address: '22 Quarry Court' }),
    ])
    expect(body).toMatchObject({ created: 1, errorCount: 1 })
    expect(body.invalidRows[0]?.reason).toBe(
      `No resident has the account “${rows[1].account_number}”. Import the customers first.`,
    )
  })

  test('explains each invalid row', async () => {
    await portal.owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, is_active, password_hash, email_confirmed_at)
       VALUES ($1, 'gone@example.com', 1, 'Gone', 'Lee', 0, null, null), ($1, 'new@example.com', 1, 'New', 'Lee', 1, 'x', null)`,
      [company],
    )
    await imported([row({ number: 'F-0', kind: 'Household', address: '30 Quarry Court', name: 'Ito' })])
    const { number } = await rowOf('F-0')
    const invalid: [Record<string, string>, string][] = [
      [{ number: '' }, 'Enter the old number.'],
      [{ number: 'x'.repeat(41) }, '40'],
      [{ kind: 'Boat' }, '“Boat” in “Kind” was not found.'],
      [{ email: '' }, 'Enter the email of the owner, or an account number.'],
      [{ email: 'nobody@example.com' }, 'No resident has the email “nobody@example.com”. Import the customers first'],
      [{ email: 'admin@maplegrove.example' }, 'A staff member has an account with the email'],
      [{ email: 'gone@example.com' }, 'is inactive. Leave out the row.'],
      [{ email: 'new@example.com' }, 'The resident has not confirmed the email “new@example.com”.'],
      [{ email: '', account: 'NO-SUCH' }, 'No resident has the account “NO-SUCH”. Import the customers first.'],
      [{ address: '' }, 'Enter the address.'],
      [{ address: '99 Nowhere Lane' }, '“99 Nowhere Lane” is not on the list of addresses.'],
      [{ registered: 'spring' }, '“spring” in “Registered” is not a date.'],
      [{ registered: '2026-11-23' }, 'The day of registration is in the future.'],
      [{ 'confirmation due': '2026-02-30' }, '“2026-02-30” in “Confirmation due” is not a date.'],
      [{ 'confirmation due': '2026-02-28' }, 'The day of confirmation is before the day of registration.'],
      [
        { registered: '', 'confirmation due': '' },
        'Enter the day of registration, or the day of the next confirmation.',
      ],
      [{ 'inspection due': 'never' }, '“never” in “Inspection due” is not a date.'],
      [{ status: 'Lost' }, '“Lost” in “Status” was not found.'],
      [{ status: 'Denied' }, 'The registration was rejected. Leave out the row.'],
      [{ status: 'Expired' }, 'A lapsed registration has no day of confirmation in the future.'],
      [{ units: '101' }, 'A registration can have up to 100 units.'],
      [{ units: `A; ${'x'.repeat(21)}` }, 'In “Units”:'],
      [{ 'emergency contact': 'Bo Reese', 'phone of the contact': '555' }, 'In “Emergency contacts'],
      [{ kind: 'Business' }, 'Enter the name of the business.'],
      [{ kind: 'Household', name: 'x'.repeat(81) }, 'In “Household name”:'],
      [
        { kind: 'Household', pets: 'a dog' },
        'Enter each pet with its type, such as “Juno (dog)”. Separate pets with semicolons.',
      ],
      [{ kind: 'Household', people: 'Rose' }, 'In “People”:'],
      [{ kind: 'Household', address: '30 Quarry Court' }, `already has the registration ${number} at this address.`],
    ]
    const { body } = await imported(invalid.map(([values]) => row(values)))
    const reasonOf = (at: number) => body.invalidRows.find(({ where }) => where === `Line ${at + 2}`)?.reason
    for (const [at, [values, reason]] of invalid.entries())
      expect([values, reasonOf(at)]).toEqual([values, expect.stringContaining(reason)])
    expect(body).toMatchObject({ created: 0, errorCount: invalid.length })
  })

  test('changes nothing in a preview, or if the same file comes again', async () => {
    const lines = [
      row({ number: 'G-1', address: '31 Quarry Court' }),
      row({ number: 'G-1', kind: 'Business', name: 'Ito Books', address: '31 Quarry Court' }),
      row({ number: 'G-2', kind: 'Household', address: '32 Quarry Court' }),
    ]
    expect((await imported(lines, { mode: 'preview' })).body).toMatchObject({ imported: false, created: 3 })
    expect(await rowOf('G-1')).toBeUndefined()
    expect((await imported(lines)).body).toMatchObject({ created: 3, unchanged: 0 })
    const again = (await imported(lines)).body
    expect(again).toMatchObject({ created: 0, unchanged: 3, errorCount: 0 })
    expect(again.importId).toBeUndefined()
  })

  test('is not undone after the owner changed or staff ended it', async () => {
    const causesAfter = async (oldNumber: string, use: (id: number) => Promise<{ status: number }>) => {
      const { body } = await imported([row({ number: oldNumber, address: `${40 + made} Quarry Court` })])
      expect(await use((await rowOf(oldNumber)).id)).toMatchObject({ status: 200 })
      const undone = await callApi('muni/undo/import', { importId: body.importId })
      return [undone.status, undone.body.details?.causes]
    }
    const ended = await causesAfter('H-1', (id) =>
      callApi('muni/transition/registration', { id, event: 'end', reason: 'Sold' }),
    )
    expect(ended).toEqual([409, expect.arrayContaining(['edited'])])
    const offered = await causesAfter('H-2', (id) =>
      callApi('offer/registration', { id, email: 'buyer@example.com' }, 'resident'),
    )
    expect(offered).toEqual([409, ['linked']])
  })

  test('takes its sample file without questions', async () => {
    const { body: download } = await callApi('muni/download/import/sample', { kind: 'registrations', format: 'csv' })
    const sample = await portal.app.inject({ url: download.url, headers: { host: HOST } })
    const { body } = await importer()('registrations', sample.payload, { mode: 'preview', columns: '' })
    expect(body).toMatchObject({ read: 1, errorCount: 1, columns: { isOpen: false } })
    expect(body.invalidRows[0]?.reason).toContain('No resident has the email “ann@example.com”.')
  })

  test('needs the permission to change registrations', async () => {
    const asResident = importerOf(portal, HOST, tokens['resident'] ?? '')
    expect((await asResident('registrations', HEAD)).status).toBe(403)
  })
})
