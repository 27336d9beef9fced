import type { Locator, Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { allOrFirst, at, expect, PHONE, test } from './fixtures.ts'
import { linkIn, emailTo } from './mail.ts'
import { expectGood } from './screen-checks.ts'
import { EMAIL, expectPaid, fillCard, pay, payButton } from './pay.ts'

const TYPES = '/municipality/manage/manage-General-payments'
const MANAGER = 'admin@maplegrove.example'
const unique = (what: string) => `${what} ${test.info().workerIndex}x${Date.now() % 1_000_000}`
const openTypes = (page: Page, path = TYPES) => openAs(page, 'maplegrove', MANAGER, path)

/** Waits for the list and opens one payment type. */
async function openType(page: Page, title: string): Promise<Locator> {
  await page.goto(at('maplegrove', `${TYPES}?search=${encodeURIComponent(title)}`))
  await page.getByRole('button', { name: `View ${title}` }).click()
  const panel = page.getByRole('dialog', { name: title })
  await expect(panel.getByText('GL account')).toBeVisible()
  return panel
}

test('defines a payment type with fields that guests pay by link', async ({ page, accessible, browser }) => {
  test.slow()
  const title = unique('Bench plaque')
  await openTypes(page)
  await page.getByRole('button', { name: 'Add payment type' }).click()
  const form = page.getByRole('dialog', { name: 'Add payment type' })
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(form.getByText('Enter a title.').first()).toBeVisible()
  await expectGood(page, accessible, 'a new payment with mistakes')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('GL account').fill('387.100')
  await form.getByRole('radio', { name: 'Depends on the answers' }).press('Space')
  await form.getByLabel('Label for the issued number').fill('Plaque')
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  const panel = page.getByRole('dialog', { name: title })
  await expect(panel.getByText('Draft', { exact: true })).toBeVisible()

  // A payment type without an amount can't be opened for payment, and a message shows the reason.
  await panel.getByRole('button', { name: 'Open for payment' }).press('Enter')
  await expect(page.getByText('determine its amount. Publish the fields first.')).toBeVisible()
  await panel.getByRole('link', { name: 'Fields' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fields')
  for (const [type, label] of [
    ['Text', 'Words on the plaque'],
    ['Payment', 'Plaque with its mounting'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a field', exact: true }).press('Enter')
    const field = page.getByRole('dialog', { name: 'Add a field' })
    await field.getByLabel('Type', { exact: true }).selectOption(type)
    await field.getByLabel('Label').fill(label)
    if (type === 'Payment') await field.getByLabel('Fixed amount').fill('85.00')
    await field.getByRole('button', { name: 'Done' }).press('Enter')
    await expect(field).toBeHidden()
  }
  await expectGood(page, accessible, 'the fields of a payment')
  await page.getByRole('button', { name: 'Publish fields' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish fields' }).press('Enter')
  await expect(page.getByText('Version 1 is in use')).toBeVisible()

  await openType(page, title)
  await panel.getByRole('button', { name: 'Add numbers' }).press('Enter')
  const numbers = page.getByRole('dialog', { name: `Add numbers to ${title}` })
  await numbers.getByRole('button', { name: 'Add numbers' }).press('Enter')
  await expect(numbers.getByText('Enter the first number, such as 1001 or A-0001.').first()).toBeVisible()
  await numbers.getByLabel('First number').fill('P-007')
  await numbers.getByLabel('Quantity').fill('2')
  await numbers.getByRole('button', { name: 'Add numbers' }).press('Enter')
  await expect(panel.getByText('0 issued, 2 left, next number: P-007')).toBeVisible()
  await panel.getByRole('button', { name: 'Open for payment' }).press('Enter')
  await expect(panel.getByRole('region', { name: 'Payment page' })).toBeVisible()
  await expect(panel.getByRole('img', { name: 'QR code for this link' })).toBeVisible()
  await expectGood(page, accessible, 'a payment that is open')
  const address = (
    await panel
      .getByText(/\/pay\//)
      .first()
      .innerText()
  ).trim()

  const guest = await browser.newPage({ viewport: PHONE })
  await guest.goto(at('maplegrove', new URL(address).pathname))
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(title)
  // Before the script runs, a press shows its errors later, which counts as a movement.
  await guest.waitForFunction(() => window.earlyInput === undefined)
  await guest.getByRole('button', { name: 'Continue to payment' }).press('Enter')
  await expect(guest.getByLabel('Your name')).toBeFocused()
  await expectGood(guest, accessible, 'what is asked, with a mistake')
  await guest.setViewportSize(PHONE)
  await guest.getByLabel('Your name').fill('Ada Quill')
  await guest.getByLabel('Words on the plaque').fill('For everybody who rests')
  await guest.getByRole('button', { name: 'Continue to payment' }).press('Enter')
  await expect(guest.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
  // If a payment type does not allow partial payments, the page offers only the full amount.
  await expect(guest.getByRole('radio', { name: /^(?:Partial|Other)/ })).toHaveCount(0)
  await fillCard(guest)
  await expect(payButton(guest)).toHaveText('Pay $87.64')
  await pay(guest)
  await expectPaid(guest)
  const receipt = guest.getByRole('article')
  for (const fact of [title, 'PlaqueP-007', 'For everybody who rests', '$85.00'])
    await expect(receipt).toContainText(fact)
  await expectGood(guest, accessible, 'the receipt of a general payment')
  await guest.close()

  await panel.getByRole('link', { name: 'Payments' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('General Payments Received')
  await page.getByRole('button', { name: /^View G\d+/ }).press('Enter')
  const charge = page.getByRole('dialog', { name: title })
  await expect(charge.getByText('For everybody who rests')).toBeVisible()
  await expect(charge.getByText(EMAIL)).toHaveCount(0)
  await expectGood(page, accessible, 'what somebody paid, with the answers')
})

test('lets a resident find and pay a payment by keyboard only @whole', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', '/pay-bills')
  await expect(page.getByRole('link', { name: 'Dog license' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Fire inspection' })).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing')
  await expect(page.getByText('No payments match your search.')).toBeVisible()
  await expectGood(page, accessible, 'a search that finds nothing')
  await page.getByRole('searchbox', { name: 'Search' }).fill('sticker')
  await expect(page.getByRole('status').filter({ hasText: /^1 of \d+ shown$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Trash stickers' }).focus()
  await page.keyboard.press('Enter')
  // The form is prefilled with the resident's data.
  await expect(page.getByLabel('Your name')).toHaveValue(/\w+ \w+/)
  await page.getByLabel('Address for the stickers').fill('14 Mill Road')
  await page.getByLabel('Stickers', { exact: true }).fill('4')
  await expect(page.getByText('$12.00').first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue to payment' }).press('Enter')
  // Saved payment methods are offered first.
  await page.getByRole('radio', { name: /^Another card or bank account/ }).press('Space')
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  await expect(page.getByRole('article')).toContainText('Stickers at $3.00')
  await page.goto(at('maplegrove', '/pay-bills?category=recreation'))
  await expect(page.getByLabel('Category')).toHaveValue('')
})

for (const width of allOrFirst([390, 1280]))
  test(`emails, prints and pays a payment link at ${width} px @whole`, async ({ page, accessible, browser }) => {
    await openTypes(page)
    const panel = await openType(page, 'Fire inspection')
    await panel.getByRole('button', { name: 'Create payment link' }).press('Enter')
    const make = page.getByRole('dialog', { name: 'Payment link: Fire inspection' })
    await make.getByRole('button', { name: 'Create link' }).press('Enter')
    await expect(make.getByText('Enter an answer.').first()).toBeVisible()
    await make.getByLabel('Your name').fill('Corner Diner')
    await make.getByLabel('Name of the business').fill('Corner Diner')
    await make.getByLabel('Address of the business').fill('3 Market Square')
    const email = `diner-${Date.now()}@example.org`
    await make.getByLabel('Payer’s email').fill('diner')
    await make.getByRole('button', { name: 'Create and email link' }).press('Enter')
    await expect(make.getByText('Enter an email address, such as name@example.com.')).toBeVisible()
    await expectGood(page, accessible, 'a payment link with a mistake')
    await make.getByLabel('Payer’s email').fill(email)
    await make.getByRole('button', { name: 'Create and email link' }).press('Enter')
    await expect(make.getByRole('alert')).toContainText(`was sent to ${email}`)
    await expectGood(page, accessible, 'a payment link that was made')
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.paper-only')).toContainText('Amount $75.00')
    await expect(make).toBeHidden()
    await page.emulateMedia({ media: null })
    const path = linkIn(await emailTo(email, /^Fire inspection: \$75\.00 payable to /))
    const guest = await browser.newPage({ viewport: { width, height: 844 }, reducedMotion: 'reduce' })
    await guest.goto(at('maplegrove', path))
    await expect(guest.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
    await expect(guest.getByText('$75.00').first()).toBeVisible()
    await fillCard(guest)
    await pay(guest)
    await expectPaid(guest)
    await accessible(guest, 'a receipt of what a payment link asked for')
    await guest.close()
  })

test('previews and imports open items, found by number and proof @whole', async ({ page, accessible }) => {
  await openTypes(page)
  const panel = await openType(page, 'Property tax')
  await panel.getByRole('button', { name: 'Import open items' }).press('Enter')
  const work = page.getByRole('dialog', { name: 'Import open items for Property tax' })
  const number = `99-${test.info().workerIndex}-${Date.now() % 1_000_000}`
  const file = (...rows: string[]) => ({
    name: 'roll.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['parcel,owner,address,amount,due_date', ...rows].join('\n')),
  })
  await work.getByRole('button', { name: 'Preview changes' }).press('Enter')
  await expect(work.getByText('Choose a file first.')).toBeVisible()
  await work.getByLabel('File').setInputFiles(file(`${number},,1 Elm Street,10,`))
  await work.getByRole('button', { name: 'Preview changes' }).press('Enter')
  await expect(work.getByText('Line 2:')).toBeVisible()
  await expectGood(page, accessible, 'an import with a wrong row')
  await work.getByLabel('File').setInputFiles(file(`${number},Nora Vane,1 Elm Street,1234.50,${dayFromNow(120)}`))
  await work.getByRole('button', { name: 'Preview changes' }).press('Enter')
  await expect(work.getByText('1 new, with a total of $1,234.50')).toBeVisible()
  await work.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(work.getByText('File imported.')).toBeVisible()

  await page.setViewportSize(PHONE)
  await page.goto(at('maplegrove', '/pay/property-tax'))
  await page.getByLabel('Parcel number, or the name on the notice').fill(number)
  await page.getByLabel('Amount on the notice').fill('1234.00')
  await page.getByRole('button', { name: 'Find notice' }).press('Enter')
  await expect(page.getByText('No notice matches your entries.')).toBeVisible()
  await expectGood(page, accessible, 'an open item that was not found')
  await page.setViewportSize(PHONE)
  await page.getByLabel('Amount on the notice').fill('1,234.50')
  await page.getByRole('button', { name: 'Find notice' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
  await page.getByRole('radio', { name: /^Partial/ }).press('Space')
  await page.getByLabel('Amount to pay').fill('500')
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  await expect(page.getByRole('article')).toContainText(number)
})
