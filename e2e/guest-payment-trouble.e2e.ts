import type { Page } from '@playwright/test'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import {
  bankAccounts,
  cards,
  expectOutcome,
  expectPaid,
  fields,
  fillBank,
  fillCard,
  findBill,
  pay,
  payButton,
  paymentsOf,
} from './pay.ts'

const PAID_ONCE = ['Successful $153.72']
const PAY = '**/api/v2/pay/guest/bill'

test('explains a declined card and accepts another', async ({ page, account, accessible }) => {
  const declines = [
    [cards.declined, 'The card issuer declined the payment.'],
    [cards.insufficient, 'The card does not have enough funds for this payment.'],
    [cards.expired, 'The card has expired.'],
    [cards.invalidCode, 'The security code did not match the card.'],
  ] as const
  await findBill(page, account)
  for (const [number, reason] of declines) {
    await fillCard(page, number)
    await pay(page)
    const outcome = await expectOutcome(page, 'Your payment did not go through')
    await expect(outcome).toContainText(`${reason} Nothing was charged.`)
    await expect(outcome).toContainText(/Reference: P\d+/)
    // The chosen amount stays selected.
    await expect(page.getByRole('radio', { name: 'Full amount $149.31' })).toBeChecked()
    await expect(page.getByRole('region', { name: 'Utility bill' })).toContainText('$149.31')
    await expect(payButton(page)).toHaveText('Pay $153.72')
    if (number === cards.declined) await expectGood(page, accessible, 'a declined payment')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(fields(page).getByLabel('Card number')).toBeFocused()
    await expect(fields(page).getByLabel('Card number')).toHaveValue('')
  }
  expect(await paymentsOf(account)).toEqual(['Declined $153.72'])
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('waits for a slow card and charges it once @whole', async ({ page, account, accessible }) => {
  await findBill(page, account)
  await fillCard(page, cards.slow)
  await pay(page)
  const outcome = await expectOutcome(page, 'Your payment of $153.72 is being processed')
  await expect(outcome).toContainText('Do not pay again.')
  await expectGood(page, accessible, 'a payment that is being processed')
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

async function meetChallenge(page: Page, account: string): Promise<void> {
  await findBill(page, account)
  await fillCard(page, cards.challenge)
  await pay(page)
  const outcome = await expectOutcome(page, 'Your bank must confirm your identity')
  await expect(outcome).toContainText('$153.72')
}

const respondToBank = async (page: Page, response: 'Approve' | 'Decline') => {
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await page.getByRole('button', { name: response }).click()
}

test('completes a payment that the payer approves at the bank @whole', async ({ page, account, accessible }) => {
  await meetChallenge(page, account)
  await expectGood(page, accessible, 'a challenge')
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await expect(page.getByRole('heading', { name: 'Is it you?' })).toBeVisible()
  await expectGood(page, accessible, "the bank's page")
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('charges nothing if the payer refuses at the bank @whole', async ({ page, account }) => {
  await meetChallenge(page, account)
  await respondToBank(page, 'Decline')
  await expectOutcome(page, 'Your payment did not go through')
  await page.getByRole('button', { name: 'Try again' }).click()
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('lets the payer abandon a payment that waits for the bank @whole', async ({ page, account }) => {
  await meetChallenge(page, account)
  await page.getByRole('button', { name: 'Use another card' }).click()
  await expect(fields(page).getByLabel('Card number')).toBeFocused()
  expect(await paymentsOf(account)).toEqual(['Declined $153.72'])
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

/**
 * Drops the portal's responses to payments from this moment. `lost` resolves after the portal has answered a payment.
 */
async function loseResponses(page: Page, how: 'fail' | 'keep waiting'): Promise<{ lost: Promise<void> }> {
  const line = await page.context().newCDPSession(page)
  const lost = new Promise<void>((resolve) => {
    line.once('Fetch.requestPaused', ({ requestId }) => {
      if (how === 'fail') void line.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      resolve()
    })
  })
  await line.send('Fetch.enable', { patterns: [{ urlPattern: '*/pay/guest/bill', requestStage: 'Response' }] })
  return { lost }
}

test('finds a payment again after its answer was lost', async ({ page, account, accessible }) => {
  await findBill(page, account)
  await fillCard(page)
  const { lost } = await loseResponses(page, 'fail')
  await pay(page)
  await lost
  await expectPaid(page)
  await expectGood(page, accessible, 'a receipt')
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('finds the payment after a reload during payment @whole', async ({ page, account }) => {
  await findBill(page, account)
  await fillCard(page)
  const { lost } = await loseResponses(page, 'keep waiting')
  await pay(page)
  await lost
  await page.reload()
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('keeps the warning over a reload and retries until an answer arrives @whole', async ({
  page,
  account,
  accessible,
}) => {
  await findBill(page, account)
  await fillCard(page)
  const { lost } = await loseResponses(page, 'keep waiting')
  await pay(page)
  await lost
  await page.route('**/return/guest/checkout', (route) => route.abort())
  await page.reload()
  const checking = await expectOutcome(page, 'We are checking whether your payment went through')
  await expect(checking).toContainText('Do not pay again.')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expectGood(page, accessible, 'looking for a payment after a reload')
  await page.unroute('**/return/guest/checkout')
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('resends a payment that never arrived, without a charge in between @whole', async ({
  page,
  context,
  account,
  accessible,
}) => {
  await page.clock.install()
  await findBill(page, account)
  await fillCard(page)
  await page.route(PAY, async (route) => {
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  await pay(page)
  const checking = await expectOutcome(page, 'We are checking whether your payment went through')
  await expect(checking).toContainText('Do not pay again.')
  await expectGood(page, accessible, 'looking for a payment')
  await page.unroute(PAY)
  await context.setOffline(false)
  await page.waitForResponse('**/return/guest/checkout')
  await page.clock.fastForward('00:12')
  await expectOutcome(page, 'Your payment did not reach us')
  await expectGood(page, accessible, 'a payment that did not arrive')
  expect(await paymentsOf(account)).toEqual([])
  await page.getByRole('button', { name: 'Retry payment' }).click()
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('shows the receipt again after leaving and returning @whole', async ({ page, account }) => {
  await findBill(page, account)
  const address = page.url()
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guest Utility Payment')
  await page.goForward()
  await expectPaid(page)
  await page.goto(at('maplegrove'))
  await page.goto(address)
  await expectPaid(page)
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toHaveCount(0)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('prevents two tabs from paying the same bill twice @whole', async ({ page, context, account }) => {
  await findBill(page, account)
  const [same, other] = [await context.newPage(), await context.newPage()]
  await same.goto(page.url())
  await findBill(other, account)
  for (const tab of [page, same, other]) await fillCard(tab)

  await pay(page)
  await expectPaid(page)
  await pay(same)
  await expectPaid(same)
  await expect(same.getByText('This payment was already made. You were not charged twice.')).toBeVisible()
  await pay(other)
  await expect(other.getByRole('alert').filter({ hasText: /This account has no amount due\./ })).toBeVisible()
  // After the refusal, the page offers no payment.
  await expect(other.getByRole('region', { name: 'Utility bill' })).toContainText('Amount due$0.00')
  await expect(payButton(other)).toHaveText('Pay')
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('shows the current state in the second tab of one link @whole', async ({ page, context, account }) => {
  await findBill(page, account)
  const second = await context.newPage()
  await second.goto(page.url())
  for (const tab of [page, second]) await fillCard(tab, cards.slow)
  await pay(page)
  await expectOutcome(page, 'Your payment of $153.72 is being processed')
  await pay(second)
  const pendingPayments = second.getByText('Your payment is still processing.')
  await expect(pendingPayments).toBeVisible()
  await expectPaid(second)
  await expect(pendingPayments).toHaveCount(0)
  expect(await paymentsOf(account)).toEqual(PAID_ONCE)
})

test('leads from an unknown link to the bill search @whole', async ({ page, accessible }) => {
  await page.goto(at('maplegrove', `/guest/payment/${'a'.repeat(43)}`))
  await expect(page.getByRole('heading', { name: 'This payment link does not work' })).toBeVisible()
  await expectGood(page, accessible, 'an unknown payment link')
  await page.getByRole('link', { name: 'Find your bill' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Guest Utility Payment')
})

test('retries a bill that fails to load @whole', async ({ page, account, accessible }) => {
  await findBill(page, account)
  // The server does not render the page of a payer with a draft.
  await page.getByLabel('Email').pressSequentially('ida@mail.example')
  await page.route('**/return/guest/checkout', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Could not load your bill' })).toBeVisible()
  await expectGood(page, accessible, 'a bill that cannot be loaded')
  await page.unroute('**/return/guest/checkout')
  await page.getByRole('button', { name: /again/i }).click()
  await expect(payButton(page)).toHaveText('Pay $153.72')
})

test('reports unreachable payment fields and restores them @whole', async ({ page, account, accessible }) => {
  await page.clock.install()
  await page.route('**/fields/fields.js', (route) => route.abort())
  await findBill(page, account)
  await page.clock.fastForward('00:12')
  const again = page.getByRole('button', { name: 'Reload fields' })
  await expect(again).toBeVisible()
  await expectGood(page, accessible, 'payment fields that cannot be reached')
  await page.unroute('**/fields/fields.js')
  await again.click()
  await fillBank(page, bankAccounts.good)
  await pay(page)
  await expectOutcome(page, 'Your eCheck of $150.81 is processing')
  expect(await paymentsOf(account)).toEqual(['Pending $150.81'])
})
