import type { Page } from '@playwright/test'
import { paymentReport } from '../features/payment-report/list.ts'
import { linkAccount } from '../features/utility-portal/contract.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { allOrFirst, at, DESKTOP, expect, PHONE, tabTo, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { choose, EMAIL, expectOutcome, expectPaid, findBill, pay, payButton } from './pay.ts'
import { passDays, plan, stripeFields, createStripeCompany } from './stripe-company.ts'

/** Company that takes payments through Stripe. `test/stripe` simulates Stripe's script, fields and pages. */

let company = { host: '', companyId: 0 }
let nextAccount = 900_000
// Tests run one after another, because a planned fault affects the next request to Stripe.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  company = await createStripeCompany(30)
})

const GOOD = '4242424242424242'
const CONFIRM = 'POST /v1/payment_intents/{intent}/confirm'

/** Opens the payment page of a bill and waits for the card fields. Returns the account number. */
async function toPay(page: Page, width = 1280): Promise<string> {
  await page.setViewportSize(width === 390 ? PHONE : DESKTOP)
  const account = String(nextAccount++)
  await findBill(page, account, company.host)
  await page.getByLabel('Email').fill(EMAIL)
  await expect(stripeFields(page).getByLabel('Card number')).toBeVisible()
  return account
}

async function typeCard(page: Page, number = GOOD): Promise<void> {
  const frame = stripeFields(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration date').fill('12 / 31')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByLabel('ZIP code').fill('17011')
}

async function typeAccount(page: Page): Promise<void> {
  const frame = stripeFields(page)
  await frame.getByLabel('Full name').fill('Rosalind Mercer')
  await frame.getByLabel('Email').fill(EMAIL)
  await frame.getByLabel('Routing number').fill('110000000')
  await frame.getByLabel('Account number').fill('000123456789')
}

async function nameDeposits(page: Page): Promise<void> {
  await page.getByLabel('First', { exact: true }).fill('32')
  await page.getByLabel('Second', { exact: true }).fill('45')
  await page.getByRole('button', { name: 'Verify' }).press('Enter')
  await expect(page.getByText('Your bank account is verified.')).toBeVisible()
}

async function payWith(page: Page, number: string): Promise<void> {
  await typeCard(page, number)
  await pay(page)
}

async function paymentsOf(account: string) {
  const { token } = await sessionOf('admin', 'super@mainstreet.example')
  const query = { companyId: company.companyId, search: account, filters: {} }
  return (await callOn('admin', paymentReport.call, query, token)).rows
}

for (const width of allOrFirst([390, 1280]))
  test(`pays by card in Stripe's fields by keyboard only at ${width} px`, async ({ page, accessible }) => {
    const account = await toPay(page, width)
    const number = stripeFields(page).getByLabel('Card number')
    const { color, edge } = await number.evaluate((input) => {
      const { color, borderRadius: edge } = getComputedStyle(input)
      return { color, edge }
    })
    expect([color, edge], "the town's colors and corners").toEqual(['rgb(17, 17, 17)', '4px'])
    await tabTo(page, payButton(page))
    await page.keyboard.press('Enter')
    await expect(stripeFields(page).getByRole('alert')).toHaveText('Your card number is incomplete.')
    await expect(number).toBeFocused()
    if (width === 390) await accessible(page, "Stripe's fields with an error", 'all')
    await page.keyboard.type(GOOD)
    for (const text of ['1231', '123', '17011']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await tabTo(page, payButton(page))
    await page.keyboard.press('Enter')
    await expectPaid(page)
    const receipt = page.getByRole('article')
    for (const fact of [account, 'Visa ending 4242', 'Successful', '$152.26']) await expect(receipt).toContainText(fact)
    if (width === 1280) await expectGood(page, accessible, 'a receipt of Stripe')
  })

test('explains a declined card and accepts another @whole', async ({ page, accessible }) => {
  await toPay(page, 390)
  await payWith(page, '4000000000000002')
  await expect(page.getByRole('heading', { name: 'Your payment did not go through' })).toBeVisible()
  await payWith(page, '4000000000009995')
  await expect(page.getByText(/does not have enough funds/).first()).toBeVisible()
  await expectGood(page, accessible, 'a card that Stripe declined')
  await payWith(page, GOOD)
  await expectPaid(page)
})

test('handles a passed, failed and abandoned bank challenge @whole', async ({ page, accessible }) => {
  await toPay(page)
  const continueLink = page.getByRole('link', { name: 'Continue to your bank' })
  await payWith(page, '4000002500003155')
  await expectOutcome(page, 'Your bank must confirm your identity')
  await expectGood(page, accessible, 'the way to a bank')
  // The payer opens the bank's page, returns, and pays by another card.
  await continueLink.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your bank' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Use another card' }).press('Enter')
  await expect(payButton(page)).toBeVisible()
  await payWith(page, '4000002760003184')
  await continueLink.press('Enter')
  await page.getByRole('button', { name: 'Fail' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Your payment did not go through' })).toBeVisible()
  await payWith(page, '4000002760003184')
  await continueLink.press('Enter')
  await page.getByRole('button', { name: 'Complete' }).press('Enter')
  await expectPaid(page)
  expect(page.url(), "Stripe's secrets do not stay in the address").not.toContain('secret')
})

test('pays by bank account after small deposits or immediate confirmation @whole', async ({ page, accessible }) => {
  const account = await toPay(page, 390)
  await choose(page, 'eCheck')
  await typeAccount(page)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Confirm your bank account' })).toBeVisible()
  await expectGood(page, accessible, 'a bank account that is to be confirmed')
  const address = page.url()
  await page.getByRole('link', { name: 'Confirm small deposits' }).press('Enter')
  await nameDeposits(page)
  await page.goto(address)
  await expect(page.getByRole('heading', { name: /Your eCheck of .* is processing/ })).toBeVisible()
  await passDays()
  await expect
    .poll(async () => (await paymentsOf(account)).map(({ paymentStatus }) => paymentStatus))
    .toEqual(['Successful'])

  const other = await toPay(page)
  await choose(page, 'eCheck')
  await stripeFields(page).getByLabel('Full name').fill('Rosalind Mercer')
  await stripeFields(page).getByLabel('Email').fill(EMAIL)
  await stripeFields(page)
    .getByRole('button', { name: /^Test Institution/ })
    .press('Enter')
  await pay(page)
  await expectOutcome(page, /Your eCheck of .* is processing/)
  expect((await paymentsOf(other)).map(({ paymentStatus }) => paymentStatus)).toEqual(['Pending'])
})

test('saves cards without a payment and turns AutoPay on @whole', async ({ page, accessible }) => {
  const email = await newResident(company.host)
  const { token } = await sessionOf(company.host, email)
  const accountNumber = String(nextAccount++)
  await callOn(company.host, linkAccount, { proof: 'amount', accountNumber, amount: '149.31' }, token)
  await openAs(page, company.host, email, '/profile/payment-methods')
  const storeCard = async (number: string) => {
    await page.getByRole('button', { name: 'Add a card or bank account' }).press('Enter')
    await typeCard(page, number)
    await page.getByLabel(/^I agree that the payment provider/).press('Space')
    await page.getByRole('button', { name: 'Save payment method' }).press('Enter')
  }
  await storeCard('4000000000009995')
  await expect(page.getByText(/The payment method was not saved/)).toBeVisible()
  await expectGood(page, accessible, 'a card that Stripe did not keep')
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await storeCard('4000002500003155')
  await page.getByRole('button', { name: 'Complete' }).press('Enter')
  await expect(page.getByText('Visa ending 3155 was saved for your payments.')).toBeVisible()
  expect(page.url(), "Stripe's secrets do not stay in the address").not.toContain('secret')
  await storeCard(GOOD)
  await expect(page.getByText('Visa ending 4242 was saved for your payments.')).toBeVisible()
  await page.getByRole('button', { name: 'Add a card or bank account' }).press('Enter')
  await page.getByRole('radio', { name: /^Bank account/ }).press('Space')
  await typeAccount(page)
  await page.getByLabel(/^I agree that the payment provider/).press('Space')
  await page.getByRole('button', { name: 'Save payment method' }).press('Enter')
  await expect(page.getByText(/is waiting for two small deposits/)).toBeVisible()
  await expectGood(page, accessible, 'a bank account that is to be kept')
  const name = page.getByRole('button', { name: 'Confirm small deposits' })
  await name.press('Enter')
  await nameDeposits(page)
  await page.goto(at(company.host, '/profile/payment-methods'))
  await name.press('Enter')
  await expect(page.getByText('Checking account ending 6789 was saved for your payments.')).toBeVisible()
  await page.getByRole('button', { name: `Turn on AutoPay for account ${accountNumber}` }).press('Enter')
  const form = page.getByRole('dialog', { name: `AutoPay for account ${accountNumber}` })
  await form.getByLabel('I have read this authorization and agree to it.').check()
  await form.getByRole('button', { name: 'Turn on AutoPay' }).press('Enter')
  await expect(page.getByText(new RegExp(`AutoPay is on for account ${accountNumber}`))).toBeVisible()
})

test('charges once despite a missing script and a lost answer @whole', async ({ page, accessible }) => {
  await page.route('**/dahlia/stripe.js', (route) => route.abort())
  const account = String(nextAccount++)
  await findBill(page, account, company.host)
  await expect(page.getByText('Could not load the secure payment fields')).toBeVisible()
  await expectGood(page, accessible, "Stripe's fields that do not come")
  await page.unroute('**/dahlia/stripe.js')
  await page.route('**/elements/sessions', (route) => route.abort())
  await page.getByRole('button', { name: 'Reload fields' }).press('Enter')
  await expect(page.getByText('Loading secure card fields…')).toBeHidden()
  await page.unroute('**/elements/sessions')
  await page.getByRole('button', { name: 'Reload fields' }).press('Enter')
  await page.getByLabel('Email').fill(EMAIL)
  await page.route('**/elements/payment_methods', (route) => route.abort())
  await payWith(page, GOOD)
  await expect(page.getByText('We are experiencing issues connecting to our servers.').first()).toBeVisible()
  await page.unroute('**/elements/payment_methods')
  await plan(CONFIRM, 'after')
  await pay(page)
  await expectPaid(page)
  expect((await paymentsOf(account)).map(({ paymentStatus }) => paymentStatus)).toEqual(['Successful'])
})

test('marks a payment that its payer disputes @whole', async ({ page }) => {
  const account = await toPay(page)
  await payWith(page, '4000000000000259')
  await expectPaid(page)
  await expect.poll(async () => JSON.stringify(await paymentsOf(account))).toMatch(/dispute/i)
})

test('refuses in the simulated script the calls that Stripe refuses @whole', async ({ page }) => {
  await toPay(page)
  const result = await page.evaluate(async () => {
    type AnyStripe = { [name: string]: (...options: unknown[]) => AnyStripe }
    const { Stripe } = globalThis as unknown as { Stripe: (key: unknown) => AnyStripe }
    const good = { mode: 'payment', amount: 100, currency: 'usd', paymentMethodCreation: 'manual' }
    const container = document.createElement('div')
    document.body.append(container)
    const mounted = (options: object) => {
      const elements = Stripe('pk_test_recorded').elements?.(options)
      const element = elements?.create?.('payment', {})
      element?.mount?.(container)
      return { elements, element }
    }
    const invalidCalls: Record<string, () => unknown> = {
      'a secret key': () => Stripe('sk_test_none'),
      'no mode': () => mounted({ currency: 'usd' }),
      'no amount': () => mounted({ mode: 'payment', currency: 'usd' }),
      'an amount of nothing': () => mounted({ ...good, amount: 0 }),
      'an amount in dollars': () => mounted({ ...good, amount: 1.5 }),
      'no currency': () => mounted({ mode: 'payment', amount: 100 }),
      'an unknown option': () => mounted({ ...good, color: 'red' }),
      'an unknown option of the element': () => Stripe('pk_1').elements?.(good).create?.('payment', { tabs: true }),
      'a color that is none': () => mounted({ ...good, appearance: { variables: { colorText: 'var(--ink)' } } }),
      'a method before submit': () => Stripe('pk_1').createPaymentMethod?.(mounted(good)),
      'what is destroyed': () => {
        const { element } = mounted(good)
        element?.destroy?.()
        element?.focus?.()
      },
    }
    const refused: string[] = []
    for (const [what, work] of Object.entries(invalidCalls))
      try {
        await work()
      } catch (error) {
        if (error instanceof Error && error.name === 'IntegrationError') refused.push(what)
      }
    return { refused, all: Object.keys(invalidCalls) }
  })
  expect(result.refused).toEqual(result.all)
})
