import type { Page } from '@playwright/test'
import { findGuestBill } from '../features/utility-accounts/contract.ts'
import { POLL_MS } from '../shared/impersonation.ts'
import { BILL } from './bills.ts'
import { callOn, openAs } from './calls.ts'
import { reveal } from './filters.ts'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

/** Clicks Impersonate in the row, enters the reason and returns the window that opens. */
async function impersonate(page: Page, row: RegExp, reason = 'Asked by phone about a bill'): Promise<Page> {
  const of = row.source.split(' ').slice(1).join(' ') || '(?!the list)'
  await openMore(page, new RegExp(`^More actions for ${of}`))
  await page.getByRole('button', { name: row }).first().click()
  await page.getByLabel('Reason').fill(reason)
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Open in new window' }).click(),
  ])
  return opened
}

const companies = (page: Page) => openAs(page, 'admin', 'super@mainstreet.example', '/admin?search=Maple')
const customers = (page: Page, query = '?email=resident%40') =>
  openAs(page, 'maplegrove', 'admin@maplegrove.example', `/municipality/reports/customers/citizen${query}`)

test('impersonates a municipality in a second window and ends it there', async ({ page, accessible }) => {
  await companies(page)
  await openMore(page, 'Maple Grove')
  await page.getByRole('button', { name: /Impersonate Maple Grove/ }).click()
  await page.getByRole('button', { name: 'Open in new window' }).click()
  await expect(page.getByText('at least 3 characters').first()).toBeVisible()
  await expectGood(page, accessible, 'the reason, missing')
  await page.getByRole('button', { name: 'Cancel' }).click()

  const companyPage = await impersonate(page, /Impersonate Maple Grove/)
  await expect(companyPage).toHaveURL(at('maplegrove', '/municipality'))
  await expect(companyPage.getByText('Ruth Mercer is impersonating Maple Grove')).toBeVisible()
  await expect(companyPage.getByRole('heading', { level: 1 })).toBeVisible()
  await expectGood(companyPage, accessible, 'the back office while impersonating')
  await companyPage.getByRole('link', { name: 'Payment Transaction Report' }).click()
  await expect(companyPage.getByRole('row').nth(2)).toBeVisible()
  await companyPage.getByRole('button', { name: 'End Impersonate Session' }).click()
  await accessible(companyPage, 'asking before the end')
  await Promise.all([
    companyPage.waitForEvent('close'),
    companyPage.getByRole('button', { name: 'End session and close window' }).click(),
  ])
  const dialog = page.getByRole('dialog', { name: 'Session Ended' })
  await expect(dialog).toContainText('Municipality access has been closed.')
  await expect(dialog).toHaveCount(0)
})

test('configures an offline company in a second window @whole', async ({ page }) => {
  await openAs(page, 'admin', 'super@mainstreet.example', '/admin?search=Old%20Mill')
  const companyPage = await impersonate(page, /Impersonate Old Mill/, 'Preparing the town')
  await expect(companyPage).toHaveURL(at('oldmill', '/municipality'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(companyPage.getByText('Offline for residents')).toBeVisible()
  await companyPage.goto(at('oldmill', '/home'))
  await expect(companyPage.getByRole('heading', { level: 1 })).toHaveText('Our Services')
})

test('ends the session when its window closes @whole', async ({ page }) => {
  await companies(page)
  const companyPage = await impersonate(page, /Impersonate Maple Grove/)
  await expect(companyPage.getByText('is impersonating')).toBeVisible()
  const cleaned = page.waitForResponse(/admin\/cleanup\/impersonation/)
  await companyPage.close()
  expect(await (await cleaned).json()).toMatchObject({ ended: 1 })
  await expect(page.getByRole('dialog', { name: 'Session Ended' })).toBeVisible()
})

test('blocks payments by staff as a resident but allows reloads @whole', async ({ page, account, accessible }) => {
  await customers(page)
  await expect(page.getByRole('button', { name: /^More actions for (?!the list)/ }).first()).toBeVisible()
  await expectGood(page, accessible, 'the customers found')
  const resident = await impersonate(page, /Impersonate/)
  await expect(resident).toHaveURL(at('maplegrove', '/home'))
  await expect(resident.getByText(/is impersonating/)).toBeVisible()
  await expectGood(resident, accessible, 'the landing page while impersonating')
  const { token } = await callOn('maplegrove', findGuestBill, { accountNumber: account, zip: BILL.zip })
  await resident.goto(at('maplegrove', `/guest/payment/${token}`))
  await expect(resident.getByRole('button', { name: /^Pay \$/ })).toBeDisabled()
  await resident.goto(at('maplegrove', '/utility-portal'))
  await expect(resident.getByText('You cannot pay while impersonating a resident.')).toBeVisible()
  await expect(resident.getByRole('button', { name: /^Pay \$/ })).toHaveCount(0)
  await resident.goto(at('maplegrove', '/municipality'))
  await expect(resident).toHaveURL(at('maplegrove', '/home'))
  // Although the impersonation window was reloaded, the staff member's own window still detects that it is open.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const end = resident.getByRole('button', { name: 'End Impersonate Session' })
  await Promise.all([resident.waitForEvent('close'), end.click()])
  await expect(page.getByRole('dialog', { name: 'Session Ended' })).toBeVisible()
  // The staff member's own session continues.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Utility Customers' })).toBeVisible()
})

test('continues while a page of the resident’s window loads slowly @whole', async ({ page, account }) => {
  const { token } = await callOn('maplegrove', findGuestBill, { accountNumber: account, zip: BILL.zip })
  await page.clock.install()
  await customers(page)
  const resident = await impersonate(page, /Impersonate/)
  await expect(resident.getByText(/is impersonating/)).toBeVisible()
  // Delays the scripts of the next page, so that its window can't answer the checks of the staff member's window.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await resident.route('**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await resident.goto(at('maplegrove', `/guest/payment/${token}`), { waitUntil: 'commit' })
  for (let checks = 0; checks < 10; checks++) await page.clock.runFor(POLL_MS)
  release()
  await expect(resident.getByText(/is impersonating/)).toBeVisible()
})

test('hides the impersonated session from other tabs of the company @whole', async ({ page, context }) => {
  await companies(page)
  const companyPage = await impersonate(page, /Impersonate Maple Grove/)
  await expect(companyPage.getByText('is impersonating')).toBeVisible()
  const other = await context.newPage()
  await other.goto(at('maplegrove', '/municipality'))
  await expect(other).toHaveURL(at('maplegrove', '/sign-in'))
  await expect(companyPage.getByText('is impersonating')).toBeVisible()
})

test('changes nothing if someone requests the administrator portal on a company’s host @whole', async ({ page }) => {
  await companies(page)
  const companyPage = await impersonate(page, /Impersonate Maple Grove/)
  await expect(companyPage.getByText('is impersonating')).toBeVisible()
  const missing = await companyPage.goto(at('maplegrove', '/admin'))
  // With another policy, the window of the staff member would treat this window as closed and end the session.
  expect(missing?.headers()['cross-origin-opener-policy']).toBe('unsafe-none')
  await expect(companyPage.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await companyPage.goto(at('maplegrove', '/municipality'))
  await expect(companyPage.getByText('is impersonating')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Session Ended' })).toHaveCount(0)
})

test('reports a blocked window and keeps the reason @whole', async ({ page, accessible }) => {
  await page.addInitScript(() => (globalThis.open = () => null))
  await companies(page)
  await openMore(page, 'Maple Grove')
  await page.getByRole('button', { name: /Impersonate Maple Grove/ }).click()
  await page.getByLabel('Reason').fill('Asked by phone')
  await page.getByRole('button', { name: 'Open in new window' }).click()
  const dialog = page.getByRole('dialog', { name: 'Impersonation Failed' })
  await expect(dialog).toContainText('Popup was blocked')
  await expectGood(page, accessible, 'a blocked window')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByLabel('Reason')).toHaveValue('Asked by phone')
})

test('explains a refusal and an unknown result of the server @whole', async ({ page }) => {
  await companies(page)
  await page.route('**/admin/check/priv/for/user', (route) =>
    route.fulfill({ status: 403, json: { success: false, message: 'Not you.', code: 'not_allowed' } }),
  )
  await openMore(page, 'Maple Grove')
  await page.getByRole('button', { name: /Impersonate Maple Grove/ }).click()
  await page.getByLabel('Reason').fill('Asked by phone')
  const open = page.getByRole('button', { name: 'Open in new window' })
  await open.click()
  await expect(page.getByRole('dialog', { name: 'Access Denied' })).toContainText('Not you.')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.unroute('**/admin/check/priv/for/user')
  for (const [reply, message] of [
    [{ status: 422, json: {} }, 'Failed to get company subdomain'],
    [{ status: 200, json: {} }, 'Invalid subdomain response'],
    [{ status: 200, json: { subdomain: ' ~ ' } }, 'Failed to construct valid impersonation URL'],
  ] as const) {
    await page.route('**/admin/return/company/subdomain', (route) => route.fulfill(reply))
    await open.click()
    await expect(page.getByRole('dialog', { name: 'Impersonation Failed' })).toContainText(message)
    await page.getByRole('button', { name: 'Go back' }).click()
    await expect(page.getByText('Something went wrong')).toHaveCount(0)
    await expect(page.getByLabel('Reason')).toHaveValue('Asked by phone')
    await page.unroute('**/admin/return/company/subdomain')
  }
})

test('reports an incomplete impersonation link @whole', async ({ page, accessible }) => {
  await page.goto(at('maplegrove', `/municipality/initialize-impersonation?session=${btoa('{"sessionToken":"x"}')}`))
  await expect(page.getByRole('alert')).toContainText('This link is incomplete')
  await expect(page).toHaveURL(at('maplegrove', '/municipality/initialize-impersonation'))
  await expectGood(page, accessible, 'a hand-off that failed')
})

test('searches customers and finds those without an account @whole', async ({ page, accessible }) => {
  await customers(page, '')
  await (await reveal(page, page.getByLabel('Customer Number'))).fill('100014')
  await expect(page.getByRole('row', { name: /Whitaker.*100014/ })).toContainText('resident@maplegrove.example')
  await (
    await reveal(page, page.getByRole('checkbox', { name: 'Search for profiles without utility accounts' }))
  ).check()
  await expect(page.getByLabel('Customer Number')).toHaveCount(0)
  const email = await reveal(page, page.getByRole('textbox', { name: 'Email' }))
  await email.fill('newcomer@maplegrove.example')
  await expect(page.getByRole('row', { name: /newcomer@maplegrove.example/ })).toBeVisible()
  await email.fill('nobody at all')
  await expect(page.getByText('No profiles to show')).toBeVisible()
  await expectGood(page, accessible, 'no profile found')
})
