import { linkAccount } from '../features/utility-portal/contract.ts'
import { requestArrangement, myArrangements } from '../features/arrangements/contract.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { allOrFirst, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { expectPaid, fillCard, pay, payButton } from './pay.ts'

const HOST = 'harborcity'
const RESIDENT = 'resident@harborcity.example'
const ADMIN = 'admin@harborcity.example'

test('lets staff propose installments and the resident accept them on a phone @whole', async ({
  page,
  account,
  accessible,
  browser,
}) => {
  const { token } = await sessionOf(HOST, RESIDENT)
  await callOn(HOST, linkAccount, { proof: 'amount', accountNumber: account, amount: '149.31' }, token)
  await openAs(page, HOST, ADMIN, `/municipality/reports/customers/citizen?accountNumber=${account}`)
  await page
    .getByRole('button', { name: /^View / })
    .first()
    .click()
  const customer = page.getByRole('dialog', { name: `Account ${account}` })
  await customer.getByRole('link', { name: 'Propose a payment arrangement' }).click()
  const form = page.getByRole('dialog', { name: `Payment arrangement for ${account}` })
  await form.getByLabel('Amount to pay in installments').fill('200')
  await expect(form.getByText('Enter no more than $149.31, the amount due.')).toBeVisible()
  await form.getByLabel('Amount to pay in installments').fill('149.31')
  await form.getByLabel('Number of installments').fill('4')
  await expect(form.getByText('$37.33').first()).toBeVisible()
  await accessible(page, 'a plan that is proposed')
  await form.getByRole('button', { name: 'Propose arrangement' }).press('Enter')
  const plan = page.getByRole('dialog', { name: `Arrangement for account ${account}` })
  await expect(plan.getByText('No one has agreed to this arrangement yet.')).toBeVisible()

  const phone = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })
  const residentPage = await phone.newPage()
  await openAs(residentPage, HOST, RESIDENT, '/payment-arrangements')
  const panel = residentPage.getByRole('region', { name: `Account ${account}` })
  await panel.getByRole('button', { name: 'Start arrangement' }).press('Enter')
  await expect(panel.getByText('Agree to the terms to start the arrangement.').first()).toBeVisible()
  await accessible(residentPage, 'a plan that waits for its resident')
  await panel.getByLabel('I agree to these terms').press('Space')
  await panel.getByRole('button', { name: 'Start arrangement' }).press('Enter')
  await expect(panel.getByText(/^Next installment: \$37\.32 on /)).toBeVisible()
  await residentPage.screenshot({ path: 'test-results/plan-390.png', fullPage: true })
  await phone.close()

  await page.reload()
  await expect(plan.getByText('On track').first()).toBeVisible()
  await expectGood(page, accessible, 'a plan that is on track')
  await page.screenshot({ path: 'test-results/plan-1280.png' })
  await plan.getByRole('button', { name: 'End arrangement' }).click()
  const endDialog = page.getByRole('dialog', { name: 'End arrangement' })
  await endDialog.getByLabel('Reason').fill('It was paid in another way')
  await page.keyboard.press('Enter')
  await expect(plan.getByText('It was paid in another way')).toBeVisible()
})

for (const width of allOrFirst([390, 1280]))
  test(`pays the due installment and updates the arrangement at ${width} px @whole`, async ({
    page,
    account,
    accessible,
  }) => {
    const email = await newResident(HOST)
    const { token } = await sessionOf(HOST, email)
    await callOn(HOST, linkAccount, { proof: 'amount', accountNumber: account, amount: '149.31' }, token)
    const { items, today, currentTerms } = await callOn(HOST, myArrangements, {}, token)
    const terms = {
      totalCents: 149_31,
      firstCents: null,
      count: 3,
      firstOn: today,
      every: 'month',
      agree: true,
    } as const
    const openItemId = items[0]?.id ?? 0
    await callOn(
      HOST,
      requestArrangement,
      { kind: 'utility', itemId: openItemId, termsVersion: currentTerms.version, form: terms },
      token,
    )

    await page.setViewportSize({ width, height: 844 })
    await openAs(page, HOST, email, '/payment-arrangements')
    const panel = page.getByRole('region', { name: `Account ${account}` })
    await expect(panel.getByText('$0.00 of $149.31 paid')).toBeVisible()
    await panel.getByRole('link', { name: `Make a payment on account ${account}` }).press('Enter')
    await page.getByRole('button', { name: 'Pay installment' }).press('Enter')
    await expect(page.getByRole('radio', { name: /^Installment due/ })).toBeChecked()
    await expectGood(page, accessible, 'paying an installment')
    await page.setViewportSize({ width, height: 844 })
    await fillCard(page)
    await expect(payButton(page)).toHaveText('Pay $49.77')
    await pay(page)
    await expectPaid(page)
    await page.goto(new URL('/payment-arrangements', page.url()).href)
    await expect(panel.getByText('$49.77 of $149.31 paid')).toBeVisible()
    await expect(panel.getByText(/^Next installment: \$49\.77 on /)).toBeVisible()
    await expectGood(page, accessible, 'a plan of which a part is paid')
  })

test('finds a property and its water customer by street @whole', async ({ page, account, accessible }) => {
  await openAs(page, 'maplegrove', 'staff@maplegrove.example', '/municipality/reports/customers/property?search=11-001')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Property Customers')
  await page
    .getByRole('button', { name: /^View / })
    .first()
    .press('Enter')
  const property = page.getByRole('dialog')
  await expect(property.getByText('Utility accounts and customers')).toBeVisible()
  await page.screenshot({ path: 'test-results/property-1280.png' })
  await expectGood(page, accessible, 'a property')
  await page.goto(new URL('/municipality/reports/customers/property?zone=nowhere%20at%20all', page.url()).href)
  await expect(page.getByText(/No propert/).first()).toBeVisible()
  expect(account).not.toBe('')
})
