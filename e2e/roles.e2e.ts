import { withAreas } from '../shared/areas.ts'
import { may } from '../shared/privileges.ts'
import { municipalityScreens } from '../shared/screens/municipality.ts'
import { companyStaff } from '../features/staff/contract.ts'
import { masksOf, presetKeys, rolePresets } from '../features/staff/role-presets.ts'
import { callOn, sessionOf } from './calls.ts'
import { allOrFirst, at, expect, test } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'

const ADMIN = 'admin@harborcity.example'

/** Roles to walk through: a role with few areas by day, all presets at night. */
const keys = allOrFirst(['fire' as const, ...presetKeys.filter((key) => key !== 'fire')])

for (const key of keys)
  test(`opens every screen of the role ${rolePresets[key].name} without a refused call @whole`, async ({ page }) => {
    const { name, levels } = rolePresets[key]
    const { token } = await sessionOf('harborcity', ADMIN)
    const email = `${key}.${Date.now()}@harborcity.example`.replaceAll('_', '-')
    const invitee = {
      email,
      firstName: 'Robin',
      lastName: 'Role',
      roleId: `preset:${key}`,
      position: 1,
      departmentId: null,
    }
    await callOn('harborcity', companyStaff.invite, invitee, token)
    await page.goto(at('harborcity', linkIn(await emailTo(email, /invitation/))))
    await page.getByLabel('New password').fill('Quarry-Lantern#41')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page).toHaveURL(at('harborcity', '/municipality'))

    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    const privileges = withAreas(masksOf(levels))
    const opened = municipalityScreens.filter(
      ({ path, needs, built }) => built && needs && !path.includes('{') && may(privileges, ...needs),
    )
    const menu = page.getByRole('navigation', { name: 'Main' })
    if (key === 'fire')
      await expect(menu.getByRole('listitem').getByRole('link')).toHaveText([
        ...['Home', 'Schedule', 'First Responder', 'Inspections', 'In the Field'],
      ])
    for (const { path, title } of opened) {
      await page.goto(at('harborcity', path))
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expect(page.locator('.skeleton, [aria-busy=true]'), path).toHaveCount(0)
      await expect(page.getByText('You do not have access'), `${title} for ${name}`).toHaveCount(0)
      expect(refused.splice(0), `${path} for ${name}`).toEqual([])
      expect(faults.splice(0), `${path} for ${name}`).toEqual([])
    }
    // A screen of another area explains which level is missing.
    const closed = municipalityScreens.find(
      ({ path, needs, built }) => built && needs && !path.includes('{') && !may(privileges, ...needs),
    )
    if (!closed) return
    await page.goto(at('harborcity', closed.path))
    await expect(page.getByText('You do not have access')).toBeVisible()
    expect(refused, closed.path).toEqual([])
  })
