import { openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const open = (page: Parameters<typeof openAs>[0], query = '') =>
  openAs(page, 'admin', SUPER, `/admin/customer/lookup${query}`)

test('finds a customer of any company and links to their activity @whole', async ({ page, accessible }) => {
  await open(page)
  await expect(page.getByText('Enter at least 3 letters or digits in one of the fields.')).toBeVisible()
  await expectGood(page, accessible, 'a look-up that nothing was typed into')
  await page.getByRole('textbox', { name: 'Email' }).fill('resident@maple')
  const row = page.getByRole('row').filter({ hasText: 'resident@maplegrove.example' }).first()
  await expect(row).toContainText('Maple Grove')
  await expectGood(page, accessible, 'customers that were found')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('resident@maple')
  await row.getByRole('button', { name: /View/ }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Resident')
  await expectGood(page, accessible, 'a customer who was found')
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText(/can sign in again/)).toBeVisible()
  await dialog.getByRole('link', { name: /^Activity for/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit Log')
  await expect(page.getByRole('row').filter({ hasText: 'Account unlocked' }).first()).toBeVisible()
})

test('distinguishes no match, no account and company staff @whole', async ({ page, accessible }) => {
  await open(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('zzz nobody')
  await expect(page.getByText('No matches.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
  await page.getByLabel('Search for profiles without utility accounts').check()
  await page.getByRole('textbox', { name: 'Email' }).fill('newcomer@')
  await expect(page.getByRole('row').filter({ hasText: 'newcomer@maplegrove.example' })).toBeVisible()
  await expect(page.getByLabel('Customer Number')).toHaveCount(0)
  await page.getByLabel('Search for', { exact: true }).selectOption('One company’s users')
  await expect(page.getByText('Choose a company, then enter details about the person.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveCount(0)
  await page.getByRole('button', { name: /Company$/ }).click()
  await page.getByRole('combobox', { name: 'Search the list' }).fill('harbor')
  await page.getByRole('option', { name: 'Harbor City' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('admin@')
  await expect(page.getByRole('row').filter({ hasText: 'admin@harborcity.example' })).toBeVisible()
  await expectGood(page, accessible, 'a user of a company')
})

test('opens the portal as a resident and ends the session there @whole', async ({ page, context }) => {
  await open(page, '?email=resident%40harbor')
  const row = page.getByRole('row').filter({ hasText: 'resident@harborcity.example' }).first()
  await openMore(row)
  await row.getByRole('button', { name: /Impersonate/ }).press('Enter')
  await page.getByLabel(/why|reason/i).fill('They called about a bill')
  const [residentPage] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open in new window' }).click(),
  ])
  await expect(residentPage).toHaveURL(at('harborcity', '/home'))
  await expect(residentPage.getByText(/Ruth Mercer/).first()).toBeVisible()
  // The screen that opened this window can't watch it, because the window has another origin. So the screen stays
  // unchanged.
  await expect(page.getByText('Session Ended')).toHaveCount(0)
  await residentPage.getByRole('button', { name: 'End Impersonate Session' }).first().click()
  await expect.poll(() => residentPage.isClosed()).toBe(true)
})

test('reports a failed search and retries it @whole', async ({ page }) => {
  const path = '**/api/v2/admin/look/up/customers'
  await page.route(path, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await open(page, '?email=resident%40')
  await expect(page.getByText('The server is being restarted.').first()).toBeVisible()
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'resident@' }).first()).toBeVisible()
})
