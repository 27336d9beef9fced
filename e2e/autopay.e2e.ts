import type { FrameLocator, Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { reveal } from './filters.ts'
import { allOrFirst, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { fields } from './pay.ts'

const RESIDENT = 'resident@maplegrove.example'
const SCREEN = '/profile/payment-methods'

/** Types into the gateway's own fields. The portal never receives this text. */
async function typeCard(frame: FrameLocator, number: string): Promise<void> {
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expires').fill('1231')
  await frame.getByLabel('Security code').fill('123')
}

const row = (page: Page, name: string | RegExp) => page.getByRole('listitem').filter({ hasText: name })

// Both tests use the same resident. A payment method that one test saves or removes affects the other test.
test.describe.configure({ mode: 'default' })

test('saves a card by keyboard and keeps its number from the portal @whole', async ({ page, accessible }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).port === process.env['E2E_PORT'])
      sent.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', RESIDENT, '/profile/settings')
  await page.getByRole('link', { name: 'Payment methods and AutoPay' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Methods and AutoPay')
  await expect(row(page, 'ending').first()).toBeVisible()
  await expectGood(page, accessible, 'payment methods')
  await page.setViewportSize(PHONE)

  await page.getByRole('button', { name: 'Add a card or bank account' }).press('Enter')
  const frame = fields(page)
  await typeCard(frame, '4000 0000 0000 0002')
  const keepButton = page.getByRole('button', { name: 'Save payment method' })
  await keepButton.press('Enter')
  await expect(page.getByText('Agree to the terms to save this payment method.').first()).toBeVisible()
  await page.getByLabel(/^I agree that the payment provider/).press('Space')
  await keepButton.press('Enter')
  await expect(page.getByText(/The payment method was not saved: The card was declined\./)).toBeVisible()
  await expectGood(page, accessible, 'a card that was refused')
  await page.setViewportSize(PHONE)
  await typeCard(frame, '3782 822463 10005')
  await frame.getByLabel('Security code').fill('1234')
  await keepButton.press('Enter')
  await expect(page.getByText('American Express ending 0005 was saved for your payments.')).toBeVisible()
  const amex = row(page, 'American Express ending 0005')
  await amex.getByRole('button', { name: /^Make default: / }).press('Enter')
  await expect(amex.getByText('Default', { exact: true })).toBeVisible()
  const remove = amex.getByRole('button', { name: /^Remove/ })
  // Until the response arrives, the page accepts no input, and a key press would be lost.
  await expect(remove).toBeEnabled()
  await remove.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(amex).toHaveCount(0)
  expect(sent.join('\n')).not.toMatch(/3782|4000.?0000|822463/)
})

for (const width of allOrFirst([1280, 390]))
  test(`turns AutoPay on, skips, pauses and ends it at ${width} px`, async ({ page, accessible }) => {
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, 'maplegrove', RESIDENT, SCREEN)
    const account = row(page, 'Account 100014')
    await account.getByRole('button', { name: 'Turn on AutoPay for account 100014' }).click()
    const form = page.getByRole('dialog', { name: 'AutoPay for account 100014' })
    await form.getByRole('radio', { name: /^A set number of days before the due date/ }).check()
    await form.getByLabel('Days before the due date', { exact: true }).selectOption('5')
    await form.getByLabel('Set a payment limit').check()
    await form.getByRole('button', { name: 'Turn on AutoPay' }).click()
    await expect(form.getByText('Enter an amount above zero, such as 200.00.').first()).toBeVisible()
    await expect(form.getByText('Agree to the authorization to turn on AutoPay.').first()).toBeVisible()
    await expectGood(page, accessible, 'an enrollment with errors')
    await page.setViewportSize({ width, height: 900 })
    await form.getByLabel('Limit per payment').fill('800')
    await form.getByLabel('I have read this authorization and agree to it.').check()
    await form.getByRole('button', { name: 'Turn on AutoPay' }).click()
    await expect(page.getByText(/AutoPay is on for account 100014\. We will charge \$[\d.]+ to/)).toBeVisible()
    await expect(account.getByText(/5 days before each due date, up to \$800\.00 per payment/)).toBeVisible()

    await account.getByRole('button', { name: 'Skip next payment' }).click()
    await expect(account.getByText(/You skipped this payment\./)).toBeVisible()
    await account.getByRole('button', { name: 'Undo skip' }).click()
    await expect(account.getByRole('button', { name: 'Skip next payment' })).toBeVisible()
    await account.getByRole('button', { name: 'Pause AutoPay' }).click()
    await expect(account.getByText('Paused', { exact: true })).toBeVisible()
    await expectGood(page, accessible, 'AutoPay that is paused')
    await page.setViewportSize({ width, height: 900 })
    await account.getByRole('button', { name: 'End AutoPay' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End AutoPay' }).click()
    await expect(account.getByRole('button', { name: 'Turn on AutoPay for account 100014' })).toBeVisible()
  })

test('shows staff the AutoPay enrollments and the reasons for ended ones @whole', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/reports/Autopay?search=100237')
  const enrolled = page.getByRole('row').filter({ hasText: '100237' })
  for (const text of ['Naomi Whitaker', 'On', 'Paid']) await expect(enrolled).toContainText(text)
  await expectGood(page, accessible, 'the AutoPay report')
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/reports/autopay-removals')
  await expect(page.getByRole('row').nth(2)).toBeVisible()
  await (
    await reveal(page, page.getByRole('combobox', { name: 'Reason', exact: true }))
  ).selectOption('Ended by the resident')
  await expect(page.getByText(/removal/).first()).toBeVisible()
  await expectGood(page, accessible, 'the removals')
})
