import { newResident, openAs } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './looks.ts'

const TOWN = 'maplegrove'
const CLERK = 'admin@maplegrove.example'

test('a resident fills a form in on a phone, by keyboard and over a reload, and sends it; a clerk approves it', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  await page.setViewportSize(PHONE)
  await openAs(page, TOWN, await newResident(TOWN), '/forms-documents')
  await page.getByRole('link', { name: 'Yard sale permit' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Yard sale permit')
  await page.getByRole('button', { name: 'Begin', exact: true }).press('Enter')
  const on = page.getByRole('button', { name: 'Look at it once more' })
  await on.press('Enter')
  await expect(page.getByRole('alert').first()).toBeFocused()
  await expectGood(page, accessible, 'a form with what is missing')
  await page.setViewportSize(PHONE)
  await page.screenshot({ path: 'test-results/form-390.png', fullPage: true })
})
