import type { Page } from '@playwright/test'
import { expect, gateway, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { bankAccounts, expectOutcome, expectPaid, fillBank, fillCard, findBill, pay, paymentsOf } from './pay.ts'

const DAY = 86_400

/**
 * Moves the bank's clock forward, so that due events happen now. The gateway's clock then returns to the present,
 * because the portal ignores messages from the future.
 */
async function afterDays(days: number): Promise<void> {
  await gateway('POST', 'clock', { advance_seconds: days * DAY })
  await gateway('POST', 'clock', { now: new Date().toISOString() })
  await gateway('POST', 'flush')
}

/** Waits for the heading. After the first change of the clock, the gateway also sends the events of all demo payments. */
const comesTo = (page: Page, heading: string): Promise<void> =>
  expect(async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: heading })).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 120_000 })

test('reopens the amount of returned eChecks and creates receipts for paid ones', async ({
  page,
  context,
  account,
  accessible,
}) => {
  test.setTimeout(420_000)
  const refused = await context.newPage()
  await findBill(refused, account, 'harborcity')
  await fillBank(refused, bankAccounts.refused)
  await pay(refused)
  await expectOutcome(refused, 'Your eCheck of $149.31 is processing')
  await findBill(page, account)
  await fillBank(page, bankAccounts.returned)
  await pay(page)
  await expectOutcome(page, 'Your eCheck of $150.81 is processing')

  await afterDays(3)
  await comesTo(refused, 'Your payment did not go through')
  await expect(refused.getByText('The bank rejected the eCheck (R01). No money was taken.')).toBeVisible()
  expect(await paymentsOf(account, 'harborcity')).toEqual(['Declined $149.31'])
  await comesTo(page, 'Your payment went through')
  expect(await paymentsOf(account)).toEqual(['Successful $150.81'])

  await afterDays(7)
  await comesTo(page, 'Your bank returned this eCheck')
  await expect(page.getByText('The amount is due again.')).toBeVisible()
  await expectGood(page, accessible, 'a returned eCheck')
  await page.getByRole('button', { name: 'Pay by card' }).click()
  await expect(page.getByRole('region', { name: 'Utility bill' })).toContainText('Amount due$149.31')
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(['Successful $153.72', 'Returned R10 $150.81'])
})
