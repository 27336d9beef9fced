import type { Page } from '@playwright/test'
import { enterTicket } from '../features/parking-tickets/contract.ts'
import { BILL } from './bills.ts'
import { callOn, newResident, openAs, payAsGuest, sessionOf } from './calls.ts'
import { allOrFirst, at, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { cards, EMAIL, expectOutcome, expectPaid, fields, fillCard, findBill, pay, payButton } from './pay.ts'

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const PDF =
  '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Size 3 /Root 1 0 R >>\n%%EOF'

/** Creates a parking ticket that no other test uses. */
async function ticket(): Promise<string> {
  const { token } = await sessionOf(HOST, ADMIN)
  const citation = `C-${unique()}`
  const location = { text: '12 Main Street', addressId: null, lat: null, lon: null, metres: null }
  const written = {
    citation,
    plate: unique().slice(-7),
    plateState: 'PA',
    violation: '10',
    vehicle: 'Red Ford',
    officer: 'Ada Finch',
    location,
    issuedDate: '2026-01-05',
    issuedTime: '09:30',
    notes: '',
    email: '',
    warning: false,
  }
  await callOn(HOST, enterTicket, written, token)
  return citation
}

const cartLink = (page: Page, linkText: string) => page.getByRole('banner').getByRole('link', { name: linkText })
const lines = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Remove .+ from this payment$/ })
const addAnother = async (page: Page, what: string) => {
  await page.getByRole('button', { name: 'Add another bill' }).press('Enter')
  await page.getByRole('link', { name: what }).press('Enter')
}
/** Approves the payment on the bank's own page. */
const approve = async (page: Page) => {
  await page.getByRole('button', { name: 'Approve' }).press('Enter')
  await page.waitForURL(/\/guest\/payment\//)
}

for (const width of allOrFirst([390, 1280]))
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('pays a bill, ticket and dog license together by saved card', async ({
      page,
      browser,
      account,
      accessible,
    }) => {
      test.slow()
      const [email, citation] = [await newResident(HOST), await ticket()]
      const sent: string[] = []
      page.on('request', (request) => {
        if (new URL(request.url()).port === process.env['E2E_PORT'])
          sent.push(`${request.url()} ${request.postData() ?? ''}`)
      })
      await openAs(page, HOST, email, '/cart')
      await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
      await expectGood(page, accessible, 'an empty cart')
      await page.setViewportSize({ width, height: 844 })
      await page.getByRole('link', { name: 'Find a utility bill' }).press('Enter')
      await page.getByLabel('Account number').fill(account)
      await page.getByLabel('ZIP').fill(BILL.zip)
      await page.getByLabel('ZIP').press('Enter')
      await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
      // Viewing a bill adds no item to the cart.
      await expect(cartLink(page, 'Cart, empty')).toBeVisible()

      await addAnother(page, 'Parking ticket')
      await page.getByLabel('Citation number').fill(citation)
      await page.getByLabel('Citation number').press('Enter')
      await page.getByRole('button', { name: 'Add ticket to payment' }).press('Enter')
      await expect(lines(page)).toHaveCount(2)

      await addAnother(page, 'Dog license')
      await page.getByLabel('Your name').fill('Ida Moss')
      await page.getByLabel('Name of the dog').fill('Biscuit')
      await page.getByLabel('Breed').fill('Beagle')
      await page.getByRole('radio', { name: 'Yes' }).press('Space')
      const certificateFile = { name: `rabies-${citation}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from(PDF) }
      await page.getByLabel('Rabies certificate').setInputFiles(certificateFile)
      await expect(page.getByText(certificateFile.name)).toBeVisible()
      await expectGood(page, accessible, 'a general payment with a file')
      await page.setViewportSize({ width, height: 844 })
      await page.getByRole('button', { name: 'Continue to payment' }).press('Enter')
      await expect(lines(page)).toHaveCount(3)

      // Leaves the cart and opens it again from another page.
      await page.goto(at(HOST))
      await cartLink(page, 'Cart, 3 items').press('Enter')
      await expect(lines(page)).toHaveCount(3)
      const frame = fields(page)
      await frame.getByLabel('Card number').fill(cards.challenge)
      await frame.getByLabel('Expires').fill('1231')
      await frame.getByLabel('Security code').fill('123')
      await page.getByLabel('Save this payment method for later').press('Space')
      await page.getByRole('button', { name: 'Add another bill' }).press('Enter')
      await expect(page.getByRole('link', { name: /^Dog license/ })).toBeVisible()
      await expectGood(page, accessible, 'a cart of three, and what else can be paid')
      await page.setViewportSize({ width, height: 844 })
      await payButton(page).press('Enter')
      await approve(page)
      const storedCard = page.getByRole('radio', { name: /^Visa ending 3184/ })
      await expect(storedCard).toBeChecked()
      await expect(page.getByText('Expires 12/31')).toBeVisible()
      await expectGood(page, accessible, 'paying by a card that is kept')
      await page.setViewportSize({ width, height: 844 })
      await payButton(page).press('Enter')
      await expect(page.getByRole('heading', { name: 'Your bank must confirm your identity' })).toBeFocused()
      await page.getByRole('link', { name: 'Continue to your bank' }).press('Enter')
      await approve(page)
      await expectPaid(page)
      const receipt = page.getByRole('article')
      for (const fact of [account, citation, 'Dog license', 'Biscuit', 'Visa ending 3184'])
        await expect(receipt).toContainText(fact)
      await expect(cartLink(page, 'Cart, empty')).toBeVisible()
      expect(sent.join('\n')).not.toMatch(/3184.?0000|4000.?0027|27600?03184/)

      const office = await browser.newPage()
      await openAs(office, HOST, ADMIN, `/municipality/reports/general-payments?search=${citation}`)
      await office.getByRole('button', { name: /^View G/ }).press('Enter')
      const file = office.getByRole('dialog').getByRole('button', { name: certificateFile.name })
      const [saved] = await Promise.all([office.waitForEvent('download'), file.press('Enter')])
      expect(saved.suggestedFilename()).toBe(certificateFile.name)
      await office.close()
    })
  })

test('restores a guest’s cart, reports items paid elsewhere and pays the rest @whole', async ({
  page,
  account,
  secondAccount,
  accessible,
}) => {
  await page.setViewportSize(PHONE)
  await findBill(page, account)
  await expect(cartLink(page, 'Cart, empty')).toBeVisible()
  await addAnother(page, 'Utility bill')
  await page.getByLabel('Account number').fill(secondAccount)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).press('Enter')
  await expect(lines(page)).toHaveCount(2)
  await page.goto(at(HOST))
  await payAsGuest(secondAccount)
  await cartLink(page, 'Cart, 2 items').press('Enter')
  await expect(page.getByText(/^The amount due has changed\. It was \$149\.31 when you added/)).toBeVisible()
  await expectGood(page, accessible, 'a cart of which something was paid elsewhere')
  await page.setViewportSize(PHONE)
  await expect(cartLink(page, 'Cart, 1 item')).toBeVisible()
  await fillCard(page)
  await pay(page)
  await expectOutcome(page, 'Your payment went through')
  await expect(page.getByText(EMAIL).first()).toBeVisible()
  await page.goto(at(HOST, '/cart'))
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
})
