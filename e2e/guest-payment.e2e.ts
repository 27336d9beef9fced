import { BILL } from './bills.ts'
import { at, expect, test } from './fixtures.ts'

test('a guest pays by card and holds a receipt', async ({ page, account }) => {
  await page.goto(at('maplegrove', '/guest-utility-payment'))
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: /find/i }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Complete Payment')
  await page.screenshot({ path: '/tmp/e2e-1.png', fullPage: true })
})
