import type { FrameLocator, Locator, Page } from '@playwright/test'
import { paymentReport } from '../features/payments/list.ts'
import { formatCents } from '../shared/money.ts'
import { BILL } from './bills.ts'
import { callOn, sessionOf } from './calls.ts'
import { at, expect } from './fixtures.ts'
import { shiftOf } from './looks.ts'

/** Published test numbers (gateway/scenarios.ts). */
export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  expired: '4000 0000 0000 0069',
  wrongCode: '4000 0000 0000 0127',
  slow: '4000 0000 0000 0077',
  challenge: '4000 0027 6000 3184',
}
export const bankAccounts = { good: '000123456789', refused: '000111111116', returned: '000222222227' }

export const EMAIL = 'rosalind.mercer@mail.example'

/** From the account number and ZIP on the bill to its payment page. */
export async function findBill(page: Page, account: string, town = 'maplegrove'): Promise<void> {
  await page.goto(at(town, '/guest-utility-payment'))
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).click()
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
}

/** Finds one more bill from the page of a payment, and comes back to it. */
export async function addBill(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Add another bill' }).click()
  await page.getByRole('link', { name: 'Utility bill' }).click()
  await expect(page.getByRole('heading', { name: 'Add another bill' })).toBeVisible()
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP').fill(BILL.zip)
  await page.getByRole('button', { name: 'Find my bill' }).click()
  await expect(page.getByRole('region', { name: '2 things to pay' })).toBeVisible()
}

/** The gateway's fields in their frame. */
export const fields = (page: Page, kind: 'Card' | 'Bank account' = 'Card'): FrameLocator =>
  page.frameLocator(`iframe[title="${kind} details"]`)

export async function fillCard(page: Page, number = cards.good): Promise<void> {
  const frame = fields(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expires').fill('1230')
  await frame.getByLabel('Security code').fill('123')
  await page.getByLabel('Email').fill(EMAIL)
}

export async function fillBank(page: Page, account = bankAccounts.good): Promise<void> {
  await choose(page, 'eCheck')
  const frame = fields(page, 'Bank account')
  await frame.getByLabel('Name on the account').fill('Rosalind Mercer')
  await frame.getByLabel('Routing number').fill('110000000')
  await frame.getByLabel('Account number').fill(account)
  await page.getByLabel('Email').fill(EMAIL)
}

/** The one button that pays. It names the sum as soon as there is one that can be paid. */
export const payButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay(?: \$|$)/ })

/** By the keyboard: right after a scroll the mouse may still meet the gateway's frame where it was before. */
export const pay = (page: Page): Promise<void> => payButton(page).press('Enter')

/** Chooses an amount or a way of paying by the first word of its card. */
export const choose = (page: Page, name: 'Full' | 'Partial' | 'Other' | 'Card' | 'eCheck'): Promise<void> =>
  page.getByRole('radio', { name: new RegExp(`^${name}`) }).press('Space')

/** What the page says of the payment: expects the heading, and that it has the focus, so that it is read out. */
export async function expectOutcome(page: Page, heading: string | RegExp): Promise<Locator> {
  const outcome = page.locator('section[aria-labelledby=outcome]')
  await expect(outcome.getByRole('heading')).toHaveText(heading, { timeout: 20_000 })
  // The words of a button make room for what turns while it is at work: that alone is less than this.
  expect(await shiftOf(page), 'how far the page moved by itself').toBeLessThan(0.001)
  return outcome
}

export const expectPaid = (page: Page): Promise<Locator> => expectOutcome(page, 'Your payment went through')

/** The truth about an account: its payments as the clerk's report has them, the newest first. */
export async function paymentsOf(account: string, town = 'maplegrove'): Promise<string[]> {
  const { token } = await sessionOf(town, `admin@${town}.example`)
  const { rows } = await callOn(town, paymentReport.call, { search: account, filters: {} }, token)
  return rows.map((row) => `${row.paymentStatus} ${formatCents(row.totalCents)}`)
}

/** A clerk's drawer, which another journey of theirs may have opened. */
export async function openDrawer(page: Page): Promise<void> {
  const count = page.getByLabel('$20', { exact: true })
  const find = page.getByLabel('Account, citation, name or address')
  await expect(count.or(find)).toBeVisible()
  if (await find.isVisible()) return
  await count.fill('5')
  await page.keyboard.press('Enter')
  await expect(find).toBeVisible()
}
