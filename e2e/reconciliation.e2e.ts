import type { Page } from '@playwright/test'
import { addDays } from '../shared/dates.ts'
import { openAs } from './calls.ts'
import { allOrFirst, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

/** Opens an exception by keyboard, resolves it in its panel and checks that the day no longer lists it. */
async function resolveException(page: Page, name: RegExp, how: string | null, why: string) {
  await page.getByRole('button', { name }).press('Enter')
  const panel = page.getByRole('dialog')
  if (how !== null) await panel.getByLabel('Resolution method').selectOption({ label: how })
  await panel.getByLabel('Reason').fill(why)
  await panel.getByRole('button', { name: 'Resolve exception' }).press('Enter')
  await expect(panel.getByText('Resolved').first()).toBeVisible()
  // The pressed button no longer exists, but the focus must stay in the panel.
  await expect(panel.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page.getByRole('button', { name })).toBeHidden()
}

/** Covers the days from the last closed day to yesterday, on one screen. */
test('resolves exceptions and closes the day on one screen by keyboard only', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize({ width: 1280, height: 900 })
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/reports/reconciliation')
  const day = page.getByLabel('Day', { exact: true })
  const first = await day.inputValue()
  await expect(page.getByRole('heading', { name: 'Reconciliation checks' })).toBeVisible()
  await page.goto(new URL(`?day=${addDays(first, 5)}`, page.url()).href)
  await expect(page.getByText(/exceptions? on or before this day (?:is|are) still open\./)).toBeVisible()
  await expectGood(page, accessible, 'a day that can not be closed yet')
  await page.setViewportSize({ width: 1280, height: 900 })
  await resolveException(page, /^Deposit not received: Payout /, null, 'The bank holds it until Friday')
  await resolveException(
    page,
    /^Unmatched bank transaction: MOBILE DEPOSIT/,
    'Unrelated to Mainstreet',
    'The library’s fines',
  )
  await expect(page.getByText(/every cent is matched or resolved\./)).toBeVisible()
  await page.getByRole('button', { name: /^Close .* – / }).press('Enter')
  const sure = page.getByRole('alertdialog')
  await expect(sure).toContainText(/This closes all \d+ days/)
  await accessible(page, 'whether several days are closed')
  await sure.getByRole('button', { name: /^Close \d+ days$/ }).press('Enter')
  await expect(page.getByText(/ through .* were closed\.$/)).toBeVisible()
  const closed = page.getByText(/^by .*,/)
  await expect(closed).toBeVisible()
  await expect(page.locator(':focus')).toContainText(/^.*by .*,/)
  await expectGood(page, accessible, 'a day that is closed')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'GL account numbers' }).press('Enter')
  const numbers = page.getByRole('dialog', { name: 'GL account numbers' })
  await numbers.getByLabel('Bank (optional)', { exact: true }).fill('1010')
  await accessible(page, 'the account numbers')
  await numbers.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText('The GL account numbers were saved.')).toBeVisible()
  // If a URL opened the panel, the focus can't return to a button. It moves to the page heading instead.
  await page.goto(new URL('?numbers=1', page.url()).href)
  await expect(numbers).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

for (const width of allOrFirst([390, 1280]))
  test(`imports a bank statement and adds a rule at ${width} px @whole`, async ({ page, account, accessible }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    // Uses Harbor City, because the open exceptions of this test must not block the closing of days in Maple Grove.
    await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality/manage/bank-statements?take=1')
    const bankText = `ARMORED CAR ${account}`
    // Uses a separate bank account, so that no other statement covers its days.
    const csv = `Date,Description,Amount,Account\n2026-01-05,${bankText},250.00,${account.replaceAll(/\W/g, '').slice(-4)}`
    await page.setInputFiles('input[type=file]', { name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await expect(page.getByText('1 needs review, $250.00 total')).toBeVisible()
    await accessible(page, 'a preview of a statement')
    await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
    await expect(page.getByText('File imported.')).toBeVisible()
    await page.goto(new URL(`/municipality/reports/exceptions?search=${encodeURIComponent(account)}`, page.url()).href)
    await page
      .getByRole('button', { name: /^View / })
      .first()
      .press('Enter')
    const panel = page.getByRole('dialog')
    await expectGood(page, accessible, 'a line that is not explained')
    await page.setViewportSize({ width, height: 900 })
    await panel.getByLabel('Resolution method').selectOption({ label: 'Cash and check deposit from the counter' })
    await panel.getByLabel('Words for a matching rule (optional)').fill(bankText)
    await panel.getByLabel('Reason').fill('Picked up every Monday')
    await panel.getByRole('button', { name: 'Resolve exception' }).press('Enter')
    await expect(panel.getByText('Resolved').first()).toBeVisible()
    await page.goto(new URL('/municipality/manage/bank-statements?rules=1', page.url()).href)
    await expect(page.getByRole('dialog').getByText(`“${bankText}”`)).toBeVisible()
    await accessible(page, 'the rules about lines of the bank')
  })
