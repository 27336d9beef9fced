import type { Page } from '@playwright/test'
import { paymentReport } from '../features/payment-report/list.ts'
import { addDays, addMonths, toIso } from '../shared/dates.ts'
import { countActs } from './acts.ts'
import { callOn, forgetSession, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectNoSideways } from './screen-checks.ts'

/** The command bar of staff: screens, actions and records. */

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')
const entry = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('option', { name })

/** Opens the dashboard, and waits until its script handles keys. */
async function openHome(page: Page, email = ADMIN): Promise<void> {
  await openAs(page, HOST, email, '/municipality')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Returns the receipt number of a payment that is three months old. */
async function oldReceipt(): Promise<string> {
  const { token } = await sessionOf(HOST, ADMIN)
  const month = addMonths(toIso(new Date()), -3)
  const filters = { fromDate: addDays(month, -14), toDate: month }
  const { rows } = await callOn(HOST, paymentReport.call, { filters }, token)
  return rows[0]?.receipt ?? ''
}

test('opens a payment three months old by its receipt in two acts', async ({ page, context, accessible }) => {
  const receipt = await oldReceipt()
  const acts = await countActs(context)
  await openHome(page)
  acts.list.length = 0
  const search = page.getByRole('textbox', { name: 'Find or go to' })
  await search.click()
  await expect(field(page)).toBeFocused()
  await accessible(page, 'the empty command bar')
  await page.keyboard.insertText(receipt)
  await expect(entry(page, new RegExp(`^${receipt} `))).toBeVisible()
  await accessible(page, 'the command bar with records')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: new RegExp(receipt) })).toBeVisible()
  expect(acts.list).toHaveLength(2)
})

test('finds screens and actions by other words, with the keyboard only', async ({ page, context, accessible }) => {
  await openHome(page)
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('311')
  await expect(entry(page, /^Customer Communications/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer Communications')

  await page.keyboard.press('Control+k')
  await expect(entry(page, /^Customer Communications/)).toBeVisible()
  await page.keyboard.type('hydr')
  await expect(entry(page, /^First Responder/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Meta+k')
  await page.keyboard.type('new w')
  await expect(entry(page, 'New work order')).toBeVisible()
  await accessible(page, 'the command bar with actions')
  const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await expect(tab.getByRole('dialog', { name: 'New work order' })).toBeVisible()
  await tab.close()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new req')
  await expect(entry(page, 'New request')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New request' })).toBeVisible()
  await page.keyboard.press('Escape')
  // Enter before the search responded opens the first result.
  const slow = '**/api/v2/muni/find'
  await page.route(slow, async (route) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.insertText(await oldReceipt())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/reports\/payments\?payment=\d+/)
  await page.unroute(slow)
})

test('shows an error of the search, and searches again', async ({ page, accessible }) => {
  await openHome(page)
  await page.route('**/api/v2/muni/find', (route) => route.abort())
  await page.keyboard.press('Control+k')
  await page.keyboard.type('abernathy')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Try again' })).toBeVisible()
  await accessible(page, 'the command bar with an error')
  await page.unroute('**/api/v2/muni/find')
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await expect(entry(page, /Abernathy/).first()).toBeVisible()
  await field(page).fill('zzqxyz')
  await expect(page.getByRole('dialog').getByText('No results.')).toBeVisible()
  await accessible(page, 'the command bar without results')
})

test('works on a phone, and signs out', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await openHome(page)
  await page.getByRole('button', { name: 'Find or go to' }).click()
  await field(page).fill('pavilion')
  await expect(entry(page, 'New reservation')).toBeVisible()
  await expectNoSideways(page, 'the command bar on a phone')
  await accessible(page, 'the command bar on a phone')
  await entry(page, 'New reservation').click()
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('Control+k')
  await field(page).fill('sign out')
  forgetSession(HOST, ADMIN)
  await entry(page, 'Log Out').click()
  await expect(page).toHaveURL(at(HOST, '/sign-in'))
})

test('offers only screens and records with a permission', async ({ page }) => {
  await openHome(page, 'staff@maplegrove.example')
  await page.keyboard.press('Control+k')
  await field(page).fill('audit log')
  await expect(page.getByRole('dialog').getByText('No results.')).toBeVisible()
  await field(page).fill('manager@maplegrove')
  await expect(page.getByRole('dialog').getByText('No results.')).toBeVisible()
})
