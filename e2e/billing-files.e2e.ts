import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { linkAccount } from '../features/utility-portal/contract.ts'
import { dayFromNow, usDate } from './clock.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const FILES = '/municipality/manage/billing-files'
const open = (page: Page, path = FILES) => openAs(page, 'maplegrove', 'admin@maplegrove.example', path)
/** Class of the main button of a page. */
const PRIMARY = /\bbg-brand\b/
const HEAD =
  'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
const bill = (number: string, zip = '17011') =>
  `E${number},Ann Lee,12 Oak Street,Maple Grove,PA,${zip},E-${number},2026-11-01,2026-11-25,2026-10-01,2026-10-31,Water,10.00`
const fileOf = (...rows: string[]) => ({
  name: 'november.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([HEAD, ...rows].join('\n')),
})

test('previews and imports a billing file that changes nothing the second time @whole', async ({
  page,
  accessible,
}) => {
  const number = String(Date.now()).slice(-9)
  await open(page)
  await expect(page.getByText('Upload a billing file to show bills and offer AutoPay.')).toBeVisible()
  await expectGood(page, accessible, 'the files that came in')
  const send = async () => {
    await page.getByRole('button', { name: 'Upload billing file' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Preview import' }).click()
    await expect(panel.getByText('Choose a file first.')).toBeVisible()
    await panel.locator('input[type=file]').setInputFiles(fileOf(bill(number), bill('1', '1701')))
    await panel.getByRole('button', { name: 'Preview import' }).click()
  }
  await send()
  await expect(page.getByText('No changes yet. One line has an error and would be skipped.')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: '1, total $10.00' })).toBeVisible()
  await expect(page.getByText('3 changes and errors')).toBeVisible()
  await page.getByRole('link', { name: 'Show lines with errors' }).click()
  await expect(page.getByRole('cell').getByText(/zip "1701" does not have 5 digits/)).toBeVisible()
  const errors = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download lines with errors' }).click()
  expect((await errors).suggestedFilename()).toMatch(/^lines-with-errors-\d+\.csv$/)
  await expectGood(page, accessible, 'a preview')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const [take, check] = [button('Import'), button('Check again')]
  await expect(take).toHaveClass(PRIMARY)
  await expect(check).not.toHaveClass(PRIMARY)
  await page.getByRole('group', { name: 'Line 3' }).getByRole('textbox').first().fill('17012')
  await expect(take).toHaveCount(0)
  await expect(check).toHaveClass(PRIMARY)
  await check.click()
  await expect(page.getByText('No changes yet. Every line can be imported.')).toBeVisible()
  await expect(take).toHaveClass(PRIMARY)
  await take.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('File imported.')).toBeVisible()
  await expect(take).toHaveCount(0)

  const message = page.getByText(/is being imported/)
  await expect(message).toBeVisible()
  await page.getByRole('link', { name: 'Billing Files' }).last().click()
  await expect(page.getByText('november.csv').first()).toBeVisible()
  await page.getByRole('button', { name: 'Upload billing file' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await message.count(), 'messages of the previous screen').toBe(0)
  await page.keyboard.press('Escape')
  await send()
  await expect(page.getByRole('definition').filter({ hasText: '0, total $0.00' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('This file was discarded. Nothing was imported.')).toBeVisible()
})

test('imports a billing file after staff check its columns @whole', async ({ page, accessible }) => {
  const number = String(Date.now()).slice(-9)
  const file = (...rows: string[]) => ({
    name: 'balances.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Acct No,Name,Address,Balance,Due,Reader', ...rows].join('\n')),
  })
  await open(page)
  await page.getByRole('button', { name: 'Upload billing file' }).click()
  const panel = page.getByRole('dialog')
  const sample = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Excel (XLSX)' }).click()
  expect((await sample).suggestedFilename()).toBe('sample-bills.xlsx')
  await panel
    .locator('input[type=file]')
    .setInputFiles(file(`C${number},Ann Lee,12 Oak Street,$41.50,${usDate(dayFromNow(9))},Sam`))
  await panel.getByRole('button', { name: 'Preview import' }).click()
  await expect(page.getByText('Check the columns of your file. Then preview the changes.')).toBeVisible()
  await expect(page.getByLabel('Content of Balance')).toHaveValue('amount_1')
  await expect(page.getByLabel('Content of Reader')).toHaveValue('')
  await expect(page.getByLabel('City')).toHaveValue('Maple Grove')
  await expectGood(page, accessible, 'the columns of a billing file')
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await expect(page.getByText('No changes yet. Every line can be imported.')).toBeVisible()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('File imported.')).toBeVisible()
})

test('imports bills in a zip and shows residents their original PDFs @whole', async ({ page, browser, accessible }) => {
  const number = String(Date.now()).slice(-9)
  const pdf = `%PDF-1.7\n% bill ${number}\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`
  const code = `zip-${number}`
  const csv = [`${HEAD},document,link_code`, `${bill(number)},one.pdf,${code}`, `${bill(`${number}9`)},absent.pdf,`]
  const buffer = Buffer.from(zipSync({ 'bills.csv': strToU8(csv.join('\n')), 'run/one.pdf': strToU8(pdf) }))
  await open(page)
  await page.getByRole('button', { name: 'Upload billing file' }).click()
  const panel = page.getByRole('dialog')
  await panel.locator('input[type=file]').setInputFiles({ name: 'november.zip', mimeType: 'application/zip', buffer })
  await panel.getByRole('button', { name: 'Preview import' }).click()
  await expect(page.getByText(/absent\.pdf was not included/)).toBeVisible()
  await expectGood(page, accessible, 'a preview with PDFs')
  await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(page.getByText('File imported.')).toBeVisible()

  const resident = await newResident('maplegrove')
  const { token } = await sessionOf('maplegrove', resident)
  const linking = { accountNumber: `E${number}`, proof: 'code' as const, amount: '', code, nickname: `Zip ${number}` }
  await callOn('maplegrove', linkAccount, linking, token)
  const phone = await browser.newPage({ viewport: PHONE })
  await openAs(phone, 'maplegrove', resident, '/utility-portal')
  await phone.getByRole('link', { name: `View account Zip ${number}` }).click()
  const bills = phone.getByRole('region', { name: /^Bills in/ })
  const [file] = await Promise.all([
    phone.waitForEvent('download'),
    bills
      .getByRole('button', { name: /^PDF of the bill/ })
      .first()
      .click(),
  ])
  expect(await readFile(await file.path(), 'latin1')).toBe(pdf)
  await expectGood(phone, accessible, 'an account whose bill came with a PDF')
  await phone.close()
})

test('creates, shows once and revokes a key, and saves a remittance file @whole', async ({ page, accessible }) => {
  await open(page, '/municipality/manage/api-keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Create key' }).click()
  // Both fields are wrong, so the summary above the form contains both messages.
  await expect(
    panel.getByText('Enter the name of the program that uses this key, up to 60 characters.', { exact: true }),
  ).toBeVisible()
  await expect(panel.getByText('Choose a type of access for the key.', { exact: true })).toBeVisible()
  await panel.getByLabel('Name').fill('Harris, nightly')
  await panel.getByLabel('Access').selectOption('Billing system files')
  await page.keyboard.press('Enter')
  const key = panel.getByText(/^mainstreet_[\w-]{43}$/)
  await expect(key).toBeVisible()
  await expectGood(page, accessible, 'a key that was made')
  await panel.getByRole('button', { name: 'I saved the key' }).click()
  await expect(page.getByText('Harris, nightly').first()).toBeVisible()
  await page.getByRole('button', { name: 'Remove Harris, nightly' }).first().click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('Key Harris, nightly revoked. Programs can no longer use it.')).toBeVisible()

  await open(page, `${FILES}/remittances`)
  await expect(page.getByRole('heading', { level: 1, name: 'Remittances' })).toBeVisible()
  const saved = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Download \d+/ })
    .first()
    .click()
  expect((await saved).suggestedFilename()).toMatch(/^remittances-maplegrove-\d{6}\.csv$/)
})
