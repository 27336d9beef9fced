import { beforeAll, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'

const admin = 'admin.localhost'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })
let token = ''

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(admin, 'super@mainstreet.example')
})

const form = {
  companyName: 'Pine Hollow',
  address: '1 Pine Street',
  city: 'Pine Hollow',
  state: 'PA',
  zip: '17020',
  phone: '717-555-0190',
  companyWebsite: 'www.pinehollow.example.org',
  subdomain: 'PineHollow',
  timeZone: 2,
  online: 1,
  intrigratesWithBilling: 1,
  isManagedServices: 0,
}
const create = (changes: object) =>
  portal.post(admin, 'admin/create/company/details', { ...form, ...changes }, { token })

describe('company creation', () => {
  it('opens a company at its host immediately, even after earlier requests', async () => {
    const before = await portal.post('pinehollow.localhost', 'return/company/id', { subdomain: 'pinehollow' })
    expect(before.body).toEqual({ company: null })
    const { status, body } = await create({ phone: '+1 717 555 0190' })
    expect([status, body]).toMatchObject([
      200,
      { success: true, message: 'Pine Hollow was created.', url: expect.stringContaining('//pinehollow.') },
    ])
    const after = await portal.post('pinehollow.localhost', 'return/company/id', { subdomain: 'pinehollow' })
    expect(after.body.company).toEqual({ id: body.companyId, name: 'Pine Hollow', is_online: 1 })
    const tiles = await portal.post('pinehollow.localhost', 'return/company/selections', {})
    expect(tiles.body.topServices.map((tile: { name: string }) => tile.name)).toEqual([
      'Utility Customer Portal',
      'Pay a Bill',
      'Get Stuff Done',
      'Communicate',
      'Move In / Move Out',
    ])
    expect(tiles.body.otherServices).toHaveLength(1)
    const { rows } = await portal.owner.query('SELECT count(*)::int AS n FROM ledger_account WHERE company_id = $1', [
      body.companyId,
    ])
    expect(rows[0].n).toBe(13)
    const footer = await portal.post('pinehollow.localhost', 'return/company/footer', {})
    expect(footer.body).toMatchObject({ name: 'Pine Hollow', phone_no: '7175550190', zipcode: '17020' })
  })

  it.each([
    ['companyName', 'Company Name is required.'],
    ['address', 'Address is required.'],
    ['city', 'City is Required.'],
    ['state', 'State is Required.'],
    ['zip', 'Zipcode is Required.'],
    ['phone', 'Phone number is Required.'],
    ['online', 'Online Status is Required.'],
    ['companyWebsite', 'Company website is Required.'],
    ['subdomain', 'Subdomain is Required.'],
    ['intrigratesWithBilling', 'Billing System intrigration is required.'],
    ['isManagedServices', 'Managed Services Status is Required.'],
  ])('requires %s', async (field, message) => {
    for (const empty of ['', null, undefined, ...(field === 'online' ? [] : ['   '])]) {
      const { status, body } = await create({ companyName: 'Other', subdomain: 'other', [field]: empty })
      expect([status, body.message, body.details.fields[field]]).toEqual([422, message, message])
    }
  })

  it.each([
    [{ state: 'PE' }, 'No US state or territory has this code. Enter a two-letter code, such as OH.'],
    [{ phone: '+44 20 7946 0958' }, 'Enter a 10-digit phone number.'],
  ])('refuses %j', async (invalid, message) => {
    expect((await create({ companyName: 'Other', subdomain: 'other', ...invalid })).body.message).toBe(message)
  })

  it('reports taken names first, then errors in form order and by field', async () => {
    const { status, body } = await create({
      companyName: ' maple grove',
      subdomain: 'MAPLEGROVE',
      city: '',
      companyWebsite: 'not a site',
    })
    expect([status, body.message]).toEqual([422, 'Company Name already exists.'])
    expect(body.details.fields).toEqual({
      companyName: 'Company Name already exists.',
      subdomain: 'Subdomain already exists.',
      city: 'City is Required.',
      companyWebsite: 'Company Website is not a valid URL.',
    })
    expect((await create({ companyName: 'New', subdomain: 'maplegrove', city: '' })).body.message).toBe(
      'Subdomain already exists.',
    )
    expect((await create({ companyName: 'New', subdomain: 'new', city: '', zip: '' })).body.message).toBe(
      'City is Required.',
    )
  })

  it('refuses a reserved subdomain and an unknown time zone', async () => {
    expect((await create({ companyName: 'New', subdomain: 'admin' })).body.details.fields.subdomain).toMatch(
      /Some names, such as www, are reserved/,
    )
    expect((await create({ companyName: 'New', subdomain: 'new', timeZone: 99 })).body.message).toBe(
      'Choose a time zone from the list.',
    )
  })

  it('accepts one of two simultaneous creations of one company', async () => {
    const twins = await Promise.all(
      [1, 2, 3].map((n) => create({ companyName: n === 2 ? 'TWIN FALLS' : 'Twin Falls', subdomain: 'twinfalls' })),
    )
    expect(twins.map((reply) => reply.status).toSorted()).toEqual([200, 422, 422])
    const { rows } = await portal.owner.query(`SELECT count(*)::int AS n FROM company WHERE subdomain = 'twinfalls'`)
    expect(rows[0].n).toBe(1)
  })

  it('requires the privilege, which the call center lacks', async () => {
    const weaker = await portal.signIn(admin, 'callcenter@mainstreet.example')
    expect((await portal.post(admin, 'admin/create/company/details', form, { token: weaker })).status).toBe(403)
    expect((await portal.post(admin, 'admin/create/company/details', form)).status).toBe(401)
  })

  it('ignores spaces and capitals when comparing names, in the database too', async () => {
    const response = await create({ companyName: ' maple \t GROVE ', subdomain: 'elsewhere' })
    expect([response.status, response.body.details.fields]).toEqual([
      422,
      { companyName: 'Company Name already exists.' },
    ])
    await create({ companyName: '  Cedar   Falls ', subdomain: 'cedarfalls' })
    const { rows } = await portal.owner.query(`SELECT name FROM company WHERE subdomain = 'cedarfalls'`)
    expect(rows).toEqual([{ name: 'Cedar Falls' }])
    for (const name of ['cedar falls', 'Cedar  Falls', ' Cedar Falls'])
      await expect(
        portal.owner.query('UPDATE company SET name = $1 WHERE subdomain = $2', [name, 'maplegrove']),
      ).rejects.toThrow(/company_name/)
  })

  it('reports free names', async () => {
    const callApi = async (path: string, body: object) =>
      (await portal.post(admin, `admin/check/company/${path}/unique`, body, { token })).body.unique
    expect(await callApi('name', { companyName: 'MAPLE grove ' })).toBe(false)
    expect(await callApi('name', { companyName: 'Maple  Grove' })).toBe(false)
    for (const reserved of ['admin', 'WWW', ' mail '])
      expect(await callApi('subdomain', { subdomain: reserved })).toBe(false)
    expect(await callApi('name', { companyName: 'Nowhere' })).toBe(true)
    expect(await callApi('subdomain', { subdomain: 'MapleGrove' })).toBe(false)
    expect(await callApi('subdomain', { subdomain: 'nowhere' })).toBe(true)
  })
})
