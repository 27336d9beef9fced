import { newResident, openAs } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { emailTo } from './mail.ts'

const HOST = 'maplegrove'
const STAFF_EMAIL = 'admin@maplegrove.example'

test('keeps a form over reloads and devices until staff approve it', async ({ page, browser, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const email = await newResident(HOST)
  await openAs(page, HOST, email, '/forms-documents')
  await page.getByRole('link', { name: 'Yard sale permit' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Yard sale permit')
  await page.getByRole('button', { name: 'Start form', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await expect(page.getByText(/entries need correction|entry needs correction/)).toBeVisible()
  await expectGood(page, accessible, 'a form with what is missing')
  await page.setViewportSize(PHONE)
  await page.getByLabel('First day').fill(dayFromNow(7))
  await page.getByRole('radio', { name: 'Two', exact: true }).check()
  await page.getByLabel('I take my signs down the same evening.').check()
  await expect(page.getByText(/^Saved at /)).toBeVisible()

  // Another device and a reload show the saved answers.
  const desktopPage = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openAs(desktopPage, HOST, email, new URL(page.url()).pathname)
  await expect(desktopPage.getByLabel('First day')).toHaveValue(dayFromNow(7))
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Two', exact: true })).toBeChecked()
  await page.getByLabel('House number and street').fill('12 Linden Avenue')
  await page.getByLabel('City').fill('Maple Grove')
  await page.getByLabel('State').fill('PA')
  await page.getByLabel('ZIP code').fill('17011')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await expect(page.getByText('You have not submitted anything yet.')).toBeVisible()
  await expect(page.getByText('12 Linden Avenue')).toBeVisible()
  await expectGood(page, accessible, 'a form before it is sent')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Submit', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Form')
  await expectGood(page, accessible, 'a form that was sent')
  await expect(page.getByRole('main')).toContainText(/F-\d{4}-\d{6}/)
  const number = /F-\d{4}-\d{6}/.exec(await page.getByRole('main').innerText())?.[0] ?? ''

  const office = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openAs(office, HOST, STAFF_EMAIL, `/municipality/reports/forms-and-docs?search=${number}`)
  await office.getByRole('row').filter({ hasText: number }).getByRole('button', { name: /View/ }).press('Enter')
  const panel = office.getByRole('dialog')
  await expectGood(office, accessible, 'a form that is reviewed')
  await panel.getByRole('button', { name: 'Approve' }).press('Enter')
  await office.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(panel.getByText('Approved', { exact: true }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
  await emailTo(email, /approved/i)
})

test('reads a form in order: title, errors, then fields with their errors @whole', async ({ page }) => {
  await openAs(page, HOST, await newResident(HOST), '/forms-documents/yard-sale-permit')
  await page.getByRole('button', { name: 'Start form', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await expect(page.getByText(/entries need correction/)).toBeVisible()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Yard sale permit" [level=1]
    - paragraph: 4 entries need correction
    - list:
      - listitem:
        - 'button "Where: Enter the address."'
      - listitem:
        - 'button "First day: Choose a day."'
      - listitem:
        - button "How many days? Choose an answer."
      - listitem:
        - button "Check “I take my signs down the same evening.” to continue."
    - heading "The sale" [level=2]
    - group "Where":
      - textbox "House number and street"
      - textbox "ZIP code"
      - paragraph: Enter the address.
    - textbox "First day" [invalid]
    - paragraph: Choose a day.
    - group "How many days?":
      - radio "One"
      - paragraph: Choose an answer.
    - checkbox "I take my signs down the same evening." [invalid]
    - paragraph: Check “I take my signs down the same evening.” to continue.
    - button "Review"
    - status: We save your entries as you type.
  `)
  // Each error links to its field and is also the field's accessible description.
  await page.getByRole('button', { name: 'First day: Choose a day.' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'First day' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'First day' })).toHaveAccessibleDescription(/Choose a day\./)
})

test('attaches a PDF with fields to a form by keyboard @whole', async ({ page, accessible }) => {
  test.slow()
  const title = `Census ${Date.now()}`
  await openAs(page, HOST, STAFF_EMAIL, '/municipality/manage/manage-forms-and-docs')
  await page.getByRole('button', { name: 'Add form' }).press('Enter')
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill(title)
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  const panel = page.getByRole('dialog', { name: title })
  await panel.getByRole('button', { name: 'Add PDF' }).press('Enter')
  await panel.getByRole('button', { name: 'Upload and test' }).press('Enter')
  await expect(panel.getByText('Choose a file.')).toBeVisible()
  await panel.locator('input[type=file]').setInputFiles('server/acroform/fixtures/qpdf-from-odt.pdf')
  await expectGood(page, accessible, 'a PDF that is added to a form')
  await panel.getByRole('button', { name: 'Upload and test' }).press('Enter')
  await expect(panel.getByText('PDFium shows 7 of 7 fields, PDF.js shows 7 of 7 fields')).toBeVisible()
  await expectGood(page, accessible, 'a form with a PDF')
  await panel.getByRole('button', { name: 'Edit field mapping' }).press('Enter')
  const links = page.getByRole('dialog', { name: 'Edit field mapping' })
  await links.getByRole('combobox').first().selectOption({ label: 'None: the field stays empty' })
  await expectGood(page, accessible, 'which question is written into which field of a PDF')
  await links.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel.getByText('6 of 7 fields, from residents’ answers')).toBeVisible()
})

test('lets staff fill out a form at the counter by keyboard @whole', async ({ page, accessible }) => {
  test.slow()
  await openAs(page, HOST, STAFF_EMAIL, '/municipality/manage/manage-forms-and-docs?search=yard%20sale')
  await page.getByRole('button', { name: 'View Yard sale permit' }).press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'Fill out form for someone else' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Yard sale permit')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await expect(page.getByText(/entries need correction|entry needs correction/)).toBeVisible()
  await page.getByLabel('First day').fill(dayFromNow(7))
  await page.getByRole('radio', { name: 'Two', exact: true }).check()
  await page.getByLabel('I take my signs down the same evening.').check()
  await page.getByLabel('House number and street').fill('12 Linden Avenue')
  await page.getByLabel('City').fill('Maple Grove')
  await page.getByLabel('State').fill('PA')
  await page.getByLabel('ZIP code').fill('17011')
  await page.getByLabel('ZIP code').press('Tab')
  await page.reload()
  await expect(page.getByLabel('House number and street')).toHaveValue('12 Linden Avenue')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await page.getByRole('button', { name: 'Submit', exact: true }).press('Enter')
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByLabel('Name').fill('Caller At The Counter')
  await expectGood(page, accessible, 'a form that the counter looks over')
  await page.getByRole('button', { name: 'Submit', exact: true }).press('Enter')
  await expect(page.getByText(/F-\d{4}-\d{6} was received/)).toBeVisible()
  await page.getByRole('link', { name: 'View submission' }).press('Enter')
  await expect(page.getByRole('dialog').getByText('Caller At The Counter, at the counter')).toBeVisible()
})

test('keeps a form’s answers offline, without a session and across devices @whole', async ({
  page,
  context,
  browser,
}) => {
  test.slow()
  const email = await newResident(HOST)
  await openAs(page, HOST, email, '/forms-documents/yard-sale-permit')
  await page.getByRole('button', { name: 'Start form', exact: true }).press('Enter')
  await expect(page.getByLabel('First day')).toBeVisible()
  const path = new URL(page.url()).pathname

  // Text that was typed offline is saved after the connection returns.
  await context.setOffline(true)
  await page.getByLabel('House number and street').fill('12 Linden Avenue')
  await page.getByLabel('First day').fill(dayFromNow(7))
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/^Saved at /)).toBeVisible()

  // The session ends while the resident types. After sign-in, the form shows the text again.
  await page.evaluate(() => localStorage.clear())
  await context.clearCookies()
  await page.getByLabel('City').fill('Maple Grove')
  await page.getByRole('radio', { name: 'Two', exact: true }).check()
  await page.reload()
  await openAs(page, HOST, email, path)
  await expect(page.getByLabel('House number and street')).toHaveValue('12 Linden Avenue')

  // The resident continues on another device. This device receives and shows the change.
  const desktopPage = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openAs(desktopPage, HOST, email, path)
  await desktopPage.getByLabel('ZIP code').fill('17011')
  await expect(desktopPage.getByText(/^Saved at /)).toBeVisible()
  await page.getByLabel('State').fill('PA')
  await expect(page.getByText('You also made changes on another device')).toBeVisible()
  await page.getByRole('button', { name: 'Show changes' }).press('Enter')
  await expect(page.getByLabel('ZIP code')).toHaveValue('17011')
  await expect(page.getByLabel('State')).toHaveValue('PA')
})
