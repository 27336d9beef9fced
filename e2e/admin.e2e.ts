import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { createCompany } from '../features/companies/contract.ts'
import { adminSignIn } from '../features/identity/contract.ts'
import { companyStaff } from '../features/staff/contract.ts'
import { callOn, command, openAs, payAsGuest, sessionOf } from './calls.ts'
import { at, expect, PASSWORD, signIn, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const CALL_CENTER = 'callcenter@mainstreet.example'

const open = (page: Page, path = '/admin', email = SUPER) => openAs(page, 'admin', email, path)

async function login(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

test('refuses other people at login with the specification’s text', async ({ page, accessible }) => {
  await page.goto(at('admin', '/admin'))
  await expect(page).toHaveURL(at('admin', '/admin/sign-in'))
  await login(page, SUPER, 'Wrong-Password#1')
  await expect(page.getByText('Invalid email or password.')).toBeVisible()
  await expectGood(page, accessible, 'a refused login')
  // An administrator of a municipality can't sign in on the platform's screens.
  await login(page, 'admin@maplegrove.example', PASSWORD)
  await expect(page.getByText('Invalid email or password.')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('tkn'))).toBeNull()

  const response = { ...(await sessionOf('admin', SUPER)), message: '' }
  const respondWith = (changes: object) =>
    page.route(`**/api/v2/${adminSignIn.path}`, (route) => route.fulfill({ json: { ...response, ...changes } }))
  await respondWith({ user: { ...response.user, role_id: 5 } })
  await login(page, SUPER, PASSWORD)
  await expect(page.getByText('You are not an admin.')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('tkn'))).toBeNull()
  await page.unrouteAll()
  await respondWith({ token: '' })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login failed')).toBeVisible()
})

test('shows the password, logs in by Enter, redirects and logs out @whole', async ({ page }) => {
  await page.goto(at('admin', '/admin/outbox'))
  await expect(page).toHaveURL(at('admin', '/admin/sign-in'))
  await page.getByLabel('Email').fill(SUPER)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await password.press('Enter')
  await expect(page).toHaveURL(at('admin', '/admin/outbox'))
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(at('admin', '/admin/sign-in'))
  expect(
    await page.evaluate(() => ['tkn', 'userId', 'UN', 'privileges'].filter((key) => sessionStorage.getItem(key))),
  ).toEqual([])
})

test('lets an invited administrator set a password once @whole', async ({ page, accessible }) => {
  const email = `invited-${Date.now()}@mainstreet.example`
  const link = command('admin', 'create', email)
  const { pathname, search } = new URL(link)
  await page.goto(at('admin', pathname + search))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set Your Password')
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByLabel('New password')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('New password')).toBeFocused()
  await expectGood(page, accessible, 'a refused first password')
  await page.getByLabel('New password').fill('Quarry-Lantern#41')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page).toHaveURL(at('admin', '/admin'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Companies')
  await page.getByRole('button', { name: 'Log Out' }).click()

  await page.goto(at('admin', pathname + search))
  await page.getByLabel('New password').fill('Another-Lantern#42')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('This link does not work')
  await accessible(page, 'a used invitation')
  await page.getByRole('button', { name: 'Go to login' }).click()
  await login(page, email, 'Quarry-Lantern#41')
  await expect(page).toHaveURL(at('admin', '/admin'))
})

/** Fields of a new company. Offline companies do not affect other tests. */
const form = (n: number, online: 0 | 1) => ({
  ...{
    companyName: `Pagerfield ${String(n).padStart(2, '0')}`,
    subdomain: `pagerfield-${n}`,
    address: `${n} Elm Street`,
    city: 'Pagerfield',
  },
  ...{
    state: 'PA',
    zip: '17099',
    phone: '717-555-0100',
    companyWebsite: 'www.pagerfield.example.org',
    timeZone: 1,
    online,
  },
  ...{ intrigratesWithBilling: 1, isManagedServices: 0 },
})

test('searches, sorts and pages the companies @whole', async ({ page }) => {
  const { token } = await sessionOf('admin', SUPER)
  for (let n = 1; n <= 12; n += 1) await callOn('admin', createCompany, form(n, 0), token)
  await open(page)
  const names = async () => {
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    return page.locator('tbody th').allInnerTexts()
  }
  await page.getByRole('searchbox', { name: 'Company Name' }).fill('pagerfield')
  await expect(page.getByText('12 companies')).toBeVisible()
  // The list has no totals to add up.
  await expect(page.getByRole('button', { name: /^Add up all/ })).toHaveCount(0)
  const first = await names()
  expect(first).toEqual(Array.from({ length: 10 }, (_, i) => `Pagerfield ${String(i + 1).padStart(2, '0')}`))
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  expect(await names()).toEqual(['Pagerfield 11', 'Pagerfield 12'])
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  expect(await names()).toEqual(first)
  await page.getByRole('button', { name: 'ID', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'ID', exact: true })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'ID', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'ID', exact: true })).toHaveAttribute('aria-sort', 'descending')
  expect((await names())[0]).toBe('Pagerfield 12')
  await openMore(page, 'the list')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => line.split(',')[2])).toEqual([
    'Name',
    ...Array.from({ length: 12 }, (_, i) => `Pagerfield ${String(12 - i).padStart(2, '0')}`),
  ])
  await page.getByRole('searchbox').fill('maple')
  await expect(page.getByText('1 company')).toBeVisible()
  expect(await names()).toEqual(['Maple Grove'])
  const row = page.getByRole('row').filter({ hasText: 'Maple Grove' })
  for (const text of ['100 Main Street', '(717) 555-0142', 'Yes']) await expect(row).toContainText(text)
})

test('creates a company, shows each error in place and opens its site @whole', async ({ page, accessible }) => {
  const name = `Juniper Falls ${Date.now()}`
  const subdomain = `juniper-${Date.now()}`
  const siteUrl = at(subdomain, '/')
  await page.goto(siteUrl)
  await expect(page).toHaveURL(at(subdomain, '/offline'))
  await open(page)
  await page.getByRole('button', { name: 'Add Company' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Create Company' })
  const save = panel.getByRole('button', { name: 'Save' })
  await save.click()
  const sentences = [
    'Company Name is required.',
    'Address is required.',
    'City is Required.',
    'State is Required.',
    'Zipcode is Required.',
    'Phone number is Required.',
    'Company website is Required.',
    'Subdomain is Required.',
    'Online Status is Required.',
    'Billing System intrigration is required.',
    'Managed Services Status is Required.',
  ]
  await expect(panel.getByText('11 entries need correction')).toBeVisible()
  // Each message appears once in the summary and once under its field.
  for (const message of sentences) await expect(panel.getByText(message)).toHaveCount(2)
  const companyName = panel.getByLabel('Company Name')
  await expect(companyName).toBeFocused()
  await expectGood(page, accessible, 'a refused form')

  // If staff type a name that is already in use, the error appears in the summary and under the field.
  const sub = panel.getByLabel('SubDomain')
  await sub.fill('harborcity')
  await expect(panel.getByText('Subdomain already exists.')).toHaveCount(2)
  await companyName.fill('maple GROVE')
  await expect(panel.getByText('Company Name already exists.')).toHaveCount(2)
  await companyName.fill(name)
  await expect(panel.getByText('Company Name already exists.')).toHaveCount(0)
  await expect(panel.getByText('Free', { exact: true })).toBeVisible()
  await sub.fill(subdomain)
  await expect(panel.getByText('Free', { exact: true })).toHaveCount(2)
  await expect(panel.getByText(`${subdomain}.localhost`)).toBeVisible()

  await panel.getByLabel('Company Address').fill('12 Weir Road')
  await panel.getByLabel('City', { exact: true }).fill('Juniper Falls')
  await panel.getByLabel('State').pressSequentially('p4ax')
  await expect(panel.getByLabel('State')).toHaveValue('PA')
  await panel.getByLabel('Zip Code').pressSequentially('1a7011999')
  await expect(panel.getByLabel('Zip Code')).toHaveValue('17011')
  await panel.getByLabel('Phone').pressSequentially('+1 717 555 0177')
  await expect(panel.getByLabel('Phone')).toHaveValue('717-555-0177')
  await panel.getByLabel('Company Website').fill('not a site')
  for (const field of ['Is Online', 'Integrates with Billing System', 'Managed Services Client'])
    await panel.getByLabel(field).selectOption('Yes')
  await save.click()
  await expect(panel.getByText('Company Website is not a valid URL.').first()).toBeVisible()
  await panel.getByLabel('Company Website').fill('www.juniperfalls.gov')

  // Chooses an entry of the list with the keyboard only. The list filters its entries while the person types.
  const zone = panel.getByRole('button', { name: /Company Timezone/ })
  await zone.press('Enter')
  const search = page.getByRole('combobox', { name: 'Search the list' })
  await expect(search).toBeFocused()
  await accessible(page, 'the open list of timezones')
  await page.keyboard.type('mountain')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(zone).toContainText('Mountain')
  await expect(zone).toBeFocused()

  // If the connection fails, a message reports the failure, and the typed text stays.
  const creating = `**/api/v2/${createCompany.path}`
  await page.route(creating, (route) => route.abort('connectionfailed'))
  await save.click()
  const refusal = page.getByRole('dialog', { name: 'Error' })
  await expect(refusal).toBeVisible()
  await accessible(page, 'a form that was not sent')
  await refusal.getByRole('button', { name: 'Back to the form' }).click()
  await expect(sub).toHaveValue(subdomain)
  await page.unroute(creating)
  await page.reload()
  await expect(companyName).toHaveValue(name)
  await expect(zone).toContainText('Mountain')
  await save.click()
  const success = page.getByRole('dialog', { name: 'Success' })
  await expect(success).toContainText(`${name} was created.`)
  await accessible(page, 'a created company')
  const [site] = await Promise.all([
    page.context().waitForEvent('page'),
    success.getByRole('link', { name: 'Open municipality site' }).click(),
  ])
  await expect(site).toHaveURL(siteUrl)
  await expect(site.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(site.getByText(name).first()).toBeVisible()
  await site.close()
  await success.getByRole('button', { name: 'Set up municipality' }).click()
  await expect(page).toHaveURL(/\/admin\/\d+\/company\/information$/)
  await page.goto(at('admin', '/admin'))
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
})

test('shows companies to the call center without adding them or reading email @whole', async ({ page }) => {
  await signIn(page, 'admin', CALL_CENTER)
  await expect(page.getByRole('row').filter({ hasText: 'Harbor City' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Company' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Outbox' })).toHaveCount(0)
  await page.goto(at('admin', '/admin?add=1'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(at('admin', '/admin/outbox'))
  await expect(page.getByRole('alert')).toContainText('A Super Administrator can give you access')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('shows a guest’s receipt to the super administrator in the demo outbox @whole', async ({
  page,
  account,
  accessible,
}) => {
  const { receipt, email, totalCents } = await payAsGuest(account)
  await open(page)
  await page.getByRole('link', { name: 'Outbox' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Outbox')
  await page.getByRole('searchbox', { name: 'Search' }).fill(email)
  await expect(page.getByText('1 email', { exact: true })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: email })
  const total = (totalCents / 100).toFixed(2)
  await expect(row).toContainText(`Receipt ${receipt}: $${total} paid to Maple Grove`)
  const opener = row.getByRole('button', { name: /^Receipt/ })
  await opener.press('Enter')
  const emailMessage = page.getByRole('dialog')
  await expect(emailMessage).toContainText('Your payment to Maple Grove went through.')
  await expect(emailMessage).toContainText(`Account ${account}`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    emailMessage.getByRole('button', { name: `receipt-${receipt}.pdf` }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`receipt-${receipt}.pdf`)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await opener.press('Enter')
  await expect(emailMessage).toContainText(`Account ${account}`)
  await expectGood(page, accessible, 'a mail')
})

test('opens the link of an invitation from the demo outbox @whole', async ({ page, accessible }) => {
  const { token } = await sessionOf('maplegrove', 'admin@maplegrove.example')
  const lastName = unique()
  const email = `outbox-${lastName}@maplegrove.example`.toLowerCase()
  const person = { email, firstName: 'Robin', lastName, roleId: 3, position: 1, departmentId: null }
  await callOn('maplegrove', companyStaff.invite, person, token)
  await open(page, '/admin/outbox')
  await page.getByRole('searchbox', { name: 'Search' }).fill(email)
  await page.getByRole('row').filter({ hasText: email }).getByRole('button').first().click()
  const link = page.getByRole('dialog').getByRole('link', { name: /invitation=/ })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expectGood(page, accessible, 'an email with a link')
  const [invitation] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(invitation.getByLabel('New password', { exact: true })).toBeVisible()
})
