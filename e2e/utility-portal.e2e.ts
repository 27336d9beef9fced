import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { newResident, openAs } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { readPdf } from '../test/read-pdf.ts'

const RESIDENT = 'resident@maplegrove.example'
const NEWCOMER = 'newcomer@maplegrove.example'

const card = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name }).first()
const saved = async (page: Page, button: Locator) => {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: file.suggestedFilename(), start: (await readFile(await file.path())).subarray(0, 5).toString() }
}

test('links an account on a phone by keyboard, pays and unlinks it', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', NEWCOMER, '/utility-portal')
  await expect(page.getByRole('heading', { name: 'Link your first account' })).toBeVisible()
  const link = page.getByRole('button', { name: 'Link account' })
  await link.press('Enter')
  await expect(page.getByLabel('Account number')).toBeFocused()
  await expect(page.getByText('Enter the amount of your last bill').first()).toBeVisible()
  await accessible(page, 'linking without anything entered')
  await page.getByLabel('Account number').fill('100 001')
  await page.getByLabel('Amount of a recent bill').fill('1.00')
  await link.press('Enter')
  await expect(page.getByRole('alert')).toContainText('No account matches your entries')
  await page.getByRole('radio', { name: /Link code/ }).press('Space')
  await expect(page.getByLabel('Account number')).toHaveValue('100 001')
  await page.getByRole('textbox', { name: 'Link code' }).fill('link-100001')
  await page.getByLabel('Account nickname').fill('Grandmother')
  await page.getByLabel('Account nickname').press('Enter')
  const account = card(page, 'Grandmother')
  await expect(account).toContainText('214 Sycamore Lane')
  await expect(account).toContainText('$149.31')
  await expectGood(page, accessible, 'one linked account')
  await page.setViewportSize(PHONE)
  await account.getByRole('button', { name: 'Pay $149.31' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
  await page.goto(at('maplegrove', '/utility-portal'))
  await account.getByRole('button', { name: 'Unlink' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Unlink Grandmother?' })
  await accessible(page, 'the question before unlinking')
  await question.getByRole('button', { name: 'Unlink account' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Link your first account' })).toBeVisible()
})

test('pays two accounts together and explains a higher bill', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', RESIDENT, '/utility-portal')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['Home', 'Rental on Canal Street'])
  await expectGood(page, accessible, 'two linked accounts')
  await page.getByRole('button', { name: 'Link an account' }).click()
  await accessible(page, 'the dialog to link an account', 'layout')
  await page.keyboard.press('Escape')
  const pay = page.getByRole('button', { name: /^Pay \$[\d,.]+$/ })
  const both = await pay.textContent()
  await page.getByRole('checkbox', { name: /Rental/ }).press('Space')
  await expect(page.getByText('One payment for 1 account')).toBeVisible()
  expect(await pay.textContent()).not.toBe(both)
  await page.getByRole('checkbox', { name: /Rental/ }).press('Space')
  await pay.click()
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('100237')
  await expect(page.getByRole('main')).toContainText('100014')

  await page.goto(at('maplegrove', '/utility-portal'))
  await page.getByRole('link', { name: 'View account Rental on Canal Street' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Utility Account')
  await expect(page.getByText(/^Water: (?:Twice|[\d.]+ times) your /)).toBeVisible()
  const why = page.getByRole('region', { name: 'Why is this bill higher?' })
  await expect(why).toContainText('may mean a leak')
  await expectGood(page, accessible, 'an account with a leak')

  // The chart and its table show the same values for each month.
  const use = page.getByRole('region', { name: 'Water usage in thousand gallons' })
  await use.getByText('Show figures').click()
  const chartTitles = await use.locator('svg g > title').allTextContents()
  const table = await use.locator('table').first().locator('tbody tr').allInnerTexts()
  expect(chartTitles).toHaveLength(12)
  for (const [n, title] of chartTitles.entries()) {
    const [, month, now, before] = /^(.+): Last 12 months ([\d.,]+), Previous year ([\d.,]+)$/.exec(title) ?? []
    const [name, used, , then] = table[n]?.split('\t') ?? []
    expect([name, used, then]).toEqual([month, now, before])
  }
  await use.getByText('Show each reading').click()
  await expect(use.getByRole('table', { name: 'Water readings' }).locator('tbody tr').first()).toContainText(
    'Actual reading',
  )

  const bills = page.getByRole('region', { name: /^Bills in/ })
  expect(await saved(page, bills.getByRole('button', { name: /^PDF of the bill/ }).first())).toMatchObject({
    start: '%PDF-',
  })
  const payments = page.getByRole('region', { name: /^Payments in/ })
  const receipt = payments.getByRole('listitem').filter({ hasText: 'Successful' }).first()
  expect(await saved(page, receipt.getByRole('button', { name: /^Print receipt P/ }))).toMatchObject({ start: '%PDF-' })
  await page.getByLabel('Year for bills and payments').selectOption({ index: 1 })
  await expect(
    page
      .getByRole('region', { name: /^Bills in/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()

  await why.getByRole('link', { name: /^View bill/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Utility Bill')
  await expect(page.getByRole('article')).toContainText('Amount of this bill')
  await expect(page.getByRole('region', { name: 'Why is this bill higher?' })).toContainText('may mean a leak')
})

test('validates and saves the settings of an account @whole', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', RESIDENT, '/utility-portal')
  await page.getByRole('link', { name: 'View account Home' }).click()
  const settings = page.getByRole('region', { name: 'Account settings' })
  await settings.getByLabel('Usage limit between two readings').fill('much')
  await settings.getByLabel('Last day away').fill(dayFromNow(30))
  await settings.getByLabel('Additional recipient for usage alerts').fill('sister')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByText(/^3 entries need correction/)).toBeVisible()
  await expectGood(page, accessible, 'settings with errors')
  await page.setViewportSize(PHONE)
  await settings.getByLabel('Usage limit between two readings').fill('8.5')
  await settings.getByLabel('First day away').fill(dayFromNow(26))
  await settings.getByLabel('Additional recipient for usage alerts').fill('sister@example.org')
  await settings.getByRole('checkbox', { name: /Paperless billing/ }).press('Space')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved.')).toBeVisible()
  await page.reload()
  await expect(settings.getByLabel('Usage limit between two readings')).toHaveValue('8.5')
  await expect(settings.getByRole('checkbox', { name: /Paperless billing/ })).toBeChecked()
})

test('transfers a usage history by code on a phone, by keyboard @whole', async ({ page, browser, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', RESIDENT, '/utility-portal')
  await page.getByRole('link', { name: /^Share the usage history/ }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shared Accounts')
  const offer = page.getByRole('region', { name: 'Offer to share' })
  await offer.getByLabel('Recipient’s email').fill('nobody')
  await offer.getByRole('button', { name: 'Create offer' }).press('Enter')
  await expect(offer.getByLabel('Recipient’s email')).toBeFocused()
  await offer.getByLabel('Recipient’s email').fill('')
  await offer.getByRole('checkbox', { name: /Include bill amounts/ }).press('Space')
  await expect(offer.getByText(/the total of each month’s bills/)).toBeVisible()
  await offer.getByRole('button', { name: 'Create offer' }).press('Enter')
  const code = (await offer.getByText(/^\w{4}-\w{4}-\w{4}$/).textContent()) ?? ''
  await expectGood(page, accessible, 'an offer that was made')

  const other = await browser.newContext({ viewport: PHONE })
  const otherPage = await other.newPage()
  await openAs(otherPage, 'maplegrove', await newResident('maplegrove'), '/utility-portal/sharing')
  const codeField = otherPage.getByLabel('Offer code')
  await codeField.fill('WRONG CODE 12')
  await codeField.press('Enter')
  await expect(otherPage.getByRole('alert')).toContainText('No offer matches this code')
  await codeField.fill(code.toLowerCase())
  await codeField.press('Enter')
  const question = otherPage.getByRole('alertdialog', { name: 'Accept this offer to view the usage history?' })
  await expect(question).toContainText('It does not include payments or names')
  await accessible(otherPage, 'what is accepted')
  await question.getByRole('button', { name: 'Accept offer' }).press('Enter')
  await expect(otherPage.getByRole('region', { name: /^Water usage in/ })).toBeVisible()
  await expect(otherPage.getByRole('region', { name: 'Billed amounts' })).toBeVisible()
  await accessible(otherPage, 'a history that was handed over')
  await otherPage
    .getByRole('region', { name: 'Shared with you' })
    .getByRole('button', { name: /^End sharing/ })
    .press('Enter')
  await otherPage.getByRole('alertdialog').getByRole('button', { name: 'End sharing' }).press('Enter')
  await expect(otherPage.getByRole('region', { name: 'Shared with you' })).toHaveCount(0)
  await other.close()
})

test('prints a link code letter and links the account by phone @whole', async ({
  page,
  account,
  accessible,
  browser,
}) => {
  await openAs(
    page,
    'maplegrove',
    'manager@maplegrove.example',
    `/municipality/reports/customers/citizen?accountNumber=${account}`,
  )
  await page
    .getByRole('button', { name: /^View / })
    .first()
    .click()
  const one = page.getByRole('dialog', { name: `Account ${account}` })
  const print = one.getByRole('button', { name: 'Print link code letter' })
  const [file] = await Promise.all([page.waitForEvent('download'), print.press('Enter')])
  const pdfBytes = await readFile(await file.path())
  const { text } = readPdf(pdfBytes)
  for (const fact of ['See and pay your utility account online', account, 'Rosalind Mercer'])
    expect(text).toContain(fact)
  await expect(one.getByText(/not used yet, valid until/)).toBeVisible()
  await expectGood(page, accessible, 'a customer with a link code')

  // The alternative text of the QR code contains the code, for people who can't see it.
  const [, code = ''] = /link code is (\w{5}-\w{5})/.exec(pdfBytes.toString('latin1')) ?? []
  const phone = await browser.newContext({ viewport: PHONE })
  const reader = await phone.newPage()
  await openAs(
    reader,
    'maplegrove',
    await newResident('maplegrove'),
    `/utility-portal?account=${account}#code=${code.replace('-', '')}`,
  )
  await expect(reader.getByLabel('Account number')).toHaveValue(account)
  const typed = reader.getByRole('textbox', { name: 'Link code' })
  await expect(typed).toHaveValue(code.replace('-', ''))
  await accessible(reader, 'a code that its letter filled in')
  await typed.fill('WRONG-CODE2')
  await typed.press('Enter')
  await expect(reader.getByRole('alert')).toContainText('No account matches your entries')
  await typed.fill(code.toLowerCase())
  await typed.press('Enter')
  await expect(card(reader, account)).toContainText('$149.31')
  // The open staff screen shows without a reload that the code was used.
  await expect(one.getByText(/used on/)).toBeVisible()
  await phone.close()
})
