import type { Page } from '@playwright/test'
import { enterTicket } from '../features/parking-tickets/contract.ts'
import { guestCheckout } from '../features/payments/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, DESK, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './looks.ts'
import { cards, fillCard, pay } from './pay.ts'

const TOWN = 'harborcity'
const ADMIN = 'admin@harborcity.example'

/** A ticket of $32.00 that nobody else has. Harbor City's service fee for it is a charge of its own. */
async function written(): Promise<string> {
  const { token } = await sessionOf(TOWN, ADMIN)
  const citation = `E-${unique()}`
  const place = { text: '1 Wharf Square', addressId: null, lat: null, lon: null, metres: null }
  const issuedDate = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  await callOn(
    TOWN,
    enterTicket,
    {
      ...{ citation, plate: unique().slice(-7), plateState: 'MA', violation: 'A1', vehicle: 'Red Ford', place },
      ...{ officer: 'Ada Finch', issuedDate, issuedTime: '09:30', notes: '', email: '', warning: false },
    },
    token,
  )
  return citation
}

const CHECKOUT = '**/return/guest/checkout'

/** Whoever comes back from their bank may be quicker than the charge of the fee: what was refused since is on its way for them. */
const stillCharging = (page: Page) =>
  page.route(CHECKOUT, async (route) => {
    const json = await callOn(TOWN, guestCheckout, route.request().postDataJSON() as { token: string })
    const { payment } = json
    if (payment.receipt?.ownFee) {
      payment.receipt.ownFee.status = 'waiting'
      payment.message = 'Thank you.'
    }
    await route.fulfill({ json })
  })

test('a guest sees both charges before they pay; the second is refused, and staff charge it again and waive it', async ({
  page,
  accessible,
}) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const citation = await written()
  await page.goto(at(TOWN, '/parking-ticket-payment'))
  await page.getByLabel('Citation number').fill(citation)
  await page.getByRole('button', { name: 'Find tickets' }).press('Enter')
  await page.getByRole('button', { name: 'Pay $32.00' }).press('Enter')
  const review = page.getByRole('heading', { name: 'Review and pay' }).locator('..')
  await expect(review).toContainText('Two charges will stand on your card’s statement:')
  await expect(review).toContainText('$32.00 by HARBOR CITY')
  await expect(review).toContainText('$1.50 by SERVICE FEE')
  await expectGood(page, accessible, 'two charges')
  // Its bank wants to see the payer each time, who is there for the first charge alone.
  await fillCard(page, cards.challenge)
  await pay(page)
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await stillCharging(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  await expect(page.getByText('follows as a charge of its own.')).toBeVisible()
  await page.unroute(CHECKOUT)
  // The receipt becomes true by itself.
  await expect(page.getByText('which was refused. It is owed still.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your payment went through' })).toBeFocused()
  await expect(page.getByText('Total paid').locator('../..')).toContainText('$32.00')
  await expectGood(page, accessible, 'a receipt whose fee is owed')
  const number =
    (await page
      .getByText(/^P\d+$/)
      .first()
      .textContent()) ?? ''

  await page.setViewportSize(DESK)
  await openAs(page, TOWN, ADMIN, `/municipality/reports/payments?fee=owed&payment=${number.slice(1)}`)
  const panel = page.getByRole('dialog', { name: `Payment ${number}` })
  await expect(panel).toContainText('Service fee of its own')
  await expect(panel).toContainText('$1.50')
  // What stands above as the payment is not all paid.
  await expect(panel).toContainText('$32.00 was paid. The fee of $1.50 is not.')
  await expect(panel).not.toContainText('Convenience fee')
  await expect(page.locator('tfoot'), 'what no charge brought is no fee that came').toContainText('Service fees owed:')
  await expectGood(page, accessible, 'a payment whose fee is owed')
  await panel.getByRole('button', { name: 'Charge again' }).press('Enter')
  // In the panel, which covers all else.
  await expect(panel.getByText('The charge was refused again.')).toBeVisible()
  // Until the payment is loaded anew, nothing else can be done about it.
  await expect(panel.getByRole('button', { name: 'Waive' })).toBeEnabled()
  await panel.getByRole('button', { name: 'Waive' }).press('Enter')
  const why = page.getByRole('dialog').last()
  await why.getByLabel('Reason').fill('Less than a letter costs.')
  await why.getByRole('button', { name: 'Waive' }).press('Enter')
  await expect(panel).toContainText('$32.00 was paid. The fee of $1.50 is waived.')
  await expect(panel.getByRole('button', { name: 'Charge again' })).toHaveCount(0)
})
