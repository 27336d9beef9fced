import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { oldMill } from '../../../database/towns/old-mill.ts'
import type { BootData } from '../../../shared/boot.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'
import { bootFor } from './boot.ts'

// The last hour of November 30 for the company, December 1 in UTC.
const portal = await testPortal({ clock: testClock('2024-12-01T04:30:00Z') })

beforeAll(async () => {
  for (const demoCompany of [mapleGrove, harborCity, oldMill]) await openTestCompany(portal, demoCompany)
})

const boot = async (host: string) => bootFor(portal.context, await portal.context.hosts.resolve(host))

describe('boot data of a page', () => {
  it('contains all data of the company', async () => {
    const { company, topServices, otherServices, components, footer, siteWideMessage, site } =
      await boot('maplegrove.localhost:3000')
    expect([site, company]).toMatchObject(['company', { name: 'Maple Grove', isOnline: 1, logoUrl: null }])
    expect(topServices).toHaveLength(5)
    expect(otherServices.map((service) => service.name)).toEqual([
      'Register',
      'Resource Rentals',
      'Frequently Asked Questions',
      'Parking Tickets',
    ])
    expect(components).toHaveLength(17)
    expect(footer).toMatchObject({ phone_no: '7175550142', address2: null })
    expect(siteWideMessage).toContain('December 10, 2024')
  })

  it('lists online companies on the bare host and finds none on others', async () => {
    const { site, directory, company } = await boot('localhost')
    expect([site, company, directory.map((entry) => entry.name)]).toEqual([
      'directory',
      null,
      ['Harbor City', 'Maple Grove'],
    ])
    expect(directory[1]?.url).toMatch(/^http:\/\/maplegrove\.localhost/)
    expect((await boot('admin.localhost')).site).toBe('admin')
    expect((await boot('nowhere.localhost')).company).toBeNull()
    expect((await boot('oldmill.localhost')).company?.isOnline).toBe(0)
  })

  it('shows a dated notice through its last day for the company', async () => {
    const titles = async () => (await boot('maplegrove.localhost')).announcements.map((notice) => notice.title)
    expect(await titles()).toEqual(
      expect.arrayContaining(['This portal is new.', 'NEW GUIDE AVAILABLE!', 'Hydrants are flushed this month.']),
    )
    portal.clock.set('2024-12-01T05:00:00Z')
    portal.context.hosts.forget()
    expect(await titles()).not.toContain('This portal is new.')
    expect(await titles()).toContain('NEW GUIDE AVAILABLE!')
    // Administrators also see this notice, but not the notices on residents' pages.
    const forAdministrators = async () => (await boot('admin.localhost')).announcements.map((notice) => notice.title)
    expect(await forAdministrators()).toEqual(['NEW GUIDE AVAILABLE!'])
    portal.clock.set('2024-12-16T05:00:00Z')
    expect(await forAdministrators()).toEqual([])
    expect(await titles()).not.toContain('NEW GUIDE AVAILABLE!')
  })

  it('is cached for a minute or until a company changes', async () => {
    const notices = async () => {
      const { body } = await portal.get('maplegrove.localhost', '/')
      const [, json = ''] = /id="boot">(.*?)<\/script>/.exec(body) ?? []
      return (JSON.parse(json) as BootData).announcements.length
    }
    const put = (message: string) =>
      portal.owner.query(`UPDATE company_announcement SET message = $1, until = '2030-01-01'`, [message])
    const drop = () => portal.owner.query('DELETE FROM company_announcement')
    await put('The office is closed.')
    const first = await notices()
    expect(first).toBeGreaterThan(0)
    await drop()
    expect(await notices()).toBe(first)
    portal.clock.advance(61_000)
    expect(await notices()).toBe(0)
    await portal.owner.query(`INSERT INTO company_announcement (company_id, location, message, until)
      SELECT id, 'landing', 'We are back.', '2030-01-01' FROM company WHERE subdomain = 'maplegrove'`)
    expect(await notices()).toBe(0)
    portal.context.hosts.forget()
    expect(await notices()).toBe(1)
  })
})
