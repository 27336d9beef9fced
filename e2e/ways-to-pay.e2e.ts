import { openAs, residentWithCard } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { allOrFirst, at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openDrawer, paymentsOf } from './pay.ts'

/** Tests a card reader at the counter, a phone call, and lockbox payments. */

test.describe('cash drawer of one staff member', () => {
  // A pending card payment appears on each screen of its drawer, so these tests run one after another.
  test.describe.configure({ mode: 'default' })

  for (const width of allOrFirst([1280, 390]))
    test(`declines and then accepts a card by paired reader at ${width} px`, async ({ page, account, accessible }) => {
      test.slow()
      await page.setViewportSize({ width, height: 900 })
      const deviceName = `Desk ${account}`
      await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality/manage/counter')
      await openDrawer(page)
      await page.getByRole('button', { name: 'Pair card reader' }).press('Enter')
      await page
        .getByLabel('Code on the reader')
        .fill(`simulated-${account.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
      await page.getByLabel('Name', { exact: true }).fill(deviceName)
      await page.keyboard.press('Enter')
      await expect(page.getByText(`Card reader “${deviceName}” was paired.`)).toBeVisible()

      await page.getByLabel('Account, citation number, name or address').fill('5000')
      await page.keyboard.press('Enter')
      // Picks an account with an amount due, because an overpayment needs confirmation.
      const openItem = page.getByRole('listitem').filter({ hasText: /owes \$/ })
      const add = openItem.getByRole('button', { name: /^Add Utility / }).first()
      await add.press('Enter')
      await page.getByRole('textbox', { name: /^Utility / }).fill('12.34')
      for (const [card, outcome] of [
        ['Tap a card that is declined', 'The card was declined.'],
        ['Tap a card that is accepted', 'Payment of $12.34 received. Receipt number:'],
      ] as const) {
        await page.getByRole('radio', { name: 'Card', exact: true }).press('Space')
        const take = page.getByRole('button', { name: 'Charge $12.34 to card' })
        await expect(take).toBeVisible()
        // If another test has also paired a reader, this reader must be selected. A single reader is selected
        // automatically.
        const reader = page.getByRole('radio', { name: deviceName })
        if (await reader.isVisible()) await reader.press('Space')
        await take.press('Enter')
        await expect(page.getByText('Waiting for a card payment of $12.34.')).toBeVisible()
        if (outcome.includes('declined')) await expectGood(page, accessible, 'a counter that waits for a card')
        const [played] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('link', { name: `TEST: Simulate reader ${deviceName} in a new window` }).press('Enter'),
        ])
        await expect(played.getByText('$12.34')).toBeVisible()
        await played.getByRole('button', { name: card }).press('Enter')
        // Waits for the end of the navigation. A window that closes earlier might never report that it closed.
        await expect(played.getByRole('button', { name: card })).toHaveCount(0)
        await played.close()
        await expect(page.getByText(outcome).first()).toBeVisible()
        if (outcome.includes('declined')) {
          await page.getByLabel('Account, citation number, name or address').fill('5000')
          await page.keyboard.press('Enter')
          await add.press('Enter')
          await page.getByRole('textbox', { name: /^Utility / }).fill('12.34')
        }
      }
      await expect(page.getByRole('button', { name: 'Print receipt (80 mm)' })).toBeVisible()
    })

  for (const width of allOrFirst([390, 1280]))
    test(`accepts a check and a money order by number at ${width} px @whole`, async ({
      page,
      account,
      secondAccount,
      accessible,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality/manage/counter')
      await openDrawer(page)
      for (const [number, by, fieldLabel] of [
        [account, 'Check', 'Check number'],
        [secondAccount, 'Money order', 'Money order number'],
      ] as const) {
        await page.getByLabel('Account, citation number, name or address').fill(number)
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: `Add Utility ${number}` }).press('Enter')
        await page.getByRole('radio', { name: by, exact: true }).press('Space')
        const take = page.getByRole('button', { name: 'Accept $149.31' })
        await take.press('Enter')
        await expect(page.getByText('Enter the number on the check or money order.')).toBeVisible()
        await expect(page.getByLabel(fieldLabel)).toBeFocused()
        await expectGood(page, accessible, `a ${by.toLowerCase()} without its number`)
        await page.setViewportSize({ width, height: 900 })
        await page.getByLabel(fieldLabel).fill(`N-${number}`)
        await page.keyboard.press('Enter')
        const receiptText = page.getByText(/^Payment of \$149\.31 received\. Receipt number: P\d+/).first()
        await expect(receiptText).toBeVisible()
        const [receipt = ''] = /P\d+/.exec(await receiptText.innerText()) ?? []
        await page.getByRole('link', { name: receipt, exact: true }).press('Enter')
        const payment = page.getByRole('dialog', { name: `Payment ${receipt}` })
        await expect(payment.getByText(`N-${number}`).first()).toBeVisible()
        await page.goto(at('harborcity', '/municipality/manage/counter'))
        expect(await paymentsOf(number, 'harborcity')).toEqual(['Successful $149.31'])
      }
    })
})

for (const width of allOrFirst([390, 1280]))
  test(`sets a resident’s PIN and simulates the payment call at ${width} px`, async ({ page, account, accessible }) => {
    test.slow()
    const window = { width, height: 844 }
    await page.setViewportSize(window)
    const resident = await residentWithCard('maplegrove', account)
    await openAs(page, 'maplegrove', resident, '/profile/payment-methods')
    await page.getByRole('button', { name: 'Set a PIN' }).click()
    await page.getByLabel('New PIN').fill('123456')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This PIN is easy to guess.').first()).toBeVisible()
    await expectGood(page, accessible, 'a PIN that is too easy')
    await page.getByLabel('New PIN').fill('481516')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your PIN is set. You can now pay by phone.')).toBeVisible()

    const office = await page.context().newPage()
    await office.setViewportSize(window)
    await openAs(office, 'maplegrove', 'manager@maplegrove.example', '/municipality/reports/phone-payments?play=1')
    const call = office.getByRole('dialog', { name: 'Simulate a call' })
    await call.getByLabel('Caller’s phone number').fill('7175550142')
    await office.keyboard.press('Enter')
    await expect(call.getByText('Enter your account number, then press pound.')).toBeVisible()
    for (const key of ['9', '9', '0', '0', '0', '#']) await call.getByRole('button', { name: key, exact: true }).click()
    await expect(call.getByText('Enter your 6-digit PIN, then press pound.')).toBeVisible()
    await expectGood(office, accessible, 'a call that is played')
    await call.getByLabel('Keys').fill('481516')
    await office.keyboard.press('Enter')
    await expect(call.getByText('The information that you entered does not match our records.')).toBeVisible()
    await expect(call.getByText('Entered: ••••••')).toBeVisible()
    await call.getByLabel('Keys').fill(account)
    await office.keyboard.press('Enter')
    await expect(call.getByText('Enter your 6-digit PIN, then press pound.')).toHaveCount(2)
    await call.getByLabel('Keys').fill('481516')
    await office.keyboard.press('Enter')
    await expect(call.getByText(/^You owe \$149\.31 on account/)).toBeVisible()
    await call.getByLabel('Keys').fill('2')
    await office.keyboard.press('Enter')
    await expect(call.getByText(/^Enter the amount in dollars/)).toBeVisible()
    await call.getByLabel('Keys').fill('49*31')
    await office.keyboard.press('Enter')
    await expect(call.getByText(/^You will pay \$49\.31 on account .* with Visa ending 4242\./)).toBeVisible()
    await call.getByLabel('Keys').fill('1')
    await office.keyboard.press('Enter')
    await expect(call.getByText(/^Thank you\. Your payment is complete\./)).toBeVisible()
    await expectGood(office, accessible, 'a call that is over')
    expect(await paymentsOf(account)).toEqual([expect.stringMatching(/^Successful \$/)])
  })

for (const width of allOrFirst([1280, 390]))
  test(`imports a bank file and posts an unmatched item at ${width} px @whole`, async ({
    page,
    account,
    accessible,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, 'maplegrove', 'manager@maplegrove.example', '/municipality/manage/bank-payments?take=1')
    const csv = `Account,Name,Amount,Date,Trace\n${account}x,Nobody,20.00,${dayFromNow(-1)},E2E-${account}`
    await page.setInputFiles('input[type=file]', { name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Preview changes' }).click()
    await expect(page.getByText('Payments that need review: 1, $20.00 total')).toBeVisible()
    await accessible(page, 'a preview of a bank’s file')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('File imported.')).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.goto(new URL(`/municipality/manage/bank-payments?search=e2e-${account}`, page.url()).href)
    await page
      .getByRole('button', { name: /^View / })
      .first()
      .click()
    const payment = page.getByRole('dialog', { name: 'Lockbox payment' })
    await expect(payment.getByText(`No account has the number ${account}x.`)).toBeVisible()
    await payment.getByLabel('Account, citation number, name or address').fill(account)
    await page.keyboard.press('Enter')
    await expectGood(page, accessible, 'a bank payment that waits')
    await page.setViewportSize({ width, height: 900 })
    await payment.getByRole('button', { name: `Post payment to Utility ${account}` }).click()
    const why = page.getByRole('dialog', { name: /^Post payment to / })
    await expect(
      why.getByText(
        /^The account belongs to .*, but Nobody paid\. To post the payment to this account, enter the reason\.$/,
      ),
    ).toBeVisible()
    await why.getByLabel('Reason').fill('The payer is her daughter.')
    await accessible(page, 'a bank payment of another name')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/Payment of \$20\.00 posted\. Receipt number: P\d+\.$/)).toBeVisible()
    await expect(payment.getByRole('link', { name: /^Open payment P/ })).toBeVisible()
  })
