import { BILL } from './bills.ts'
import { openAs, payAsGuest } from './calls.ts'
import { allOrFirst, at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { addBill, expectPaid, fillCard, findBill, pay } from './pay.ts'

/** Tests the counter from the opening count to the closing count, and refunds by staff. */

const STAFF_EMAIL = 'manager@maplegrove.example'

// Each staff member has a separate drawer.
for (const { width, staffMember } of allOrFirst([
  { width: 1280, staffMember: STAFF_EMAIL },
  { width: 390, staffMember: 'admin@maplegrove.example' },
]))
  test(`opens a drawer, accepts cash, voids and counts at ${width} px`, async ({
    page,
    account,
    secondAccount,
    accessible,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, 'maplegrove', staffMember, '/municipality/manage/counter')
    await expect(page.getByRole('heading', { name: 'Open your drawer' })).toBeVisible()
    await accessible(page, 'a counter without a drawer')
    await page.getByLabel('$20', { exact: true }).fill('x')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter a whole number.')).toBeVisible()
    await page.getByLabel('$20', { exact: true }).fill('5')
    await expect(page.getByText('Total $100.00')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('No payments in this drawer yet.')).toBeVisible()
    await expect(page.getByLabel('Account, citation number, name or address')).toBeFocused()

    for (const number of [account, secondAccount]) {
      await page.getByLabel('Account, citation number, name or address').fill(number)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Add Utility ${number}` }).press('Enter')
      await expect(page.getByRole('textbox', { name: `Utility ${number},` })).toBeFocused()
    }
    await page.getByRole('textbox', { name: `Utility ${secondAccount},` }).fill('50.00')
    await page.reload()
    await expect(page.getByRole('textbox', { name: `Utility ${secondAccount},` })).toHaveValue('50.00')
    await page.getByLabel('Cash received').fill('150')
    await page.getByRole('button', { name: 'Accept $199.31' }).press('Enter')
    await expect(page.getByText('Enter the cash received. It must be at least $199.31.')).toBeVisible()
    await expect(page.getByLabel('Cash received')).toBeFocused()
    await expectGood(page, accessible, 'a payment at the counter')
    await page.setViewportSize({ width, height: 900 })
    const search = page.getByLabel('Account, citation number, name or address')
    await search.fill(account)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: `Add Utility ${account}` })).toBeDisabled()
    await page.getByLabel('Cash received').fill('200')
    await page.getByRole('button', { name: 'Accept $199.31' }).press('Enter')
    await expect(page.getByText('Change due $0.69')).toBeVisible()
    await expect(page.getByRole('alert').filter({ hasText: 'Change due $0.69' })).toBeFocused()
    // The search field no longer contains the last customer's search.
    await expect(search).toHaveValue('')
    await expect(page.getByRole('button', { name: `Add Utility ${account}` })).toBeHidden()
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Print receipt (80 mm)' }).press('Enter'),
    ])
    expect(receipt.suggestedFilename()).toMatch(/^receipt-P\d+\.pdf$/)

    await page.getByRole('link', { name: /^P\d+$/ }).press('Enter')
    const payment = page.getByRole('dialog', { name: /^Payment P/ })
    await payment.getByRole('button', { name: 'Void' }).press('Enter')
    const voidDialog = page.getByRole('dialog', { name: /^Void P/ })
    await voidDialog.getByLabel('Reason').fill('The wrong account')
    await accessible(page, 'a void')
    await page.keyboard.press('Enter')
    await expect(payment.getByText('Void · $199.31')).toBeVisible()

    await page.goto(new URL('/municipality/manage/counter', page.url()).href)
    await page.getByRole('button', { name: 'Count and close drawer' }).press('Enter')
    const count = page.getByRole('dialog', { name: 'Count and close drawer' })
    await count.getByLabel('$20', { exact: true }).fill('4')
    await count.getByLabel('$10', { exact: true }).fill('1')
    await count.getByLabel('Note').fill('A ten is missing')
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Day sheet' })
    await expect(sheet.getByText('$10.00 short', { exact: true })).toBeVisible()
    await expectGood(page, accessible, 'a day sheet')
  })

test('refunds part of a payment and lists the staff member @whole', async ({ page, account, accessible }) => {
  const { receipt } = await payAsGuest(account)
  await openAs(page, 'maplegrove', STAFF_EMAIL, `/municipality/reports/payments?payment=${receipt.slice(1)}`)
  const payment = page.getByRole('dialog', { name: `Payment ${receipt}` })
  await payment.getByRole('button', { name: 'Refund' }).press('Enter')
  const refundDialog = page.getByRole('dialog', { name: `Refund ${receipt}` })
  await refundDialog.getByLabel('Amount').fill('9000')
  await refundDialog.getByLabel('Reason').fill('The bill was corrected')
  await page.keyboard.press('Enter')
  await expect(refundDialog.getByText(/^You can refund up to \$\d+\.\d\d of this payment\.$/).first()).toBeVisible()
  await accessible(page, 'a refund that is too large')
  await refundDialog.getByLabel('Amount').fill('40')
  await page.keyboard.press('Enter')
  await expect(payment.getByText('Refund · $40.00')).toBeVisible()
  await expectGood(page, accessible, 'a payment of which a part went back')
  await page.goto(new URL('/municipality/reports/refunds?status=waiting', page.url()).href)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refunds and Voids')
  await expect(page.getByRole('row').filter({ hasText: 'Needs approval' }).first()).toBeVisible()
})

test('refunds one of two bills paid together and leaves the other paid @whole', async ({
  page,
  account,
  secondAccount,
  accessible,
}) => {
  await findBill(page, account)
  await addBill(page, secondAccount)
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  const [receipt = ''] = /P\d+/.exec(await page.getByRole('article').innerText()) ?? []
  await openAs(page, 'maplegrove', STAFF_EMAIL, `/municipality/reports/payments?payment=${receipt.slice(1)}`)
  const payment = page.getByRole('dialog', { name: `Payment ${receipt}` })
  await payment.getByRole('button', { name: 'Refund' }).press('Enter')
  const refundDialog = page.getByRole('dialog', { name: `Refund ${receipt}` })
  await refundDialog
    .getByLabel('Line item to refund')
    .selectOption({ label: `Utility bill payment ${account}, $153.72` })
  await expect(refundDialog.getByLabel('Amount')).toHaveValue('153.72')
  await expectGood(page, accessible, 'a refund of one of two bills')
  await refundDialog.getByLabel('Amount').fill('153.73')
  await refundDialog.getByLabel('Reason').fill('Paid by the tenant already')
  await page.keyboard.press('Enter')
  await expect(refundDialog.getByText('You can refund up to $153.72 of this line item.')).toBeVisible()
  await refundDialog.getByLabel('Amount').fill('153.72')
  await page.keyboard.press('Enter')
  await expect(payment.getByText('Refund · $153.72')).toBeVisible()
  await expectGood(page, accessible, 'a payment of which one bill went back')
  // The refunded bill is due again. The other bill is not due.
  await findBill(page, account)
  await expect(page.getByRole('main')).toContainText('$149.31')
  await page.goto(at('maplegrove', '/guest-utility-payment'))
  await page.getByLabel('Account number').fill(secondAccount)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).click()
  await expect(page.getByText('$149.31')).toHaveCount(0)
})

test('opens a utility account from the customers and emails a payment link @whole', async ({
  page,
  account,
  accessible,
}) => {
  await openAs(page, 'maplegrove', STAFF_EMAIL, `/municipality/reports/customers/citizen?accountNumber=${account}`)
  await page
    .getByRole('button', { name: /^View / })
    .first()
    .click()
  const one = page.getByRole('dialog', { name: `Account ${account}` })
  await expect(one.getByText('$149.31 owed')).toBeVisible()
  await expect(one.getByRole('link', { name: 'Take a payment at the counter' })).toHaveAttribute(
    'href',
    `/municipality/manage/counter?find=${account}`,
  )
  await expectGood(page, accessible, 'a utility account')
  await one.getByRole('button', { name: 'Send payment link' }).click()
  await page.getByLabel('Email', { exact: true }).last().fill(`pay-${account}@example.org`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(`Payment link sent to pay-${account}@example.org.`)).toBeVisible()
})
