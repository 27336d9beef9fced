import { readFile } from 'node:fs/promises'
import { merchantOverview } from '../features/merchant/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { allOrFirst, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const ADMIN = 'admin@maplegrove.example'
const OVERVIEW = '/municipality/reports/merchant-overview'

for (const width of allOrFirst([1280, 390])) {
  test(`leads from a year of card payments to the payments of a figure by keyboard at ${width} px`, async ({
    page,
    accessible,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    // The page ignores dates in the URL that do not exist.
    await openAs(page, 'maplegrove', ADMIN, `${OVERVIEW}?fromDate=2026-02-30&toDate=soon`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Merchant Overview')
    const days = page.getByRole('status').filter({ hasText: 'compared with' })
    const ofAMonth = (await days.textContent()) ?? ''
    // Until the year's totals arrive, the page shows the previous dates with a notice.
    const { promise: yearMayCome, resolve: letYearCome } = Promise.withResolvers<void>()
    await page.route('**/muni/return/merchant/overview', (route) => yearMayCome.then(() => route.fallback()))
    await page.getByLabel('Dates', { exact: true }).selectOption('Fiscal year')
    await expect(page).toHaveURL(/dates=fiscal-year/)
    await expect(page.getByLabel('Dates', { exact: true })).toHaveValue('fiscal-year')
    await expect(days).toHaveText(ofAMonth)
    const figures = page.getByRole('region', { name: 'Payments received' }).locator('summary')
    await expect(figures).toContainText('Payments by day')
    letYearCome()
    await expect(figures).toContainText('Payments by month')
    for (const part of [
      'Payments received',
      'Approvals and declines',
      'Returned eChecks',
      'Disputes',
      'Fees',
      'Payouts and next deposit',
    ])
      await expect(page.getByRole('heading', { level: 2, name: part })).toBeVisible()
    await expect(page.getByRole('table', { name: 'By payment method' })).toContainText('eCheck')
    await expect(page.getByRole('table', { name: 'eCheck return rates' })).toContainText('0.5%')
    await expectGood(page, accessible, 'the overview of a year')
    await page.setViewportSize({ width, height: 900 })
    const reasons = page.getByRole('list', { name: 'Decline reasons' })
    const funds = reasons.getByRole('listitem').filter({ hasText: 'Insufficient funds' })
    const many = /(\d+) payments?/.exec((await funds.textContent()) ?? '')?.[1] ?? ''
    await funds.getByRole('link').press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Transaction Report')
    await expect(page).toHaveURL(/declined=funds/)
    await expect(page.getByText(new RegExp(`\\b${many} payments?`)).first()).toBeVisible()
  })

  test(`fits all columns of the overview with a figure of every kind at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    const large = {
      refundedCents: 123_456_78,
      returnedCents: 98_765_43,
      voidedCents: 234_567_89,
      otherCents: 34_567_80,
    }
    const { token } = await sessionOf('maplegrove', ADMIN)
    await page.route('**/muni/return/merchant/overview', async (route) => {
      const body = await callOn('maplegrove', merchantOverview, route.request().postDataJSON() as never, token)
      const grow = (of: { now: object; before: object }) => Object.assign(of.now, large)
      for (const of of [body.volume, ...body.methods, ...body.locations]) grow(of)
      await route.fulfill({ json: body })
    })
    await openAs(page, 'maplegrove', ADMIN, `${OVERVIEW}?dates=fiscal-year`)
    const table = page.getByRole('table', { name: 'By location' })
    await expect(table).toContainText('Other reversals')
    const cut = await page
      .locator('main [role=group]:has(> table)')
      .evaluateAll((groups) => groups.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
    expect(cut).toEqual([])
  })

  test(`compares a reported year and logs its views at ${width} px @whole`, async ({ page, accessible }) => {
    test.slow()
    await page.setViewportSize({ width: 1280, height: 900 })
    await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality')
    await page.getByRole('link', { name: 'Processor Reports' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Processor Reports')
    await expectGood(page, accessible, 'the processor’s reports')
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('link', { name: 'Form 1099-K', exact: true }).last().press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Form 1099-K')
    await page.getByLabel('Year').selectOption({ index: 1 })
    await expect(page.getByText('The form shows $84.17 less than the ledger.')).toBeVisible()
    await expectGood(page, accessible, 'a year that differs')
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('button', { name: 'Edit reported amounts' }).press('Enter')
    const panel = page.getByRole('dialog')
    await panel.getByLabel('3 Number of payments').fill('many')
    await panel.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(panel.getByText('Enter a whole number.')).toBeVisible()
    await accessible(page, 'the form with a mistake')
    await page.keyboard.press('Escape')
    await page.goto(new URL('/municipality/processor/reports/accesses', page.url()).href)
    const rows = page.locator('main')
    await expect(rows.getByText('Menu').filter({ visible: true }).first()).toBeVisible()
    await expect(rows.getByText('Form 1099-K').filter({ visible: true }).first()).toBeVisible()
  })

  test(`saves a resident’s yearly payments as PDF at ${width} px @whole`, async ({ page, accessible }) => {
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, 'maplegrove', 'resident@maplegrove.example', '/utility-portal')
    await page.getByRole('link', { name: 'Annual statement of your payments, for your taxes' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Annual Payments')
    await expect(page.getByText('Total paid, without fees')).toBeVisible()
    await expectGood(page, accessible, 'what a resident paid')
    await page.setViewportSize({ width, height: 900 })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as PDF' }).press('Enter'),
    ])
    expect(file.suggestedFilename()).toMatch(/^paid-in-\d{4}\.pdf$/)
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
    await page.getByLabel('Year').selectOption({ index: 6 })
    await expect(page.getByText(/^No payments in \d{4} from your account$/)).toBeVisible()
  })
}
