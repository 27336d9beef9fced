import type { FrameLocator, Locator, Page } from '@playwright/test'
import { paymentReport } from '../features/payment-report/list.ts'
import { formatCents } from '../shared/money.ts'
import { BILL } from './bills.ts'
import { callOn, sessionOf } from './calls.ts'
import { at, expect } from './fixtures.ts'
import { shiftOf } from './screen-checks.ts'

/** Test card numbers that the gateway publishes (gateway/scenarios.ts). */
export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  expired: '4000 0000 0000 0069',
  invalidCode: '4000 0000 0000 0127',
  slow: '4000 0000 0000 0077',
  challenge: '4000 0027 6000 3184',
}
export const bankAccounts = { good: '000123456789', refused: '000111111116', returned: '000222222227' }

export const EMAIL = 'rosalind.mercer@mail.example'

/** Opens the payment page of a bill from its account number and ZIP code. */
export async function findBill(page: Page, account: string, host = 'maplegrove'): Promise<void> {
  await page.goto(at(host, '/guest-utility-payment'))
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).click()
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
}

/** Adds another bill from the payment page and returns to it. */
export async function addBill(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Add another bill' }).click()
  await page.getByRole('link', { name: 'Utility bill' }).click()
  await expect(page.getByRole('heading', { name: 'Add another bill' })).toBeVisible()
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).click()
  await expect(page.getByRole('region', { name: '2 items to pay' })).toBeVisible()
}

export const fields = (page: Page, kind: 'Card' | 'Bank account' = 'Card'): FrameLocator =>
  page.frameLocator(`iframe[title="${kind} details"]`)

/**
 * Replaces a field's text by keys, as a person does. The browser does not count `fill` as input, so that it would take
 * the fee or a corrected error for a layout shift.
 */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}

export async function fillCard(page: Page, number = cards.good): Promise<void> {
  const frame = fields(page)
  await typeInto(frame.getByLabel('Card number'), number)
  await typeInto(frame.getByLabel('Expires'), '1230')
  await typeInto(frame.getByLabel('Security code'), '123')
  await typeInto(page.getByLabel('Email'), EMAIL)
}

export async function fillBank(page: Page, account = bankAccounts.good): Promise<void> {
  await choose(page, 'eCheck')
  const frame = fields(page, 'Bank account')
  await typeInto(frame.getByLabel('Name on the account'), 'Rosalind Mercer')
  await typeInto(frame.getByLabel('Routing number'), '110000000')
  await typeInto(frame.getByLabel('Account number'), account)
  await typeInto(page.getByLabel('Email'), EMAIL)
}

/** Returns the only pay button. Its name contains the total if an amount is payable. */
export const payButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay(?: \$|$)/ })

/** Pays by keyboard. Right after a scroll, a click may still hit the old position of the gateway's frame. */
export const pay = (page: Page): Promise<void> => payButton(page).press('Enter')

/** Chooses an amount or a payment method by the first word of its option. */
export const choose = (page: Page, name: 'Full' | 'Partial' | 'Other' | 'Card' | 'eCheck'): Promise<void> =>
  page.getByRole('radio', { name: new RegExp(`^${name}`) }).press('Space')

/**
 * Waits for the payment outcome with this heading and returns its section. The heading has the focus, so that screen
 * readers announce it.
 */
export async function expectOutcome(page: Page, heading: string | RegExp): Promise<Locator> {
  const outcome = page.locator('section[aria-labelledby=outcome]')
  await expect(outcome.getByRole('heading')).toHaveText(heading, { timeout: 20_000 })
  // The spinner moves the button text. The layout shift is smaller than this limit.
  expect(await shiftOf(page), 'how far the page moved by itself').toBeLessThan(0.001)
  return outcome
}

export const expectPaid = (page: Page): Promise<Locator> => expectOutcome(page, 'Your payment went through')

/** Returns the payments of an account from the staff report, newest first. */
export async function paymentsOf(account: string, host = 'maplegrove'): Promise<string[]> {
  const { token } = await sessionOf(host, `admin@${host}.example`)
  const { rows } = await callOn(host, paymentReport.call, { search: account, filters: {} }, token)
  return rows.map((row) => `${row.paymentStatus} ${formatCents(row.totalCents)}`)
}

/** Opens the staff member's cash drawer, unless another test has already opened the drawer. */
export async function openDrawer(page: Page): Promise<void> {
  const count = page.getByLabel('$20', { exact: true })
  const find = page.getByLabel('Account, citation number, name or address')
  await expect(count.or(find)).toBeVisible()
  if (await find.isVisible()) return
  await count.fill('5')
  await page.keyboard.press('Enter')
  await expect(find).toBeVisible()
}
