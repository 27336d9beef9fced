import type { Page } from '@playwright/test'
import { masterCalendar } from '../features/calendar/contract.ts'
import { addDays, dateIn, weekday } from '../shared/dates.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const CALENDAR = '/admin/master/calendar'
/** Today in New York, the time zone of the test browser. */
const today = dateIn('America/New_York', new Date())
const sunday = addDays(today, -weekday(today))

const open = (page: Page, query = '', email = SUPER) => openAs(page, 'admin', email, CALENDAR + query)
const grid = (page: Page) => page.getByRole('region', { name: /Two Weeks|Month/ })
const waitUntilIdle = (page: Page) => expect(page.locator('[aria-busy=true]')).toHaveCount(0)
const days = (page: Page) => grid(page).locator('ol > li')

async function counted(filters: object = {}): Promise<number> {
  const { token } = await sessionOf('admin', SUPER)
  const range = { fromDate: sunday, toDate: addDays(sunday, 13), filters }
  return (await callOn('admin', masterCalendar, range, token)).days.reduce((sum, { count }) => sum + count, 0)
}

test('shows and filters two weeks of all companies and opens items @whole', async ({ page, accessible }) => {
  test.slow()
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('link', { name: 'Master Calendar' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Master Calendar')
  await waitUntilIdle(page)
  await expect(days(page)).toHaveCount(14)
  await expect(grid(page).locator('[aria-current=date]')).toContainText('Today')
  // Matches the exact text, because the count of a day in the grid could end with the same digits.
  await expect(page.getByText(`${await counted()} items`, { exact: true })).toBeVisible()
  // If a day has no room for all items, screen readers announce the rest in words, not as "+4".
  await expect(
    grid(page)
      .getByText(/^\d[\d,]* more$/)
      .first(),
  ).toBeVisible()
  await expect(grid(page).getByText(/^\+\d/)).toHaveCount(0)
  await expectGood(page, accessible, 'the master calendar')

  await page.getByRole('button', { name: /Company$/ }).click()
  await page.getByRole('combobox', { name: 'Search the list' }).fill('harbor')
  await page.getByRole('option', { name: 'Harbor City' }).click()
  await expect(page).toHaveURL(/company=\d+/)
  await page.getByLabel('Event type').selectOption('Inspection')
  await waitUntilIdle(page)
  await expect(grid(page).getByText('Maple Grove')).toHaveCount(0)
  await expect(grid(page).getByText('Harbor City').first()).toBeVisible()
  await expectGood(page, accessible, 'a calendar that is narrowed')
  await page.reload()
  await expect(page.getByLabel('Event type')).toHaveValue('4')

  const event = grid(page).getByRole('listitem').locator('button[aria-haspopup=dialog]').first()
  await expect(event).toContainText(/\d{1,2}:\d\d [AP]M E[DS]T/)
  await event.click()
  const dialog = page.getByRole('dialog', { name: 'Event Details' })
  for (const name of ['Company', 'Start Date', 'End Date', 'Status', 'Description'])
    await expect(dialog.getByRole('term').filter({ hasText: name }).first()).toBeVisible()
  await expectGood(page, accessible, 'an item of a town')
  await dialog.getByRole('link', { name: 'Company Information' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company Information')
})

test('opens a day as a list, sorts, searches and downloads it @whole', async ({ page, accessible }) => {
  test.slow()
  await open(page, `?from=${sunday}`)
  await waitUntilIdle(page)
  const count = grid(page)
    .getByRole('button', { name: /items on/ })
    .first()
  const number = /^\d+/.exec((await count.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  await count.click()
  await expect(count).toHaveAttribute('aria-expanded', 'true')
  const list = page.getByRole('region', { name: /^(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day,/ })
  await expect(list.getByText(`${number} items`)).toBeVisible()
  await expect(list.getByRole('row')).toHaveCount(Math.min(Number(number), 10) + 1)
  await expectGood(page, accessible, 'the list of a day')
  await list.getByRole('button', { name: 'Company', exact: true }).click()
  await expect(page).toHaveURL(/sort=company/)
  await waitUntilIdle(page)
  const companies = await list
    .getByRole('row')
    .getByRole('cell', { name: /Maple Grove|Harbor City/ })
    .allTextContents()
  expect(companies).toEqual(companies.toSorted())
  await list.getByRole('searchbox').fill('nothing is called so')
  await expect(list.getByText('No items to show')).toBeVisible()
  await expectGood(page, accessible, 'a day in which nothing is found')
  await list.getByRole('button', { name: 'Clear search' }).click()
  await list.getByRole('row').nth(1).getByRole('button').first().click()
  await expect(page.getByRole('dialog', { name: 'Event Details' })).toBeVisible()
  await page.keyboard.press('Escape')
  await openMore(page, 'the list')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^master-calendar-platform-.*\.csv$/)
  const parts: Buffer[] = []
  for await (const part of await saved.createReadStream()) parts.push(part as Buffer)
  expect(Buffer.concat(parts).toString().trim().split('\n')).toHaveLength((await counted()) + 1)
  await list.getByRole('button', { name: 'Close list for this day' }).click()
  await expect(list).toHaveCount(0)
})

test('shows whole months and stacks the days on a phone @whole', async ({ page, accessible }) => {
  await open(page, '?view=month&from=2015-02-10')
  await waitUntilIdle(page)
  await expect(page.getByText('February 2015')).toBeVisible()
  await expect(days(page)).toHaveCount(28)
  await expect(page.getByText('Nothing is scheduled on these days.')).toBeVisible()
  await expectGood(page, accessible, 'a month in which nothing is')
  await page.getByRole('button', { name: 'Next month' }).click()
  await expect(page.getByText('March 2015')).toBeVisible()
  await page.getByRole('button', { name: 'Today' }).click()
  await waitUntilIdle(page)
  await expect(
    grid(page)
      .getByRole('button', { name: /items on/ })
      .first(),
  ).toBeVisible()
  await expectGood(page, accessible, 'a month')
  await page.getByLabel('View').selectOption('Two weeks')
  await expect(days(page)).toHaveCount(14)
  await page.setViewportSize({ width: 390, height: 800 })
  const [first, second] = [await days(page).nth(0).boundingBox(), await days(page).nth(1).boundingBox()]
  expect(second?.x).toBe(first?.x)
  expect(second?.y).toBeGreaterThan(first?.y ?? 0)
})

test('moves through days, opens items and returns by keyboard only @whole', async ({ page }) => {
  await open(page)
  await waitUntilIdle(page)
  await page.getByRole('button', { name: 'Next two weeks' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(at('admin', `${CALENDAR}?from=${addDays(sunday, 14)}`))
  await waitUntilIdle(page)
  const count = grid(page)
    .getByRole('button', { name: /items? on/ })
    .first()
  await count.press('Tab')
  const event = grid(page).locator('button[aria-haspopup=dialog]').first()
  await expect(event).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Event Details' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(event).toBeFocused()
  await count.press('Enter')
  const list = page.getByRole('region', { name: /day, / })
  await expect(list.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(list.getByRole('link', { name: 'Skip to results' })).toBeFocused()
})

test('reports a failed calendar and lets the call center view it @whole', async ({ page, browser }) => {
  const path = '**/api/v2/admin/return/master/calendar'
  await page.route(path, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await open(page)
  await expect(page.getByText('The calendar could not be loaded')).toBeVisible()
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitUntilIdle(page)
  await expect(
    grid(page)
      .getByRole('button', { name: /items? on/ })
      .first(),
  ).toBeVisible()
  const otherPage = await browser.newPage()
  await open(otherPage, '', 'callcenter@mainstreet.example')
  await expect(
    grid(otherPage)
      .getByRole('button', { name: /items? on/ })
      .first(),
  ).toBeVisible()
  await otherPage.close()
})
