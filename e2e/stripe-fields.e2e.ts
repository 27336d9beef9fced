import type { Page } from '@playwright/test'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './looks.ts'
import { choose, EMAIL, findBill, payButton } from './pay.ts'

/**
 * The fields of a town on Stripe. The towns of this run are on the sandbox, and Stripe's script comes from no copy: the page is
 * told of a script, which has the functions that we use. What becomes of its token is shown by `features/payments/stripe.test.ts`.
 */

const SCRIPT = 'https://js.stripe.test/stripe.js'

/** It makes a field into which one types, and of that a token. */
const FAKE = `
globalThis.Stripe = (key) => ({
  elements: (options) => {
    const hear = {}
    let field
    const said = []
    globalThis.saidToStripe = said
    said.push({ key, ...options, appearance: undefined })
    return {
      update: (changed) => said.push(changed),
      submit: async () => (field.value === '' ? { error: { message: 'Your card number is incomplete.' } } : {}),
      create: () => ({
        mount: (into) => {
          const label = document.createElement('label')
          label.textContent = options.paymentMethodTypes[0] === 'card' ? 'Card number' : 'Account number'
          field = document.createElement('input')
          field.style.display = 'block'
          field.style.border = '1px solid'
          field.addEventListener('input', () => hear.change?.({ complete: field.value !== '' }))
          label.append(field)
          into.append(label)
          setTimeout(() => hear.ready?.({}))
        },
        on: (name, tell) => (hear[name] = tell),
        focus: () => field.focus(),
        destroy: () => field?.closest('label')?.remove(),
      }),
    }
  },
  createPaymentMethod: async () => ({ paymentMethod: { id: 'pm_card_visa_of_a_test' } }),
})`

interface Paid {
  methodToken?: string
}

/** The page's town is on Stripe; `comes`: its script does. Answers what the page sends to pay by. */
async function onStripe(page: Page, comes: () => boolean): Promise<Paid[]> {
  const paid: Paid[] = []
  await page.route('**/guest*/**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const answer = await route.fetch()
    const policy = (answer.headers()['content-security-policy'] ?? '').replace(
      "script-src 'self'",
      `script-src 'self' ${new URL(SCRIPT).origin}`,
    )
    return route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': policy } })
  })
  await page.route('**/api/v2/return/guest/checkout', async (route) => {
    const answer = await route.fetch()
    const checkout = await answer.json()
    const script = { url: SCRIPT, key: 'pk_test_1' }
    return route.fulfill({ response: answer, json: { ...checkout, gateway: { ...checkout.gateway, script } } })
  })
  await page.route(SCRIPT, (route) =>
    comes() ? route.fulfill({ contentType: 'text/javascript', body: FAKE }) : route.abort(),
  )
  await page.route('**/api/v2/pay/guest/bill', (route) => {
    paid.push(route.request().postDataJSON() as Paid)
    return route.fallback()
  })
  return paid
}

test.use({ viewport: PHONE })

test('a guest enters a card into the fields of Stripe’s script on a phone', async ({ page, account, accessible }) => {
  const paid = await onStripe(page, () => true)
  await findBill(page, account)
  await page.reload()
  const number = page.getByLabel('Card number')
  await expect(number).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.getByLabel('Email').fill(EMAIL)
  // What is missing is said where it is, and nothing is sent.
  await payButton(page).press('Enter')
  await expect(page.getByText('Your card number is incomplete.')).toBeVisible()
  await expect(number).toBeFocused()
  expect(paid).toEqual([])
  await expectGood(page, accessible, 'fields of a script that are not complete')
  await number.fill('4242424242424242')
  await expect(page.getByText('Your card number is incomplete.')).toHaveCount(0)
  await page.screenshot({ path: 'test-results/stripe-fields.png', fullPage: true })
  await payButton(page).press('Enter')
  await expect.poll(() => paid.map(({ methodToken }) => methodToken)).toEqual(['pm_card_visa_of_a_test'])
  // A wallet shows the amount with its fee.
  const said = await page.evaluate(() => (globalThis as unknown as { saidToStripe: unknown[] }).saidToStripe)
  expect(said).toContainEqual({ mode: 'payment', amount: 153_72 })
})

test('a script that does not come says so, and comes the second time; a bank account has fields of its own', async ({
  page,
  account,
}) => {
  let comes = false
  await onStripe(page, () => comes)
  await findBill(page, account)
  await page.reload()
  await expect(page.getByText('The secure payment fields cannot be reached')).toBeVisible()
  comes = true
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await choose(page, 'eCheck')
  await expect(page.getByLabel('Account number')).toBeVisible()
  expect(page.url()).toContain(at('maplegrove', '/guest/payment/'))
})
