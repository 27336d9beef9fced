import type { Page } from '@playwright/test'
import { staffPrivileges } from '../shared/areas.ts'
import { harborCity } from '../database/towns/harbor-city.ts'
import { belongsTo } from '../shared/modules.ts'
import { may, type Privileges } from '../shared/privileges.ts'
import { municipalityScreens } from '../shared/screens/municipality.ts'
import { companyStaff } from '../features/staff/contract.ts'
import { masksOf, type PresetKey, presetKeys, rolePresets } from '../features/staff/role-presets.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { allOrFirst, at, expect, test } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'

const ADMIN = 'admin@harborcity.example'

interface Role {
  name: string
  host: string
  privileges: Privileges
  /** Signs in a person with the role. */
  enter: (page: Page) => Promise<unknown>
}

const presetOf = (key: PresetKey): Role => {
  const { name, roleId, levels } = rolePresets[key]
  return {
    name,
    host: 'harborcity',
    privileges: staffPrivileges(roleId, masksOf(levels)),
    enter: async (page) => {
      const { token } = await sessionOf('harborcity', ADMIN)
      const email = `${key}.${Date.now()}@harborcity.example`.replaceAll('_', '-')
      const person = { email, firstName: 'Robin', lastName: 'Role', position: 1, departmentId: null }
      await callOn('harborcity', companyStaff.invite, { ...person, roleId: `preset:${key}` }, token)
      await page.goto(at('harborcity', linkIn(await emailTo(email, /invitation/))))
      await page.getByLabel('New password').fill('Quarry-Lantern#41')
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page).toHaveURL(at('harborcity', '/municipality'))
    },
  }
}

/** True for a screen of a module that is off. Its page has the status 404. */
const isOff = (host: string, path: string): boolean =>
  host === 'harborcity' && (harborCity.modulesOff ?? []).some((name) => belongsTo(name, path))

/** Roles from before the areas. */
const earlier = [3, 4, 5].map((roleId): Role => {
  const account = { 3: 'staff', 4: 'manager', 5: 'admin' }[roleId] ?? ''
  const host = 'maplegrove'
  return {
    name: `${account} from before`,
    host,
    privileges: staffPrivileges(roleId, {}),
    enter: (page) => openAs(page, host, `${account}@maplegrove.example`, '/municipality'),
  }
})

/** Roles to walk through: a role with few areas by day, all roles at night. */
const roles = allOrFirst([presetOf('fire'), ...presetKeys.filter((key) => key !== 'fire').map(presetOf), ...earlier])

for (const { name, host, privileges, enter } of roles)
  test(`opens every screen of the role ${name} without a refused call @whole`, async ({ page }) => {
    await enter(page)
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    const screens = municipalityScreens.flatMap(({ path, needs, built }) =>
      built && needs && !path.includes('{') && !isOff(host, path) ? [{ path, isOpen: may(privileges, ...needs) }] : [],
    )
    if (name === rolePresets.fire.name)
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').getByRole('link')).toHaveText([
        'Home',
        'Schedule',
        'First Responder',
        'Inspections',
        'In the Field',
      ])
    for (const { path } of screens.filter(({ isOpen }) => isOpen)) {
      await page.goto(at(host, path))
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(page.locator('.skeleton, [aria-busy=true]'), path).toHaveCount(0)
      await expect(page.getByText('You do not have access'), path).toHaveCount(0)
      expect(refused.splice(0), path).toEqual([])
      expect(faults.splice(0), path).toEqual([])
    }
    // A screen of another area explains which level is missing.
    const closed = screens.find(({ isOpen }) => !isOpen)
    if (!closed) return
    await page.goto(at(host, closed.path))
    await expect(page.getByText('You do not have access')).toBeVisible()
    expect(refused, closed.path).toEqual([])
  })
