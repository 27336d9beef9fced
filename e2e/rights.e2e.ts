import type { Page } from '@playwright/test'
import { acceptCompanyInvitation } from '../features/identity/contract.ts'
import { companyStaff } from '../features/staff/contract.ts'
import { citizenScreens } from '../shared/screens/citizen.ts'
import { municipalityScreens } from '../shared/screens/municipality.ts'
import { rights } from '../shared/privileges.ts'
import { sampleOf } from '../test/layers.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PASSWORD, test, unique } from './fixtures.ts'
import { linkIn, emailTo } from './mail.ts'

/**
 * Tests screens that staff open by URL without the required privilege. Such a screen must not make calls that the
 * server refuses.
 */

const HOST = 'harborcity'
const ADMIN = 'admin@harborcity.example'

/** Screens that need a privilege. A call with an invalid id returns 404, which is not a refusal. */
const guarded = municipalityScreens.filter(({ built, needs }) => built && needs !== undefined)
const addressOf = (path: string) => path.replace('{provider}', 'sandbox').replaceAll(/\{\w+\}/g, '1')

/** Invites a staff member of Harbor City with only these privileges and sets their password. */
async function staffWith(privileges: Record<string, number>): Promise<string> {
  const { token } = await sessionOf(HOST, ADMIN)
  const lastName = unique()
  const email = `rights-${lastName}@harborcity.example`.toLowerCase()
  const { personId } = await callOn(
    HOST,
    companyStaff.invite,
    { email, firstName: 'Robin', lastName, roleId: 3, position: 1, departmentId: null },
    token,
  )
  const link = linkIn(await emailTo(email, /invitation/))
  const code = /invitation=([\w-]{43})/.exec(link)?.[1] ?? ''
  await callOn(HOST, acceptCompanyInvitation, { code, password: PASSWORD })
  const { privileges: basis } = await callOn(HOST, companyStaff.member, { personId }, token)
  await callOn(HOST, companyStaff.savePrivileges, { personId, privileges, basis }, token)
  return email
}

/** Opens each screen and returns the calls that the server refused. */
async function refusedOn(page: Page, email: string, screens: readonly (typeof guarded)[number][]): Promise<string[]> {
  const refused: string[] = []
  let here = ''
  page.on('response', (reply) => {
    if (reply.status() === 403) refused.push(`${here}: ${new URL(reply.url()).pathname}`)
  })
  for (const { path } of screens) {
    here = path
    const address = addressOf(path)
    await (page.url() === 'about:blank' ? openAs(page, HOST, email, address) : page.goto(at(HOST, address)))
    await expect(page.locator('main h1').filter({ visible: true })).toHaveCount(1)
    await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
  }
  return refused
}

test('makes no refused call for staff without any privilege', async ({ page }) => {
  test.slow()
  const screens = sampleOf(guarded, 8)
  expect(await refusedOn(page, await staffWith({}), screens)).toEqual([])
  await expect(page.getByText('You do not have access')).toBeVisible()
})

test('makes no refused call for staff on screens of residents', async ({ page }) => {
  test.slow()
  const screens = citizenScreens.filter(({ path, built, byServer }) => built && !byServer && !path.includes('{'))
  expect(await refusedOn(page, ADMIN, sampleOf(screens, 8))).toEqual([])
})

const nameOf = ({ needs: [policy, permission] = ['dashboard', 'view'] }: (typeof guarded)[number]) =>
  `${policy} ${permission}`

for (const [needs, screens] of sampleOf([...Map.groupBy(guarded, nameOf)]))
  test(`makes no refused call for staff with only ${needs}`, async ({ page }) => {
    test.slow()
    const [policy = '', permission = 'view'] = needs.split(' ')
    const email = await staffWith({ [policy]: rights.view | rights[permission as keyof typeof rights] })
    expect(await refusedOn(page, email, screens)).toEqual([])
  })
