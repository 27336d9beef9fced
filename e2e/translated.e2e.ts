import { at, expect, signIn, test } from './fixtures.ts'
import { choose, fillBank, fillCard, findBill, pay, payButton, expectPaid } from './pay.ts'

test.describe('page translated by the browser', () => {
  test.use({ translated: true })

  test('updates each amount that a guest types, by card and eCheck', async ({ page, account }) => {
    const amount = page.getByLabel('Amount to pay')
    await findBill(page, account)
    await fillCard(page)
    await expect(payButton(page)).toHaveText('Pay $153.72')
    await choose(page, 'Partial')
    for (const [typed, total] of [
      ['50', '$51.95'],
      ['75', '$77.36'],
    ] as const) {
      await amount.fill(typed)
      await amount.press('Tab')
      await expect(payButton(page)).toHaveText(`Pay ${total}`)
      await expect(page.getByText(`We will charge ${total} to your card once`)).toBeVisible()
    }
    await choose(page, 'Other')
    await choose(page, 'Full')
    await fillBank(page)
    await choose(page, 'Card')
    await fillCard(page)
    await expect(payButton(page)).toHaveText('Pay $153.72')
    await pay(page)
    await expectPaid(page)
  })

  test('counts the password rules that a resident’s typing meets', async ({ page }) => {
    await page.goto(at('maplegrove', '/sign-up'))
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('a')
    await expect(page.getByText(/\d rules not met/).first()).toBeAttached()
    await password.fill('Maple-Grove#2026')
    await expect(page.getByText(/rules? not met/)).toHaveCount(0)
  })

  test('works in the back office', async ({ page }) => {
    await signIn(page, 'maplegrove', 'admin@maplegrove.example')
    for (const path of ['/municipality/payment-report', '/municipality/customers', '/municipality/work-orders']) {
      await page.goto(at('maplegrove', path))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const search = page.getByRole('searchbox').first()
      if (await search.isVisible()) await search.fill('10')
      await expect(page.getByText('This information could not be loaded')).toHaveCount(0)
    }
  })
})

test('remounts a screen once after another script moved its nodes', async ({ page, account, complaints }) => {
  await findBill(page, account)
  await choose(page, 'Partial')
  const amount = page.getByLabel('Amount to pay')
  await amount.fill('50')
  // Simulates a browser extension that moves the field, so that React fails to remove it.
  await amount.evaluate((input) => {
    const field = input.closest('.field')
    const wrapper = document.createElement('div')
    field?.replaceWith(wrapper)
    wrapper.append(field ?? '')
  })
  await choose(page, 'Full')
  await expect(page.getByText('This information could not be loaded')).toHaveCount(0)
  await expect(payButton(page)).toBeVisible()
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  expect(complaints.splice(0).filter((one) => !/NotFoundError/.test(one))).toEqual([])
})
