import { readFileSync } from 'node:fs'
import { openAs } from './calls.ts'
import { at, expect, signIn, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

test('shows a resident their account activity, filters it and downloads it @whole', async ({ page, accessible }) => {
  await signIn(page, 'maplegrove', 'newcomer@maplegrove.example')
  await page.getByRole('link', { name: 'My Activity' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity Log')
  await expect(page.getByText('Signed in').first()).toBeVisible()
  await expectGood(page, accessible, 'the activity log')
  await page.getByLabel('Show').selectOption('Payments')
  await expect(page.getByRole('heading', { name: 'No activity matches these filters' })).toBeVisible()
  await expectGood(page, accessible, 'an empty selection of the activity log')
  await page.getByRole('button', { name: 'Show all activity' }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(readFileSync(await saved.path(), 'utf8')).toMatch(
    /^\uFEFFDate,Action taken,By,Reason,Payment\n[^]*,Signed in,/,
  )
})

test('reports a log that fails to load and retries @whole', async ({ page }) => {
  const call = '**/api/v2/return/activity/log'
  await page.route(call, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await openAs(page, 'maplegrove', 'newcomer@maplegrove.example', '/profile/activity-log')
  await expect(page.getByRole('heading', { name: 'Could not load your activity' })).toBeVisible()
  await page.unroute(call)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Signed in').first()).toBeVisible()
})

test('lets a municipality’s administrator find a person in the log by keyboard @whole', async ({
  page,
  accessible,
}) => {
  await signIn(page, 'harborcity', 'resident@harborcity.example')
  await page.evaluate(() => sessionStorage.clear())
  await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality')
  await page.getByRole('button', { name: 'Records' }).press('Enter')
  await page.getByRole('link', { name: 'Audit Log' }).press('Enter')
  await page.getByLabel('Person’s email address').fill('resident@harborcity.example')
  const rows = page.getByRole('row').filter({ hasText: 'Signed in' })
  await expect(rows.first()).toBeVisible()
  await rows.first().getByRole('button', { name: /View/ }).press('Enter')
  const details = page.getByRole('dialog')
  await expect(details).toContainText('sign_in.accepted')
  await expectGood(page, accessible, 'a record of the audit log')
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  // The subject of an audit log entry links to all entries about the subject. The oldest entry is about the
  // municipality. No other test creates an older entry.
  await page.goto(at('harborcity', '/municipality/reports/audit-log?sort=at&direction=asc'))
  const about = page.getByRole('button', { name: /^Show all entries about / }).first()
  const personName = await about.innerText()
  await about.press('Enter')
  await expect(page).toHaveURL(/[?&]about=/)
  await expect(page.getByRole('button', { name: `Show all entries about ${personName}` }).first()).toBeVisible()
  await expectGood(page, accessible, 'everything about one subject')
})

test('hides the audit log without the privilege @whole', async ({ page }) => {
  await openAs(page, 'maplegrove', 'staff@maplegrove.example', '/municipality')
  await expect(page.getByRole('link', { name: 'Schedule' })).toBeVisible()
  // A folded part of the menu would hide the link only.
  await expect(page.locator('nav a').filter({ hasText: 'Audit Log' })).toHaveCount(0)
})

test('shows the platform its own audit log and a chosen company’s @whole', async ({ page, accessible }) => {
  await openAs(page, 'admin', 'super@mainstreet.example', '/admin')
  await page.getByRole('link', { name: 'Audit Log' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit Log')
  await expect(page.getByRole('row').filter({ hasText: 'Signed in' }).first()).toBeVisible()
  await expectGood(page, accessible, 'the platform’s audit log')
  await openMore(page, 'the list')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /CSV/ }).first().click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^audit-log-platform-\d{4}/)
  await page.getByRole('button', { name: /Company$/ }).click()
  await page.getByRole('combobox', { name: 'Search the list' }).fill('harbor')
  await page.getByRole('option', { name: 'Harbor City' }).click()
  await expect(page).toHaveURL(/companyId=\d+/)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /Company$/ })).toContainText('Harbor City')
  await expectGood(page, accessible, 'a town’s audit log at the platform')
})
