import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { oldMill } from '../../../database/towns/old-mill.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { makeTheme } from '../../../shared/theme.ts'
import { safeHtml } from './site-message.ts'

const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })
let token = ''

beforeAll(async () => {
  for (const demoCompany of [mapleGrove, harborCity, oldMill]) await openTestCompany(portal, demoCompany)
  await addTestPlatformStaff(portal)
  token = await portal.signIn('admin.localhost', 'super@mainstreet.example')
})

describe('host', () => {
  it.each([
    ['maplegrove', 'Maple Grove', 1],
    [' MapleGrove ', 'Maple Grove', 1],
    ['oldmill', 'Old Mill', 0],
  ])('resolves %j', async (subdomain, name, is_online) => {
    const { body } = await portal.post('localhost', 'return/company/id', { subdomain })
    expect(body.company).toMatchObject({ name, is_online })
  })

  it.each(['nowhere', '', "'; drop table company", '../x'])('resolves %j to null', async (subdomain) => {
    expect((await portal.post('localhost', 'return/company/id', { subdomain })).body).toEqual({ company: null })
  })

  it('lists and searches online companies in the directory', async () => {
    const names = async (search?: string) =>
      (await portal.post('localhost', 'return/company/directory', { search })).body.companies.map(
        (entry: { name: string }) => entry.name,
      )
    expect(await names()).toEqual(['Harbor City', 'Maple Grove'])
    expect(await names('MAPLE')).toEqual(['Maple Grove'])
    expect(await names('old mill')).toEqual([])
    expect(await names('%')).toEqual([])
  })

  it('shows each company in the directory in its own colors', async () => {
    const { companies } = (await portal.post('localhost', 'return/company/directory', {})).body
    for (const { name, colors } of companies as { name: string; colors: object }[]) {
      const { theme } = name === 'Harbor City' ? harborCity : mapleGrove
      const { deep, tint } = makeTheme(theme.theme_background, theme.theme_text).tokens
      expect([name, colors]).toEqual([name, { deep, tint }])
    }
    expect(new Set(companies.map(({ colors }: { colors: { deep: string } }) => colors.deep)).size).toBe(2)
  })

  it('hides an offline company except for its name and footer', async () => {
    expect((await portal.post('oldmill.localhost', 'return/company/selections', {})).body).toMatchObject({
      code: 'offline',
      message: oldMill.offlineMessage,
    })
    expect((await portal.post('oldmill.localhost', 'load/company/info', {})).body.company.name).toBe('Old Mill')
  })
})

describe('company', () => {
  it('shows its modules, with unwanted and unbuilt ones as inactive', async () => {
    await portal.owner.query(
      `UPDATE company SET modules_off = array_append(modules_off, '/resource-rentals') WHERE subdomain = 'harborcity'`,
    )
    portal.context.hosts.forget()
    const { body } = await portal.post('harborcity.localhost', 'return/company/components', {})
    const active = body.components.filter((component: { is_active: number }) => component.is_active === 1)
    expect(active.map((component: { url: string }) => component.url)).toContain('/utility-portal')
    expect(active.map((component: { url: string }) => component.url)).not.toContain('/resource-rentals')
  })

  it('shows its message without active content', async () => {
    await portal.owner.query(
      `UPDATE company SET site_wide_message = '<p onclick=x()>Hi<script>alert(1)</script><img src=x onerror=y()></p>' WHERE subdomain = 'harborcity'`,
    )
    portal.context.hosts.forget()
    const { body } = await portal.post('harborcity.localhost', 'return/company/site/wide/msg', {})
    expect(body.siteWideMsg.messageHTML).toBe('<p>Hi</p>')
    expect(safeHtml('<a href="javascript:x()">a</a><a href="https://x.example">b</a>')).toBe(
      '<a>a</a><a href="https://x.example" rel="noopener noreferrer" target="_blank">b</a>',
    )
  })

  it('shows staff their own details, but none of another company', async () => {
    const staff = await portal.signIn('maplegrove.localhost', 'staff@maplegrove.example')
    const own = await portal.post('maplegrove.localhost', 'admin/return/company/details', {}, { token: staff })
    expect(own.body.companyDetails[0]).toMatchObject({ name: 'Maple Grove', logo_url: '' })
    const { company } = (await portal.post('localhost', 'return/company/id', { subdomain: 'harborcity' })).body
    const other = await portal.post(
      'maplegrove.localhost',
      'admin/return/company/details',
      { companyId: company.id },
      { token: staff },
    )
    expect(other.status).toBe(404)
    const platform = await portal.post(
      'admin.localhost',
      'admin/return/company/details',
      { companyId: String(company.id) },
      { token },
    )
    expect(platform.body.companyDetails[0].name).toBe('Harbor City')
  })
})

describe('company list', () => {
  const list = async (queryParams?: object) =>
    (
      await portal.post('admin.localhost', 'admin/return/companys/information', queryParams && { queryParams }, {
        token,
      })
    ).body
  const names = (body: { companies: { name: string }[] }) => body.companies.map((company) => company.name)

  it('returns every company if the body is empty', async () => {
    const body = await list()
    expect(names(body)).toEqual(['Harbor City', 'Maple Grove', 'Old Mill'])
    expect(body.total).toBe(3)
    expect(body.companies[1]).toMatchObject({
      subdomain: 'maplegrove',
      is_online: 1,
      use_dbilling: 1,
      phone_no: '7175550142',
      can: { edit: true },
    })
  })

  it('pages in both directions and both orders', async () => {
    const first = await list({ pageSize: 2 })
    expect([names(first), first.previous]).toEqual([['Harbor City', 'Maple Grove'], null])
    const second = await list({ pageSize: 2, cursor: first.next })
    expect([names(second), second.next]).toEqual([['Old Mill'], null])
    const back = await list({ pageSize: 2, cursor: second.previous })
    expect([names(back), back.previous]).toEqual([['Harbor City', 'Maple Grove'], null])
    expect(names(await list({ direction: 'desc', sort: 'id', pageSize: 1 }))).toEqual(['Old Mill'])
    expect(names(await list({ page: 2, pageSize: 1 }))).toEqual(['Maple Grove'])
  })

  it('searches, and refuses a forged cursor', async () => {
    expect(names(await list({ companyName: 'MILL' }))).toEqual(['Old Mill'])
    expect(names(await list({ search: '21661' }))).toEqual(['Harbor City'])
    expect((await list({ cursor: 'abc' })).code).toBe('malformed')
  })
})
