import { beforeAll, describe, expect, it } from 'vitest'
import { fillPlatform } from '../../../bench/rows.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestTown } from '../../../test/town.ts'

const ADMIN = 'admin.localhost'
const portal = await testPortal()
let token = ''

beforeAll(async () => {
  await openTestTown(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  await fillPlatform(portal.owner, { towns: 34, residents: 1, items: 1 })
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

describe('the list of companies', () => {
  it('finds a part of a name, in any case, and takes signs as they are', async () => {
    expect(await names({ companyName: 'PLE gr' })).toEqual(['Maple Grove'])
    expect(await names({ companyName: 'grove  maple' })).toEqual(['Maple Grove'])
    expect(await names({ companyName: '0% fair_' })).toEqual(['100% Fair_view'])
    expect(await names({ companyName: '%' })).toEqual(['100% Fair_view'])
    expect(await names({ companyName: 'air?view' })).toEqual([])
  })

  it('finds each word in whatever a row shows, in any order', async () => {
    const town = { name: '100% Fair_view', address: '7 main' }
    expect(await names({ search: `bench7 ${town.address}` })).toEqual([town.name])
    expect(await names({ search: '  view   7170000007 ' })).toEqual([town.name])
    expect(await names({ search: 'view 7170000008' })).toEqual([])
    const [found] = (await list({ search: 'maplegrove' })).companies
    expect(await names({ search: found.guid.slice(4, 20) })).toEqual(['Maple Grove'])
  })

  it('turns its pages forth and back, by name and by id, and knows a page by its number', async () => {
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

describe('the list of companies as CSV', () => {
  const csv = async (queryParams: object, asWhom = token) =>
    portal.post(ADMIN, 'admin/export/companys/information', { queryParams }, { token: asWhom })

  it('has all that match, in the order of the list, and is written down', async () => {
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

  it('is for those who see the list', async () => {
    const clerk = await portal.signIn('maplegrove.localhost', 'admin@maplegrove.example')
    expect((await csv({}, clerk)).status).toBe(401)
    expect((await csv({}, '')).status).toBe(401)
  })
})

describe('the directory of towns', () => {
  const towns = async (search: string) =>
    (await portal.post('localhost', 'return/company/directory', { search })).body.towns.map(
      ({ name }: { name: string }) => name,
    )

  it('finds towns by words of name, city and state, and by nothing that it does not show', async () => {
    expect(await towns('grove PA')).toEqual(['Maple Grove'])
    expect(await towns('maplegrove')).toEqual([])
    expect(await towns('fair_ 100%')).toEqual(['100% Fair_view'])
  })
})
