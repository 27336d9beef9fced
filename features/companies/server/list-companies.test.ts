import { beforeAll, describe, expect, it } from 'vitest'
import { fillPlatform } from '../../../bench/rows.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'

const ADMIN = 'admin.localhost'
const portal = await testPortal()
let token = ''

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await fillPlatform(portal.owner, { companies: 34, residents: 1, items: 1 })
  await portal.owner.query(`UPDATE company SET name = '100% Fair_view' WHERE subdomain = 'bench7'`)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
})

const list = async (queryParams: object) => {
  const { status, body } = await portal.post(ADMIN, 'admin/return/companys/information', { queryParams }, { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return { ...body, ids: body.companies.map(({ id }: { id: number }) => id) }
}
const names = async (queryParams: object) =>
  (await list(queryParams)).companies.map(({ name }: { name: string }) => name)

describe('company list', () => {
  it('finds parts of a name in any case and treats wildcards literally', async () => {
    expect(await names({ companyName: 'PLE gr' })).toEqual(['Maple Grove'])
    expect(await names({ companyName: 'grove  maple' })).toEqual(['Maple Grove'])
    expect(await names({ companyName: '0% fair_' })).toEqual(['100% Fair_view'])
    expect(await names({ companyName: '%' })).toEqual(['100% Fair_view'])
    expect(await names({ companyName: 'air?view' })).toEqual([])
  })

  it('finds each word in any column, in any order', async () => {
    const company = { name: '100% Fair_view', address: '7 main' }
    expect(await names({ search: `bench7 ${company.address}` })).toEqual([company.name])
    expect(await names({ search: '  view   7170000007 ' })).toEqual([company.name])
    expect(await names({ search: 'view 7170000008' })).toEqual([])
    const [match] = (await list({ search: 'maplegrove' })).companies
    expect(await names({ search: match.guid.slice(4, 20) })).toEqual(['Maple Grove'])
  })

  it('pages by name and id in both directions, and by page number', async () => {
    for (const sort of ['name', 'id'])
      for (const direction of ['asc', 'desc']) {
        const first = await list({ sort, direction })
        const second = await list({ sort, direction, cursor: first.next })
        expect([first.total, first.previous, first.ids.length]).toEqual([35, null, 10])
        expect(new Set([...first.ids, ...second.ids]).size).toBe(20)
        expect((await list({ sort, direction, cursor: second.previous })).ids).toEqual(first.ids)
        const numbered = await list({ sort, direction, page: 2 })
        expect(numbered.ids).toEqual(second.ids)
        expect((await list({ sort, direction, cursor: numbered.previous })).ids).toEqual(first.ids)
        const last = await list({ sort, direction, page: 4 })
        expect([last.ids.length, last.next]).toEqual([5, null])
      }
  })
})

describe('company list as CSV', () => {
  const csv = async (queryParams: object, userToken = token) =>
    portal.post(ADMIN, 'admin/export/companys/information', { queryParams }, { token: userToken })

  it('contains all matches in list order and logs the export', async () => {
    const { body } = await csv({ companyName: 'falls', sort: 'id', direction: 'desc' })
    const file = await portal.get(ADMIN, body.url)
    const lines = String(file.body).trim().split('\n')
    expect(lines[0]).toBe('ID,Guid,Name,Address,City,State,Zip,Phone,Website,Subdomain,Is Online,Billing')
    const { total, ids } = await list({ companyName: 'falls', sort: 'id', direction: 'desc' })
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(ids)
    expect(lines).toHaveLength(total + 1)
    expect(file.headers['content-disposition']).toContain('companies-platform-')
    const { rows } = await portal.owner.query(
      `SELECT detail FROM platform_audit_event WHERE action = 'export.companies'`,
    )
    expect(rows).toEqual([{ detail: { companyName: 'falls', search: '' } }])
  })

  it('is limited to users who see the list', async () => {
    const staff = await portal.signIn('maplegrove.localhost', 'admin@maplegrove.example')
    expect((await csv({}, staff)).status).toBe(401)
    expect((await csv({}, '')).status).toBe(401)
  })
})

describe('company directory', () => {
  const companyNames = async (search: string) =>
    (await portal.post('localhost', 'return/company/directory', { search })).body.companies.map(
      ({ name }: { name: string }) => name,
    )

  it('searches name, city and state, but no hidden columns', async () => {
    expect(await companyNames('grove PA')).toEqual(['Maple Grove'])
    expect(await companyNames('maplegrove')).toEqual([])
    expect(await companyNames('fair_ 100%')).toEqual(['100% Fair_view'])
  })
})
