import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { reveal } from './filters.ts'
import { expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const open = (page: Page, path: string) => openAs(page, 'admin', SUPER, path)

const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const cents = (text: string | null) => Math.round(Number((text ?? '').replaceAll(/[^\d.-]/g, '')) * 100)

test('shows and downloads a month of fees by company, day and absorption @whole', async ({ page, accessible }) => {
  await open(page, '/admin')
  await page.getByRole('link', { name: 'Convenience Fee Report' }).click()
  await expect(h1(page)).toHaveText('Convenience Fee Report')
  const maple = page.getByRole('row').filter({ hasText: 'Maple Grove' })
  await expect(maple).toBeVisible()
  const foot = page.locator('tfoot')
  for (const label of ['Total Amount:', 'Total Fees:', 'Total Payment:']) await expect(foot).toContainText(label)
  const net = async () =>
    cents(await foot.locator('td', { hasText: 'Total Fees:' }).locator('.bookkeeper').textContent())
  const everybody = await net()
  await expectGood(page, accessible, 'the fee report')

  const absorb = await reveal(page, page.getByLabel('Absorb', { exact: true }))
  await absorb.selectOption('Yes')
  await expect(maple).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'Harbor City' })).toBeVisible()
  const absorbed = await net()
  await absorb.selectOption('No')
  await expect(maple).toBeVisible()
  expect(absorbed + (await net()), 'what was absorbed and what was not are all').toBe(everybody)
  await absorb.selectOption('All')

  await openMore(page, 'the list')
  await page.getByLabel('eCheck fees').check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'eCheck fees' })).toBeVisible()

  await maple.getByRole('button', { name: /View/ }).press('Enter')
  const days = page.getByRole('dialog', { name: 'Fees for Maple Grove' })
  await expect(days.getByRole('img', { name: /Net fees by day, for card and eCheck/ })).toBeVisible()
  await expect(days.getByRole('table', { name: 'Fees by day' })).toContainText('Total')
  await expectGood(page, accessible, "a company's fees day by day")
  await page.reload()
  await expect(days).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(days).toHaveCount(0)

  await openMore(page, 'the list')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^convenience-fees-platform-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  expect(head).toContain('Net fees')
  expect(lines).toHaveLength(2)
})

test('shows profit and loss by company and each account by month @whole', async ({ page, accessible }) => {
  await open(page, '/admin/profit/report')
  await expect(h1(page)).toHaveText('Profit and Loss Report')
  const foot = page.locator('tfoot').first()
  await expect(foot).toContainText('Net total:')
  await expectGood(page, accessible, 'profit and loss')
  // The list and the table of months show the same total.
  const months = page.getByRole('table', { name: 'Ledger accounts by month' })
  const net = await foot.locator('td', { hasText: 'Net total:' }).locator('.bookkeeper').textContent()
  await expect(months.locator('tfoot td').last()).toHaveText(net ?? 'no total')
  await page.getByRole('row').filter({ hasText: 'Harbor City' }).getByRole('button', { name: /View/ }).press('Enter')
  const one = page.getByRole('dialog', { name: 'Profit and loss for Harbor City' })
  await expect(one.getByRole('table', { name: 'Ledger accounts by month' })).toContainText('Absorbed-fee expense')
  await expectGood(page, accessible, "a company's profit and loss")
  await one.getByRole('button', { name: 'Close' }).last().click()
  await openMore(page, 'the list')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^profit-and-loss-/)
})

test('distinguishes an empty period, a too long period and a failed server @whole', async ({ page, accessible }) => {
  await open(page, '/admin/fee/report?fromDate=2020-01-01&toDate=2020-01-31')
  await expect(page.getByRole('heading', { name: 'No companies to show' })).toBeVisible()
  await expectGood(page, accessible, 'a fee report without payments')
  await open(page, '/admin/profit/report?fromDate=2020-01-01&toDate=2022-01-31')
  await expect(page.getByText('Choose a period of up to 400 days.').first()).toBeVisible()
  await expectGood(page, accessible, 'a report of too many days')
  const path = '**/api/v2/admin/return/fee/report'
  await page.route(path, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await open(page, '/admin/fee/report')
  await expect(page.getByText('The server is being restarted.')).toBeVisible()
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Maple Grove' })).toBeVisible()
})

test('hides these reports from the call center @whole', async ({ page }) => {
  await openAs(page, 'admin', 'callcenter@mainstreet.example', '/admin')
  await expect(page.getByRole('link', { name: 'Customer Look Up' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Report$/ })).toHaveCount(0)
})

test('opens a company’s days and returns by keyboard only @whole', async ({ page }) => {
  await open(page, '/admin/fee/report')
  const maple = page.getByRole('row').filter({ hasText: 'Maple Grove' })
  const name = maple.getByRole('button', { name: 'Maple Grove', exact: true })
  await expect(name).toBeVisible()
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press('Tab')
    if (await name.evaluate((element) => element === document.activeElement)) break
  }
  await expect(name).toBeFocused()
  await page.keyboard.press('Enter')
  const days = page.getByRole('dialog', { name: 'Fees for Maple Grove' })
  await expect(days.getByRole('table')).toBeVisible()
  // Tab reaches the scrolling panel first, then the table inside it.
  const figures = days.getByRole('group', { name: 'Fees by day' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(figures).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(name).toBeFocused()
})
