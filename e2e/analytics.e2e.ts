import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const CALL = '**/api/v2/admin/return/analytics'
const open = (page: Page, query = '') => openAs(page, 'admin', 'super@mainstreet.example', `/admin/analyitics${query}`)

/** Finds the headline number with this name. */
const headline = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
const numberIn = async (page: Page, name: string) =>
  Number((await headline(page, name).locator('dd > span').first().textContent())?.replaceAll(/[^\d.]/g, ''))

test('shows a month of all companies with its figures and their file @whole', async ({ page, accessible }) => {
  await openAs(page, 'admin', 'super@mainstreet.example', '/admin')
  await page.getByRole('link', { name: 'Analytics' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics')
  await expect(page.getByText(/^Figures as of .+ [AP]M( \S+)?$/)).toBeVisible()
  await expect(headline(page, 'Payments')).toContainText(/\d+% (?:more|less) than in the previous period|unchanged/)
  await expect(page.getByRole('img', { name: /^Payments over time by payment method/ })).toBeVisible()
  await expectGood(page, accessible, 'the analytics of a month')
  const all = await numberIn(page, 'Payments')

  const panel = page.getByRole('region', { name: 'Payments over time' })
  await panel.getByText('Show figures').click()
  const figures = panel.getByRole('table', { name: 'Payments over time' })
  await expect(figures.locator('tbody tr')).toHaveCount(30)
  await expect(figures.locator('tfoot td').first()).toHaveText(all.toLocaleString('en-US'))
  await expectGood(page, accessible, 'the figures behind a chart')

  // The file contains current figures. The test reloads the page, because the portal may recount the figures before the
  // export.
  await expect(async () => {
    await page.reload()
    await expect(headline(page, 'Payments')).toBeVisible()
    const now = await numberIn(page, 'Payments')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV: Payments over time' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^analytics-payments-platform-/)
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    expect(head).toBe('Day,Payments,Count,Amount')
    expect(lines.reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0)).toBe(now)
  }).toPass()
})

test('shows one company for a year and custom dates over a reload @whole', async ({ page, accessible }) => {
  await open(page)
  await expect(headline(page, 'Payments')).toBeVisible()
  const all = await numberIn(page, 'Payments')
  await page.getByRole('button', { name: /Company$/ }).click()
  await page.getByRole('combobox', { name: 'Search the list' }).fill('harbor')
  await page.getByRole('option', { name: 'Harbor City' }).click()
  await expect.poll(() => numberIn(page, 'Payments')).toBeLessThan(all)
  await page.getByLabel('Period').selectOption('1 year')
  await expect(page.getByLabel('Group by')).toHaveValue('month')
  await expect(page.getByText('No figures are available for the previous period.')).toBeVisible()
  await expect(headline(page, 'Payments')).not.toContainText(/before|unchanged|previous/)
  await expectGood(page, accessible, 'a year of one company')
  await page.reload()
  await expect(page.getByRole('button', { name: /Harbor City/ })).toBeVisible()
  await expect(page.getByLabel('Period')).toHaveValue('365')
  await page.getByLabel('Period').selectOption('Custom dates')
  await expect(page.getByText('Date range')).toBeVisible()
  await expectGood(page, accessible, 'dates of one’s own')
})

test('explains missing figures, empty periods, too many days and a failed server @whole', async ({
  page,
  accessible,
}) => {
  const before = { fromDate: '2026-01-01', toDate: '2026-01-30', counted: false }
  const query = { fromDate: '2026-02-01', toDate: '2026-02-02', by: 'day' }
  const nothing = { query, before, points: ['2026-02-01', '2026-02-02'], measures: [] }
  await page.route(CALL, (route) => route.fulfill({ json: { ...nothing, asOf: null } }))
  await open(page)
  await expect(page.getByRole('heading', { name: 'No figures yet' })).toBeVisible()
  await expectGood(page, accessible, 'analytics of a new installation')
  await page.unroute(CALL)

  await page.route(CALL, (route) => route.fulfill({ json: { ...nothing, asOf: '2026-02-02T12:00:00.000Z' } }))
  await open(page)
  for (const message of ['No one signed up in this period.', 'No failures in this period.'])
    await expect(page.getByText(message)).toBeVisible()
  await expectGood(page, accessible, 'analytics of a quiet period')
  await page.unroute(CALL)

  await open(page, '?period=dates&fromDate=2020-01-01&toDate=2022-01-01')
  await expect(page.getByText('Choose a period of up to 400 days.')).toBeVisible()
  await page.route(CALL, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await open(page)
  await expect(page.getByText('The server is being restarted.')).toBeVisible()
  await expectGood(page, accessible, 'analytics that could not be loaded')
  await page.unroute(CALL)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(headline(page, 'Payments')).toBeVisible()
})

test('chooses a period and opens the figures by keyboard only @whole', async ({ page }) => {
  await open(page)
  await expect(headline(page, 'Payments')).toBeVisible()
  const period = page.getByLabel('Period')
  const reach = async (target: ReturnType<Page['locator']>) => {
    for (let tabs = 0; tabs < 60; tabs++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
  }
  await reach(period)
  await expect(period).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(period).toHaveValue('7')
  const figures = page.locator('summary').first()
  await expect(page.getByRole('table')).toHaveCount(0)
  await reach(figures)
  await expect(figures).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const table = page.getByRole('group', { name: 'Payments over time' })
  await expect(table).toBeFocused()
  await expect(table.locator('tbody tr')).toHaveCount(7)
})

test('keeps bars visible in forced colors and higher contrast @whole', async ({ page, accessible }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page)
  const image = page.getByRole('img', { name: /^Payments over time by payment method/ })
  await expect(image).toBeVisible()
  const { bar, line, ground } = await image.evaluate((svg) => {
    const style = (selector: string) => getComputedStyle(svg.querySelector(selector) ?? svg)
    return {
      bar: style('g > rect').fill,
      line: style('g > rect').stroke,
      ground: getComputedStyle(document.body).backgroundColor,
    }
  })
  expect([bar, line]).not.toContain(ground)
  await accessible(page, 'analytics in forced colors')
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  await accessible(page, 'analytics with more contrast')
})

test('opens the same screen by the correct spelling @whole', async ({ page }) => {
  await open(page)
  await page.goto(at('admin', '/admin/analytics'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics')
})
