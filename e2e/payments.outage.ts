import type { Page } from '@playwright/test'
import { openAs, residentWithCard } from './calls.ts'
import { at, expect, gateway, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { BILL } from './bills.ts'
import { expectOutcome, paymentsOf } from './pay.ts'

const HOST = 'maplegrove'
const BANNER = 'Payments by card and bank account are not working.'
/** Time limit for the portal to detect an outage and for the page to show it. */
const WITHIN = { timeout: 60_000 }
/**
 * Time limit for a recovered provider to become available. The provider must answer for a full minute first, and the
 * jobs run each minute.
 */
const RECOVERY = { timeout: 240_000 }

/** Makes the gateway return errors for payments and for all queries about payments. */
async function breakGateway(): Promise<void> {
  for (const path of ['/v1/intents', '/v1/balance_transactions', '/v1/setup_intents'])
    await gateway('POST', 'faults', { fault: '500', path, count: 1_000_000 })
}

async function openBill(page: Page, account: string): Promise<void> {
  await page.goto(at(HOST, '/guest-utility-payment'))
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
}

test.afterEach(() => gateway('DELETE', 'faults'))

test('defers a resident’s payment in an outage and charges it once', async ({ page, account, accessible }) => {
  test.setTimeout(420_000)
  await page.setViewportSize({ width: 390, height: 844 })
  const email = await residentWithCard(HOST, account)
  await openAs(page, HOST, email, '/home')
  await openBill(page, account)
  await breakGateway()
  await page.getByRole('button', { name: /^Pay \$/ }).press('Enter')
  const outcome = await expectOutcome(page, 'Your payment did not go through')
  await expect(outcome).toContainText('Nothing was charged. We recorded the time of your attempt.')
  const banner = page.getByText(BANNER)
  await expect(banner).toBeVisible(WITHIN)

  // The page offers the alternatives to an immediate payment, without a reload.
  const later = page.getByRole('button', {
    name: /^Pay \$\d+\.\d\d with Visa ending 4242 when payments work again$/,
  })
  await expect(later).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send me a link when I can pay' })).toBeVisible()
  await expect(page.getByText('when you press the button')).toHaveCount(0)
  await expectGood(page, accessible, 'a payment in an outage')
  await page.setViewportSize({ width: 390, height: 844 })
  await later.press('Enter')
  await expectOutcome(page, 'We will charge this payment when payments work again')
  await expectGood(page, accessible, 'what is promised in an outage')
  await page.setViewportSize({ width: 390, height: 844 })
  const payment = page.url()

  await page.getByRole('link', { name: 'Your options' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Status')
  await expect(page.getByText('Payments by card and bank account are not working right now')).toBeVisible()
  await expect(page.getByRole('link', { name: account })).toBeVisible()
  await expectGood(page, accessible, 'the status of payments in an outage')

  const office = await page.context().newPage()
  await office.setViewportSize({ width: 1280, height: 900 })
  await openAs(office, HOST, 'admin@maplegrove.example', '/municipality/reports/payments')
  await expect(office.getByText(/Sandbox is not responding/)).toBeVisible()
  await office.getByRole('link', { name: 'View attempts' }).press('Enter')
  await expect(office.getByRole('heading', { level: 1 })).toHaveText('Payment Outages')
  await office
    .getByRole('main')
    .getByRole('button', { name: /^View .*\d{4}/ })
    .first()
    .press('Enter')
  const panel = office.getByRole('dialog')
  await expect(panel).toContainText(account)
  await expect(panel).toContainText('Payment attempt that could not be completed')
  await accessible(office, 'an outage in full')

  await gateway('DELETE', 'faults')
  await page.goto(payment)
  await expect(
    page.getByRole('heading', { name: 'We will charge this payment when payments work again' }),
  ).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your payment went through' })).toBeVisible({ timeout: 2000 })
  }).toPass({ ...RECOVERY, intervals: [5000] })
  await expect(banner).toHaveCount(0)
  expect(await paymentsOf(account)).toEqual([expect.stringMatching(/^Successful/), expect.stringMatching(/^Declined/)])
})
