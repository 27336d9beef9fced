import { beforeAll, describe, expect, test } from 'vitest'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { NO_PROFILE } from './list.ts'

const MAPLE = 'maplegrove.localhost'

interface Row {
  id: number
  name: string
  email: string
  accountNumber: string
  phone: string
  serviceAddress: string
  linkedAccounts: string
  can: { impersonate: boolean }
}

let portal: TestPortal
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  for (const role of ['staff', 'admin', 'resident'])
    tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
})

const callApi = async (body: object, role = 'admin') => {
  const query = { filters: {}, direction: 'asc', ...body }
  return portal.post(MAPLE, 'muni/return/utility/customers', query, { token: tokens[role] ?? '' })
}
const rowsOf = async (body: object, role?: string): Promise<Row[]> => (await callApi(body, role)).body.rows

describe('list of utility customers', () => {
  test('pages by key in both directions, each row once', async () => {
    const seen: number[] = []
    let cursor: string | undefined
    let previous = ''
    for (let page = 0; page < 4; page++) {
      const { body } = await callApi({ cursor, pageSize: 25 })
      seen.push(...body.rows.map(({ id }: Row) => id))
      cursor = body.next
      previous = body.previous
    }
    expect(new Set(seen).size).toBe(100)
    const back = await rowsOf({ cursor: previous, pageSize: 25 })
    expect(back.map(({ id }) => id)).toEqual(seen.slice(50, 75))
  })

  test('shows profiles with all accounts only to staff with the privilege', async () => {
    const [row] = await rowsOf({ filters: { accountNumber: '100014' } })
    expect(row).toMatchObject({ accountNumber: '100014', email: 'resident@maplegrove.example' })
    expect(row?.linkedAccounts).toContain('100014')
    expect(row?.can.impersonate).toBe(true)
    const [seen] = await rowsOf({ filters: { accountNumber: '100014' } }, 'staff')
    expect(seen?.can.impersonate).toBe(false)
    const without = (await rowsOf({ pageSize: 100 })).filter(({ email }) => email === NO_PROFILE)
    expect(without.length).toBeGreaterThan(0)
    expect(without.some(({ can }) => can.impersonate)).toBe(false)
  })

  test('searches by each field and by any text', async () => {
    const row = (await rowsOf({ filters: { accountNumber: '100014' } }))[0] as Row
    const part = (text: string) => text.slice(1, 7).toUpperCase()
    for (const filters of [
      { name: part(row.name) },
      { serviceAddress: part(row.serviceAddress) },
      { email: 'RESIDENT@maple' },
      ...(row.phone ? [{ phone: `${row.phone.slice(0, 3)}-${row.phone.slice(3, 6)}-${row.phone.slice(6)}` }] : []),
    ])
      expect((await rowsOf({ filters, pageSize: 100 })).map(({ id }) => id)).toContain(row.id)
    for (const search of ['100014', row.name, 'resident@maplegrove'])
      expect((await rowsOf({ search })).map(({ id }) => id)).toContain(row.id)
    expect(await rowsOf({ filters: { name: '%' } })).toEqual([])
    expect(await rowsOf({ filters: { name: row.name, accountNumber: 'no such' } })).toEqual([])
  })

  test('finds words of a name or any text in any order', async () => {
    const row = (await rowsOf({ filters: { accountNumber: '100014' } }))[0] as Row
    const turned = row.name.split(' ').toReversed().join('  ')
    for (const question of [
      { filters: { name: turned } },
      { search: turned },
      { search: `resident@ 100014 ${turned}` },
    ])
      expect(
        (await rowsOf(question)).map(({ id }) => id),
        JSON.stringify(question),
      ).toContain(row.id)
    const profiles = { filters: { profiles: true, name: 'Nobody Newcomer' } }
    expect(await rowsOf(profiles)).toEqual([])
    const [newcomer] = await rowsOf({ filters: { profiles: true, email: 'newcomer@' } })
    const name = newcomer?.name.split(' ').toReversed().join(' ')
    for (const question of [
      { filters: { profiles: true, name } },
      { search: `${name} newcomer@`, filters: { profiles: true } },
    ])
      expect(
        (await rowsOf(question)).map(({ id }) => id),
        JSON.stringify(question),
      ).toContain(newcomer?.id)
  })

  test('finds profiles without an account', async () => {
    const rows = await rowsOf({ filters: { profiles: true } })
    expect(rows.map(({ email }) => email)).toContain('newcomer@maplegrove.example')
    expect(rows.map(({ email }) => email)).not.toContain('resident@maplegrove.example')
    const [profile] = await rowsOf({ filters: { profiles: true, email: 'newcomer' } })
    expect(profile).toMatchObject({
      email: 'newcomer@maplegrove.example',
      linkedAccounts: '',
      can: { impersonate: true },
    })
  })

  test('refuses a forged cursor, and residents', async () => {
    const cursor = Buffer.from(JSON.stringify(['a\0b', 1, 0])).toString('base64url')
    expect((await callApi({ cursor })).status).toBe(400)
    expect((await callApi({}, 'resident')).status).toBe(403)
  })

  test('exports the matches as CSV', async () => {
    const { body } = await portal.post(
      MAPLE,
      'muni/export/utility/customers',
      { direction: 'asc', filters: { email: 'resident@' } },
      { token: tokens['staff'] ?? '' },
    )
    const { body: csv } = await portal.get(MAPLE, body.url)
    const lines = String(csv).trim().split('\n')
    expect(lines[0]).toBe('Name,Email,Service Address,Phone,Account Number,Linked Accounts')
    expect(lines[1]).toContain('resident@maplegrove.example')
  })
})

describe('properties and their customers', () => {
  const properties = (body: object, role = 'admin') =>
    portal.post(MAPLE, 'muni/return/property/customers', { filters: {}, ...body }, { token: tokens[role] ?? '' })
  const property = (parcelId: number, role = 'admin') =>
    portal.post(MAPLE, 'muni/return/property', { parcelId }, { token: tokens[role] ?? '' })

  test('show accounts at the address and its units with open amounts', async () => {
    const { rows } = await portal.owner.query(
      `WITH p AS (SELECT * FROM parcel WHERE company_id = (SELECT id FROM company WHERE subdomain = 'maplegrove') AND address LIKE '2__ %' ORDER BY id LIMIT 1),
       made AS (INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
         SELECT p.company_id, v.number, v.name, v.street, 'Maple Grove', 'PA', '17011' FROM p, LATERAL (VALUES
           ('900001', 'Olive Marsh', upper(p.address)), ('900002', 'Peter Marsh', p.address || ' Apt 2'),
           ('900003', 'Not There', '1' || p.address), ('900004', 'Nor There', p.address || 'field')) AS v(number, name, street) RETURNING 1),
       taxed AS (INSERT INTO general_charge (company_id, type_id, item_number, item_key, payer_name, amount_cents, created_at, at)
         SELECT p.company_id, t.id, p.parcel_number, lower(p.number_key), 'Olive Marsh', 12345, now(), now()
         FROM p JOIN LATERAL (SELECT id FROM payment_type t WHERE t.company_id = p.company_id ORDER BY id LIMIT 1) t ON true
         ON CONFLICT (company_id, type_id, item_key) DO UPDATE SET amount_cents = 12345, paid_cents = 0 RETURNING 1)
       SELECT p.id::int, p.address, p.parcel_number AS number FROM p`,
    )
    const [{ id, address, number }] = rows
    const matches = (await properties({ search: number })).body.rows
    const row = matches.find((one: { id: number }) => one.id === id)
    expect(row).toMatchObject({ parcel: number, address })
    expect(row.accounts).toContain('900001, 900002')
    expect(row.customers).not.toContain('There')
    const { body } = await property(id)
    const testAccounts = body.accounts.filter((account: { number: string }) => account.number.startsWith('90000'))
    expect(testAccounts).toMatchObject([
      { number: '900001', name: 'Olive Marsh', owedCents: 0, since: null },
      { number: '900002', address: `${address} Apt 2` },
    ])
    expect(body.openItems).toMatchObject([{ number, owedCents: 12345 }])
  })

  test('finds properties by street and zone for staff who may see accounts', async () => {
    const { rows: zones } = await portal.owner.query(
      `SELECT z.name, count(*)::int AS parcels FROM zone z JOIN zone_ring g ON g.company_id = z.company_id AND g.zone_id = z.id AND g.ring = 0
       JOIN parcel p ON p.company_id = z.company_id AND p.at <@ g.shape
       WHERE z.company_id = (SELECT id FROM company WHERE subdomain = 'maplegrove') GROUP BY z.id, z.name
       HAVING count(*) BETWEEN 1 AND 9000 ORDER BY z.name LIMIT 1`,
    )
    const [zone] = zones
    const inZone = await properties({ filters: { zone: zone.name } })
    expect(inZone.body.count).toBeGreaterThan(0)
    // A zone's area can have holes. Parcels in a hole are outside the zone.
    expect(inZone.body.count).toBeLessThanOrEqual(zone.parcels)
    for (const { id } of inZone.body.rows.slice(0, 3))
      expect((await property(id)).body.zones.map(({ name }: { name: string }) => name)).toContain(zone.name)
    const { rows: streets } = await portal.owner.query(
      `SELECT name FROM street WHERE company_id = (SELECT id FROM company WHERE subdomain = 'maplegrove') ORDER BY name LIMIT 1`,
    )
    const onStreet = (await properties({ filters: { street: streets[0].name } })).body.rows
    expect(onStreet.length).toBeGreaterThan(0)
    for (const { address } of onStreet) expect(address).toContain(streets[0].name)
    expect((await properties({}, 'resident')).status).toBe(403)
    expect((await property(999_999_999)).status).toBe(404)
  })
})
