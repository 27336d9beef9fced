import type { Page } from '@playwright/test'
import { BILL } from './bills.ts'
import { allOrFirst, at, expect, test } from './fixtures.ts'
import {
  addBill,
  bankAccounts,
  cards,
  choose,
  EMAIL,
  expectOutcome,
  expectPaid,
  fields,
  fillBank,
  fillCard,
  findBill,
  pay,
  payButton,
  paymentsOf,
  typeInto,
} from './pay.ts'
import { expectGood } from './screen-checks.ts'

const widths = allOrFirst([390, 1280])

for (const width of widths) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('shows a guest the card fee before payment and a receipt after', async ({ page, account }) => {
      await findBill(page, account)
      if (width < 1024) await expectRoomOnAPhone(page)
      // Informational text has no warning icon.
      await expect(page.locator('main .lucide-triangle-alert')).toHaveCount(0)
      await fillCard(page)
      await expect(page.getByText('Convenience fee')).toBeVisible()
      await expect(page.getByText('We will charge $153.72 to your card once')).toBeVisible()
      await expect(payButton(page)).toHaveText('Pay $153.72')
      await pay(page)

      const outcome = await expectPaid(page)
      await expect(outcome).toContainText(`We are sending a receipt to ${EMAIL}.`)
      await expect(outcome.getByRole('heading')).toBeFocused()
      const receipt = page.getByRole('article')
      for (const fact of [account, 'Visa ending 4242', 'Successful', 'Water', '$93.06', '$56.25', '$4.41', '$153.72'])
        await expect(receipt).toContainText(fact)
      await expect(receipt).toContainText(/Service address\d+ Tannery Road, Maple Grove, PA 17011/)
      await expect(receipt).toContainText(`BillE${account}`)

      await page.emulateMedia({ media: 'print' })
      await expect(receipt).toBeVisible()
      for (const left of [page.getByRole('banner'), page.getByRole('contentinfo'), outcome])
        await expect(left).toBeHidden()
      const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      expect(printed.match(/\/Type \/Page\b/g), 'pages of paper').toHaveLength(1)
      expect(printed).toContain('/MediaBox [0 0 612 792]')
      await page.emulateMedia({ media: null })

      const receiptLink = page.getByRole('link', { name: 'Open receipt as PDF' })
      await expect(receiptLink).toHaveAttribute('target', '_blank')
      expect(await startOf(page, (await receiptLink.getAttribute('href')) ?? '')).toBe('200 application/pdf %PDF-')

      expect(await paymentsOf(account)).toEqual(['Successful $153.72'])
    })

    test('gives a guest an acknowledgement instead of a receipt for an eCheck', async ({
      page,
      account,
      accessible,
    }) => {
      await findBill(page, account)
      await fillBank(page)
      await expect(page.getByText('to debit $150.81 once from this bank account')).toBeVisible()
      await pay(page)
      const outcome = await expectOutcome(page, 'Your eCheck of $150.81 is processing')
      await expect(outcome).toContainText('This is an acknowledgment, not a receipt.')
      const receiptDocument = page.getByRole('article')
      for (const fact of ['Acknowledgment', 'Processing', account, 'Checking account ending 6789', '$150.81'])
        await expect(receiptDocument).toContainText(fact)
      await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(receiptDocument).toBeVisible()
      await expect(outcome).toBeHidden()
      await page.emulateMedia({ media: null })
      await expect(page.getByRole('link', { name: 'Open receipt as PDF' })).toHaveCount(0)
      if (width === 1280) await expectGood(page, accessible, 'the acknowledgement of an eCheck')
      expect(await paymentsOf(account)).toEqual(['Pending $150.81'])

      await findBillThatIsPaid(page, account)
    })
  })
}

for (const width of widths)
  test(`pays two bills with separate amounts, fees and receipts at ${width} px @whole`, async ({
    page,
    account,
    secondAccount,
    accessible,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await findBill(page, account)
    const address = page.url()
    await addBill(page, secondAccount)
    expect(page.url(), 'the cart stays at its address').toBe(address)
    const card = page.getByRole('region', { name: '2 items to pay' })
    if (width === 390) await card.getByRole('button', { name: 'Show bill' }).click()
    for (const fact of [account, secondAccount, 'Owed$149.31', 'Amount due$298.62'])
      await expect(card).toContainText(fact)
    await expect(page.getByText('plus $4.41 convenience fee')).toHaveCount(2)

    await page.getByRole('button', { name: `Change amount for Utility bill ${secondAccount}` }).press('Enter')
    const amount = page.getByLabel(`Amount to pay for Utility bill ${secondAccount}`)
    await expect(amount).toBeFocused()
    await typeInto(amount, '3')
    await amount.blur()
    await expect(page.getByText('The minimum amount is $5.00.')).toBeVisible()
    await expectGood(page, accessible, 'a cart of two bills')
    await typeInto(amount, '20')
    await expect(page.getByText('You pay $175.67')).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: `Remove Utility bill ${account} from` }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Amount', exact: true })).toBeFocused()
    await expect(page.getByRole('radio', { name: /^Full/ })).toBeVisible()
    await addBill(page, account)
    // Removing an item shifts the page content when the response arrives, at an unpredictable time. The reload clears
    // these layout shifts. The typed text survives the reload.
    await page.reload()
    await expect(payButton(page)).toHaveText('Pay $175.67')

    await fillCard(page)
    await expect(payButton(page)).toHaveText('Pay $175.67')
    await pay(page)
    await expectPaid(page)
    const receipt = page.getByRole('article')
    for (const fact of [
      ...[`Account ${account}`, '$149.31', `Convenience fee, Account ${account}`, '$4.41'],
      ...[`Account ${secondAccount}`, '$20.00', `Convenience fee, Account ${secondAccount}`, '$1.95', '$175.67'],
    ])
      await expect(receipt).toContainText(fact)
    await expectGood(page, accessible, 'a receipt of two bills')
    const alone = page.getByRole('link', { name: `Receipt for Utility bill payment only Account ${account}` })
    expect(await startOf(page, (await alone.getAttribute('href')) ?? '')).toBe('200 application/pdf %PDF-')
    for (const each of [account, secondAccount]) expect(await paymentsOf(each)).toEqual(['Successful $175.67'])
  })

/** Checks that the bill is collapsed and expands on demand, and that the total is always visible. */
async function expectRoomOnAPhone(page: Page): Promise<void> {
  await expect(fields(page).getByLabel('Card number')).toBeVisible()
  const bill = page.getByRole('region', { name: 'Utility bill' })
  await expect(bill).toContainText('$149.31')
  await expect(bill).toContainText(/Account \d+ · .*Tannery Road/)
  await expect(bill.getByText('Customer')).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3000)
  const total = page.getByText('You pay $153.72')
  for (const heading of ['Amount', 'Payment method', 'Receipt']) {
    await page.getByRole('heading', { name: heading, exact: true }).scrollIntoViewIfNeeded()
    await expect(total).toBeInViewport({ ratio: 1 })
  }
  await bill.getByRole('button', { name: 'Show bill' }).click()
  await expect(bill.getByText('Customer')).toBeVisible()
}

/** Checks that a pending payment reduces the amount due to $0.00 and that the account shows the payment. */
async function findBillThatIsPaid(page: Page, account: string): Promise<void> {
  await findBill(page, account)
  await expect(page.getByRole('radio', { name: /^Full/ })).toBeDisabled()
  await expect(page.getByText('Pending payments', { exact: true })).toBeVisible()
  await expect(page.getByText('This account has no amount due right now.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Utility bill' })).toContainText('Amount due$0.00')
}

/**
 * Fetches a URL of the page's origin. Returns the status, the content type and the first five characters of the
 * response.
 */
const startOf = (page: Page, href: string): Promise<string> =>
  page.evaluate(async (url) => {
    const response = await fetch(url)
    return [response.status, response.headers.get('content-type'), (await response.text()).slice(0, 5)].join(' ')
  }, href)

test.describe('with late answers', () => {
  // A layout shift that a delayed response causes counts as unexpected and fails the test.
  test.use({ late: true })

  test('reports only that no bill matches a wrong pair @whole', async ({ page, account, accessible }) => {
    const find = async (number: string, zip: string) => {
      await page.getByLabel('Account number').fill(number)
      await page.getByLabel('ZIP').fill(zip)
      await page.getByRole('button', { name: 'Find my bill' }).click()
    }
    await page.goto(at('maplegrove', '/guest-utility-payment'))
    await find('', '1')
    await expect(page.getByLabel('Account number')).toBeFocused()
    await expect(page.getByText('Enter the account number from your bill.').first()).toBeVisible()
    await expectGood(page, accessible, 'finding a bill, with errors')

    const refusal = page.getByRole('alert')
    const messages: string[] = []
    for (const [number, zip] of [
      [account, '17012'],
      ['777777', BILL.zip],
    ] as const) {
      await find(number, zip)
      await expect(refusal).toBeVisible()
      messages.push(await refusal.innerText())
      await expect(page.getByLabel('Account number')).toHaveValue(number)
      await page.reload()
    }
    const message = 'No bill matches your entries. Check them against your bill and try again.'
    expect(messages).toEqual([message, message])
  })
})

test('accepts partial payments and overpayments within the limits @whole', async ({ page, account, accessible }) => {
  const amount = page.getByLabel('Amount to pay')
  const type = async (dollars: string) => {
    await typeInto(amount, dollars)
    await amount.press('Tab')
  }
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/pay/guest/bill') && sent.push(request.url()))

  await findBill(page, account)
  await fillCard(page)
  await choose(page, 'Partial')
  for (const [typed, message] of [
    ['abc', 'Enter an amount, such as 25.00.'],
    ['-5', 'Enter an amount of $0.00 or more.'],
    ['12.345', 'Enter no more than two digits after the decimal point.'],
  ] as const) {
    await type(typed)
    await expect(page.getByText(message)).toBeVisible()
  }
  await type('4.99')
  await expect(page.getByText('The minimum amount is $5.00.')).toBeVisible()
  await type('149.31')
  await expect(page.getByText('A partial amount must be less than the $149.31 due.')).toBeVisible()
  await choose(page, 'Other')
  await type('1500.01')
  await expect(page.getByText('The maximum amount is $1,500.00.')).toBeVisible()
  await expect(payButton(page)).toHaveText('Pay')
  await pay(page)
  await expect(amount).toBeFocused()
  expect(sent).toEqual([])
  await expectGood(page, accessible, 'paying, with an amount that is too large')

  await choose(page, 'Partial')
  await type('50')
  await expect(payButton(page)).toHaveText('Pay $51.95')
  await pay(page)
  await expectPaid(page)
  await expect(page.getByRole('article')).toContainText('Utility bill payment$50.00')
  await expect(page.getByRole('article')).toContainText('Remaining amount$99.31')

  await findBill(page, account)
  await expect(page.getByRole('region', { name: 'Utility bill' })).toContainText('Amount due$99.31')
  await fillCard(page)
  await choose(page, 'Other')
  await type('200')
  await expect(
    page.getByText('This is $100.69 more than the amount due. The extra amount will stay on the account as a credit.'),
  ).toBeVisible()
  await pay(page)
  await expectPaid(page)
  await expect(page.getByRole('article')).toContainText('Credit on the account$100.69')
  expect(await paymentsOf(account)).toEqual(['Successful $205.80', 'Successful $51.95'])
  await findBill(page, account)
  await expect(page.getByText('This account has a credit of $100.69. You do not need to pay anything.')).toBeVisible()
})

test('charges only the bill if the company absorbs the fee @whole', async ({ page, account, accessible }) => {
  await findBill(page, account, 'harborcity')
  await fillCard(page)
  await expect(page.getByText('Convenience fee')).toBeVisible()
  await expect(page.getByText('Paid by Harbor City')).toBeVisible()
  await expect(page.getByText('$0.00')).toHaveCount(0)
  await expect(payButton(page)).toHaveText('Pay $149.31')
  await expectGood(page, accessible, 'the payment form in Harbor City')
  await pay(page)
  await expectPaid(page)
  await expectGood(page, accessible, 'a receipt in Harbor City')
  expect(await paymentsOf(account, 'harborcity')).toEqual(['Successful $149.31'])
})

test('sends a card number only to the payment provider @whole', async ({ page, account }) => {
  const portal = at('maplegrove')
  const toPortal: string[] = []
  const elsewhere: string[] = []
  const headerReads: Promise<void>[] = []
  page.context().on('request', (request) => {
    const isPortal = new URL(request.url()).host === new URL(portal).host
    headerReads.push(
      request.allHeaders().then((headers) => {
        const all = [request.url(), JSON.stringify(headers), request.postData() ?? ''].join('\n')
        ;(isPortal ? toPortal : elsewhere).push(all)
      }),
    )
  })
  await findBill(page, account)
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  await Promise.all(headerReads)

  const digits = (text: string) => text.replaceAll(/[\s+-]|%20/gi, '')
  const number = digits(cards.good)
  expect(toPortal.some((request) => request.includes('/pay/guest/bill'))).toBe(true)
  expect(elsewhere.filter((request) => digits(request).includes(number))).toHaveLength(1)
  expect(toPortal.filter((request) => digits(request).includes(number))).toEqual([])
  expect(await page.content()).not.toContain('4242 4242')
})

test('accepts a pasted expiration date and explains a wrong routing number', async ({ page, account }) => {
  await findBill(page, account)
  await fillBank(page)
  const bank = fields(page, 'Bank account')
  await bank.getByLabel('Routing number').fill('110 000 001')
  await pay(page)
  await expect(bank.getByText('This routing number does not exist. Check it.')).toBeVisible()
  await choose(page, 'Card')
  await fillCard(page)
  const expiry = fields(page).getByLabel('Expires')
  for (const pasted of ['2030-12', '12/2030', '12\u200B/30', '122030']) {
    await expiry.fill('')
    await expiry.fill(pasted)
    await expect(expiry).toHaveValue('12 / 30')
  }
  await pay(page)
  await expectPaid(page)
})

test('supports the whole payment by keyboard only', async ({ page, account }) => {
  const keys = page.keyboard
  const tabTo = async (name: string) => {
    const focused = () =>
      page.evaluate(() => {
        const here = document.activeElement
        return here instanceof HTMLIFrameElement
          ? here.title
          : ((here as HTMLInputElement).labels?.[0] ?? here)?.textContent
      })
    for (let i = 0; i < 40 && !(await focused())?.startsWith(name); i++) await keys.press('Tab')
    expect(await focused()).toContain(name)
  }
  await page.goto(at('maplegrove', '/guest-utility-payment'))
  await expect(page.getByLabel('Account number')).toBeVisible()
  await tabTo('Account number')
  await keys.type(account)
  await keys.press('Tab')
  await keys.type(BILL.zip)
  await keys.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Complete Payment' })).toBeFocused()
  await expect(fields(page).getByLabel('Card number')).toBeVisible()

  await tabTo('Full amount')
  await keys.press('ArrowDown')
  await tabTo('Amount to pay')
  await keys.type('25')
  await tabTo('Card')
  await keys.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /^eCheck/ })).toBeChecked()
  await keys.press('ArrowLeft')
  await expect(fields(page).getByLabel('Card number')).toBeVisible()
  await keys.press('Tab')
  await expect(fields(page).getByLabel('Card number')).toBeFocused()
  await keys.type(cards.good)
  await keys.press('Tab')
  await keys.type('1230')
  await keys.press('Tab')
  await keys.type('123')
  await tabTo('Email')
  await keys.type(EMAIL)
  await tabTo('Pay $26.95')
  await keys.press('Enter')
  await expectPaid(page)
  expect(await paymentsOf(account)).toEqual(['Successful $26.95'])
})

test('lists missing fields of the form and of the payment provider @whole', async ({ page, account, accessible }) => {
  await findBill(page, account)
  await expect(fields(page).getByLabel('Card number')).toBeVisible()
  await pay(page)
  await expect(page.getByText('Enter the email address for the receipt.', { exact: true })).toBeVisible()
  await expect(fields(page).getByText('Enter the card number.')).toBeVisible()
  await expect(fields(page).getByLabel('Card number')).toBeFocused()
  await expectGood(page, accessible, 'the payment form with errors')
  await page.reload()
  await expect(fields(page).getByLabel('Card number')).toBeVisible()
  await expectGood(page, accessible, 'the payment form, by card')
  await choose(page, 'eCheck')
  await expect(fields(page, 'Bank account').getByLabel('Routing number')).toBeVisible()
  await expectGood(page, accessible, 'the payment form, by eCheck')
  await fillBank(page, bankAccounts.good.slice(0, 3))
  await pay(page)
  await expect(fields(page, 'Bank account').getByText('Enter the account number, 4 to 17 digits.')).toBeVisible()
})
