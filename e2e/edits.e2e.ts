import type { Page, Route } from '@playwright/test'
import { createCompany } from '../features/companies/contract.ts'
import { acceptCompanyInvitation } from '../features/identity/contract.ts'
import { PROFILE_SAVED, returnProfile } from '../features/profile/contract.ts'
import { companyStaff } from '../features/staff/contract.ts'
import { editCompany, returnConfig } from '../features/town-config/contract.ts'
import { policyNames, rights } from '../shared/privileges.ts'
import { labelledMask } from '../shared/privilege-labels.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { at, expect, PASSWORD, test, unique } from './fixtures.ts'
import { expectGood, expectNoSideways } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const COMPANY_ADMIN = 'admin@harborcity.example'

/** Creates a company for this test only. */
async function aCompany(): Promise<{
  companyId: number
  name: string
  details: () => Promise<Record<string, unknown>>
}> {
  const { token } = await sessionOf('admin', SUPER)
  const stamp = unique().toLowerCase()
  const name = `Twofold ${stamp}`
  const { companyId } = await callOn(
    'admin',
    createCompany,
    {
      ...{ companyName: name, subdomain: `twofold-${stamp}`, address: '1 Mill Lane', city: 'Twofold', state: 'PA' },
      ...{ zip: '17033', phone: '717-555-0133', companyWebsite: 'www.town.example.org', timeZone: 1, online: 0 },
      ...{ intrigratesWithBilling: 1, isManagedServices: 0 },
    },
    token,
  )
  const details = async () => (await callOn('admin', returnConfig, { companyId }, token)).config['details'] ?? {}
  return { companyId, name, details }
}

const pencil = (page: Page, companyId: number) => openAs(page, 'admin', SUPER, `/admin?edit=${companyId}`)
const panelOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Edit ${name}` })
const save = (page: Page) => page.getByRole('button', { name: /^Sav/ }).click()

test('merges edits of two browsers and asks for a choice on conflicts', async ({ page, browser, accessible }) => {
  const { companyId, name, details } = await aCompany()
  const other = await browser.newPage()
  await Promise.all([pencil(page, companyId), pencil(other, companyId)])
  const [ownPanel, otherPanel] = [panelOf(page, name), panelOf(other, name)]
  await ownPanel.getByLabel('Company Address').fill('9 Mine Street')
  await ownPanel.getByLabel('City').fill('Mineville')
  await otherPanel.getByLabel('City').fill('Theirsburg')
  await otherPanel.getByLabel('Zip Code').fill('17099')
  await save(other)
  await expect(other.getByText(`The changes to ${name} were saved.`)).toBeVisible()
  await other.close()

  await save(page)
  const city = ownPanel.getByRole('group', { name: 'City' })
  await expect(city).toContainText('Theirsburg')
  await expect(city).toContainText('Mineville')
  await expect(city).toContainText(/20\d\d, \d+:\d\d [AP]M/)
  await expect(ownPanel.getByRole('group', { name: 'Company Address' })).toHaveCount(0)
  await expect(ownPanel.getByLabel('Zip Code')).toHaveValue('17099')
  await expectGood(page, accessible, 'two who changed a company')
  await page.setViewportSize({ width: 768, height: 900 })
  await expectNoSideways(page, 'a list with a long word at 768')
  await city.getByRole('radio', { name: /^You/ }).check()
  await save(page)
  await expect(page.getByText(`The changes to ${name} were saved.`)).toBeVisible()
  expect(await details()).toMatchObject({ address1: '9 Mine Street', city: 'Mineville', zipcode: '17099' })
})

test('reports a save without an answer and retries it with its key', async ({ page, accessible }) => {
  const { companyId, name, details } = await aCompany()
  await page.clock.install()
  const pausedRoutes: Route[] = []
  const keys: (string | undefined)[] = []
  let responsesLeft = 0
  await page.route(`**/api/v2/${editCompany.path}`, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (responsesLeft-- > 0) await route.continue()
    else pausedRoutes.push(route)
  })
  await pencil(page, companyId)
  const panel = panelOf(page, name)
  await panel.getByLabel('City').fill('Slowtown')
  await save(page)
  await expect.poll(() => keys.length).toBe(1)
  await expect(panel.getByRole('button', { name: 'Discard' })).toBeDisabled()
  await page.clock.fastForward(20_000)
  await expect(panel.getByText('No response yet')).toBeVisible()
  await expect.poll(() => keys.length).toBe(2)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  await expectGood(page, accessible, 'a save without an answer')
  await panel.getByRole('button', { name: 'Discard' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page.getByText('Check whether your entries were saved before you enter them again.')).toBeVisible()

  // This time the retry gets a response, so the page reports that the data was saved. The retry has the same key, so
  // the data is saved only once.
  await page.goto(at('admin', `/admin?edit=${companyId}`))
  await panel.getByLabel('City').fill('Latetown')
  await save(page)
  await expect.poll(() => keys.length).toBe(3)
  responsesLeft = 1
  await page.clock.fastForward(20_000)
  await expect(page.getByText(`The changes to ${name} were saved.`)).toBeVisible()
  expect(keys[3]).toBe(keys[2])
  // Saved text is no longer offered as a draft.
  await page.goto(at('admin', `/admin?edit=${companyId}`))
  await expect(panel.getByLabel('City')).toHaveValue('Latetown')
  await expect(panel.getByText(/^You entered (?:values|these answers)/)).toHaveCount(0)
  expect(await details()).toMatchObject({ city: 'Latetown' })
})

test('reports no conflict if typing continues during the person’s own save @whole', async ({ page }) => {
  await openAs(page, 'maplegrove', await newResident('maplegrove'), '/profile/settings')
  const panel = page.getByRole('region', { name: 'Your profile' })
  const name = panel.getByLabel('First Name')
  await expect(name).toHaveValue('Ida')
  const pausedRoutes: Route[] = []
  await page.route(`**/api/v2/${returnProfile.path}`, (route) => void pausedRoutes.push(route))
  await name.fill('Iris')
  await panel.getByRole('button', { name: 'Save profile' }).click()
  await expect.poll(() => pausedRoutes.length).toBeGreaterThan(0)
  await name.fill('Ines')
  await Promise.all(pausedRoutes.map((route) => route.continue()))
  await page.unroute(`**/api/v2/${returnProfile.path}`)
  const saved = page.getByText(PROFILE_SAVED)
  await expect(saved).toHaveCount(1)
  await page.reload()
  await expect(name).toHaveValue('Ines')
  await panel.getByRole('button', { name: 'Save profile' }).click()
  await expect(saved).toHaveCount(1)
  await expect(page.getByText('Someone else changed the same information')).toHaveCount(0)
  await page.reload()
  await expect(name).toHaveValue('Ines')
})

test('reopens the slide-out with the typed text after an expired session', async ({ page }) => {
  const { name } = await aCompany()
  await openAs(page, 'admin', SUPER, `/admin?search=${encodeURIComponent(name)}`)
  await openMore(page, name)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const panel = panelOf(page, name)
  await panel.getByLabel('City').fill('Kept')
  await page.route(`**/api/v2/${editCompany.path}`, (route) =>
    route.fulfill({ status: 401, json: { success: false, code: 'not_signed_in', message: 'Please sign in again.' } }),
  )
  await save(page)
  await expect(page).toHaveURL(/sign-in/)
  await page.getByLabel('Email').fill(SUPER)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(panel.getByLabel('City')).toHaveValue('Kept')
  await expect(
    panel.getByText('You entered values in these fields earlier, but they have not been saved yet'),
  ).toBeVisible()
})

test('updates the menu with the privileges and names a missing privilege @whole', async ({ page, accessible }) => {
  const { token } = await sessionOf('harborcity', COMPANY_ADMIN)
  const lastName = `Righted${Date.now()}`
  const email = `${lastName}@harborcity.example`.toLowerCase()
  const person = { email, firstName: 'Robin', lastName, roleId: 3, position: 1, departmentId: null }
  const { personId } = await callOn('harborcity', companyStaff.invite, person, token)
  const code = /[\w-]{43}/.exec(linkIn(await emailTo(email, /invitation/i)))?.[0] ?? ''
  await callOn('harborcity', acceptCompanyInvitation, { code, password: PASSWORD })

  await openAs(page, 'harborcity', email, '/municipality')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Payment Transaction Report' })).toBeVisible()
  // The menu offers only pages that the role may see.
  await expect(menu.getByRole('link', { name: 'Manage Municipality' })).toHaveCount(0)
  await expect(menu.locator('a').filter({ hasText: 'Audit Log' })).toHaveCount(0)

  const { privileges } = await callOn('harborcity', companyStaff.member, { personId }, token)
  const basis = Object.fromEntries(
    policyNames.map((policy) => [policy, (privileges[policy] ?? 0) & labelledMask(policy)]),
  )
  const change = (changes: Record<string, number>) =>
    callOn(
      'harborcity',
      companyStaff.savePrivileges,
      { personId, privileges: { ...basis, ...changes } as never, basis: basis as never },
      token,
    )
  await change({ transaction_management: 0, user_management: rights.view })
  // The person's next action updates the menu.
  await menu.getByRole('link', { name: 'Schedule' }).click()
  await expect(menu.getByRole('link', { name: 'Payment Transaction Report' })).toHaveCount(0)
  await expect(menu.getByRole('link', { name: 'Manage Municipality' })).toBeVisible()

  await page.goto(at('harborcity', '/municipality/reports/payments'))
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('This page requires the privilege “View” in “Payments”, which you do not have.')
  await expect(alert).toContainText('A Municipality Admin can give you access under Manage Municipality.')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await expectGood(page, accessible, 'a screen without its right')
})
