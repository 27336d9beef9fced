import type { Page } from '@playwright/test'
import { enterTicket } from '../features/parking-tickets/contract.ts'
import { guestCheckout } from '../features/checkout/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { at, DESKTOP, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { cards, fillCard, pay } from './pay.ts'

const HOST = 'harborcity'
const ADMIN = 'admin@harborcity.example'

/** Creates a $32.00 parking ticket that no other test uses. Harbor City charges its service fee separately. */
async function written(): Promise<string> {
  const { token } = await sessionOf(HOST, ADMIN)
  const citation = `E-${unique()}`
  const location = { text: '1 Wharf Square', addressId: null, lat: null, lon: null, metres: null }
  const issuedDate = dayFromNow(-2)
  await callOn(
    HOST,
    enterTicket,
    {
      ...{
        citation,
        plate: unique().slice(-7),
        plateState: 'MA',
        violation: 'A1',
        vehicle: 'Red Ford',
        location,
      },
      ...{ officer: 'Ada Finch', issuedDate, issuedTime: '09:30', notes: '', email: '', warning: false },
    },
    token,
  )
  return citation
}

const CHECKOUT = '**/return/guest/checkout'

/**
 * Shows the fee charge as still pending, although it has already been declined. A payer can return from the bank before
 * the fee charge ends.
 */
const stillCharging = (page: Page) =>
  page.route(CHECKOUT, async (route) => {
    const json = await callOn(HOST, guestCheckout, route.request().postDataJSON() as { token: string })
    const { payment } = json
    if (payment.receipt?.separateFee) {
      payment.receipt.separateFee.status = 'waiting'
      payment.message = 'Thank you.'
    }
    await route.fulfill({ json })
  })

test('shows both charges and lets staff waive a refused fee', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const citation = await written()
  await page.goto(at(HOST, '/parking-ticket-payment'))
  await page.getByLabel('Citation number').fill(citation)
  await page.getByRole('button', { name: 'Find tickets' }).press('Enter')
  await page.getByRole('button', { name: 'Pay $32.00' }).press('Enter')
  const review = page.getByRole('heading', { name: 'Review and pay' }).locator('..')
  await expect(review).toContainText('Your card statement will show two charges:')
  await expect(review).toContainText('$32.00 by HARBOR CITY')
  await expect(review).toContainText('$1.50 by SERVICE FEE')
  await expectGood(page, accessible, 'two charges')
  // The bank requires the payer's approval for each charge. The payer is present only for the first one, so the fee
  // charge is declined.
  await fillCard(page, cards.challenge)
  await pay(page)
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await stillCharging(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  await expect(page.getByText('will follow as a separate charge.')).toBeVisible()
  await page.unroute(CHECKOUT)
  // The receipt updates without a reload.
  await expect(page.getByText('It was declined and is still owed.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your payment went through' })).toBeFocused()
  await expect(page.getByText('Total paid').locator('../..')).toContainText('$32.00')
  await expectGood(page, accessible, 'a receipt whose fee is owed')
  const number =
    (await page
      .getByText(/^P\d+$/)
      .first()
      .textContent()) ?? ''

  await page.setViewportSize(DESKTOP)
  await openAs(page, HOST, ADMIN, `/municipality/reports/payments?fee=owed&payment=${number.slice(1)}`)
  const panel = page.getByRole('dialog', { name: `Payment ${number}` })
  await expect(panel).toContainText('Separate service fee')
  await expect(panel).toContainText('$1.50')
  // The total in the panel includes the unpaid fee. So the panel also states which part was paid.
  await expect(panel).toContainText('$32.00 was paid. The fee of $1.50 was not paid.')
  await expect(panel).not.toContainText('Convenience fee')
  await expect(page.locator('tfoot'), 'what no charge brought is no fee that came').toContainText('Service fees owed:')
  await expectGood(page, accessible, 'a payment whose fee is owed')
  await panel.getByRole('button', { name: 'Charge fee again' }).press('Enter')
  // The message appears in the panel, which covers the rest of the page.
  await expect(panel.getByText('The charge was declined again.')).toBeVisible()
  // The button is disabled until the payment has reloaded.
  await expect(panel.getByRole('button', { name: 'Waive fee' })).toBeEnabled()
  await panel.getByRole('button', { name: 'Waive fee' }).press('Enter')
  const why = page.getByRole('dialog').last()
  await why.getByLabel('Reason').fill('Less than a letter costs.')
  await why.getByRole('button', { name: 'Waive fee' }).press('Enter')
  await expect(panel).toContainText('$32.00 was paid. The fee of $1.50 was waived.')
  await expect(panel.getByRole('button', { name: 'Charge fee again' })).toHaveCount(0)
})
