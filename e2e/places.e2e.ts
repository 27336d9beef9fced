import type { Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { expect, test } from './fixtures.ts'
const PLACES = '/municipality/manage/places'
test('look', async ({ page }) => {
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', PLACES)
  await expect(page.getByRole('table')).toBeVisible()
  await page.screenshot({ path: 'test-results/p1.png', fullPage: true })
  const field = page.getByRole('combobox', { name: 'Address' })
  await field.pressSequentially('214 sicamore')
  await expect(page.getByRole('option', { name: /214 Sycamore/ })).toBeVisible()
  await page.screenshot({ path: 'test-results/p2.png' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('214 Sycamore Lane, Maple Grove, PA 17011')
  await page.getByRole('button', { name: 'Show on the map' }).click()
  await page.waitForTimeout(1500)
  await page.getByLabel('Zones on the map').selectOption('Ward')
  await page.waitForTimeout(500)
  await page.screenshot({ path: 'test-results/p3.png', fullPage: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(500)
  await page.screenshot({ path: 'test-results/p4.png', fullPage: true })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'View' }).first().click()
  await page.waitForTimeout(1500)
  await page.screenshot({ path: 'test-results/p5.png' })
})
